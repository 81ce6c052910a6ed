import Foundation
import GRDB
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// The migrations in the library are the files in `migrations/`.
@Suite struct MigrationFileTests {
  private static let folder = PackageFiles.root.appendingPathComponent("migrations")

  private func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
  }

  @Test func embeddedMigrationsAreTheFilesByteForByte() throws {
    let names = try fileNames().filter { $0.hasPrefix("v") && $0.hasSuffix(".sql") }
    #expect(names == Migration.all.map { "\($0.name).sql" }, "run tools/embed")
    for migration in Migration.all {
      let bytes = try Data(contentsOf: Self.folder.appendingPathComponent("\(migration.name).sql"))
      #expect(Data(migration.sql.utf8) == bytes, "\(migration.name): run tools/embed")
      #expect(migration.checksum == Migration.checksum(of: migration.sql))
    }
  }

  @Test func versionsCountFromOneWithoutGapsAndStandInTheNames() throws {
    let versions = Migration.all.map(\.version)
    #expect(versions == Array(1...Migration.all.count))
    #expect(Migration.latestVersion == Migration.all.count)
    for migration in Migration.all {
      let digits = String(format: "%04d", migration.version)
      #expect(migration.name.hasPrefix("v\(digits)_"))
      let words = migration.name.dropFirst(6)
      #expect(!words.isEmpty)
      #expect(words.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".contains($0) })
    }
    #expect(try fileNames().allSatisfy { $0.hasPrefix("v") || $0 == "schema.sql" })
  }

  /// `CELLAR_WRITE_SCHEMA=1` writes the file instead.
  @Test func schemaFileIsWhatAFreshStoreHas() throws {
    let bench = try SchemaBench()
    try bench.makeStore()
    let queue = try DatabaseQueue(path: bench.file.path)
    let statements = try queue.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          ORDER BY tbl_name, type DESC, name
          """)
    }
    try queue.close()
    let comment = """
      -- What a store holds after all migrations: every statement of `sqlite_schema`, each table before
      -- its indexes, tables in the order of their names. To read and to compare, never run.
      -- Written by: CELLAR_WRITE_SCHEMA=1 swift test --filter MigrationFileTests
      """
    let text = ([comment] + statements.map { $0 + ";" }).joined(separator: "\n\n") + "\n"
    let file = Self.folder.appendingPathComponent("schema.sql")
    if ProcessInfo.processInfo.environment["CELLAR_WRITE_SCHEMA"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(statements.count >= 12)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}
