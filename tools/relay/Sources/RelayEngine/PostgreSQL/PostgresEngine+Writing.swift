extension PostgresEngine {
  package func refuse(
    _ edit: EditKey, of list: String, why: String, at time: Int
  ) async throws(EngineError) -> EditAnswer {
    let key: [PostgresValue] = [.texts([list]), .texts([edit.subject]), .texts([edit.id])]
    let rows = try await rows([
      PostgresStatement(
        """
        INSERT INTO cellar_relay.edit (list, subject, id, why, at)
        SELECT number, $2, $3, $4, $5 FROM cellar_relay.list WHERE id = $1 AND head > 0
        ON CONFLICT DO NOTHING
        """, [.text(list), .text(edit.subject), .text(edit.id), .text(why), .integer(time)]),
      PostgresStatement(PostgresConnection.answers, key),
    ])
    guard let row = rows[1].first else { return .refused(why) }
    return row.columns[3] == nil ? .refused(row.text(4) ?? "") : .taken(try row.integer(3))
  }

  package func put(
    _ snapshot: LogSnapshot, standingFor line: LogPosition, of list: String, at time: Int
  ) async throws(EngineError) -> Bool {
    let rows = try await rows([
      PostgresStatement(
        """
        INSERT INTO cellar_relay.snapshot
        SELECT number, $2, $3, $4, $5 FROM cellar_relay.list WHERE id = $1 AND EXISTS (
          SELECT 1 FROM cellar_relay.line WHERE list = number AND seq = $2 AND hash = $6)
        ON CONFLICT (list, seq, hash) DO UPDATE SET text = excluded.text RETURNING list
        """,
        [
          .text(list), .integer(snapshot.position.sequence), .bytes(snapshot.position.hash),
          .text(String(decoding: snapshot.text, as: UTF8.self)), .integer(time),
          .bytes(line.hash),
        ]),
      // Later snapshots replace earlier ones, whose positions stay known.
      PostgresStatement(
        """
        UPDATE cellar_relay.snapshot SET text = NULL
        WHERE list = (SELECT list FROM cellar_relay.snapshot JOIN cellar_relay.list ON list = number
          WHERE id = $1 AND seq = $2 AND snapshot.hash = $3)
        AND seq < $2 AND text IS NOT NULL
        """,
        [.text(list), .integer(snapshot.position.sequence), .bytes(snapshot.position.hash)]),
    ])
    return !rows[0].isEmpty
  }

  package func drop(
    _ list: String, through sequence: Int, for snapshot: LogPosition, answersBefore time: Int
  ) async throws(EngineError) -> Bool {
    guard sequence < snapshot.sequence else { return false }
    let rows = try await rows([
      // Its end can't move, and its snapshot can't go, until this is done.
      PostgresStatement(
        """
        SELECT l.number FROM cellar_relay.list l JOIN cellar_relay.snapshot s ON s.list = l.number
        WHERE l.id = $1 AND s.seq = $2 AND s.hash = $3 AND s.text IS NOT NULL FOR UPDATE
        """, [.text(list), .integer(snapshot.sequence), .bytes(snapshot.hash)]),
      PostgresStatement(
        """
        WITH l AS (
          SELECT l.number FROM cellar_relay.list l
          JOIN cellar_relay.snapshot s ON s.list = l.number
          WHERE l.id = $1 AND s.seq = $2 AND s.hash = $3 AND s.text IS NOT NULL
        ), gone AS (
          DELETE FROM cellar_relay.line USING l WHERE list = l.number AND seq <= $4
          RETURNING list, seq, hash, octet_length(text) AS bytes
        ), trail AS (
          INSERT INTO cellar_relay.trail
          SELECT list, max(seq), min(seq), string_agg(hash, '' ORDER BY seq) FROM gone
          GROUP BY list
        ), answers AS (
          DELETE FROM cellar_relay.edit USING l WHERE list = l.number AND at < $5
        ), positions AS (
          DELETE FROM cellar_relay.snapshot USING l
          WHERE list = l.number AND text IS NULL AND at < $5
        ), left_over AS (
          SELECT gone.list, max(seq) AS floor, sum(gone.bytes)::bigint AS bytes
          FROM gone GROUP BY gone.list
        )
        UPDATE cellar_relay.list l SET floor = left_over.floor,
          bytes = l.bytes - left_over.bytes,
          compact_at = greatest(65536, 2 * (l.bytes - left_over.bytes))
        FROM left_over WHERE l.number = left_over.list
        """,
        [
          .text(list), .integer(snapshot.sequence), .bytes(snapshot.hash), .integer(sequence),
          .integer(time),
        ]),
    ])
    return !rows[0].isEmpty
  }

  package func delete(
    _ list: String, at end: LogPosition?
  ) async throws(EngineError) -> DeleteOutcome {
    let key: [PostgresValue] = [
      .text(list), .integer(end?.sequence ?? 0), .bytes(end?.hash ?? []),
    ]
    let isThere = "id = $1 AND ($2 = 0 OR head = $2 AND hash = $3)"
    let number = "(SELECT number FROM cellar_relay.list WHERE \(isThere))"
    let rows = try await rows(
      [
        PostgresStatement(
          "SELECT head, hash FROM cellar_relay.list WHERE id = $1 FOR UPDATE", [.text(list)])
      ]
        + ["line", "edit", "snapshot", "trail"].map {
          PostgresStatement("DELETE FROM cellar_relay.\($0) WHERE list = \(number)", key)
        }
        + [
          PostgresStatement(
            "DELETE FROM cellar_relay.work WHERE list = $1 AND EXISTS \(number)", key),
          PostgresStatement(
            """
            INSERT INTO cellar_relay.moved
            SELECT pg_current_xact_id(), ARRAY[$1], (extract(epoch FROM now()) * 1000)::bigint
            WHERE EXISTS \(number)
            """, key),
          PostgresStatement("DELETE FROM cellar_relay.list WHERE \(isThere) RETURNING number", key),
        ])
    if rows.last?.isEmpty == false { return .deleted }
    guard let row = rows.first?.first else { return .missing }
    return .behind(LogPosition(try row.integer(0), row.bytes(1)))
  }

  package func takeWork(
    limit: Int, at time: Int, lease: Int
  ) async throws(EngineError) -> [String] {
    try await rows(
      """
      UPDATE cellar_relay.work SET leased_until = $2 + $3 WHERE list IN (
        SELECT list FROM cellar_relay.work WHERE leased_until <= $2 LIMIT $1
        FOR UPDATE SKIP LOCKED)
      RETURNING list
      """, [.integer(limit), .integer(time), .integer(lease)]
    ).compactMap { $0.text(0) }
  }

  package func postponeWork(on list: String, until time: Int) async throws(EngineError) {
    _ = try await rows(
      "UPDATE cellar_relay.work SET leased_until = $2 WHERE list = $1",
      [.text(list), .integer(time)])
  }

  package func finishWork(on list: String) async throws(EngineError) {
    _ = try await rows("DELETE FROM cellar_relay.work WHERE list = $1", [.text(list)])
  }

  package func revoke(_ token: String, until time: Int) async throws(EngineError) {
    _ = try await rows(
      """
      INSERT INTO cellar_relay.revoked VALUES ($1, $2)
      ON CONFLICT (token) DO UPDATE SET until = greatest(revoked.until, excluded.until)
      """, [.text(token), .integer(time)])
  }

  /// Entries stay until all could be seen long enough.
  ///
  /// An entry has the time at which its commit began. A commit may end much later, as when it waits for a
  /// standby. So each call leaves a mark: an entry without lists, with the first transaction that was under
  /// way. What comes before a mark could be seen when the mark was made, and goes when both are old.
  ///
  /// Entries beyond all transactions of this server are of another one, whose database was copied.
  package func tidy(at time: Int) async throws(EngineError) {
    _ = try await rows([
      PostgresStatement(
        """
        DELETE FROM cellar_relay.moved WHERE at < $1 AND (
          xid < (SELECT max(xid) FROM cellar_relay.moved WHERE at < $1 AND lists = '{}')
          OR xid >= pg_snapshot_xmax(pg_current_snapshot()))
        """, [.integer(time - movedLifetime)]),
      PostgresStatement(
        """
        INSERT INTO cellar_relay.moved
        VALUES (pg_snapshot_xmin(pg_current_snapshot()), '{}', $1)
        """, [.integer(time)]),
      PostgresStatement("DELETE FROM cellar_relay.revoked WHERE until <= $1", [.integer(time)]),
    ])
  }
}
