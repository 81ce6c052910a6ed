import BatchUpdates
import Foundation
import TestSupport
import Testing

@Suite struct LegalityVerdictFileTests {
  @Test(
    .enabled(
      if: PackageFiles.shared("batch-verdicts.json") != nil,
      "needs ../shared/data/batch-verdicts.json"))
  func everyExampleOfTheFileGetsItsVerdict() throws {
    let file = try #require(PackageFiles.shared("batch-verdicts.json"))
    let examples = try LegalityExample.all(in: file)
    #expect(!examples.isEmpty)
    for example in examples {
      let verdict = example.question.verdict
      #expect(
        verdict.outcome.rawValue == example.verdict, "\(example.name): \(verdict.message)")
      #expect(LegalityOracle.outcome(of: example.question) == verdict.outcome, "\(example.name)")
    }
  }
}
