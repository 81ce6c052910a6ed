extension PostgresEngine {
  package func answers(
    to edits: [EditKey], of list: String
  ) async throws(EngineError) -> [EditKey: EditAnswer] {
    let rows = try await rows(
      PostgresConnection.answers,
      [.texts(edits.map { _ in list }), .texts(edits.map(\.subject)), .texts(edits.map(\.id))])
    var answers: [EditKey: EditAnswer] = [:]
    for row in rows {
      answers[EditKey(row.text(2) ?? "", of: row.text(1) ?? "")] =
        row.columns[3] == nil ? .refused(row.text(4) ?? "") : .taken(try row.integer(3))
    }
    return answers
  }

  package func heads(of lists: [String]) async throws(EngineError) -> [TextKey: LogHead] {
    var heads: [TextKey: LogHead] = [:]
    for row in try await rows(PostgresConnection.heads, [.texts(lists)]) {
      let head = try LogHead(row)
      heads[TextKey(head.list)] = head
    }
    return heads
  }

  package func lists(after id: String?, limit: Int) async throws(EngineError) -> [LogHead] {
    let rows = try await rows(
      """
      SELECT id, head, hash, floor, bytes FROM cellar_relay.list
      WHERE head > 0 AND id > $1 ORDER BY id LIMIT $2
      """, [.text(id ?? ""), .integer(limit)])
    var heads: [LogHead] = []
    for row in rows { heads.append(try LogHead(row)) }
    return heads
  }

  package func lines(
    of list: String, after sequence: Int, byteCount: Int
  ) async throws(EngineError) -> [LogLine] {
    // A number of lines at a time, because only their texts say how many bytes they have.
    var lines: [LogLine] = []
    var (bytes, last) = (0, sequence)
    while bytes <= byteCount {
      let rows = try await rows(
        """
        SELECT seq, hash, subject, edit, text FROM cellar_relay.line
        WHERE list = (SELECT number FROM cellar_relay.list WHERE id = $1) AND seq > $2
        ORDER BY seq LIMIT $3
        """, [.text(list), .integer(last), .integer(Self.linesAtOnce)])
      for row in rows where bytes <= byteCount {
        last = try row.integer(0)
        let line = LogLine(
          LogPosition(last, row.bytes(1)), text: row.bytes(4),
          edit: row.text(3).map { EditKey($0, of: row.text(2) ?? "") })
        bytes += line.text.count
        lines.append(line)
      }
      if rows.count < Self.linesAtOnce { break }
    }
    return lines
  }

  private static let linesAtOnce = 1_000

  package func knows(
    _ position: LogPosition, of list: String
  ) async throws(EngineError) -> Bool {
    try await rows(
      """
      WITH l AS (SELECT number FROM cellar_relay.list WHERE id = $1)
      SELECT EXISTS (SELECT 1 FROM cellar_relay.line, l
          WHERE list = l.number AND seq = $2 AND hash = $3)
        OR EXISTS (SELECT 1 FROM cellar_relay.snapshot, l
          WHERE list = l.number AND seq = $2 AND hash = $3)
        OR EXISTS (SELECT 1 FROM cellar_relay.trail, l
          WHERE list = l.number AND last >= $2 AND first <= $2
          AND substr(hashes, (($2 - first) * 16 + 1)::int, 16) = $3)
      """, [.text(list), .integer(position.sequence), .bytes(position.hash)]
    ).first?.isTrue(0) ?? false
  }

  package func snapshot(of list: String) async throws(EngineError) -> LogSnapshot? {
    let row = try await rows(
      """
      SELECT seq, hash, text FROM cellar_relay.snapshot
      WHERE list = (SELECT number FROM cellar_relay.list WHERE id = $1) AND text IS NOT NULL
      ORDER BY seq DESC LIMIT 1
      """, [.text(list)]
    ).first
    guard let row else { return nil }
    return LogSnapshot(LogPosition(try row.integer(0), row.bytes(1)), text: row.bytes(2))
  }

  package func moved(since cursor: String?) async throws(EngineError) -> MovedLists {
    guard let cursor else {
      let row = try await rows("SELECT \(PostgresCursor.now)").first
      return MovedLists(lists: [:], cursor: row?.text(0) ?? "")
    }
    guard let start = PostgresCursor(cursor) else { throw .unknownCursor }
    // What was not visible in the snapshot before has a transaction id from its xmin on.
    let rows = try await rows(
      """
      SELECT \(PostgresCursor.now), moved.id, l.head, l.hash FROM (
        SELECT DISTINCT unnest(m.lists) AS id FROM cellar_relay.moved m
        WHERE m.xid >= pg_snapshot_xmin($1::pg_snapshot)
        AND NOT pg_visible_in_snapshot(m.xid, $1::pg_snapshot)) moved
      LEFT JOIN cellar_relay.list l ON l.id = moved.id AND l.head > 0
      UNION ALL SELECT \(PostgresCursor.now), NULL,
        CASE WHEN pg_snapshot_xmax($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
          THEN 1 END, NULL
      """, [.text(start.snapshot)])
    let end = rows.last?.text(0) ?? ""
    // A later timeline may have begun before what the cursor has seen.
    guard PostgresCursor(end)?.timeline == start.timeline else { throw .unknownCursor }
    var lists: [TextKey: LogPosition?] = [:]
    for row in rows {
      guard let list = row.text(1) else {
        // Of transactions that this history does not have.
        if row.columns[2] != nil { throw .unknownCursor }
        continue
      }
      let head = row.columns[2] == nil ? nil : LogPosition(try row.integer(2), row.bytes(3))
      lists.updateValue(head, forKey: TextKey(list))
    }
    return MovedLists(lists: lists, cursor: end)
  }

  package func revocations(at time: Int) async throws(EngineError) -> Set<TextKey> {
    Set(
      try await rows("SELECT token FROM cellar_relay.revoked WHERE until > $1", [.integer(time)])
        .compactMap { $0.text(0).map { TextKey($0) } })
  }
}

extension LogHead {
  /// A row of ``PostgresConnection/heads``.
  fileprivate init(_ row: PostgresRow) throws(EngineError) {
    self.init(
      list: row.text(0) ?? "", position: LogPosition(try row.integer(1), row.bytes(2)),
      floor: try row.integer(3), byteCount: try row.integer(4))
  }
}
