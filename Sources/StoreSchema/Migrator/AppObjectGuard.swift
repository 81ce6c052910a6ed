import GRDB
import ListModel
import StoreFiles

/// Keeps what an app has added to a store as it is when a migration writes tables anew.
///
/// SQLite drops the indexes and triggers of a table with it, and writes another name into what refers
/// to one that is renamed. So indexes are made anew, and views and triggers are away meanwhile. What
/// can't be as it was, or would be a view or a trigger without a table or a column that it needs, is
/// an error.
struct AppObjectGuard {
  private let objects: [KnownSchema.Statement]
  private let broken: [String: String]

  /// Notes what an app has added to a store of a version, and drops its views and triggers; `nil` if
  /// it has added nothing.
  init?(_ db: Database, version: Int, _ migrations: [Migration]) throws {
    let objects = try KnownSchema.statements(of: db).filter {
      try KnownSchema.isOfApp($0.name, version: version, migrations)
    }
    if objects.isEmpty { return nil }
    // Each after what it may be made on.
    self.objects = ["table", "index", "view", "trigger"].flatMap { kind in
      objects.filter { $0.kind == kind }
    }
    broken = try Self.broken(in: db)
    for object in self.objects.reversed() where ["view", "trigger"].contains(object.kind) {
      try db.execute(sql: "DROP \(object.kind) IF EXISTS \(object.name.sqlName)")
    }
  }

  /// Makes everything as it was.
  ///
  /// - Returns: The indexes that were made anew, as in "index mine".
  /// - Throws: ``/ListModel/StoreError`` with
  ///   ``/ListModel/StoreError/Code/verificationFailed``, which names an object that would be lost.
  func restore(in db: Database, named name: String, file: String) throws -> [String] {
    var losses: [String] = []
    var restored: [String] = []
    let now = Dictionary(
      uniqueKeysWithValues: try KnownSchema.statements(of: db).map { ($0.name, $0.sql) })
    for object in objects where now[object.name] != object.sql {
      let shown = Self.shown(object)
      guard object.kind != "table" else {
        losses.append(
          shown
            + (now[object.name] == nil ? " would be gone" : " would refer to a table that is gone"))
        continue
      }
      do {
        if now[object.name] != nil { try db.execute(sql: "DROP INDEX \(object.name.sqlName)") }
        // One statement alone: it comes from the file.
        try db.makeStatement(sql: object.sql).execute()
        if object.kind == "index" { restored.append(shown) }
      } catch let error as DatabaseError {
        losses.append("\(shown) can't be made anew: \(error.message ?? "\(error)")")
      }
    }
    for (name, reason) in try Self.broken(in: db).sorted(by: { $0.key < $1.key })
    where broken[name] == nil {
      losses.append("\(name) would be broken: \(reason)")
    }
    guard losses.isEmpty else { throw Self.refusal(losses, named: name, file: file) }
    return restored
  }

  /// Names the object that keeps SQLite from changing a table, or that has the name of a new one;
  /// another error stays as it is.
  static func explaining(_ error: any Error, named name: String, file: String) -> any Error {
    guard let message = (error as? DatabaseError)?.message else { return error }
    if message.hasPrefix("error in ") {
      return refusal([String(message.dropFirst("error in ".count))], named: name, file: file)
    }
    return message.hasSuffix(" already exists")
      ? refusal([message], named: name, file: file) : error
  }

  private static func refusal(_ losses: [String], named name: String, file: String) -> StoreError {
    StoreError.verificationFailed(
      file, name,
      because: "it would break what the app has added to the store: "
        + losses.joined(separator: "; ").cut()
        + ". Drop or rename that, migrate the store, and make it anew for the new tables")
  }

  private static func shown(_ object: KnownSchema.Statement) -> String {
    "\(object.kind) \(object.name.cut(to: 80))"
  }

  /// The views and triggers that lack a table or a column, as in "view mine", with SQLite's reason.
  ///
  /// SQLite looks for them when it renames a table. It does so in a database in memory, where the
  /// statements are texts and no table has a row.
  private static func broken(in db: Database) throws -> [String: String] {
    var objects = try KnownSchema.statements(of: db).filter { object in
      object.kind != "index" && !object.sql.hasPrefix("CREATE VIRTUAL")
    }
    var broken: [String: String] = [:]
    while true {
      let scratch = try DatabaseQueue()
      do {
        try scratch.writeWithoutTransaction { db in
          try db.addStatements(objects)
          try db.execute(sql: "CREATE TABLE \"cellar probe\" (x)")
          try db.execute(sql: "ALTER TABLE \"cellar probe\" RENAME TO \"cellar probed\"")
        }
        return broken
      } catch let error as DatabaseError {
        let message = error.message ?? ""
        // The longest name, because one can begin as another does.
        let found = objects.filter { message.hasPrefix("error in \(shown($0))") }
          .max { $0.name.count < $1.name.count }
        guard let found else { throw error }
        broken[shown(found)] = String(
          message.dropFirst("error in \(shown(found))".count).drop { $0 == ":" || $0 == " " })
        objects.removeAll { $0.name == found.name }
      }
    }
  }
}

extension Database {
  /// Writes statements into the schema of an empty database as texts: tables first, then views and
  /// triggers.
  fileprivate func addStatements(_ statements: [KnownSchema.Statement]) throws {
    let tables = statements.filter { $0.kind == "table" }
    for number in tables.indices { try execute(sql: "CREATE TABLE \"cellar \(number)\" (x)") }
    try editSchema { db in
      for (number, table) in tables.enumerated() {
        try db.execute(
          sql: "UPDATE sqlite_schema SET name = ?1, tbl_name = ?1, sql = ?2 WHERE name = ?3",
          arguments: [table.name, table.sql, "cellar \(number)"])
      }
      for object in statements where object.kind != "table" {
        try db.execute(
          sql:
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)",
          arguments: [object.kind, object.name, object.table, object.sql])
      }
    }
  }
}
