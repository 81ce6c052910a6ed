extension PostgresConnection {
  /// Appends batches of different lists as one transaction.
  func append(_ batches: [LogBatch]) async throws(EngineError) -> [AppendOutcome] {
    var made: Set<TextKey> = []
    for attempt in 1... {
      do throws(EngineError) {
        made = try await appendFitting(batches)
        break
      } catch  where error.code == .failed && attempt < 3 {
        // An edit that another node has refused at the same moment: the next attempt sees it.
        continue
      }
    }
    if made.count == batches.count { return batches.map { _ in .appended } }
    let failed = batches.filter { !made.contains(TextKey($0.list)) }
    let reasons = try await reasons(of: failed)
    return batches.map { batch in
      let list = TextKey(batch.list)
      return made.contains(list) ? .appended : reasons[list] ?? .behind(nil)
    }
  }

  /// Appends the batches that fit the ends of their lists.
  ///
  /// - Returns: Their lists.
  private func appendFitting(_ batches: [LogBatch]) async throws(EngineError) -> Set<TextKey> {
    var statements: [PostgresStatement] = []
    let new = batches.filter { $0.expected == nil }.map(\.list)
    if !new.isEmpty {
      statements.append(PostgresStatement(Self.makeLists, [.texts(new.sorted())]))
    }
    statements.append(PostgresStatement(Self.lockLists, [.texts(batches.map(\.list))]))
    let lines = batches.flatMap { batch in batch.lines.map { (batch.list, $0, batch.time) } }
    let edits = lines.compactMap { list, line, time in
      line.edit.map { (list, $0, line.position.sequence, time) }
    }
    statements.append(
      PostgresStatement(
        edits.isEmpty ? Self.appendWithoutEdits : Self.append,
        [
          .texts(batches.map(\.list)), .integers(batches.map(\.expectedSequence)),
          .byteArrays(batches.map { $0.expected?.hash ?? [] }),
          .integers(batches.map { $0.lines.last?.position.sequence ?? $0.expectedSequence }),
          .byteArrays(batches.map { $0.lines.last?.position.hash ?? [] }),
          .integers(batches.map(\.byteCount)),
          .integers(batches.map { ($0.lines.first?.position.sequence ?? 1) - 1 }),
          .integer(batches.map(\.time).max() ?? 0),
          .texts(lines.map(\.0)), .integers(lines.map(\.1.position.sequence)),
          .byteArrays(lines.map(\.1.position.hash)), .utf8(lines.map(\.1.text)),
          .texts(lines.map { $0.1.edit?.subject }), .texts(lines.map { $0.1.edit?.id }),
        ]
          + (edits.isEmpty
            ? []
            : [
              .texts(edits.map(\.0)), .texts(edits.map(\.1.subject)), .texts(edits.map(\.1.id)),
              .integers(edits.map(\.2)), .integers(edits.map(\.3)),
            ])))
    let rows = try await run(statements)
    return Set((rows.last ?? []).compactMap { $0.text(0).map { TextKey($0) } })
  }

  /// Why batches do not fit.
  private func reasons(
    of batches: [LogBatch]
  ) async throws(EngineError) -> [TextKey: AppendOutcome] {
    let edits = batches.flatMap { batch in batch.lines.compactMap(\.edit).map { (batch.list, $0) } }
    let rows = try await run([
      PostgresStatement(Self.heads, [.texts(batches.map(\.list))]),
      PostgresStatement(
        Self.answers,
        [.texts(edits.map(\.0)), .texts(edits.map(\.1.subject)), .texts(edits.map(\.1.id))]),
    ])
    var reasons: [TextKey: AppendOutcome] = [:]
    for row in rows[0] {
      reasons[TextKey(row.text(0) ?? "")] = .behind(LogPosition(try row.integer(1), row.bytes(2)))
    }
    var known: [TextKey: [EditKey: EditAnswer]] = [:]
    for row in rows[1] {
      let edit = EditKey(row.text(2) ?? "", of: row.text(1) ?? "")
      known[TextKey(row.text(0) ?? ""), default: [:]][edit] =
        row.columns[3] == nil ? .refused(row.text(4) ?? "") : .taken(try row.integer(3))
    }
    for (list, answers) in known { reasons[list] = .known(answers) }
    return reasons
  }

  private static let makeLists =
    "INSERT INTO cellar_relay.list (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING"

  /// Before the append, in one order for all nodes.
  private static let lockLists = """
    SELECT 1::bigint FROM cellar_relay.list WHERE id = ANY ($1::text[]) ORDER BY id
    FOR NO KEY UPDATE
    """

  static let heads =
    "SELECT id, head, hash, floor, bytes FROM cellar_relay.list WHERE id = ANY ($1::text[]) AND head > 0"

  static let answers = """
    SELECT l.id, e.subject, e.id, e.seq, e.why
    FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (list, subject, id)
    JOIN cellar_relay.list l ON l.id = asked.list
    JOIN cellar_relay.edit e ON e.list = l.number AND e.subject = asked.subject AND e.id = asked.id
    """

  private static let appendWithoutEdits = append(excluding: "", answering: "")

  private static let append = append(
    excluding: """
      AND NOT EXISTS (
        SELECT 1 FROM unnest($15::text[], $16::text[], $17::text[]) AS sent (list, subject, id)
        JOIN cellar_relay.edit e
        ON e.list = l.number AND e.subject = sent.subject AND e.id = sent.id
        WHERE sent.list = l.id)
      """,
    answering: """
      , edits AS (
        INSERT INTO cellar_relay.edit (list, subject, id, seq, at)
        SELECT made.number, sent.subject, sent.id, sent.seq, sent.at
        FROM unnest($15::text[], $16::text[], $17::text[], $18::bigint[], $19::bigint[])
        AS sent (list, subject, id, seq, at) JOIN made ON made.id = sent.list)
      """)

  private static func append(excluding known: String, answering edits: String) -> String {
    """
    WITH batch AS (
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[],
        $6::bigint[], $7::bigint[])
      AS batch (id, expected, expected_hash, head, hash, bytes, floor)
    ), made AS (
      UPDATE cellar_relay.list l SET head = batch.head, hash = batch.hash,
        bytes = l.bytes + batch.bytes,
        floor = CASE WHEN l.head = 0 THEN batch.floor ELSE l.floor END
      FROM batch
      WHERE l.id = batch.id AND l.head = batch.expected AND l.hash = batch.expected_hash
      \(known)
      RETURNING l.number, l.id, l.bytes, l.compact_at
    ), lines AS (
      INSERT INTO cellar_relay.line (list, seq, hash, subject, edit, text)
      SELECT made.number, line.seq, line.hash, line.subject, line.edit, line.text
      FROM unnest($9::text[], $10::bigint[], $11::bytea[], $12::text[], $13::text[], $14::text[])
      AS line (list, seq, hash, text, subject, edit) JOIN made ON made.id = line.list
    )\(edits), moved AS (
      INSERT INTO cellar_relay.moved
      SELECT pg_current_xact_id(), array_agg(id), $8 FROM made HAVING count(*) > 0
    ), work AS (
      INSERT INTO cellar_relay.work SELECT id, 0 FROM made WHERE bytes > compact_at
      ON CONFLICT DO NOTHING
    )
    SELECT id FROM made
    """
  }
}
