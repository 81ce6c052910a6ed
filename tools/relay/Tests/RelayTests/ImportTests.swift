import Foundation
import Logging
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Feeds that are brought into a log: what an import leaves is sound, and what it refuses has a place.
@Suite struct ImportTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  private func engine(_ kind: TestEngine = .sqlite) async throws -> any Engine {
    try await RelayConfiguration(engine: try await kind.address()).openEngine()
  }

  private func work(_ engine: any Engine) -> RelayWork {
    RelayWork(engine, logger: Logger(label: "relay") { _ in SwiftLogNoOpLogHandler() })
  }

  @discardableResult
  private func load(
    _ lines: [String], into engine: any Engine, ending: String = "\n"
  ) async throws -> (appended: Int, skipped: Int) {
    let file = folder.appendingPathComponent("\(UUID().uuidString).ndjson")
    try Data((lines.joined(separator: "\n") + ending).utf8).write(to: file)
    return try await work(engine).importFeed(try FileHandle(forReadingFrom: file), name: "feed")
  }

  /// What an import is refused with.
  private func refusal(
    _ lines: [String], into engine: any Engine, ending: String = "\n"
  ) async throws -> String {
    do {
      try await load(lines, into: engine, ending: ending)
      return "it was not refused"
    } catch { return "\(error)" }
  }

  private func export(_ engine: any Engine) async throws -> [String] {
    var text = Data()
    for list in try await work(engine).lists() {
      _ = try await work(engine).export(list) { text += $0 }
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func problems(_ engine: any Engine) async throws -> [String] {
    let problems = Problems()
    _ = try await LogCheck(engine).run { problems.add($0) }
    return problems.all
  }

  private static func commit(
    _ number: Int, _ item: String, edit: String? = nil, list: String = "home"
  ) -> String {
    let edit = edit.map { #","edit":"\#($0)""# } ?? ""
    let operation =
      number == 1
      ? #"{"op":"insertSection","section":"s"}"#
      : #"{"op":"insertItem","item":"\#(item)","section":"s","cell":"C","content":1}"#
    return
      #"{"t":"commit","list":"\#(list)","seq":"\#(number)","at":1,"by":"ann"\#(edit),"ops":[\#(operation)]}"#
  }

  private static func snapshot(_ number: Int) -> String {
    #"{"t":"snapshot","list":"home","seq":"\#(number)","sections":[{"id":"s","items":[{"id":"x","cell":"C","content":1}]}]}"#
  }

  private static let reset = #"{"t":"reset","list":"home","why":"first delivery"}"#

  private static func commits(_ range: ClosedRange<Int>) -> [String] {
    range.map { commit($0, "i\($0)") }
  }

  @Test(arguments: TestEngine.available)
  func aListWhoseLinesWereDroppedMovesByItsExport(_ kind: TestEngine) async throws {
    let one = try await engine(kind)
    try await load(Self.commits(1...30), into: one)
    var retention = Retention()
    retention.lines = 0
    #expect(try await work(one).compact(["home"], retention).lines == 29)
    let feed = try await export(one)
    #expect(feed.count == 1 && feed[0].contains(#""t":"snapshot""#))

    let two = try await engine(kind)
    #expect(try await load(feed, into: two) == (1, 0))
    #expect(try await problems(two) == [])
    #expect(try await export(two) == feed)
    // The log goes on, also in compaction, and takes the same feeds again.
    try await load([Self.commit(31, "i31"), Self.commit(32, "i32")], into: two)
    #expect(try await problems(two) == [])
    #expect(try await load(feed, into: two) == (0, 1))
    #expect(try await work(two).compact(["home"], retention).lines == 2)
    #expect(try await problems(two) == [])
    let later = try await export(two)
    #expect(later.count == 1)
    // A snapshot that stands for lines that are there.
    try await load([Self.commit(31, "i31"), Self.commit(32, "i32")], into: one)
    #expect(try await load(later, into: one) == (0, 1))
    await one.close()
    await two.close()
  }

  @Test func linesThatAreThereAreSkipped() async throws {
    let engine = try await engine()
    try await load(Self.commits(1...20), into: engine)
    #expect(try await load(Self.commits(1...22), into: engine) == (2, 20))
    #expect(try await load(Self.commits(8...12) + Self.commits(3...4), into: engine) == (0, 7))
    // Twice in one feed, before the log has them.
    #expect(
      try await load(Self.commits(21...30) + Self.commits(5...31), into: engine) == (9, 28))
    let refusal = try await refusal(Self.commits(4...6) + [Self.commit(7, "other")], into: engine)
    #expect(refusal == "feed, line 4: list \"home\" has another line 7: this is another feed")
    var retention = Retention()
    retention.lines = 0
    #expect(try await work(engine).compact(["home"], retention).lines == 30)
    #expect(try await load(Self.commits(1...32), into: engine) == (1, 31))
    #expect(try await problems(engine) == [])
    await engine.close()
  }

  @Test func aSnapshotMayLeaveNumbersOutOnlyAtTheBeginning() async throws {
    let engine = try await engine()
    let feed = Self.commits(1...3) + [Self.snapshot(8), Self.commit(9, "i9")]
    let refusal = try await refusal(feed, into: engine)
    #expect(refusal.hasPrefix("feed, line 4: the snapshot 8 of list \"home\" leaves out"))
    #expect(try await problems(engine) == [])
    #expect(try await export(engine) == Self.commits(1...3))
    // The one of the next number is a line like others.
    #expect(try await load([Self.snapshot(4), Self.commit(5, "i5")], into: engine) == (2, 0))
    #expect(try await problems(engine) == [])
    await engine.close()
    let other = try await self.engine()
    #expect(try await load(Array(feed.suffix(2)), into: other) == (2, 0))
    #expect(try await problems(other) == [])
    await other.close()
  }

  @Test func aResetIsTakenWhereTheLogBegins() async throws {
    let engine = try await engine()
    let feed = [Self.reset] + Self.commits(1...3)
    #expect(try await load(feed, into: engine) == (3, 0))
    #expect(try await load(feed + [Self.commit(4, "i4")], into: engine) == (1, 3))
    for (feed, place) in [
      (feed + [Self.reset], 5), ([Self.reset], 1), ([Self.reset, Self.commit(2, "other")], 2),
      ([Self.reset, Self.snapshot(3)], 2), ([Self.reset, Self.snapshot(9)], 2),
    ] {
      let refusal = try await refusal(feed, into: engine)
      #expect(refusal.hasPrefix("feed, line \(place): "))
      #expect(refusal.contains("begins list \"home\" anew"))
    }
    #expect(try await export(engine) == Self.commits(1...4))
    await engine.close()
  }

  @Test func aRefusalNamesItsLine() async throws {
    let engine = try await engine()
    let begin = ["", #"{"t":"ping"}"#, Self.commit(1, "")]
    #expect(
      try await refusal(
        begin + [Self.commit(2, "a", edit: "e"), Self.commit(3, "b", edit: "e")], into: engine)
        == "feed, line 5: the edit \"e\" of \"ann\" is in line 4 already")
    // What came before is in the log, and is known by a later import too.
    #expect(
      try await refusal([Self.commit(3, "b"), Self.commit(4, "c", edit: "e")], into: engine)
        == "feed, line 2: the edit \"e\" has an answer in list \"home\" already")
    for line in ["{", Self.commit(5, "d"), Self.commit(2, "other"), Self.commit(4, "a"), "[]"] {
      #expect(try await refusal(["", line], into: engine).hasPrefix("feed, line 2: "))
    }
    #expect(
      try await refusal([Self.commit(4, "c"), Self.commit(5, "d")], into: engine, ending: "")
        == "feed, line 2: the line has no end: it was torn off, and was not imported")
    #expect(try await export(engine).count == 4)
    #expect(try await problems(engine) == [])
    await engine.close()
  }
}
