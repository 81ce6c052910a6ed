import ListModel
import StoreFiles
import StoreSchema

/// What the pages of a file say of its schema: where the trees of its tables are, and its version.
struct SchemaPages {
  /// The pages of the roots of tables and indexes, by name.
  private(set) var roots: [String: Int] = [:]
  /// The schema version; `nil` if nothing tells it.
  private(set) var version: Int?

  /// Whether some of it can't be read.
  private(set) var isDamaged = false

  /// - Throws: ``/ListModel/StoreError`` for a store of a newer version.
  init(of image: PageImage, naming name: String) throws {
    let scanner = RowScanner(image)
    try scanner.walk(Self.schema, from: 1) { _, row in
      guard row.record.count == 5, let object = row.record[1].text,
        let root = row.record[3].integer, root > 1
      else { return }
      roots[object] = root
    }
    let tally = scanner.tallies[Self.schema.name] ?? RowScanner.Tally()
    isDamaged = !tally.holes.isEmpty || tally.damagedRowCount > 0
    let migrations = try appliedMigrations(in: image)
    if let newest = migrations.max(), newest > Migration.latestVersion {
      throw StoreError.newer(name, version: newest)
    }
    let said = image.header.map { $0[60..<64].bigEndianInteger } ?? 0
    version =
      migrations.max()
      ?? [versionByTables, said].compactMap { $0 }.first {
        (1...Migration.latestVersion).contains($0)
      }
  }

  /// The versions in the table of migrations, whose names are checked.
  private func appliedMigrations(in image: PageImage) throws -> [Int] {
    var versions: [Int] = []
    // In every store, it is the table that was made first.
    let root = roots["schemaMigration"] ?? 2
    try RowScanner(image).walk(Self.migrations, from: root) { _, row in
      guard let version = Int(exactly: row.rowid), let name = row.record[1].text,
        name.hasPrefix(
          "v" + String(repeating: "0", count: max(0, 4 - "\(version)".count)) + "\(version)_")
      else { return }
      versions.append(version)
    }
    return versions
  }

  /// The version whose tables the file has; `nil` if its schema can't be read.
  private var versionByTables: Int? {
    if roots["list"] == nil { return nil }
    let newTables = [
      (9, "pendingEdit"), (7, "content"), (5, "feedLine"), (4, "viewState"), (3, "decoration"),
      (2, "block"),
    ]
    let found = newTables.first { roots[$0.1] != nil }?.0 ?? 1
    // Versions 6 and 8 added no table.
    return [5, 7].contains(found) ? nil : found
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
    // Since version 8.
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
