import Foundation
import GRDB
import SchemaSupport
import TestSupport

/// Makes a large store of the first released version: the lists of its fixture many times, under
/// other names.
///
/// - Parameters:
///   - file: Where it is made.
///   - copies: How many times; 761 changes each.
/// - Throws: What SQLite throws.
func makeLargeStore(at file: URL, copies: Int) throws {
  try TestMigrations.makeStore(at: file)
  let queue = try DatabaseQueue(path: file.path)
  try queue.write { db in
    let tables = [
      "list", "section", "block", "item", "listCommit", "change", "supplementary", "feedLine",
    ]
    for copy in 1..<copies {
      for table in tables {
        let columns = try db.columns(in: table).map(\.name)
        let values = columns.map { value(of: $0, in: table) }
        try db.execute(
          sql: """
            INSERT INTO \(table) (\(columns.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM \(table)
            WHERE \(table == "item" ? "list" : columns[0]) < 1000
            """, arguments: ["copy": copy])
      }
    }
    try db.execute(
      sql: "UPDATE store SET isBypassed = 0, lastItem = (SELECT max(id) FROM item) + 1000")
  }
  try queue.close()
}

/// A column's value in a copy.
///
/// Rows that are named by a number have one that is 1,000 higher for each copy. Contents are those of
/// the original.
private func value(of column: String, in table: String) -> String {
  switch (table, column) {
  case ("list", "name"): "name || '-' || :copy"
  case (_, "id"), ("list", "root"), ("section", "list"), ("section", "block"), ("section", "root"),
    ("block", "list"), ("block", "section"), ("block", "parent"), ("item", "list"),
    ("item", "block"), ("listCommit", "list"), ("listCommit", "firstChange"), ("change", "list"),
    ("supplementary", "section"), ("feedLine", "list"):
    "\(column) + 1000 * :copy"
  case ("block", "members"):
    """
    (SELECT json_group_array(iif(level = 0 AND section IS NOT NULL,
        json_array(json_extract(value, '$[0]') + 1000 * :copy, json_extract(value, '$[1]'),
          json_extract(value, '$[2]'), coalesce(json_extract(value, '$[3]'), 0),
          coalesce(json_extract(value, '$[4]'), json_extract(value, '$[0]'))),
        json_set(value, '$[0]', json_extract(value, '$[0]') + 1000 * :copy))) FROM json_each(members))
    """
  default: column
  }
}
