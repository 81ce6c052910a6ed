import Foundation
import TestSupport
import Testing

/// Names from files and feeds can't drive a terminal or forge a line, whatever command prints them.
@Suite struct HostileNamesTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  /// A control sequence in both forms, line ends of all kinds, changes of direction, what is
  /// unseen.
  private let hostile =
    "h forged \u{1B}[31m\u{9B}1m\u{7F}\u{85}\u{202E}\u{2066}\u{200F}\u{61C}\u{2028}\u{2029}\u{200B}"
    + "\u{FEFF}\u{8}\r\nError: forged"

  private func expectPlain(
    _ outcome: BuiltProducts.Outcome, _ what: Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect((outcome.output + outcome.errors).contains("forged"), "\(what): \(outcome)")
    for text in [outcome.output, outcome.errors] {
      for scalar in text.unicodeScalars where scalar != "\n" {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          Issue.record(
            "\(what): U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)",
            sourceLocation: sourceLocation)
        default: break
        }
      }
      for line in text.split(separator: "\n") {
        #expect(!line.hasPrefix("Error: forged"), "\(what)", sourceLocation: sourceLocation)
      }
    }
  }

  private func json(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(withJSONObject: value, options: .withoutEscapingSlashes),
      as: UTF8.self)
  }

  private func line(_ sequence: Int, _ operations: [[String: Any]]) throws -> String {
    try json(
      [
        "t": "commit", "list": hostile, "seq": "\(sequence)", "by": String(hostile.prefix(12)),
        "ops": operations,
      ]) + "\n"
  }

  private func insertHostileItem(_ id: String) -> [String: Any] {
    [
      "op": "insertItem", "item": id, "section": hostile, "cell": hostile,
      "content": ["text": hostile],
    ]
  }

  @Test func noCommandPrintsWhatANameHoldsAsItIs() throws {
    let feed = try line(
      1, [["op": "insertSection", "section": hostile], insertHostileItem(hostile)])
    let name = "feed \(hostile.replacingOccurrences(of: "/", with: ""))"
    _ = try bench.folder.write(feed, to: name)
    let store = "store \(hostile)"
    func run(
      _ arguments: String..., input: String? = nil, expecting code: Int32,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> BuiltProducts.Outcome {
      let outcome = try bench.cellar(
        arguments, input: input, expecting: code, sourceLocation: sourceLocation)
      expectPlain(outcome, arguments, sourceLocation: sourceLocation)
      return outcome
    }
    _ = try run("replay", name, "--store", store, expecting: 0)
    _ = try run("replay", name, "--store", store, "--json", expecting: 0)
    let batch = try run(
      "replay", "--store", store, "--batches", "-", "--from", "0", expecting: 0)
    #expect(try batch.output.object()["list"] as? String == hostile)
    _ = try run(
      "replay", "--store", store, "--batches", "-", "--from", hostile + "=9", expecting: 1)
    // Errors that quote.
    let wrong: [[[String: Any]]] = [
      [["op": "deleteItem", "item": "x" + hostile]], [["op": hostile]],
      [["op": "insertSection", "section": hostile]], [insertHostileItem(hostile)],
      [["op": "moveItem", "item": hostile, "after": hostile + "x"]],
      [["op": "insertSection", "section": "n", "layout": ["kind": hostile]]],
      [["op": "insertSection", "section": "n", "supplementaries": [hostile: 7]]],
    ]
    for operations in wrong {
      _ = try run(
        "replay", "-", "--store", store, input: try line(2, operations), expecting: 1)
    }
    _ = try run("replay", "-", "--store", store, input: try line(9, []), expecting: 1)
    _ = try run(
      "replay", name, "--store", store, "--batches", "/dev/full", "--from", "0", expecting: 9)
    _ = try run("replay", name, "--store", store, "--batches", name, expecting: 64)
    _ = try run("replay", "no " + hostile, "--store", store, expecting: 1)
    _ = try run("replay", name, "--store", "no " + hostile + "/store", expecting: 1)
    // Derived lists.
    let derived = "d" + hostile
    _ = try bench.folder.write(
      try json(["derived": derived, "of": hostile, "where": [["path": "/text", "eq": hostile]]])
        + "\n", to: "lists " + hostile)
    for words in [
      ["derive", store, "--define", "lists " + hostile], ["derive", store, "--list", "--json"],
      ["ls", store, "--list", derived], ["info", store], ["info", store, "--json"],
      ["info", store, "--space"], ["check", store],
    ] {
      expectPlain(try bench.cellar(words, expecting: 0), words)
    }
    let file = bench.folder.file(store).path
    try bench.change(
      "UPDATE derivedList SET definition = '{\"derived\":' || quote(definition)", in: file)
    expectPlain(try bench.cellar("check", store, expecting: 2), "check")
    expectPlain(try bench.cellar("info", store, expecting: 2), "info")
    try bench.change("DELETE FROM derivedList", in: file)
    expectPlain(try bench.cellar("check", store, expecting: 2), "check")
    expectPlain(
      try bench.cellar("repair", store, "--yes", "--accept-loss", expecting: 2), "repair")
    // Looking.
    _ = try run("inspect", "summary", store, expecting: 0)
    let summary = try run("inspect", "summary", store, "--json", expecting: 0)
    #expect(try summary.output.object()["file"] as? String == bench.folder.file(store).path)
    let export = try run("inspect", "export", store, "--list", hostile, expecting: 0)
    try expectSameValues(export.output)
    _ = try run("inspect", "export", store, "--list", "x" + hostile, expecting: 1)
    _ = try run("inspect", "export", store, "--list", hostile, "--at", "7", expecting: 1)
    _ = try run("inspect", "summary", "no " + hostile, expecting: 1)
    for words in [
      ["ls"], ["ls", "--long", "--content", "full"], ["log", "--content", "full", "--rates"],
    ] {
      for json in [[], ["--json"]] {
        let outcome = try bench.cellar(
          ["inspect", words[0], store] + words.dropFirst() + json, expecting: 0)
        expectPlain(outcome, words)
      }
    }
    _ = try run("inspect", "show", store, hostile, "--list", hostile, expecting: 0)
    _ = try run(
      "inspect", "show", store, "--section", hostile, "--list", hostile, "--json", expecting: 0)
    _ = try run("inspect", "show", store, "x" + hostile, "--list", hostile, expecting: 1)
    _ = try run("inspect", "diff", store + "@0", store, "--list", hostile, expecting: 0)
    _ = try run("inspect", "diff", store + "@" + hostile, store, "--list", hostile, expecting: 64)
    // Plans.
    _ = try bench.folder.write(export.output, to: "new " + hostile)
    _ = try bench.folder.write(#"{"sections":[]}"#, to: "old")
    _ = try run("plan", "diff", "new " + hostile, "new " + hostile, expecting: 0)
    _ = try run("plan", "diff", "old", "no " + hostile, expecting: 1)
    _ = try run("plan", "diff", "old", name, expecting: 1)
    _ = try run("plan", "check", name, expecting: 1)
    // Migrations, whose names a store may have made up.
    let queue = bench.folder.file(store).path
    try bench.change(
      "UPDATE schemaMigration SET name = '\(hostile)' WHERE version = 1", in: queue)
    _ = try run("migrate", "status", store, expecting: 0)
    _ = try run("migrate", "up", store, expecting: 0)
    let status = try run("migrate", "status", store, "--json", expecting: 0)
    let first = (try status.output.object()["migrations"] as? [[String: Any]])?.first
    #expect(first?["name"] as? String == hostile)
    _ = try run("migrate", "rename-cell", "x" + hostile, "New", store, expecting: 1)
    _ = try run("migrate", "rename-cell", hostile, "New", store, expecting: 0)
    try bench.change("UPDATE schemaMigration SET checksum = '\(hostile)'", in: queue)
    _ = try run("migrate", "status", store, expecting: 4)
    _ = try run("migrate", "status", store, "--json", expecting: 4)
    // Arguments that can't be understood.
    _ = try run(hostile, expecting: 64)
    _ = try run("--" + hostile, expecting: 64)
    _ = try run("inspect", hostile, store, expecting: 64)
    _ = try run("inspect", "summary", store, hostile, expecting: 1)
    _ = try run("inspect", "export", store, "--list", "l", "--at", hostile, expecting: 64)
    _ = try run("replay", name, "--store", store, "--coalesce", hostile, expecting: 64)
    _ = try run("replay", "--store", store, "--batches", "o", "--from", hostile, expecting: 64)
    _ = try run("demo", "--out", "demo " + hostile, expecting: 0)
    _ = try run("demo", "--out", name + "/demo", expecting: 1)
  }

  private func expectSameValues(_ export: String) throws {
    let tree = try export.object()
    #expect(tree["list"] as? String == hostile)
    let section = try #require((tree["sections"] as? [[String: Any]])?.first)
    #expect(section["id"] as? String == hostile)
    let item = try #require((section["items"] as? [[String: Any]])?.first)
    #expect(item["id"] as? String == hostile)
    #expect(item["cell"] as? String == hostile)
    #expect((item["content"] as? [String: Any])?["text"] as? String == hostile)
  }

  @Test func whatPeopleWriteWithStays() throws {
    let content = "\"👩‍👩‍👧 می‌خواهم é\u{AD}e\u{301} 日本 \\u0085 🏴󠁧󠁢󠁥󠁮󠁧󠁿\""
    try bench.fill(commit(1, insertSection("s"), insertItem("a", content)))
    #expect(try bench.export().contains(content))
  }

  @Test func aLongInputIsQuotedInShort() throws {
    let long = String(repeating: "9", count: 2_000_000)
    let letters = String(repeating: "k", count: 2_000_000)
    let lines = [
      "{\"t\":\"commit\",\"list\":\"l\",\"seq\":\"\(long)\",\"ops\":[]}\n",
      commit(1, "{\"op\":\"insertSection\",\"section\":\"s\",\"index\":\(long)}"),
      commit(1, "{\"op\":\"\(letters)\"}"),
      commit(
        1, "{\"op\":\"insertSection\",\"section\":\"s\",\"layout\":{\"kind\":\"\(letters)\"}}"),
      commit(1, "{\"op\":\"insertSection\",\"section\":\"s\",\"visibility\":\"\(letters)\"}"),
      commit(
        1, "{\"op\":\"insertSection\",\"section\":\"s\",\"layout\":{\"lineSpacing\":1e\(long)}}"),
    ]
    let definition = #"{"derived":"d","of":"l","\#(letters)":1}"#
    for (words, input) in lines.map({ (["replay", "-", "--store", bench.store], $0) })
      + [(["derive", bench.store, "--define", "/dev/stdin"], definition)]
    {
      let outcome = try bench.cellar(words, input: input, expecting: 1)
      #expect(outcome.errors.utf8.count < 800, "\(outcome.errors.prefix(2_000))")
      #expect(outcome.errors.contains("…"))
      #expect(outcome.errors.contains(" bytes)"))
    }
  }
}
