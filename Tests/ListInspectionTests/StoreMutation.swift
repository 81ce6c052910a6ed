import Foundation
import GRDB
import ListModel
import ListStore
import TestSupport

/// Damage to a store, and malice: of bytes, of single values, of the order's blocks.
struct StoreMutation {
  var generator: SeededGenerator

  /// Changes a store in one way that its seed chooses.
  ///
  /// - Returns: What was done.
  mutating func apply(to file: URL) throws -> String {
    switch generator.number(0..<100) {
    case ..<40: try changeBytes(of: file)
    case ..<75: try changeValue(of: file)
    case ..<90: try changeBlocks(of: file)
    default: try changeSchema(of: file)
    }
  }

  // MARK: Bytes

  private mutating func changeBytes(of file: URL) throws -> String {
    var bytes = try Data(contentsOf: file)
    var said: [String] = []
    for _ in 0..<generator.number(1..<6) {
      let offset = generator.number(0..<bytes.count)
      let length = generator.percent(80) ? 1 : generator.number(1..<64)
      let values: [UInt8] = [0, 0xFF, 0x7F, UInt8(generator.number(0..<256))]
      let value: UInt8 = generator.element(of: values) ?? 0
      for place in offset..<min(offset + length, bytes.count) {
        let flipped = bytes[place] ^ (UInt8(1) << UInt8(generator.number(0..<8)))
        bytes[place] = generator.percent(50) ? value : flipped
      }
      said.append("\(offset)+\(length)=\(value)")
    }
    try bytes.write(to: file)
    return "bytes " + said.joined(separator: " ")
  }

  // MARK: Values

  private static let extremes = [
    "1152921504606846976", "1152921504606846975", "9223372036854775807", "-9223372036854775808",
    "-1", "0", "2147483648", "4294967295", "NULL", "'text'", "x'00'", "1e300", "-0.0", "1e400",
    "zeroblob(100000)", "replace(hex(zeroblob(50)), '0', '[')", "'{\"a\":' || '1'", "''",
  ]

  private mutating func changeValue(of file: URL) throws -> String {
    try loosely(file) { db in
      let tables = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage AND name NOT LIKE 'sqlite%'
          ORDER BY name
          """)
      for _ in 0..<50 {
        guard let table = generator.element(of: tables) else { break }
        let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        let columns = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
        guard rows > 0, let column = generator.element(of: columns),
          let value = generator.element(of: Self.extremes)
        else { continue }
        let key = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk"
        )
        .joined(separator: ", ")
        let row = generator.number(0..<rows)
        // All rows now and then: one value in all of them is where sums overflow.
        let which =
          generator.percent(20)
          ? "" : " WHERE (\(key)) IN (SELECT \(key) FROM \(table) LIMIT 1 OFFSET \(row))"
        let sql = "UPDATE OR IGNORE \(table) SET \(column) = \(value)\(which)"
        do {
          try db.execute(sql: sql)
          if db.changesCount > 0 { return sql }
        } catch is DatabaseError {
          // A key takes no NULL.
        }
      }
      return "nothing"
    }
  }

  /// Runs SQL without the rules that a store's tables have, which stand in it again afterwards.
  private func loosely(_ file: URL, _ body: (Database) throws -> String) throws -> String {
    func open() throws -> DatabaseQueue {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { db in
        try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA writable_schema = 1")
      }
      return try DatabaseQueue(path: file.path, configuration: configuration)
    }
    var queue = try open()
    let schema = try queue.write { db in
      let schema = try Row.fetchAll(
        db, sql: "SELECT rowid, sql FROM sqlite_schema WHERE type IN ('table', 'trigger')")
      try db.execute(
        sql: """
          UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql,
            ') STRICT, WITHOUT ROWID', ') WITHOUT ROWID'), ') STRICT', ')'),
            ' IS NOT NULL', ' NOTNULL'), ' NOT NULL', '')
            WHERE type = 'table';
          UPDATE sqlite_schema SET sql = replace(sql, 'isBypassed = 1', 'isBypassed = isBypassed')
            WHERE type = 'trigger'
          """)
      return schema
    }
    try queue.close()
    queue = try open()
    let said = try queue.write(body)
    try queue.close()
    queue = try open()
    try queue.write { db in
      for row in schema {
        try db.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE rowid = ?",
          arguments: [row["sql"] as String?, row["rowid"] as Int?])
      }
    }
    try queue.close()
    return said
  }

  // MARK: Blocks

  /// Makes blocks name themselves, one another or one member again and again, with counts to match.
  private mutating func changeBlocks(of file: URL) throws -> String {
    let mutations = [
      "UPDATE block SET parent = id",
      "UPDATE block SET parent = (SELECT id FROM block AS other WHERE other.level = block.level "
        + "ORDER BY other.id DESC LIMIT 1)",
      "UPDATE block SET members = json_array(json_array(id, memberCount)) WHERE level > 0",
      // A hundred times the same block below each.
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      UPDATE block SET memberCount = memberCount * 100, members = (
        SELECT json_group_array(json(json_extract(block.members, '$[0]'))) FROM n)
      WHERE level > 0
      """,
      // The same item again and again.
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      UPDATE block SET memberCount = 20000, members = (
        SELECT json_group_array(json(json_extract(block.members, '$[0]'))) FROM n)
      WHERE level = 0 AND section IS NOT NULL
      """,
      // The same section again and again.
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      UPDATE block SET memberCount = 5000, members = (
        SELECT json_group_array(json(json_extract(block.members, '$[0]'))) FROM n)
      WHERE level = 0 AND section IS NULL
      """,
      // All sections have one order.
      "UPDATE section SET root = (SELECT root FROM section ORDER BY itemCount DESC LIMIT 1)",
      "UPDATE block SET level = level + 1",
      "UPDATE block SET level = 20 WHERE parent IS NULL",
      // Counts that agree with each other and with nothing that is there.
      """
      UPDATE block SET memberCount = 1000000000000000, members = (
        SELECT json_group_array(json_array(json_extract(value, '$[0]'), 1000000000000000))
        FROM json_each(members) LIMIT 1) WHERE level > 0
      """,
      "UPDATE section SET itemCount = 2000000000", "UPDATE list SET sectionCount = 1000000000",
      "UPDATE list SET revision = 1152921504606846976 - 1",
      "UPDATE list SET revision = 1152921504606846976 - 1, logFloor = 5, digest = NULL, chain = NULL",
      "UPDATE list SET digest = NULL, chain = NULL; UPDATE listCommit SET digest = NULL, chain = NULL",
      "UPDATE store SET isBypassed = 1; UPDATE list SET digest = digest + 1",
      "UPDATE section SET block = root, root = block",
      "UPDATE item SET block = (SELECT max(id) FROM block)",
      "UPDATE content SET content = replace(hex(zeroblob(100000)), '0', '[')",
      "UPDATE change SET entries = replace(hex(zeroblob(1000)), '0', '[')",
      "UPDATE change SET entries = '[[10,' || replace(hex(zeroblob(1000)), '0', '[') || ']]'",
      "UPDATE change SET entries = '[[1,\"a\",999999999999999999,999999999999999999,1,0,1]]'",
      "UPDATE change SET neighbours = zeroblob(1000000)",
      "UPDATE change SET id = id + 9000000000000000000",
      "UPDATE section SET itemCount = 1152921504606846976",
    ]
    for _ in 0..<20 {
      guard let sql = generator.element(of: mutations) else { break }
      do {
        return try loosely(file) { db in
          try db.execute(sql: sql)
          return sql
        }
      } catch is DatabaseError {
        // Another version has other tables. What was loosened stands in the way then: try the next
        // one on a schema that may stay loose, which is a mutation too.
      }
    }
    return "nothing"
  }

  // MARK: The schema

  private mutating func changeSchema(of file: URL) throws -> String {
    let endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT"
    let tables = ["list", "section", "item", "cell", "store", "change", "schemaMigration"]
    let table = generator.element(of: tables) ?? "list"
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      let columns = try String.fetchAll(
        db, sql: "SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
      let mutations = [
        """
        PRAGMA foreign_keys = 0; PRAGMA legacy_alter_table = 1; DROP TABLE \(table);
        CREATE VIEW \(table) (\(columns.joined(separator: ", "))) AS
        \(endless) \(columns.map { _ in "i" }.joined(separator: ", ")) FROM n
        """,
        """
        PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, ') STRICT',
          ', big TEXT AS (printf(''%.*c'', 900000000, ''x'')))') WHERE name = '\(table)'
        """,
        "PRAGMA foreign_keys = 0; DROP TABLE \(table)",
        "CREATE TRIGGER theirs AFTER INSERT ON \(table) BEGIN DELETE FROM \(table); END",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 3 WHERE name = '\(table)'",
        "PRAGMA user_version = \(generator.number(0..<6))",
      ]
      let sql = generator.element(of: mutations) ?? ""
      do { try db.execute(sql: sql) } catch is DatabaseError {
        // What is not in every version.
      }
      return sql
    }
  }
}
