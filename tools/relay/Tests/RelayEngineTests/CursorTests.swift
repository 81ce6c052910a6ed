import Foundation
import RelayEngine
import RelaySupport
import Testing

/// Where a look for moved lists goes on: nothing that has moved is left out without a word.
@Suite struct CursorTests {
  private func append(_ list: String, to engine: any Engine, at time: Int) async throws {
    let batch = LogBatch(to: list, after: nil, [line(1, "x")], at: time)
    #expect(try await engine.append(batch) == .appended)
  }

  private func isUnknown(_ cursor: String, to engine: any Engine) async -> Bool {
    do throws(EngineError) {
      _ = try await engine.moved(since: cursor)
      return false
    } catch { return error.code == .unknownCursor }
  }

  @Test(arguments: TestEngine.available)
  func aTextThatIsNoCursorIsUnknown(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    try await append("a", to: engine, at: 1)
    for cursor in [
      "", "x", "0", "1", "1.", ".1", "1.x", "-1.1", "1.1.1", "1000000", "1000000.1",
      "1000000:1000000:", "00000001.", "00000001.x", "00000001.2", "00000001.1:2", "00000001.2:1:",
      "00000001.0:1:", "00000001.1:3:2,1", "00000001.1:3:3", "00000001.1:3:x",
      "00000001.1:99999999999999999999:", "0000000g.1:1:", "00000001.1:1::",
    ] {
      #expect(await isUnknown(cursor, to: engine), "\(cursor)")
    }
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func aCursorOutlivesTheEntryThatItNames(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    let beginning = try await engine.moved(since: nil).cursor
    #expect(try await engine.moved(since: beginning).lists == [:])
    try await append("a", to: engine, at: 1)
    let cursor = try await engine.moved(since: beginning).cursor
    try await engine.tidy(at: 10_000_000)
    #expect(try await engine.moved(since: cursor).lists == [:])
    let late = try await engine.moved(since: nil).cursor
    try await append("b", to: engine, at: 10_000_000)
    for cursor in [cursor, late] {
      #expect(try await Array(engine.moved(since: cursor).lists.keys) == ["b"])
    }
    await engine.close()
  }

  @Test(arguments: TestEngine.available)
  func aCursorOfAnotherHistoryIsUnknown(_ kind: TestEngine) async throws {
    let engine = try await kind.make()
    try await append("a", to: engine, at: 1)
    let cursor = try await engine.moved(since: nil).cursor
    #expect(try await engine.moved(since: cursor).lists == [:])
    // Another time of the entry; another timeline.
    let other = kind == .sqlite ? cursor + "1" : "0000000F" + cursor.dropFirst(8)
    #expect(await isUnknown(other, to: engine))
    await engine.close()
  }

  /// Its numbers are given to other entries.
  @Test func aFileThatWasPutBackDoesNotKnowLaterCursors() async throws {
    let folder = try TestFolder.make()
    let file = folder.appendingPathComponent("log.sqlite")
    let earlier = folder.appendingPathComponent("earlier.sqlite")
    let first = try SQLiteEngine(at: file)
    try await append("a", to: first, at: 1)
    await first.close()
    try FileManager.default.copyItem(at: file, to: earlier)
    let lost = try SQLiteEngine(at: file)
    let common = try await lost.moved(since: nil).cursor
    try await append("b", to: lost, at: 2)
    let cursor = try await lost.moved(since: common).cursor
    await lost.close()
    let restored = try SQLiteEngine(at: earlier)
    #expect(await isUnknown(cursor, to: restored))
    try await append("c", to: restored, at: 3)
    #expect(await isUnknown(cursor, to: restored))
    #expect(try await Array(restored.moved(since: common).lists.keys) == ["c"])
    await restored.close()
  }

  /// As a commit that waits for a standby: its entry has the time before that.
  @Test(.enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"))
  func aCommitThatEndsLateIsHeard() async throws {
    let address = try await TestPostgres.shared.get().database()
    let engine = PostgresEngine([address])
    try await engine.migrate()
    let (writer, statements) = (Process(), Pipe())
    writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    writer.arguments = ["psql", "-qX", address]
    writer.standardInput = statements
    try writer.run()
    func write(_ statement: String) throws {
      try statements.fileHandleForWriting.write(contentsOf: Data((statement + ";\n").utf8))
    }
    try write("BEGIN; INSERT INTO cellar_relay.moved VALUES (pg_current_xact_id(), '{a}', 1)")
    let waiting =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = "
      + "'idle in transaction' AND backend_xid IS NOT NULL"
    while try TestPostgres.query(address, waiting) != "1" {
      try #require(writer.isRunning)
      try await Task.sleep(for: .milliseconds(50))
    }
    try await engine.tidy(at: 1)
    let cursor = try await engine.moved(since: nil).cursor
    try write("COMMIT")
    try statements.fileHandleForWriting.close()
    writer.waitUntilExit()
    try await engine.tidy(at: 700_000)
    #expect(try await Array(engine.moved(since: cursor).lists.keys) == ["a"])
    // Ten minutes after it could be seen; later if there are older transactions, of other tests.
    let left = "SELECT count(*) FROM cellar_relay.moved WHERE lists <> '{}'"
    var time = 700_000
    while try TestPostgres.query(address, left) != "0" {
      try #require(time < 700_000_000)
      time += 700_000
      try await engine.tidy(at: time)
      try await Task.sleep(for: .milliseconds(50))
    }
    await engine.close()
  }

  @Test func whatMovedAndWasTidiedIsNotLeftOut() async throws {
    let engine = try await TestEngine.sqlite.make()
    let cursor = try await engine.moved(since: nil).cursor
    try await append("a", to: engine, at: 1)
    try await engine.tidy(at: 10_000_000)
    #expect(await isUnknown(cursor, to: engine))
    try await append("b", to: engine, at: 10_000_000)
    #expect(await isUnknown(cursor, to: engine))
    await engine.close()
  }
}
