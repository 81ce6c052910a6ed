import ListModel

/// The difference between a list before and after, as the fewest operations, before they are
/// divided into stages.
///
/// The paths in `deleteItems` and the sources of moves are paths before; all other paths are paths
/// after. The items of deleted and of inserted sections are not listed. UIKit has no legal move out
/// of a deleted section or into an inserted one, so an item that leaves a deleted section is an
/// insertion, and one that enters an inserted section is a deletion.
struct NetChange {
  /// How many items each section holds before.
  let before: SectionCounts
  /// All sections after, in order.
  var sections: [Segment] = []
  /// The sections that are in both lists and that move or whose items change, in their order after.
  var survivors: [SurvivingSection] = []

  /// Indexes before, ascending; all lists of places here ascend.
  var deleteSections: [Int] = []
  var insertSections: [Int] = []
  var deleteItems: [ItemPath] = []
  var insertItems: [ItemPath] = []
  /// Sorted by target.
  var moveItems: [Stage.Move<ItemPath>] = []
  var reloadItems: [ItemPath] = []
  var reconfigureItems: [ItemPath] = []
  var updateSections: [Int] = []
  /// The items, in both lists and in surviving sections, with a neighbour that changed; by path.
  var neighbours: [Neighbour] = []
  /// The visibility of the sections that set it or were inserted, by index after.
  var visibilities: [SetVisibility] = []
  /// Whether an item moves from one section to another.
  var hasMovesAcrossSections = false

  /// Consecutive sections after.
  enum Segment {
    /// As many unchanged sections, from an index before on.
    case unchanged(from: Int, count: Int)
    /// The section at a position in `survivors`.
    case survivor(Int)
    /// An inserted section.
    case inserted(itemCount: Int)
  }

  /// A section that is in both lists.
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

    /// Whether moving the section would take another stage.
    ///
    /// `deletionsSettled`: Whether the deletions have a stage of their own in any case.
    func isDirty(deletionsSettled: Bool) -> Bool {
      !deletions.isEmpty || (hasInsertionsOrMoves && !deletionsSettled)
    }
  }

  /// The visibility of a section after, and its index after.
  struct SetVisibility {
    var section: Int
    var visibility: SectionAttributes.Visibility
  }

  /// An item, and which of its neighbours changed.
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
  /// Adds a reconfigure for each item that depends on a neighbour that changed.
  ///
  /// - Parameter dependency: Returns the neighbours that the item at a path after depends on;
  ///   called only for items with a neighbour that changed.
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
