import GRDB
import ListModel

/// Copies the items and the log of a store of version 6 into the tables of version 7.
///
/// The log is read from its end to its beginning. So the contents that items have now keep their
/// rows, and what an item held at an entry is known from the entries after it. One row is in memory
/// at a time, and the entries of the row of `change` that is being filled.
struct LogPacking {
  let db: Database
  let statements: Statements
  private let changeCount: Int
  private var nextChange: Int
  private var chunk = Chunk()
  /// The first revision from which each list's log leads on.
  private var floors: [Int: Int] = [:]
  /// By the bytes of their names: to `String`, two names can be equal that differ in bytes.
  var cells: [[UInt8]: Int] = [:]
  var lastContent: Int
  var newestItems: NewestItems
  /// Whether the table `heldContent` has rows.
  var isAnyHeld = false

  /// Runs after the SQL of the migration, in its transaction.
  static func run(_ db: Database, progress: (Double) -> Void) throws {
    progress(0)
    try withSettings(db) {
      // In the order of their names, so that each goes behind the one before. SQLite sorts them: in
      // the order of the index, their rows would be read from all over the file.
      try db.execute(
        sql: """
          INSERT INTO item SELECT list, name, id, block FROM oldItem NOT INDEXED
          ORDER BY list, name
          """)
      progress(0.3)
      var packing = try LogPacking(db)
      try packing.packLog { progress(0.3 + $0 * 0.65) }
      try db.execute(
        sql: "UPDATE store SET lastItem = max(lastItem, ?)", arguments: [packing.lastContent])
      packing.newestItems.end()
      try db.execute(
        sql: "DROP TABLE oldItem; DROP TABLE oldChange; DROP TABLE temp.heldContent")
      progress(1)
    }
  }

  /// Runs `body` with settings for a copy of the whole store, then with those of before.
  private static func withSettings(_ db: Database, _ body: () throws -> Void) throws {
    let caches = ["cache_size", "temp.cache_size"]
    let formerCaches = try caches.map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0 }
    let deletesSecurely = try Int.fetchOne(db, sql: "PRAGMA secure_delete") == 1
    defer {
      for (cache, size) in zip(caches, formerCaches) {
        try? db.execute(sql: "PRAGMA \(cache) = \(size)")
      }
      if deletesSecurely { try? db.execute(sql: "PRAGMA secure_delete = ON") }
    }
    // 16 MiB each, for what is looked up by name.
    for cache in caches { try db.execute(sql: "PRAGMA \(cache) = -16384") }
    // Overwriting the pages of the dropped tables would take as long as writing the new ones.
    if deletesSecurely { try db.execute(sql: "PRAGMA secure_delete = FAST") }
    try body()
  }

  private init(_ db: Database) throws {
    self.db = db
    lastContent =
      try Int.fetchOne(
        db,
        sql: """
          SELECT max((SELECT coalesce(max(lastItem), 0) FROM store),
            (SELECT coalesce(max(id), 0) FROM content))
          """) ?? 0
    changeCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM oldChange") ?? 0
    nextChange = changeCount
    for row in try Row.fetchAll(db, sql: "SELECT id, logFloor FROM list") {
      floors[try row.integer(0)] = try row.integer(1)
    }
    for row in try Row.fetchAll(db, sql: "SELECT id, name FROM cell") {
      cells[Array(try row.text(1).utf8)] = try row.integer(0)
    }
    // What an item holds before the entries that were read, where its row does not say it.
    try db.execute(
      sql: """
        CREATE TEMP TABLE heldContent (
          list INTEGER, item TEXT, content INTEGER, PRIMARY KEY (list, item)) WITHOUT ROWID
        """)
    newestItems = try NewestItems(db)
    statements = try Statements(db)
  }

  /// The statements that run for each entry.
  struct Statements {
    let insertChange: PackingStatement
    let updateCommit: PackingStatement
    let findItem: PackingStatement
    let findHeld: PackingStatement
    let insertContent: PackingStatement
    let hold: PackingStatement
    let forget: PackingStatement

    init(_ db: Database) throws {
      insertChange = try PackingStatement(
        db, "INSERT INTO change (id, list, revision, entries, seams) VALUES (?, ?, ?, ?, ?)")
      updateCommit = try PackingStatement(
        db, "UPDATE listCommit SET firstChange = ? WHERE list = ? AND revision = ?")
      findItem = try PackingStatement(
        db,
        """
        SELECT content.id, type, action, content FROM oldItem JOIN content USING (id)
        WHERE list = ? AND name = ?
        """)
      findHeld = try PackingStatement(
        db,
        """
        SELECT content.id, type, action, content.content FROM temp.heldContent
          JOIN content ON content.id = heldContent.content
        WHERE list = ? AND item = ?
        """)
      insertContent = try PackingStatement(
        db, "INSERT INTO content (id, type, action, content) VALUES (?, ?, ?, ?)")
      hold = try PackingStatement(
        db, "INSERT OR REPLACE INTO temp.heldContent (list, item, content) VALUES (?, ?, ?)")
      forget = try PackingStatement(
        db, "DELETE FROM temp.heldContent WHERE list = ? AND item = ?")
    }
  }

  // MARK: The log

  private mutating func packLog(_ progress: (Double) -> Void) throws {
    var count = 0
    let rows = try PackingStatement(
      db,
      """
      SELECT list, revision, operation, section, item, fromSection, fromItem, toSection, toItem,
        before, after, seams
      FROM oldChange ORDER BY list DESC, revision DESC, ordinal DESC
      """)
    while try rows.step() {
      count += 1
      if count % 128 == 0 { progress(Double(count) / Double(changeCount)) }
      guard let list = rows.integer(0), let revision = rows.integer(1), let floor = floors[list],
        revision > floor
      else { continue }
      if list != chunk.list || revision != chunk.revision {
        try finishCommit()
        chunk.list = list
        chunk.revision = revision
      }
      // What could not be read before can't be read from here on either.
      let entry = try self.entry(OldChange(rows), in: list) ?? Entry(json: Array("[0]".utf8))
      if !chunk.hasRoom(for: entry) { try finishChunk() }
      chunk.append(entry)
    }
    try finishCommit()
  }

  private mutating func finishChunk() throws {
    if chunk.entries.isEmpty { return }
    let insert = statements.insertChange
    insert.bind(nextChange, at: 1)
    insert.bind(chunk.list, at: 2)
    insert.bind(chunk.revision, at: 3)
    insert.bind(text: chunk.json, at: 4)
    insert.bind(blob: chunk.seams, at: 5)
    try insert.run()
    nextChange -= 1
    chunk.removeEntries()
  }

  private mutating func finishCommit() throws {
    if chunk.entries.isEmpty { return }
    try finishChunk()
    let update = statements.updateCommit
    update.bind(nextChange + 1, at: 1)
    update.bind(chunk.list, at: 2)
    update.bind(chunk.revision, at: 3)
    try update.run()
  }
}
