import ListModel
import StoreFiles
import StoreSchema

/// What the pages of a file say of its schema: where the trees of its tables are, and its version.
struct SchemaPages {
  /// A row of `sqlite_schema`.
  struct Object {
    /// `table`, `index`, `view` or `trigger`.
    var kind: String
    var name: String
    /// The table that it belongs to; of a table, its own name.
    var table: String
    /// The page of its tree's root; 0 without a tree.
    var root: Int
    var sql: String
  }

  /// The objects that have SQL, in the order in which they were made.
  private(set) var objects: [Object] = []
  /// The pages of the roots of tables and indexes, by name.
  private(set) var roots: [String: Int] = [:]
  /// The schema version; `nil` if nothing tells it.
  private(set) var version: Int?

  /// Whether some of it can't be read.
  private(set) var isDamaged = false

  /// - Throws: ``/ListModel/StoreError`` for a store of a newer version or of an unreleased schema.
  init(of image: PageImage, naming name: String, _ migrations: [Migration]) throws {
    let scanner = RowScanner(image)
    try scanner.walk(Self.schema, from: 1) { _, row in
      guard row.record.count == 5, let kind = row.record[0].text, let name = row.record[1].text,
        let table = row.record[2].text, let root = row.record[3].integer
      else { return }
      if root > 1 { roots[name] = root }
      guard let sql = row.record[4].text else { return }
      objects.append(Object(kind: kind, name: name, table: table, root: root, sql: sql))
    }
    let tally = scanner.tallies[Self.schema.name] ?? RowScanner.Tally()
    isDamaged = !tally.holes.isEmpty || tally.damagedRowCount > 0
    let applied = try appliedMigrations(in: image)
    if applied[1] == Migration.unreleasedChecksum { throw StoreError.unreleased(name) }
    let newest = applied.keys.max()
    if let newest, newest > migrations.latestVersion {
      throw StoreError.newer(name, version: newest, known: migrations.latestVersion)
    }
    let said = image.header?.schemaVersion ?? 0
    version = newest ?? ((1...migrations.latestVersion).contains(said) ? said : nil)
  }

  /// Whether it is whole, and has none of these tables.
  func isAnother(than tables: [String]) -> Bool {
    !isDamaged && !roots.isEmpty && !tables.contains { roots[$0] != nil }
  }

  /// The checksums in the table of migrations by version; the names are checked.
  private func appliedMigrations(in image: PageImage) throws -> [Int: String] {
    var checksums: [Int: String] = [:]
    // In every store, it is the table that was made first.
    let root = roots["schemaMigration"] ?? 2
    try RowScanner(image).walk(Self.migrations, from: root) { _, row in
      guard let version = Int(exactly: row.rowid), let name = row.record[1].text,
        name.hasPrefix(
          "v" + String(repeating: "0", count: max(0, 4 - "\(version)".count)) + "\(version)_")
      else { return }
      checksums[version] = row.record[2].text ?? ""
    }
    return checksums
  }

  private static let schema = table(
    "sqlite_schema",
    [
      ("type", "TEXT"), ("name", "TEXT"), ("tbl_name", "TEXT"), ("rootpage", "INTEGER"),
      ("sql", ""),
    ])
  private static let migrations: TableShape = {
    var shape = table(
      "schemaMigration",
      [("version", ""), ("name", "TEXT"), ("checksum", "TEXT"), ("appliedAt", "INTEGER")])
    // A store of an unreleased schema may lack them.
    shape.columns += [
      ("duration", "INTEGER"), ("libraryVersion", "TEXT"), ("fingerprint", "TEXT"),
      ("minimumReader", "INTEGER"),
    ].map { TableShape.Column(name: $0, type: $1, isRequired: false) }
    return shape
  }()

  /// A table whose columns all have a value, except those without a type.
  private static func table(_ name: String, _ columns: [(String, String)]) -> TableShape {
    TableShape(
      name: name, kind: .rowid,
      columns: columns.map { name, type in
        TableShape.Column(
          name: name, type: type.isEmpty ? "TEXT" : type, isRequired: !type.isEmpty)
      })
  }
}
