import BatchUpdates
import Foundation
import TestSupport
import Testing

private struct VerdictExample: Decodable {
  struct Operations: Decodable {
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

  let name: String
  let verdict: String
  let before: [Int]
  let after: [Int]
  let stage: Operations

  var question: LegalityQuestion {
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
}

@Suite struct LegalityVerdictFileTests {
  @Test(
    .enabled(
      if: PackageFiles.shared("batch-verdicts.json") != nil,
      "needs ../shared/data/batch-verdicts.json"))
  func everyExampleOfTheFileGetsItsVerdict() throws {
    let file = try #require(PackageFiles.shared("batch-verdicts.json"))
    let examples = try JSONDecoder().decode([VerdictExample].self, from: Data(contentsOf: file))
    #expect(!examples.isEmpty)
    for example in examples {
      let verdict = example.question.verdict
      #expect(
        verdict.outcome.rawValue == example.verdict, "\(example.name): \(verdict.message)")
    }
  }
}
