import ListModel

/// What is different between a list before and after, as the fewest operations, not yet in stages.
///
/// Paths in `deleteItems` and sources of moves count in the list before, all others in the list
/// after. Items of deleted and of inserted sections are not named: they go and come with them. So
/// an item that leaves a deleted section appears as inserted, and one that enters an inserted
/// section as deleted; the view has no legal move for either.
struct NetChange {
  /// A section that is there before and after.
  struct SurvivingSection {
    var old: Int
    var new: Int
    var moves = false
    /// How many items are deleted from it.
    var deletions: [Int] = []
    /// Whether items are inserted into it or moved in, out or inside it.
    var hasInsertionsOrMoves = false
  }

  var deleteSections: [Int] = []
  var insertSections: [Int] = []
  /// In their order after.
  var survivors: [SurvivingSection] = []
  var deleteItems: [ItemPath] = []
  var insertItems: [ItemPath] = []
  var moveItems: [Stage.ItemMove] = []
  var reloadItems: [ItemPath] = []
  var reconfigureItems: [ItemPath] = []
  var updateSections: [Int] = []
  var countsBefore: [Int] = []
  var countsAfter: [Int] = []

  /// Whether an item moves from one section to another.
  var hasMovesAcrossSections = false

  var hasSectionOperations: Bool {
    !deleteSections.isEmpty || !insertSections.isEmpty || survivors.contains(where: \.moves)
  }
}
