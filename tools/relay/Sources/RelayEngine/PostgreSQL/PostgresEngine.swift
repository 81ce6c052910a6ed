/// An engine in PostgreSQL 15 or newer: for several nodes, and with a standby for several machines.
///
/// A group of appends is one transaction, sent at once. It takes the row of each of its lists, in the
/// order of the lists' ids, so that nodes don't wait for each other in a circle. There is no sequence,
/// whose numbers would have gaps, and no `NOTIFY`, which takes a lock of the whole database.
package final class PostgresEngine: Engine {
  let pool: PostgresPool
  private let group: GroupCommit

  /// How an engine uses PostgreSQL.
  package struct Options: Sendable {
    /// The most connections; at least 2.
    package var connections = 8
    /// How many groups of appends may be under way at once.
    package var writers = 3
    /// How long an answer may take, in milliseconds.
    package var patience = 10_000

    package init() {}
  }

  /// - Parameters:
  ///   - addresses: Connection strings or URLs as libpq reads them; of several servers, the one of the
  ///     latest timeline that takes writes is used.
  ///   - options: Connections and waiting times.
  ///   - timeline: The latest timeline that was seen: an earlier one is refused.
  package init(
    _ addresses: [String], options: Options = Options(), after timeline: EngineTimeline? = nil
  ) {
    let pool = PostgresPool(
      addresses, size: max(options.connections, 2), patience: options.patience, after: timeline)
    self.pool = pool
    group = GroupCommit(writers: max(1, options.writers)) { batches throws(EngineError) in
      try await pool.with { connection throws(EngineError) in
        try await connection.append(batches)
      }
    }
  }

  package func append(_ batch: LogBatch) async throws(EngineError) -> AppendOutcome {
    try await group.append(batch)
  }

  package func timeline() async throws(EngineError) -> EngineTimeline {
    await pool.lookForLater()
    return try await pool.with { connection throws(EngineError) in
      try await PostgresPool.timeline(of: connection)
    }
  }

  package func close() async { await pool.close() }

  /// Runs one statement.
  func rows(
    _ sql: String, _ parameters: [PostgresValue] = []
  ) async throws(EngineError) -> [PostgresRow] {
    try await rows([PostgresStatement(sql, parameters)]).last ?? []
  }

  /// Runs statements as one transaction.
  func rows(_ statements: [PostgresStatement]) async throws(EngineError) -> [[PostgresRow]] {
    try await pool.with { connection throws(EngineError) in try await connection.run(statements) }
  }

  // MARK: Migrations

  /// The version of the tables, and the one that this relay needs.
  package func schemaVersion() async throws(EngineError) -> (found: Int, needed: Int) {
    let found = try await rows(
      "SELECT coalesce(obj_description(to_regnamespace('\(PostgresSchema.name)'), 'pg_namespace'), '0')"
    ).first?.text(0)
    return (Int(found ?? "0") ?? 0, PostgresSchema.migrations.count)
  }

  /// Brings the tables to this relay's version; each step is one transaction.
  ///
  /// - Returns: How many steps were made.
  @discardableResult
  package func migrate() async throws(EngineError) -> Int {
    let (found, needed) = try await schemaVersion()
    guard found <= needed else {
      throw EngineError(
        .schema,
        "the tables are of version \(found), and this relay knows \(needed): use the newer relay")
    }
    for version in found..<needed {
      try await pool.with { connection throws(EngineError) in
        // The lock keeps another node from the same step; what it finds then is there already.
        try await connection.runScript(
          """
          BEGIN;
          SELECT pg_advisory_xact_lock(7236028151);
          CREATE SCHEMA IF NOT EXISTS \(PostgresSchema.name);
          DO $migration$ BEGIN
            IF coalesce(obj_description('\(PostgresSchema.name)'::regnamespace, 'pg_namespace'), '0')
              = '\(version)' THEN
              SET LOCAL search_path = \(PostgresSchema.name);
              \(PostgresSchema.migrations[version])
              COMMENT ON SCHEMA \(PostgresSchema.name) IS '\(version + 1)';
            END IF;
          END $migration$;
          COMMIT;
          """)
      }
    }
    return needed - found
  }

  /// Refuses tables of another version.
  package func requireSchema() async throws(EngineError) {
    let (found, needed) = try await schemaVersion()
    guard found == needed else {
      throw EngineError(
        .schema,
        found < needed
          ? "the tables are of version \(found), and this relay needs \(needed): run cellar-relay migrate"
          : "the tables are of version \(found), and this relay knows \(needed): use the newer relay"
      )
    }
  }
}
