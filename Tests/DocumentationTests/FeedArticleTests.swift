import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// What the article about feeds says is what the reader does.
@Suite struct FeedArticleTests {
  private let article: FormatArticle
  private let folder: TemporaryFolder
  private let repository: Repository

  /// The list of the article's example is there.
  init() throws {
    article = try FormatArticle(FormatArticle.feed)
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try apply(article.block("Example", "ndjson").text, to: repository)
  }

  @discardableResult
  private func apply(_ feed: String, to repository: Repository) throws -> FeedReport {
    let reader = try FeedReader(file: folder.write(feed, to: "\(UUID().uuidString).ndjson"))
    return try repository.apply(reader)
  }

  /// Applies a feed about `home` to another list.
  @discardableResult
  private func apply(_ feed: String, to list: ListID) throws -> FeedReport {
    try apply(
      feed.replacing(#/"list": ?"home"/#, with: "\"list\":\"\(list)\""), to: repository)
  }

  /// Makes another list of the example.
  private func otherList() throws -> ListID {
    let list = try ListID(UUID().uuidString)
    try apply(article.block("Example", "ndjson").text, to: list)
    return list
  }

  /// A list's tree, called `home`.
  private func tree(_ list: ListID = "home", at revision: Int? = nil) throws -> String {
    let tree = try repository.tree(of: list, at: revision)
    return ListTree(list: "home", revision: tree.revision, sections: tree.sections).json()
  }

  private func failure(of feed: String) -> StoreError? {
    do {
      try apply(feed, to: repository)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func commit(_ operations: String..., sequence: Int = 10) -> String {
    "{\"t\":\"commit\",\"list\":\"home\",\"seq\":\"\(sequence)\",\"ops\":"
      + "[\(operations.joined(separator: ","))]}\n"
  }

  // MARK: The example

  @Test func theExampleLeadsToThePrintedTrees() throws {
    let trees = article.blocks("Example", "json")
    #expect(trees.count == 2)
    for block in trees {
      let printed = try ListTree(parsing: Array(block.text.utf8))
      let stored = try repository.tree(of: "home", at: printed.revision)
      #expect(stored.json() == printed.json())
    }
    #expect(try repository.revision(of: "home") == 8)
  }

  @Test func theExampleHasEveryKindOfLineAndEveryOperation() throws {
    let example = try article.block("Example", "ndjson").text
    for kind in ["commit", "snapshot", "reset"] { #expect(example.contains("{\"t\":\"\(kind)\"")) }
    for row in try #require(article.tables["Operations"]) {
      let name = try #require(FormatArticle.codes(in: row[0]).first)
      #expect(example.contains("{\"op\":\"\(name)\""), "\(name)")
    }
  }

  // MARK: Operations

  /// The examples of operations by their names.
  private func operations() throws -> [(name: String, members: [String: Any])] {
    try article.block("Operations", "json").lines.map { line in
      let members = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return (try #require(members["op"] as? String), members)
    }
  }

  private func text(_ members: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
  }

  @Test func theExamplesOfOperationsFitTheListOneAfterAnother() throws {
    var sequence = 10
    for line in try article.block("Operations", "json").lines {
      try apply(commit(line, sequence: sequence), to: repository)
      sequence += 1
    }
    // They end by deleting what they inserted.
    #expect(
      try tree()
        == tree(at: 8).replacing(
          "\"revision\":\"8\"", with: "\"revision\":\"\(sequence - 2)\""))
  }

  @Test func eachOperationNeedsTheMembersThatTheTableNamesAndNoOther() throws {
    let rows = try #require(article.tables["Operations"])
    let operations = try operations()
    #expect(operations.count == rows.count)
    for row in rows {
      let name = try #require(FormatArticle.codes(in: row[0]).first)
      let required = FormatArticle.codes(in: row[1])
      let members = try #require(operations.first { $0.name == name }).members
      for member in required {
        var less = members
        less[member] = nil
        let error = failure(of: try commit(text(less)))
        #expect(error?.code == .malformedFeed, "\(name) without \(member)")
        #expect(error?.message.hasPrefix("ops[0].\(member): missing") == true, "\(name) \(member)")
      }
      // It is read without all others; what it is about may not be in the list.
      let least = members.filter { required.contains($0.key) || $0.key == "op" }
      let error = failure(of: try commit(#"{"op":"deleteItem","item":"none"}"#, text(least)))
      #expect(error?.code == .itemNotFound, "\(name)")
    }
  }

  @Test func everyPlaceOfTheTableIsWhereItSays() throws {
    let rows = try #require(article.tables["Places"])
    let names = rows.flatMap { FormatArticle.codes(in: $0[0]) }
    #expect(names == ["after", "after", "before", "before", "index"])
    let places = [
      (#","after":"emma""#, ["ulysses", "emma", "x"]),
      (#","after":null"#, ["x", "ulysses", "emma"]),
      (#","before":"emma""#, ["ulysses", "x", "emma"]),
      (#","before":null"#, ["ulysses", "emma", "x"]), (#","index":1"#, ["ulysses", "x", "emma"]),
      (#","index":2"#, ["ulysses", "emma", "x"]), ("", ["ulysses", "emma", "x"]),
    ]
    for (place, expected) in places {
      let other = try otherList()
      let members = #""item":"x","section":"read","cell":"C","content":1\#(place)"#
      let insert = "{\"op\":\"insertItem\",\(members)}"
      try apply(commit(insert), to: other)
      #expect(try repository.tree(of: other).sections[0].items.map(\.id.rawValue) == expected)
      // A move from the start does not count the moved one.
      let move = #"{"op":"moveItem","item":"x"\#(place)}"#
      try apply(commit(#"{"op":"moveItem","item":"x","index":0}"#, move, sequence: 11), to: other)
      #expect(try repository.tree(of: other).sections[0].items.map(\.id.rawValue) == expected)
    }
  }

  // MARK: Sections and items

  @Test func everyMemberOfATableIsReadAndWrittenBack() throws {
    let line = try #require(try article.block("Operations", "json").lines.first)
    for heading in ["Sections", "Layouts", "Views", "Decorations"] {
      for row in try #require(article.tables[heading]) {
        let name = try #require(FormatArticle.codes(in: row[0]).first)
        #expect(line.contains("\"\(name)\":"), "\(heading): \(name)")
      }
    }
    let item = try #require(
      try article.block("Operations", "json").lines.first { $0.contains("insertItem") })
    for heading in ["Items", "Actions"] {
      for row in try #require(article.tables[heading]) {
        let name = try #require(FormatArticle.codes(in: row[0]).first)
        #expect(item.contains("\"\(name)\":"), "\(heading): \(name)")
      }
    }
    // What is not a default comes back as it was written.
    try apply(commit(line), to: repository)
    let stored = try repository.tree(of: "home").json()
    let members = line.replacing(#"{"op":"insertSection","section":"soon","index":0,"#, with: "")
      .replacing(#""footer":null,"#, with: "").replacing(#""visibility":"shown","#, with: "")
      .replacing(#","content":null"#, with: "").replacing("]}]}", with: "]}]")
    #expect(line.hasSuffix("}]}"))
    #expect(stored.contains(members.dropLast(2)), "\(members)")
  }

  @Test func nullIsTheDefaultOfEveryMemberThatSaysSo() throws {
    let names = ["Sections", "Layouts"].flatMap { article.tables[$0] ?? [] }.compactMap {
      FormatArticle.codes(in: $0[0]).first
    }
    let sections = (article.tables["Sections"] ?? []).compactMap {
      FormatArticle.codes(in: $0[0]).first
    }
    #expect(names.count == 12)
    let nulls = sections.map { "\"\($0)\":null" }.joined(separator: ",")
    let layout = names.filter { !sections.contains($0) }.map { "\"\($0)\":null" }
      .joined(separator: ",")
    try apply(
      commit(
        "{\"op\":\"insertSection\",\"section\":\"a\",\(nulls)}",
        "{\"op\":\"insertSection\",\"section\":\"b\",\"layout\":{\(layout)}}",
        #"{"op":"insertSection","section":"c","decorations":[{"view":"V","of":null,"zIndex":null,"#
          + #""insets":null,"content":null}],"supplementaries":{"badge":null}}"#,
        #"{"op":"insertItem","item":"x","section":"c","cell":"C","content":null,"type":null,"#
          + #""action":{"url":null,"event":null,"attrs":null}}"#,
        #"{"op":"insertItem","item":"y","section":"c","cell":"C","content":1,"action":null}"#),
      to: repository)
    let tree = try repository.tree(of: "home").json()
    #expect(tree.contains(#"{"id":"a","items":[]},{"id":"b","items":[]}"#), "\(tree)")
    let last =
      #"{"id":"c","decorations":[{"view":"V"}],"items":[{"id":"x","cell":"C","content":null,"#
      + #""action":{"attrs":null}},{"id":"y","cell":"C","content":1}]}"#
    #expect(tree.contains(last), "\(tree)")
  }

  @Test func valuesAreKeptAndComparedAsItSays() throws {
    let content = #"{ "b" : 1.0, "a" : "\u00e9", "c" : "\ud800", "d" : 12345678901234567890.10 }"#
    let insert = #"{"op":"insertItem","item":"x","section":"read","index":0.0,"cell":"C","#
    try apply(commit(insert + "\"content\":\(content)}"), to: repository)
    let kept = content.filter { $0 != " " }
    #expect(try tree().contains("\"content\":\(kept)"))
    let same = #"{"d":1.234567890123456789010e19,"c":"\ud800","a":"é","b":1}"#
    try apply(
      commit("{\"op\":\"updateItem\",\"item\":\"x\",\"content\":\(same)}", sequence: 11),
      to: repository)
    let update = BatchUpdate(
      from: try repository.tree(of: "home", at: 9), to: try repository.tree(of: "home", at: 10))
    #expect(update.mode == .none)
    // An id that differs in its bytes alone, and one that a section has too.
    for (number, id) in ["\u{E9}", "e\u{301}", "read"].enumerated() {
      let other = insert.replacing("\"x\"", with: "\"\(id)\"") + "\"content\":1}"
      try apply(commit(other, sequence: 12 + number), to: repository)
    }
    #expect(try repository.tree(of: "home").sections[0].items.count == 6)
  }

  // MARK: Sending again

  @Test func linesThatWereTakenAreSkipped() throws {
    let block = try article.block("Sending again", "ndjson")
    for line in block.lines {
      let report = try apply(line + "\n", to: repository)
      #expect(report.applied == 0, "\(line)")
      #expect(report.lists["home"]?.skipped == 1, "\(line)")
    }
    #expect(try apply(article.block("Example", "ndjson").text, to: repository).applied == 0)
    #expect(try repository.revision(of: "home") == 8)
  }

  @Test func aTransmissionMayBeginAtAnyLine() throws {
    let lines = try article.block("Example", "ndjson").lines
    for start in lines.indices {
      for end in Set([start + 1, start + 4, lines.endIndex]) where end <= lines.endIndex {
        let other = try ListID("\(start) \(end)")
        try apply(lines[..<end].joined(separator: "\n") + "\n", to: other)
        try apply(lines[start...].joined(separator: "\n") + "\n", to: other)
        #expect(try tree(other) == tree(), "\(start) \(end)")
      }
    }
  }

  @Test func theLineAfterAResetTellsWhetherItIsNew() throws {
    let lines = try article.block("Example", "ndjson").lines
    let reset = try #require(lines.first { $0.contains("\"reset\"") })
    #expect(try apply(reset + "\n" + commit(sequence: 1), to: repository).applied == 2)
    let other = try otherList()
    #expect(try apply(reset + "\n" + lines[2] + "\n", to: other).applied == 0)
    #expect(try apply(reset + "\n", to: other).applied == 1)
    #expect(try apply(reset + "\n", to: other).applied == 0)
    #expect(try repository.tree(of: other).sections.isEmpty)
  }

  @Test func theFirstLineOfAListMayBeAnyOfThoseNamed() throws {
    let reset = #"{"t":"reset","list":"L"}"#
    let snapshot = #"{"t":"snapshot","list":"L","seq":"41","sections":[]}"#
    let first = #"{"t":"commit","list":"L","seq":"1","ops":[]}"#
    for (number, (line, next)) in [(reset, 1), (snapshot, 42), (first, 2)].enumerated() {
      let feed = [line, "{\"t\":\"commit\",\"list\":\"L\",\"seq\":\"\(next)\",\"ops\":[]}", ""]
        .joined(separator: "\n").replacing("\"L\"", with: "\"l\(number)\"")
      #expect(try apply(feed, to: repository).applied == 2)
    }
  }

  // MARK: Ignored

  @Test func ignoredLinesChangeNothingAndIgnoredMembersNoMore() throws {
    let blocks = article.blocks("Ignored", "ndjson")
    #expect(blocks.count == 2)
    #expect(try apply(blocks[0].text + " \t\r\n", to: repository).applied == 0)
    #expect(try repository.revision(of: "home") == 8)
    for line in blocks[1].lines {
      #expect(try apply(line + "\r\n", to: otherList()).applied == 1, "\(line)")
    }
  }

  // MARK: Errors

  private func refused() -> [FormatArticle.Block] {
    article.blocks.filter { $0.language == "text" }
  }

  @Test func everyRefusedLineGetsThePrintedErrorAndChangesNothing() throws {
    let before = try repository.tree(of: "home").json()
    for block in refused() {
      for (line, outcome) in block.outcomes {
        let error = failure(of: line + "\n")
        #expect(
          error.map { "\($0.code): " + ShownText.line($0.message) } == outcome, "\(line)")
        #expect(error?.line == 1, "\(line)")
      }
    }
    #expect(try repository.tree(of: "home").json() == before)
  }

  /// Feeds that are followed are read by the same rules as files.
  @Test func aFollowedFeedIsReadAlike() async throws {
    let feed = try article.block("Example", "ndjson").text
    let other = try Repository(at: folder.file("followed.sqlite"))
    let lines = feed.split(separator: "\n").map(String.init)
    #expect(try await other.apply(stream(lines)).applied == 8)
    #expect(try await other.apply(stream(Array(feed.utf8))).applied == 0)
    for revision in 0...8 {
      #expect(
        try other.tree(of: "home", at: revision).json()
          == repository.tree(of: "home", at: revision).json())
    }
    for (line, outcome) in refused().flatMap(\.outcomes) {
      do {
        _ = try await other.apply(stream([line]))
        Issue.record("followed: \(line)")
      } catch let error as StoreError {
        #expect("\(error.code): " + ShownText.line(error.message) == outcome, "\(line)")
      }
    }
    await #expect(throws: StoreError.self) {
      _ = try await other.apply(stream(Array(commit().utf8.dropLast())))
    }
    #expect(try other.revision(of: "home") == 8)
  }

  private func stream<Element: Sendable>(_ elements: [Element]) -> AsyncStream<Element> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }

  @Test func everyErrorCodeOfTheTableIsProvoked() throws {
    let rows = try #require(article.tables["Errors"])
    let named = Set(rows.compactMap { FormatArticle.codes(in: $0[0]).first })
    let provoked = refused().flatMap { $0.outcomes.map(\.outcome) }.compactMap {
      $0.components(separatedBy: ": ").first
    }
    // The two that no whole line of an article can show.
    #expect(Set(provoked).union(["tornFeed", "feedLimit"]) == named)
    let torn = commit().dropLast()
    #expect(failure(of: commit() + torn)?.code == .tornFeed)
    #expect(failure(of: commit() + torn)?.line == 2)
    #expect(try repository.revision(of: "home") == 9)
    for mark in ["\u{FEFF}", "{\u{0}"] {
      #expect(failure(of: mark + commit(sequence: 11))?.code == .malformedFeed)
    }
  }

  // MARK: Limits

  @Test func everyLimitOfTheTableHoldsAndNoSmallerOne() throws {
    let rows = try #require(article.tables["Limits"])
    #expect(rows.count == 8)
    for row in rows {
      let limit = try #require(Int(row[1].replacing(",", with: "")), "\(row)")
      // A line of 16 MiB takes long to read; the command's tests do it always.
      let isLong = row[0].hasPrefix("bytes of a line")
      if isLong { #expect(limit == 16 << 20) }
      if isLong, SeededGenerator.count(1) == 1 { continue }
      let error = failure(of: try line(row[0], of: limit + 1))
      #expect(error.map { "`\($0.code)`" } == row[2], "\(row[0])")
      // Another name would make a line longer.
      let other = try isLong ? "home" : otherList()
      do {
        #expect(try apply(line(row[0], of: limit), to: other).applied == 1, "\(row[0])")
      } catch let error as StoreError {
        // The elements of those that may have many are none: they were counted before.
        #expect(limit == 100_000 && error.code == .malformedFeed, "\(row[0]): \(error)")
      }
    }
  }

  /// A line that reaches a limit.
  private func line(_ limit: String, of number: Int) throws -> String {
    func section(_ members: String) -> String {
      commit("{\"op\":\"insertSection\",\"section\":\"n\",\(members)}")
    }
    func many(_ element: String) -> String {
      String(repeating: element + ",", count: number - 1) + element
    }
    switch limit {
    case let text where text.hasPrefix("bytes of a line"):
      let line = commit().dropLast()
      return line + String(repeating: " ", count: number - line.utf8.count) + "\n"
    case "operations of a commit":
      return commit(many("{}"))
    case "sections of a snapshot":
      return "{\"t\":\"snapshot\",\"list\":\"home\",\"seq\":\"10\",\"sections\":["
        + many("{}") + "]}\n"
    case let text where text.hasPrefix("levels of arrays"):
      // The line, its operations and the operation are three.
      return section(
        "\"meta\":" + String(repeating: "[", count: number - 3)
          + String(repeating: "]", count: number - 3))
    case "bytes of an id":
      let id = String(repeating: "i", count: number)
      return commit("{\"op\":\"insertSection\",\"section\":\"\(id)\"}")
    case "bytes of an author":
      return commit().replacing(
        "\"seq\"", with: "\"by\":\"\(String(repeating: "b", count: number))\",\"seq\"")
    case "columns of a layout": return section("\"layout\":{\"columns\":\(number)}")
    case "points of a length": return section("\"layout\":{\"lineSpacing\":\(number)}")
    default: throw FormatArticleError.unknown(limit)
    }
  }
}

/// What an article names and no test knows.
private enum FormatArticleError: Error {
  case unknown(String)
}
