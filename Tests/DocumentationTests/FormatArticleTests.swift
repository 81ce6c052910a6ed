import BatchUpdates
import Foundation
import ListModel
import TestSupport
import Testing

/// What the articles about trees and batch updates say is what the readers and writers do.
@Suite struct FormatArticleTests {
  @Test(arguments: [
    FormatArticle.feed, FormatArticle.tree, FormatArticle.batch, FormatArticle.command,
  ])
  func everyFormatHasAVersion(_ path: String) throws {
    let article = try FormatArticle(path)
    let start = try #require(article.text.components(separatedBy: "## Overview").first)
    #expect(start.contains("Format version 1."))
    #expect(article.text.contains("\n## Versions\n\nThis is version 1 of "))
  }

  /// A server and a reader of trees each need one article alone, so both describe the parts.
  @Test func theFeedAndTheTreeDescribeTheirPartsAlike() throws {
    let feed = try FormatArticle(FormatArticle.feed), tree = try FormatArticle(FormatArticle.tree)
    #expect(
      try feed.text(from: "## Sections", upTo: "## Sequence numbers")
        == tree.text(from: "## Sections", upTo: "## What is written"))
  }
}

/// The article about trees.
@Suite struct TreeArticleTests {
  private let article: FormatArticle

  init() throws { article = try FormatArticle(FormatArticle.tree) }

  private func tree(_ text: String) throws -> ListTree { try ListTree(parsing: Array(text.utf8)) }

  @Test func theExampleIsReadAndWrittenAsItSays() throws {
    let example = try tree(article.block("Example", "json").text)
    let line = try article.block("What is written", "json").text
    #expect(example.json() + "\n" == line)
    #expect(try tree(line) == example)
    // And the size of an item as an export prints it.
    let printed = example.json(sizes: ["emma": Size(width: 320, height: 88.5)])
    let whole = try article.block("Example", "json").text
    #expect(try JSON(parsing: printed) == JSON(parsing: whole))
  }

  @Test func everyMemberIsInTheExampleAndIsNeededWhereItSays() throws {
    let example = try article.block("Example", "json").text
    let headings = ["The tree", "Sections", "Layouts", "Views", "Decorations", "Items", "Actions"]
    // Other members may have the name of a required one.
    let required = headings.flatMap { article.tables[$0] ?? [] }.filter { $0.contains("required") }
      .compactMap { FormatArticle.codes(in: $0[0]).first }
    for heading in headings {
      for row in try #require(article.tables[heading]) {
        let name = try #require(FormatArticle.codes(in: row[0]).first)
        #expect(example.contains("\"\(name)\":"), "\(heading): \(name)")
        // Without the member, nothing is read where the table calls it required.
        let less = example.replacing("\"\(name)\":", with: "\"other\":")
        if required.contains(name) {
          #expect(throws: FormatError.self, "\(heading): \(name)") { try tree(less) }
        } else {
          #expect(throws: Never.self, "\(heading): \(name)") { try tree(less) }
        }
      }
    }
    #expect(try tree(#"{"sections":[]}"#) == ListTree(list: "list", revision: 0, sections: []))
  }

  @Test func everyRefusedTextGetsThePrintedProblem() throws {
    let outcomes = try article.block("Errors", "text").outcomes
    #expect(outcomes.count > 10)
    for (text, outcome) in outcomes {
      let error = #expect(throws: FormatError.self, "\(text)") { try tree(text) }
      #expect(error?.description == outcome, "\(text)")
    }
  }

  @Test func aTreeNestsAsDeepAsItSays() throws {
    let words = try article.text(from: "## Errors", upTo: "## Versions")
    let sentence = try #require(words.components(separatedBy: "nests at most ").last)
    let limit = try #require(sentence.split(separator: " ").first.flatMap { Int($0) })
    func deep(_ levels: Int) -> String {
      // The tree, its sections and the section are three.
      "{\"sections\":[{\"id\":\"a\",\"items\":[],\"unknown\":\(arrays(levels - 3))}]}"
    }
    func arrays(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(try tree(deep(limit)).sections.count == 1)
    #expect(throws: FormatError.self) { try tree(deep(limit + 1)) }
    let ofValues = try #require(words.firstMatch(of: #/at most (\d+)\./#).flatMap { Int($0.1) })
    #expect(try tree("{\"sections\":[],\"meta\":\(arrays(ofValues))}").meta != nil)
    #expect(throws: FormatError.self) {
      try tree("{\"sections\":[],\"meta\":\(arrays(ofValues + 1))}")
    }
    #expect(throws: FormatError.self) { try tree("\u{FEFF}{\"sections\":[]}") }
  }
}

/// The article about batch updates.
@Suite struct BatchArticleTests {
  private let article: FormatArticle

  init() throws { article = try FormatArticle(FormatArticle.batch) }

  @Test func theExampleIsTheBatchUpdateOfItsTrees() throws {
    let trees = try article.block("Example", "json").lines.map {
      try ListTree(parsing: Array($0.utf8))
    }
    try #require(trees.count == 2)
    let update = BatchUpdate(from: trees[0], to: trees[1])
    #expect(try update.json + "\n" == article.block("Example", "ndjson").text)
    #expect(update.stages.count > 1)
    let counts = trees[1].sections.map(\.items.count)
    #expect(Array(update.stages.last?.counts ?? []) == counts)
  }

  @Test func theOtherModesAreWrittenAsItSays() throws {
    let none = BatchUpdate(list: "home", from: 17, to: 18, mode: .none)
    let reload = BatchUpdate(
      list: "home", from: 18, to: 19,
      mode: .reload(why: .tooManyChanges(limit: 250)))
    #expect(
      try article.block("The batch update", "ndjson").lines == [none.json, reload.json])
    let rows = try #require(article.tables["The batch update"])
    #expect(
      rows.compactMap { FormatArticle.codes(in: $0[0]).first }
        == ["list", "from", "to", "of", "mode", "stages", "why"])
  }

  @Test func theTableNamesTheOperationsOfAStage() throws {
    let rows = try #require(article.tables["Stages"])
    #expect(
      rows.compactMap { FormatArticle.codes(in: $0[0]).first } == Stage.operationNames + ["counts"])
    var stage = Stage()
    stage.counts = [0]
    var writer = JSONWriter()
    stage.write(to: &writer)
    #expect(writer.text == #"{"counts":[0]}"#)
  }

  private func ask(_ question: String) throws -> BuiltProducts.Outcome {
    try BuiltProducts.run("cellar", ["plan", "check", "-"], input: Data(question.utf8))
  }

  @Test func everyQuestionGetsThePrintedAnswer() throws {
    let outcomes = try article.block("Asking what UIKit does", "text").outcomes
    var verdicts: Set<String> = []
    for (question, answer) in outcomes {
      let outcome = try ask(question)
      #expect(outcome.output == answer + "\n", "\(question)")
      #expect(outcome.errors == "")
      #expect(outcome.exitCode == (answer == #"{"verdict":"ok"}"# ? 0 : 2))
      verdicts.insert(String(answer.split(separator: "\"")[2...].prefix(2).joined()))
    }
    #expect(verdicts.count == 3)
  }

  @Test func everyRefusedQuestionGetsThePrintedError() throws {
    for (question, error) in try article.block("Errors", "text").outcomes {
      let outcome = try ask(question)
      #expect(outcome.errors == "Error: \(error)\n", "\(question)")
      #expect(outcome.output == "")
      #expect(outcome.exitCode == 1)
    }
  }
}
