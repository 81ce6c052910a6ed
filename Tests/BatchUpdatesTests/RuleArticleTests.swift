import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// The article that explains the rules, taken apart.
private struct RuleArticle {
  /// What stands under the heading of one rule.
  struct Entry: CustomTestStringConvertible {
    let name: String
    /// The code blocks of JSON.
    var examples: [String] = []
    /// The paragraphs that give a verdict, without line breaks.
    var verdicts: [String] = []

    var testDescription: String { name }
  }

  let entries: [Entry]

  init() throws {
    let file = PackageFiles.root.appendingPathComponent(
      "Sources/BatchUpdates/BatchUpdates.docc/BatchRules.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    var entries: [Entry] = []
    for paragraph in text.components(separatedBy: "\n\n") {
      let paragraph = paragraph.trimmingCharacters(in: .newlines)
      if paragraph.hasPrefix("### ") {
        entries.append(Entry(name: String(paragraph.dropFirst(4))))
      } else if paragraph.hasPrefix("```json") {
        let lines = paragraph.components(separatedBy: "\n").dropFirst().dropLast()
        try #require(!entries.isEmpty, "\(paragraph)")
        entries[entries.count - 1].examples.append(lines.joined(separator: "\n"))
      } else if paragraph.hasPrefix("Verdict: ") {
        try #require(!entries.isEmpty, "\(paragraph)")
        entries[entries.count - 1].verdicts.append(
          paragraph.components(separatedBy: "\n").joined(separator: " "))
      }
    }
    self.entries = entries
  }
}

/// Every rule that a view can break is explained, and every example in it is what it says.
@Suite struct RuleArticleTests {
  private let article: RuleArticle

  init() throws { article = try RuleArticle() }

  @Test func everyRuleHasItsHeadingInTheOrderOfTheRules() {
    #expect(article.entries.map(\.name) == LegalityRule.all.map(\.name))
  }

  @Test func everyRuleHasOneExampleOfOneLine() {
    for entry in article.entries {
      #expect(entry.examples.count == 1, "\(entry.name)")
      #expect(entry.examples.allSatisfy { !$0.contains("\n") }, "\(entry.name)")
      #expect(entry.verdicts.count == 1, "\(entry.name)")
    }
  }

  @Test func everyExampleGetsTheVerdictThatIsPrinted() throws {
    for entry in article.entries {
      let question = try question(of: #require(entry.examples.first))
      let verdict = question.verdict
      if verdict.outcome == .ok {
        #expect(question.reloadSections.isEmpty, "\(entry.name)")
        let refusal = try #require(question.refusal, "\(entry.name)")
        #expect(refusal.rule?.name == entry.name)
        #expect(entry.verdicts == ["Verdict: `ok`. Refused: \(refusal.message)"])
      } else {
        #expect(verdict.rule?.name == entry.name)
        #expect(entry.verdicts == ["Verdict: `\(verdict.outcome)`. \(verdict.message)"])
      }
    }
  }

  /// Reads a line as `plan check` does; counts below 0 are let through to the check.
  private func question(of line: String) throws -> LegalityQuestion {
    let object = try JSONNode(parsing: Array(line.utf8)).object()
    func integers(_ name: String, in object: JSONObject) throws -> [Int] {
      try object.optional(name) ?? []
    }
    _ = try (object.required("before"), object.required("after"))
    var question = LegalityQuestion(
      try integers("before", in: object), try integers("after", in: object), [])
    let stage = try object.required("stage").object()
    question.stage = try Stage(stage)
    question.reloadSections = try integers("reloadSections", in: stage)
    return question
  }
}
