package import Foundation

/// A stage of `../shared/data/batch-verdicts.json`, with the verdict that it must get.
package struct LegalityExample: Decodable, Sendable {
  private struct Operations: Decodable {
    var deleteSections: [Int]?
    var insertSections: [Int]?
    var moveSections: [[Int]]?
    var reloadSections: [Int]?
    var updateSections: [Int]?
    var deleteItems: [[Int]]?
    var insertItems: [[Int]]?
    var moveItems: [[[Int]]]?
    var reloadItems: [[Int]]?
    var reconfigureItems: [[Int]]?
  }

  /// What the example shows.
  package let name: String
  /// How the view ends with it.
  package let verdict: String
  private let before: [Int]
  private let after: [Int]
  private let stage: Operations

  /// The stage with its counts.
  package var question: LegalityQuestion {
    var all: [LegalityOperation] = []
    all += (stage.deleteSections ?? []).map { .deleteSection($0) }
    all += (stage.insertSections ?? []).map { .insertSection($0) }
    all += (stage.moveSections ?? []).map { .moveSection($0[0], $0[1]) }
    all += (stage.reloadSections ?? []).map { .reloadSection($0) }
    all += (stage.updateSections ?? []).map { .updateSection($0) }
    all += (stage.deleteItems ?? []).map { .deleteItem($0[0], $0[1]) }
    all += (stage.insertItems ?? []).map { .insertItem($0[0], $0[1]) }
    all += (stage.moveItems ?? []).map { .moveItem($0[0][0], $0[0][1], to: $0[1][0], $0[1][1]) }
    all += (stage.reloadItems ?? []).map { .reloadItem($0[0], $0[1]) }
    all += (stage.reconfigureItems ?? []).map { .reconfigureItem($0[0], $0[1]) }
    return LegalityQuestion(before, after, all)
  }

  /// The examples of the file.
  package static func all(in file: URL) throws -> [LegalityExample] {
    try JSONDecoder().decode([LegalityExample].self, from: Data(contentsOf: file))
  }
}
