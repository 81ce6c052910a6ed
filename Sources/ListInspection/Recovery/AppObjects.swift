import Foundation
import GRDB
import ListModel
import StoreSchema

/// What an app or a person has added to a store beside its lists: tables, indexes, views and triggers.
///
/// None of their SQL runs while they are carried over to another store. The rows of a table are put
/// into a plain one; an index of columns is made by a statement of our own; then both get the
/// statement that they had, as a text. Views, triggers and virtual tables are texts alone. An index
/// that computes something is left out, because its entries can't be had otherwise.
final class AppObjects {
  /// The tables whose rows can be carried over.
  private(set) var tables: [AppTable] = []
  private let objects: [SchemaPages.Object]
  private var indexes: [String: AppIndex] = [:]
  /// Why an object is left out, by its name.
  private var reasons: [String: String] = [:]

  /// Takes them from a schema; the statements are parsed in a database in memory.
  init(_ schema: SchemaPages, _ migrations: [Migration]) throws {
    let latest = migrations.latestVersion
    let objects = try schema.objects.filter {
      try KnownSchema.isOfApp($0.name, version: schema.version ?? latest, migrations)
    }
    for object in objects
    where try !KnownSchema.isOfApp(object.name, version: latest, migrations) {
      reasons[object.name] = "version \(latest) of a store has something else of that name"
    }
    // Each after what it is made on.
    self.objects = ["table", "index", "view", "trigger"].flatMap { kind in
      objects.filter { $0.kind == kind }
    }
    if objects.isEmpty { return }
    let scratch = try DatabaseQueue()
    var number = 0
    try scratch.writeWithoutTransaction { db in
      for migration in migrations { try migration.apply(to: db) }
      let placed = self.objects.filter { !$0.isText && reasons[$0.name] == nil }
      try write(placed, into: db) { object in
        // Its row leads to a page of its own that way.
        number += 1
        try db.execute(sql: "CREATE TABLE \"cellar \(number)\" (x)")
        try db.execute(
          sql: """
            UPDATE sqlite_schema SET type = ?, name = ?, tbl_name = ?, sql = ?
            WHERE rowid = (SELECT max(rowid) FROM sqlite_schema)
            """, arguments: [object.kind, object.name, object.table, object.sql])
      }
      for object in self.objects where !object.isText && reasons[object.name] == nil {
        try look(at: object, db)
      }
    }
  }

  private func look(at object: SchemaPages.Object, _ db: Database) throws {
    if object.kind == "table" {
      if let table = try AppTable(object.name, sql: object.sql, db) {
        tables.append(table)
      } else {
        reasons[object.name] = "it is no ordinary table, or its key is computed by SQL of its own"
      }
    } else if let index = try AppIndex(object.name, of: object.table, db) {
      indexes[object.name] = index
    } else {
      reasons[object.name] =
        "it is made by SQL of its own, which is not run here; the app can make it anew: "
        + object.sql
    }
  }

  /// Writes rows of `sqlite_schema`; an object that SQLite can't read there is left out.
  private func write(
    _ objects: [SchemaPages.Object], into db: Database,
    _ body: (SchemaPages.Object) throws -> Void
  ) throws {
    if objects.isEmpty { return }
    do { try db.editSchema { _ in try objects.forEach(body) } } catch let error as DatabaseError {
      guard objects.count > 1 else {
        reasons[objects[0].name] = "SQLite does not take it: \(error.message ?? "\(error)")"
        return
      }
      try write(Array(objects.prefix(objects.count / 2)), into: db, body)
      try write(Array(objects.dropFirst(objects.count / 2)), into: db, body)
    }
  }

  // MARK: In another store

  /// Makes the plain tables; one that can't be made is left out.
  func makePlainTables(_ db: Database) throws {
    tables = tables.filter { table in
      do {
        try db.execute(sql: table.plainSQL)
        return true
      } catch {
        reasons[table.shape.name] = "it can't be made: \(error)"
        return false
      }
    }
  }

  /// Checks a store's pages, gives the plain tables their statements, and makes everything else.
  ///
  /// After that, SQLite's check of the pages would run the checks of the tables.
  ///
  /// `store`: A store that nobody has open. `sequences`: The greatest ids of tables that count them,
  /// by name.
  func complete(_ store: URL, sequences: [String: Int64]) throws {
    try StoreRepair.open(store) { queue in
      try queue.writeWithoutTransaction { db in
        for object in objects where reasons[object.name] == nil {
          guard let index = indexes[object.name] else { continue }
          do { try db.execute(sql: index.plainSQL) } catch let error as DatabaseError {
            reasons[object.name] = "it can't be made: \(error.message ?? "\(error)")"
          }
        }
        for table in tables where table.isCounted {
          let name = table.shape.name
          let last = try Int64.fetchOne(
            db, sql: "SELECT max(seq) FROM sqlite_sequence WHERE name = ?", arguments: [name])
          try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [name])
          try db.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
            arguments: [name, max(last ?? 0, sequences[name] ?? 0)])
        }
        // Nothing of the app's runs as yet.
        try PageCheck(on: store, without: [], atMost: 3) { try $0(db) }
          .requireSound(naming: store.path)
        try write(objects.filter { reasons[$0.name] == nil }, into: db) { object in
          guard object.isText else {
            return try db.execute(
              sql: "UPDATE sqlite_schema SET sql = ? WHERE type = ? AND name = ?",
              arguments: [object.sql, object.kind, object.name])
          }
          try db.execute(
            sql: """
              INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)
              """, arguments: [object.kind, object.name, object.table, object.sql])
        }
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
  }

  /// What became of each.
  func report(_ scanner: RowScanner, _ salvaged: SalvagedStore) -> [StoreRecovery.AppObject] {
    let tables = Set(tables.map(\.shape.name))
    return objects.map { object in
      var result = StoreRecovery.AppObject(
        kind: object.kind, name: object.name, isKept: reasons[object.name] == nil,
        reason: reasons[object.name])
      if tables.contains(object.name) {
        let tally = scanner.tallies[object.name] ?? RowScanner.Tally()
        let refused = salvaged.refusedRowCounts[object.name] ?? 0
        result.rowCount = tally.rowCount - refused
        result.lostRowCount = tally.damagedRowCount + refused
        result.lostPageCount = tally.holes.count
      }
      return result
    }
  }
}

extension SchemaPages.Object {
  /// Whether it has no tree of its own: a view, a trigger, a virtual table.
  fileprivate var isText: Bool {
    kind == "view" || kind == "trigger"
      || sql.hasPrefix("CREATE VIRTUAL TABLE ")
  }
}
