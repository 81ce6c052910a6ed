import GRDB
import ListModel

/// Copies the log of a store of version 6 into the tables of version 7.
///
/// The log is read from its end to its beginning. So the contents that items have now keep their
/// rows, and what an item held at an entry is known from the entries after it. One row is in memory
/// at a time, and the entries of the row of `change` that is being filled.
struct LogPacking {
  private let db: Database
  private let statements: Statements
  private var lastContent: Int
  private var nextChange: Int
  /// The first revision from which each list's log leads on.
  private var floors: [Int: Int] = [:]
  /// By the bytes of their names: to `String`, two names can be equal that differ in bytes.
  private var cells: [[UInt8]: Int] = [:]
  private var chunk = Chunk()
  /// Whether the table `heldContent` has rows.
  private var isAnyHeld = false
  /// A damaged file can hold any number.
  private static let greatestContent = 1 << 48 - 1

  // MARK: The step

  /// Runs after the SQL of the migration, in its transaction.
  static func run(_ db: Database, progress: (Double) -> Void) throws {
    // At once, so that the new rows take the room of the old ones.
    try db.execute(sql: "DROP TABLE oldItem; DROP TABLE oldContent")
    var packing = try LogPacking(db)
    try packing.packLog(progress)
    try db.execute(
      sql: "UPDATE store SET lastItem = max(lastItem, ?)", arguments: [packing.lastContent])
    try db.execute(sql: "DROP TABLE oldChange; DROP TABLE temp.heldContent")
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
    nextChange = try Int.fetchOne(db, sql: "SELECT count(*) FROM oldChange") ?? 0
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
    statements = try Statements(db)
  }

  /// The statements that run for each entry.
  private struct Statements {
    let insertChange: PackingStatement
    let updateCommit: PackingStatement
    let findItem: PackingStatement
    let findHeld: PackingStatement
    let readContent: PackingStatement
    let insertContent: PackingStatement
    let hold: PackingStatement
    let forget: PackingStatement

    init(_ db: Database) throws {
      insertChange = try PackingStatement(
        db, "INSERT INTO change (id, list, revision, entries, seams) VALUES (?, ?, ?, ?, ?)")
      updateCommit = try PackingStatement(
        db, "UPDATE listCommit SET firstChange = ? WHERE list = ? AND revision = ?")
      findItem = try PackingStatement(db, "SELECT id FROM item WHERE list = ?1 AND name = ?2")
      findHeld = try PackingStatement(
        db,
        """
        SELECT coalesce(
          (SELECT content FROM temp.heldContent WHERE list = ?1 AND item = ?2),
          (SELECT id FROM item WHERE list = ?1 AND name = ?2))
        """)
      readContent = try PackingStatement(
        db, "SELECT type, action, content FROM content WHERE id = ?")
      insertContent = try PackingStatement(
        db, "INSERT INTO content (id, type, action, content) VALUES (?, ?, ?, ?)")
      hold = try PackingStatement(
        db, "INSERT OR REPLACE INTO temp.heldContent (list, item, content) VALUES (?, ?, ?)")
      forget = try PackingStatement(
        db, "DELETE FROM temp.heldContent WHERE list = ? AND item = ?")
    }
  }

  private mutating func packLog(_ progress: (Double) -> Void) throws {
    let total = nextChange
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
      if count % 128 == 0 { progress(Double(count) / Double(total)) }
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

  // MARK: Rows of the log

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

  // MARK: Entries

  /// - Returns: `nil` if the row does not hold what its operation needs.
  private mutating func entry(_ old: OldChange, in list: Int) throws -> Entry? {
    var writer = EntryText()
    do {
      switch old.operation {
      case "insertItem":
        let item = try old.known(old.item)
        let state = try OldState(old.known(old.after))
        let content = try contentHeld(by: item, in: list, as: state)
        try forget(item, in: list)
        writer.begin(1, name: item)
        writer.append(try old.known(old.toSection), try old.known(old.toItem))
        writer.append(try cell(state), state.contentRevision, content)
      case "deleteItem":
        let item = try old.known(old.item)
        let state = try OldState(old.known(old.before))
        let content = try makeContent(state)
        try hold(content, by: item, in: list)
        writer.begin(2, name: item)
        writer.append(try old.known(old.fromSection), try old.known(old.fromItem))
        writer.append(try cell(state), state.contentRevision, content)
      case "moveItem":
        writer.begin(3, name: try old.known(old.item))
        writer.append(try old.known(old.fromSection), try old.known(old.fromItem))
        writer.append(try old.known(old.toSection), try old.known(old.toItem))
      case "updateItem":
        let item = try old.known(old.item)
        let (before, after) = (
          try OldState(old.known(old.before)), try OldState(old.known(old.after))
        )
        let new = try contentHeld(by: item, in: list, as: after)
        let former = before.holdsSame(as: after) ? new : try makeContent(before)
        try hold(former, by: item, in: list)
        writer.begin(4, name: item)
        writer.append(try old.known(old.fromSection), try old.known(old.fromItem))
        writer.append(try cell(before), before.contentRevision, former)
        writer.append(try cell(after), after.contentRevision, new)
      case "touchItem":
        writer.begin(5, name: try old.known(old.item))
        writer.append(try old.known(old.fromSection), try old.known(old.fromItem))
      case "insertSection":
        writer.begin(6, name: try old.known(old.section))
        writer.append(try old.known(old.toSection))
        writer.append(json: try old.object(old.after))
      case "deleteSection": try deletedSection(old, in: list, &writer)
      case "moveSection":
        writer.begin(8, name: try old.known(old.section))
        writer.append(try old.known(old.fromSection), try old.known(old.toSection))
      case "updateSection":
        writer.begin(9, name: try old.known(old.section))
        writer.append(try old.known(old.fromSection))
        writer.append(json: try old.object(old.before))
        writer.append(json: try old.object(old.after))
      case "updateList":
        writer.begin(10)
        for json in [old.before, old.after] {
          writer.append(json: try json.map { try JSONNode(loggedIn: $0).value().text } ?? "null")
        }
      default: throw FormatError("unknown operation \"\(old.operation)\" in the log")
      }
    } catch is FormatError { return nil }
    return Entry(
      json: writer.end(), seams: old.seams,
      member: (old.item ?? old.section).map { XXHash64.hash($0) } ?? Seam.none)
  }

  private mutating func deletedSection(
    _ old: OldChange, in list: Int, _ writer: inout EntryText
  ) throws {
    let section = try JSONNode(loggedIn: old.known(old.before)).object()
    writer.begin(7, name: try old.known(old.section))
    writer.append(try old.known(old.fromSection))
    var attributes: [(name: String, value: JSON)] = []
    for (name, value) in section.members {
      let name = try name.string()
      if name != "items" { attributes.append((name, value.value())) }
    }
    writer.append(
      json: JSONWriter.object { writer in
        for (name, value) in attributes { writer.member(name, value) }
      })
    writer.beginArray()
    for node in try section.required("items").elements() {
      let object = try node.object()
      let item = try object.required("id").string()
      let state = try OldState(object)
      let content = try makeContent(state)
      try hold(content, by: item, in: list)
      writer.beginItem(name: item)
      writer.append(try cell(state), state.contentRevision, content)
      writer.endArray()
    }
    writer.endArray()
  }

  private mutating func cell(_ state: OldState) throws -> Int {
    let name = Array(state.cell.utf8)
    if let row = cells[name] { return row }
    try db.execute(sql: "INSERT INTO cell (name) VALUES (?)", arguments: [state.cell])
    let row = Int(db.lastInsertedRowID)
    cells[name] = row
    return row
  }

  // MARK: Contents

  /// The row of what an item holds at this point of the log.
  private mutating func contentHeld(
    by item: String, in list: Int, as state: OldState
  ) throws -> Int {
    let known = isAnyHeld ? statements.findHeld : statements.findItem
    known.bind(list, at: 1)
    known.bind(text: Array(item.utf8), at: 2)
    let row = try known.step() ? known.integer(0) : nil
    known.reset()
    guard let row else { return try makeContent(state) }
    let content = statements.readContent
    content.bind(row, at: 1)
    let isSame =
      try content.step() && content.hasText(state.type, at: 0)
      && content.hasText(state.action, at: 1) && content.hasText(state.content, at: 2)
    content.reset()
    // The log of a list that something else has written to may say otherwise.
    return isSame ? row : try makeContent(state)
  }

  private mutating func makeContent(_ state: OldState) throws -> Int {
    guard lastContent < Self.greatestContent else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "there are no more ids for contents")
    }
    lastContent += 1
    let insert = statements.insertContent
    insert.bind(lastContent, at: 1)
    insert.bind(text: state.type.map { Array($0.utf8) }, at: 2)
    insert.bind(text: state.action.map { Array($0.utf8) }, at: 3)
    insert.bind(text: Array(state.content.utf8), at: 4)
    try insert.run()
    return lastContent
  }

  /// Notes what an item held before the entries that were read.
  private mutating func hold(_ content: Int, by item: String, in list: Int) throws {
    isAnyHeld = true
    let insert = statements.hold
    insert.bind(list, at: 1)
    insert.bind(text: Array(item.utf8), at: 2)
    insert.bind(content, at: 3)
    try insert.run()
  }

  private func forget(_ item: String, in list: Int) throws {
    guard isAnyHeld else { return }
    let delete = statements.forget
    delete.bind(list, at: 1)
    delete.bind(text: Array(item.utf8), at: 2)
    try delete.run()
  }
}
