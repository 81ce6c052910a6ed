import Foundation
import Logging
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Lines that are dropped once they are old enough, whether or not others come.
@Suite struct CompactionTests {
  private let logger = Logger(label: "relay") { _ in SwiftLogNoOpLogHandler() }

  @Test func aListThatGoesQuietIsCompactedWhenItsLinesAreOldEnough() async throws {
    let file = try TestFolder.make().appendingPathComponent("log.sqlite")
    let relay = try await TestRelay(.file(file)) {
      $0.compactEvery = 1
      $0.retention.lines = 5_000
    }
    let text = String(repeating: "x", count: 4_000)
    let lines = (0..<40).map {
      #"{"list":"a","ops":[{"op":"updateList","meta":"\#($0) \#(text)"}]}"#
    }
    let made = try await relay.send(
      "POST", "/append", lines.joined(separator: "\n"),
      headers: ["Content-Type": "application/x-ndjson"])
    #expect(made.lines.count == 40)
    // The first rounds find it, and all of its lines too young.
    let engine = try SQLiteEngine(at: file, mayMake: false)
    try await Task.sleep(for: .seconds(2.5))
    var floor = 0
    for _ in 0..<400 where floor < 39 {
      floor = try await engine.heads(of: ["a"])["a"]?.floor ?? 0
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(floor == 39)
    await engine.close()
    try await relay.stop()
  }

  private func make(_ count: Int, _ list: String, in engine: any Engine) async throws {
    let lines = (1...count).map { number in
      let text =
        #"{"t":"commit","list":"\#(list)","seq":"\#(number)","at":1,"by":"ann","ops":[{"op":"updateList","meta":\#(number)}]}"#
      return text + "\n"
    }
    let file = try TestFolder.make().appendingPathComponent("feed")
    try Data(lines.joined(separator: "").utf8).write(to: file)
    _ = try await RelayWork(engine, logger: logger).importFeed(
      try FileHandle(forReadingFrom: file), name: "feed")
  }

  /// Also those that no node has taken up yet, and those that one has taken up just now.
  @Test(arguments: TestEngine.available)
  func compactionWithoutNamesLooksAtAllLists(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    try await make(5, "a", in: engine)
    try await make(1, "one", in: engine)
    try await make(1_000, "z", in: engine)
    #expect(try await engine.takeWork(limit: 9, at: 0, lease: 1_000_000) == ["z"])
    var retention = Retention()
    retention.lines = 0
    let work = RelayWork(engine, logger: logger)
    #expect(try await work.compact([], retention) == (2, 1_003))
    #expect(try await work.compact([], retention) == (0, 0))
    let problems = Problems()
    let checked = try await LogCheck(engine).run { problems.add($0) }
    #expect(problems.all == [] && checked.lines == 3)
    await engine.close()
  }

  /// A check reads the heads of many lists ahead.
  @Test func aListThatIsChangedMeanwhileIsNotDamaged() async throws {
    let engine = try await TestEngine.sqlite.make()
    for list in ["deleted", "made anew", "compacted"] { try await make(5, list, in: engine) }
    let bad = LogLine(LogPosition(1, Array(repeating: 1, count: 16)), text: Array("{}".utf8))
    _ = try await engine.append(LogBatch(to: "bad", after: nil, [bad], at: 1))
    let changing = ChangingEngine(engine) {
      for list in ["deleted", "made anew"] { _ = try await engine.delete(list, at: nil) }
      try await make(2, "made anew", in: engine)
      var retention = Retention()
      retention.lines = 0
      _ = try await RelayWork(engine, logger: logger).compact(["compacted"], retention)
    }
    let problems = Problems()
    let checked = try await LogCheck(changing).run { problems.add($0) }
    #expect(problems.all == [#"list "bad": line 1 is damaged"#])
    // Those that are there: one that is damaged, one that was compacted, and two.
    #expect(checked.lists == 4 && checked.lines == 4)
    await engine.close()
  }
}
