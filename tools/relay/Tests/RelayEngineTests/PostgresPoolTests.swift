import Foundation
import RelayEngine
import RelaySupport
import Testing

/// Which server is used, and what is left of connections after a failure.
@Suite(
  .enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(5)))
struct PostgresPoolTests {
  /// Waits until a query has an answer.
  private func waits(_ address: String, for answer: String, _ query: String) async throws -> Bool {
    for _ in 0..<150 {
      if try TestPostgres.query(address, query) == answer { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    return false
  }

  /// What the primary alone has would be lost with a failover.
  @Test func aNewConnectionWaitsForTheStandby() async throws {
    let server = try OwnPostgres()
    var options = PostgresEngine.Options()
    options.patience = 1_000
    let engine = PostgresEngine([server.address], options: options)
    try await engine.migrate()
    _ = try await engine.append(LogBatch(to: "a", after: nil, [line(1, "x")], at: 1))
    await engine.close()
    // The server hears of a setting a moment later.
    for (standby, isReadable) in [("nobody", false), ("", true)] {
      try server.requireStandby(standby)
      var wasRead = !isReadable
      for _ in 0..<30 where wasRead != isReadable {
        let late = PostgresEngine([server.address], options: options)
        do throws(EngineError) {
          wasRead = try await late.heads(of: ["a"]).count == 1
        } catch {
          #expect(error.code == .unavailable)
          wasRead = false
        }
        await late.close()
        try await Task.sleep(for: .milliseconds(200))
      }
      #expect(wasRead == isReadable)
    }
  }

  /// A failure says nothing good of a connection that somebody else uses at that moment.
  @Test func aConnectionThatWasLentAtAFailureIsNotUsedAgain() async throws {
    let address = try await TestPostgres.shared.get().database()
    let engine = PostgresEngine([address])
    try await engine.migrate()
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = [
      "psql", "-qX", address, "-c",
      "BEGIN; LOCK TABLE cellar_relay.line IN EXCLUSIVE MODE; SELECT pg_sleep(60)",
    ]
    holder.standardOutput = FileHandle.nullDevice
    holder.standardError = FileHandle.nullDevice
    try holder.run()
    let count = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    #expect(try await waits(address, for: "1", count + " AND wait_event = 'PgSleep'"))
    let append = Task {
      try await engine.append(LogBatch(to: "a", after: nil, [line(1, "x")], at: 1))
    }
    #expect(try await waits(address, for: "1", count + " AND wait_event_type = 'Lock'"))
    // Another connection, which is idle then and ends.
    _ = try await engine.heads(of: [])
    let end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
    #expect(
      try TestPostgres.query(address, end + "datname = current_database() AND state = 'idle'")
        == "1")
    var hasFailed = false
    for _ in 0..<100 where !hasFailed {
      do throws(EngineError) { _ = try await engine.heads(of: []) } catch { hasFailed = true }
      if !hasFailed { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(hasFailed)
    try TestPostgres.query(
      address, end + "datname = current_database() AND wait_event = 'PgSleep'")
    #expect(try await append.value == .appended)
    #expect(try await waits(address, for: "0", count + " AND pid <> pg_backend_pid()"))
    await engine.close()
    holder.waitUntilExit()
  }

  /// The server that was replaced still answers, and nobody writes.
  @Test func aServerOfALaterHistoryIsFoundWithoutAFailure() async throws {
    let primary = try OwnPostgres()
    let first = PostgresEngine([primary.address])
    try await first.migrate()
    await first.close()
    let standby = try OwnPostgres(standbyOf: primary)
    let engine = PostgresEngine([primary.address, standby.address])
    let before = try await engine.timeline()
    let cursor = try await engine.moved(since: nil).cursor
    #expect(try await engine.moved(since: cursor).lists == [:])
    try standby.promote()
    var now = before
    for _ in 0..<300 where now == before {
      try await Task.sleep(for: .milliseconds(100))
      now = try await engine.timeline()
    }
    #expect(now.number == before.number + 1 && now.system == before.system)
    // What the old one has taken besides is not in this history.
    let error = await #expect(throws: EngineError.self) { try await engine.moved(since: cursor) }
    #expect(error?.code == .unknownCursor)
    await engine.close()
  }
}
