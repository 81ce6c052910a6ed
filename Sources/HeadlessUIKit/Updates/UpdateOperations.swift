import Foundation

/// The operations of one batch update, in the order of the calls.
struct UpdateOperations {
  var deletes: [UpdatePlace] = []
  var inserts: [UpdatePlace] = []
  var reloads: [UpdatePlace] = []
  var moves: [UpdateMove] = []
  /// The paths before the update that were reconfigured while it was collected.
  var reconfigures: [UpdatePlace] = []

  var isStructural: Bool { !(deletes.isEmpty && inserts.isEmpty && moves.isEmpty) }

  var hasSectionOperations: Bool {
    deletes.contains(where: \.isSection) || inserts.contains(where: \.isSection)
      || moves.contains(where: \.from.isSection)
  }

  /// Each element once, in the order of the first occurrences.
  static func once<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}

/// The words and rules in which collection and table views differ.
struct UpdateWording {
  let item: String
  let view: String
  /// Whether a delete or an insert that is repeated counts once: in a table view.
  ///
  /// A collection view counts both.
  let dropsDuplicates: Bool

  static let collection = UpdateWording(
    item: "item", view: "collection view", dropsDuplicates: false)
  static let table = UpdateWording(item: "row", view: "table view", dropsDuplicates: true)
}
