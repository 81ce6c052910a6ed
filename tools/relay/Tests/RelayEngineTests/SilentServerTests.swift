import RelayEngine
import RelaySupport
import Testing

/// Servers that take connections and say nothing, as one that is frozen.
@Suite(
  .enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"), .timeLimit(.minutes(2)))
struct SilentServerTests {
  @Test func theyDelayNoOtherServer() async throws {
    let address = try await TestPostgres.shared.get().database()
    let silent = try (0..<10).map { _ in try TakenPort() }
    let engine = PostgresEngine(
      silent.map { "postgresql://relay@127.0.0.1:\($0.number)/postgres" } + [address])
    let start = ContinuousClock.now
    #expect(try await engine.schemaVersion().found == 0)
    // Each is given up after two seconds.
    #expect(ContinuousClock.now - start < .seconds(15))
    await engine.close()
    withExtendedLifetime(silent) {}
  }

  @Test func anAddressSaysHowLongItIsWaitedFor() async throws {
    let silent = try TakenPort()
    let engine = PostgresEngine([
      "postgresql://relay@127.0.0.1:\(silent.number)/postgres?connect_timeout=5"
    ])
    let start = ContinuousClock.now
    let error = await #expect(throws: EngineError.self) { try await engine.schemaVersion() }
    #expect(error?.code == .unavailable)
    #expect(ContinuousClock.now - start > .seconds(4))
    await engine.close()
    withExtendedLifetime(silent) {}
  }
}
