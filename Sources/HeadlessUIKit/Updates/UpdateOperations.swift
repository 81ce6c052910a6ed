import Foundation

/// What a view was told in one batch, in the order in which it was told.
struct UpdateOperations {
  var deletes: [UpdatePlace] = []
  var inserts: [UpdatePlace] = []
  var reloads: [UpdatePlace] = []
  var moves: [UpdateMove] = []
  /// Paths before that were configured anew while the batch ran.
  var reconfigures: [UpdatePlace] = []

  var isStructural: Bool { !(deletes.isEmpty && inserts.isEmpty && moves.isEmpty) }

  var hasSectionOperations: Bool {
    deletes.contains(where: \.isSection) || inserts.contains(where: \.isSection)
      || moves.contains(where: \.from.isSection)
  }

  /// Each of them once, in the order of the first.
  static func once<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}

/// The words that differ between the two views.
struct UpdateWording {
  let item: String
  let view: String
  /// A table view drops a delete or an insert that it is told twice; a collection view counts both.
  let dropsDuplicates: Bool

  static let collection = UpdateWording(
    item: "item", view: "collection view", dropsDuplicates: false)
  static let table = UpdateWording(item: "row", view: "table view", dropsDuplicates: true)
}
