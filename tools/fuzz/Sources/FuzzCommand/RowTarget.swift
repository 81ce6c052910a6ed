import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import Providers

/// Values in the rows of a store: whatever stands there, each call ends with an answer or a typed error.
///
/// The input is a byte that says whether the store knows of it, then changes: the number of a column, that of
/// a row, the kind of the value, the number of its bytes, the bytes.
func fuzzRows(_ bytes: [UInt8]) {
  Shelves.withFolder { folder in
    let file = folder.appendingPathComponent("store.sqlite")
    Shelves.full.write(to: file)
    var changes = RowChanges(bytes)
    requireSuccess("change rows") { try changes.apply(to: file) }
    look(at: file)
  }
}

/// What an app does with a store, and what looks at one.
func look(at file: URL) {
  let opened = attempt("open") { try Repository(existing: file, options: Shelves.options) }
  guard let repository = opened else { return }
  attempt("check") { try repository.checkInvariants() }
  for list in attempt("lists", { try repository.lists() }) ?? [] {
    attempt("tree") { try repository.tree(of: list) }
    attempt("earlier tree") { try repository.tree(of: list, at: 1) }
    attempt("commits") { try repository.commits(of: list) }
    if let provider = attempt("provider", { try repository.provider(for: list) }) {
      read(provider)
    }
    let revision = (try? repository.revision(of: list)) ?? 0
    attempt("undo") { try repository.undoCommit(revision, of: list) }
    attempt("edit") {
      try repository.edit(list) { list in
        try list.insertSectionIfMissing("new")
        try list.apply(
          .insertItem(Item(id: "new", cell: "C", content: .null), in: "new", at: .index(0)))
        try list.apply(.moveItem("item 1", in: nil, to: .end))
      }
    }
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    attempt("sizes") { try repository.sizes(of: list, for: key) }
    attempt("truncate") { try repository.truncateLog(of: list, keeping: LogRetention(changes: 1)) }
  }
  attempt("close") { try repository.close() }
}

/// The ends and the middle of a list.
private func read(_ provider: Provider) {
  for index in Set([0, provider.numberOfSections / 2, provider.numberOfSections - 1]) {
    let count = provider.numberOfItems(inSection: index)
    for item in Set([0, count / 2, count - 1]) {
      _ = provider.item(at: ItemPath(section: index, item: item))
    }
  }
  if provider.numberOfItems < 10_000 { _ = provider.tree }
}

/// Changes of values that an input asks for.
private struct RowChanges {
  private var rest: ArraySlice<UInt8>

  /// The columns of all tables, but of those of the full-text indexes.
  private static func columns(_ db: Database) throws -> [(table: String, column: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT tables.name, columns.name
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
          AND tables.name NOT LIKE 'searchText%'
        ORDER BY 1, columns.cid
        """
    ).map { ($0[0], $0[1]) }
  }

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func apply(to file: URL) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA ignore_check_constraints = 1; PRAGMA synchronous = 0; PRAGMA recursive_triggers = 0
          """)
    }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.write { db in
      let columns = try Self.columns(db)
      let isSeen = (rest.popFirst() ?? 0) & 1 == 0
      for _ in 0..<8 where rest.count >= 4 {
        let (column, row) = (rest.removeFirst(), rest.removeFirst())
        let (kind, length) = (rest.removeFirst(), rest.removeFirst())
        let count = Int(length) | (kind & 0x80 != 0 ? 256 : 0)
        let bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
        try apply(columns[Int(column) % columns.count], row, kind & 0x7F, bytes, db)
      }
      // A store that knows that another program has written to it takes its lists as they are.
      if !isSeen { try db.execute(sql: "UPDATE store SET isBypassed = 0") }
    }
    try queue.close()
  }

  private func apply(
    _ place: (table: String, column: String), _ row: UInt8, _ kind: UInt8, _ bytes: [UInt8],
    _ db: Database
  ) throws {
    let number = bytes.suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    let value: DatabaseValue =
      switch kind % 4 {
      case 0: String(decoding: bytes, as: UTF8.self).databaseValue
      case 1: Data(bytes).databaseValue
      case 2: number.databaseValue
      default: .null
      }
    let key = try String.fetchAll(
      db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
      arguments: [place.table]
    ).joined(separator: ", ")
    let which =
      row == 255
      ? "" : "WHERE (\(key)) IN (SELECT \(key) FROM \(place.table) LIMIT 1 OFFSET \(row))"
    do {
      try db.execute(
        sql: "UPDATE OR IGNORE \(place.table) SET \(place.column) = ? \(which)",
        arguments: [value])
    } catch let error as DatabaseError
      where [.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode)
    {
      // A key, or a value of another type than the column's.
    }
  }
}
