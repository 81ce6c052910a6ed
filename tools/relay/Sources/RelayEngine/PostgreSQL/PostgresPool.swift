/// Connections to PostgreSQL, opened when they are needed and opened again after a failure.
actor PostgresPool {
  private let addresses: [String]
  private let patience: Int
  private var idle: [PostgresConnection] = []
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var isClosed = false
  /// Raised when connections are dropped: those that were lent before are worth nothing any more.
  private var generation = 0
  private var isLooking = false
  private var nextLook = ContinuousClock.now
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
    let lent = generation
    let connection: PostgresConnection
    if let last = idle.popLast() { connection = last } else { connection = try await open() }
    do {
      let value = try await body(connection)
      takeBack(connection, of: lent)
      return value
    } catch {
      // After a failure nobody knows what the others are worth: a server may have gone, and another
      // one may have been promoted.
      if error.code == .unavailable {
        connection.close()
        if lent == generation { dropConnections() }
      } else {
        takeBack(connection, of: lent)
      }
      throw error
    }
  }

  /// Keeps a connection for the next caller, unless those of its time were dropped.
  private func takeBack(_ connection: PostgresConnection, of lent: Int) {
    if isClosed || lent != generation { connection.close() } else { idle.append(connection) }
  }

  private func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }

  func close() {
    isClosed = true
    dropConnections()
  }

  /// Closes the idle connections now, and those that are lent when they come back.
  private func dropConnections() {
    generation += 1
    for connection in idle { connection.close() }
    idle = []
  }

  // MARK: Which server

  /// A connection to a server that takes writes, and its history.
  private struct Found: Sendable {
    let connection: PostgresConnection
    let timeline: EngineTimeline
  }

  /// Connects to the server of the latest history that takes writes.
  ///
  /// All are asked: the first that answers may be one that was replaced and came back.
  private func open() async throws(EngineError) -> PostgresConnection {
    if isClosed { throw EngineError(.unavailable, "the engine is closed") }
    let newest = try await Self.newest(of: addresses, patience: patience)
    do throws(EngineError) {
      try require(newest.timeline)
      try await newest.connection.awaitStandby()
      // Another caller may have found a later one meanwhile.
      try require(newest.timeline)
    } catch {
      newest.connection.close()
      throw error
    }
    timeline = newest.timeline
    return newest.connection
  }

  /// Refuses an earlier history than one that was seen, and another database.
  private func require(_ found: EngineTimeline) throws(EngineError) {
    guard let timeline else { return }
    guard found.system == timeline.system else {
      throw EngineError(
        .fenced,
        "the database is another one (system \(found.system)) than before (\(timeline.system)): "
          + "give the node the right address, or an empty folder")
    }
    guard found.number >= timeline.number else {
      throw EngineError(
        .fenced,
        "the server is on timeline \(found.number), but timeline \(timeline.number) was seen: "
          + "it was replaced by another one, and must not be used")
    }
  }

  /// Asks all servers at the same time, so that one that hangs does not delay the others.
  ///
  /// - Returns: The one of the latest history that takes writes; the others' connections are closed.
  private static func newest(
    of addresses: [String], patience: Int
  ) async throws(EngineError) -> Found {
    let answers = await withTaskGroup(of: Result<Found, EngineError>.self) { group in
      for address in addresses {
        group.addTask { await Self.find(address, patience: patience) }
      }
      var answers: [Result<Found, EngineError>] = []
      for await answer in group { answers.append(answer) }
      return answers
    }
    var found: [Found] = []
    var failure = EngineError(.unavailable, "no address of PostgreSQL is given")
    for answer in answers {
      switch answer {
      case .success(let server): found.append(server)
      case .failure(let error): failure = error
      }
    }
    found.sort { $0.timeline.number < $1.timeline.number }
    guard let newest = found.popLast() else { throw failure }
    for other in found { other.connection.close() }
    return newest
  }

  private static func find(
    _ address: String, patience: Int
  ) async -> Result<Found, EngineError> {
    do throws(EngineError) {
      let connection = try await PostgresConnection.open(address, patience: patience)
      do throws(EngineError) {
        return .success(
          Found(connection: connection, timeline: try await Self.timeline(of: connection)))
      } catch {
        connection.close()
        throw error
      }
    } catch { return .failure(error) }
  }

  // MARK: A later server

  /// Looks for a server of a later history, once in a while and beside what is under way.
  ///
  /// A node that only reads would otherwise stay at a server that was replaced and still answers.
  func lookForLater() {
    guard addresses.count > 1, !isLooking, nextLook <= .now, !isClosed else { return }
    isLooking = true
    Task {
      await look()
      isLooking = false
      nextLook = .now + Self.lookInterval
    }
  }

  private static let lookInterval = Duration.seconds(5)

  private func look() async {
    let newest: Found
    // That none answers is told to whoever asks for a connection.
    do { newest = try await Self.newest(of: addresses, patience: patience) } catch { return }
    newest.connection.close()
    guard let timeline, newest.timeline.system == timeline.system,
      newest.timeline.number > timeline.number
    else { return }
    self.timeline = newest.timeline
    dropConnections()
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
