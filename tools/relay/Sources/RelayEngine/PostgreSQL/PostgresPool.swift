/// Connections to PostgreSQL, opened when they are needed and opened again after a failure.
actor PostgresPool {
  private let addresses: [String]
  private let patience: Int
  private var idle: [PostgresConnection] = []
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false
  /// The latest history that was seen.
  private(set) var timeline: EngineTimeline?

  /// Connections that are opened when they are needed.
  ///
  /// `addresses`: The servers, one of which takes writes.
  /// `size`: The most connections.
  /// `patience`: How long an answer may take, in milliseconds.
  /// `timeline`: The latest history that was seen.
  init(_ addresses: [String], size: Int, patience: Int, after timeline: EngineTimeline?) {
    self.addresses = addresses
    self.patience = patience
    self.timeline = timeline
    free = size
  }

  /// Lends a connection.
  func with<Value: Sendable>(
    _ body: @Sendable (PostgresConnection) async throws(EngineError) -> Value
  ) async throws(EngineError) -> Value {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    defer { giveBack() }
    let connection: PostgresConnection
    if let last = idle.popLast() { connection = last } else { connection = try await open() }
    do {
      let value = try await body(connection)
      if isClosed { connection.close() } else { idle.append(connection) }
      return value
    } catch {
      // After a failure nobody knows what the others are worth: a server may have gone, and another
      // one may have been promoted.
      if error.code == .unavailable {
        connection.close()
        closeIdle()
      } else {
        idle.append(connection)
      }
      throw error
    }
  }

  private func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }

  func close() {
    isClosed = true
    closeIdle()
  }

  private func closeIdle() {
    for connection in idle { connection.close() }
    idle = []
  }

  // MARK: Which server

  /// Connects to the server of the latest history that takes writes.
  ///
  /// All are asked: the first that answers may be one that was replaced and came back.
  private func open() async throws(EngineError) -> PostgresConnection {
    if isClosed { throw EngineError(.unavailable, "the engine is closed") }
    var found: [(connection: PostgresConnection, timeline: EngineTimeline)] = []
    var failure = EngineError(.unavailable, "no address of PostgreSQL is given")
    for address in addresses {
      do throws(EngineError) {
        let connection = try await PostgresConnection.open(address, patience: patience)
        do throws(EngineError) {
          found.append((connection, try await Self.timeline(of: connection)))
        } catch {
          connection.close()
          throw error
        }
      } catch { failure = error }
    }
    found.sort { $0.timeline.number < $1.timeline.number }
    guard let best = found.popLast() else { throw failure }
    for other in found { other.connection.close() }
    if let timeline {
      guard best.timeline.system == timeline.system else {
        best.connection.close()
        throw EngineError(
          .fenced,
          "the database is another one (system \(best.timeline.system)) than before (\(timeline.system)): "
            + "give the node the right address, or an empty folder")
      }
      guard best.timeline.number >= timeline.number else {
        best.connection.close()
        throw EngineError(
          .fenced,
          "the server is on timeline \(best.timeline.number), but timeline \(timeline.number) was seen: "
            + "it was replaced by another one, and must not be used")
      }
    }
    timeline = best.timeline
    return best.connection
  }

  /// - Throws: ``EngineError`` for a standby.
  static func timeline(
    of connection: PostgresConnection
  ) async throws(EngineError) -> EngineTimeline {
    // From the name of the log's file: the control file may tell of a promotion minutes later.
    let rows = try await connection.run([
      PostgresStatement(
        """
        SELECT system_identifier::text, CASE WHEN pg_is_in_recovery() THEN NULL
          ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
        FROM pg_control_system()
        """)
    ])
    guard let row = rows.first?.first, let system = row.text(0) else {
      throw EngineError(.failed, "PostgreSQL does not tell its system identifier")
    }
    guard let digits = row.text(1), let number = Int(digits, radix: 16) else {
      throw EngineError(.unavailable, "the server is a standby: it takes no writes")
    }
    return EngineTimeline(system: system, number: number)
  }
}
