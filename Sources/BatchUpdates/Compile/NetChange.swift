import ListModel

/// What is different between a list before and after, as the fewest operations, not yet in stages.
///
/// Paths in `deleteItems` and sources of moves count in the list before, all others in the list
/// after. Items of deleted and of inserted sections are not named: they go and come with them. So
/// an item that leaves a deleted section appears as inserted, and one that enters an inserted
/// section as deleted; the view has no legal move for either.
struct NetChange {
  /// How many items each section held.
  let before: SectionCounts
  /// All sections after, in order.
  var sections: [Segment] = []
  /// Sections that are there before and after and that move, or whose items change; in their order
  /// after.
  var survivors: [SurvivingSection] = []

  /// Ascending, as are all lists of places here.
  var deleteSections: [Int] = []
  var insertSections: [Int] = []
  var deleteItems: [ItemPath] = []
  var insertItems: [ItemPath] = []
  /// By target.
  var moveItems: [Stage.Move<ItemPath>] = []
  var reloadItems: [ItemPath] = []
  var reconfigureItems: [ItemPath] = []
  var updateSections: [Int] = []
  /// Items of surviving sections that were there, and that have another neighbour now or a changed
  /// one; by path.
  var neighbours: [Neighbour] = []
  /// The sections after whose visibility was set, and sections that were inserted; by index.
  var visibilities: [SetVisibility] = []
  /// Whether an item moves from one section to another.
  var hasMovesAcrossSections = false

  /// Sections after that follow one another.
  enum Segment {
    /// As they were: from an index before on, so many.
    case unchanged(from: Int, count: Int)
    /// One of `survivors`.
    case survivor(Int)
    /// A section that was not there, with so many items.
    case inserted(itemCount: Int)
  }

  /// A section that is there before and after.
  struct SurvivingSection {
    var old: Int
    var new: Int
    var moves = false
    /// The indexes before of items that are deleted from it, ascending.
    var deletions: [Int] = []
    /// Whether items are inserted into it or moved in, out or inside it.
    var hasInsertionsOrMoves = false
    var countAfter: Int

    var hasItemChanges: Bool { !deletions.isEmpty || hasInsertionsOrMoves }

    /// Whether it had better not move: that would take another stage.
    ///
    /// `deletionsSettled`: Whether the deletions have a stage of their own anyway.
    func isDirty(deletionsSettled: Bool) -> Bool {
      !deletions.isEmpty || (hasInsertionsOrMoves && !deletionsSettled)
    }
  }

  /// The visibility that a section has after, and its index there.
  struct SetVisibility {
    var section: Int
    var visibility: SectionVisibility
  }

  /// An item and the sides on which it has a neighbour that is another or changed.
  struct Neighbour {
    var path: ItemPath
    var changed: NeighbourDependency
  }

  init(before: SectionCounts) { self.before = before }

  var hasSectionOperations: Bool {
    !deleteSections.isEmpty || !insertSections.isEmpty || survivors.contains(where: \.moves)
  }
}

extension NetChange {
  /// Reconfigures the items whose drawing depends on a neighbour that is another now, or changed.
  ///
  /// - Parameter dependency: On which neighbours the item at a path after depends; asked only of
  ///   items that have such a neighbour.
  mutating func reconfigureNeighbours(_ dependency: (ItemPath) -> NeighbourDependency) {
    let redrawn = Set(reloadItems).union(reconfigureItems)
    let dependent = neighbours.filter {
      !redrawn.contains($0.path) && !$0.changed.isDisjoint(with: dependency($0.path))
    }
    if dependent.isEmpty { return }
    reconfigureItems += dependent.map(\.path)
    reconfigureItems.sort()
  }
}
