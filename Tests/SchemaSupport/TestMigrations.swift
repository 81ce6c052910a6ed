package import Foundation
package import StoreSchema
import TestSupport

/// The library's migrations and three more, so that versions, backups and ways down are tried before
/// the library has them.
package enum TestMigrations {
  /// What follows the library's own: one that writes tables anew and has no way down, and two small
  /// ones.
  private static let later: [(words: String, sql: String)] = [
    (
      "rewrite",
      """
      -- Gives each row of the log a time, and notes each commit.
      --! one-way the notes would be lost
      ALTER TABLE change RENAME TO oldChange;
      CREATE TABLE change (
        id INTEGER PRIMARY KEY,
        list INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        entries TEXT NOT NULL,
        neighbours BLOB NOT NULL,
        writtenAt INTEGER
      ) STRICT;
      INSERT INTO change (id, list, revision, entries, neighbours)
        SELECT id, list, revision, entries, neighbours FROM oldChange;
      DROP TABLE oldChange;
      CREATE TABLE note (
        id INTEGER PRIMARY KEY,
        list INTEGER NOT NULL,
        words TEXT NOT NULL
      ) STRICT;
      INSERT INTO note (list, words) SELECT list, 'commit ' || revision FROM listCommit;

      """
    ),
    (
      "badges",
      """
      -- Lists have badges.
      --! minimum-reader \(Migration.latestVersion)
      ALTER TABLE list ADD COLUMN badge TEXT;
      CREATE TABLE badge (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
      CREATE TRIGGER badge_insert AFTER INSERT ON badge BEGIN UPDATE store SET isBypassed = 1; END;

      --! down
      DROP TABLE badge;
      ALTER TABLE list DROP COLUMN badge;

      """
    ),
    (
      "marks",
      """
      -- Commits have marks.
      --! minimum-reader \(Migration.latestVersion)
      ALTER TABLE listCommit ADD COLUMN mark INTEGER;
      CREATE INDEX index_listCommit_on_mark ON listCommit (mark) WHERE mark IS NOT NULL;

      --! down
      DROP INDEX index_listCommit_on_mark;
      ALTER TABLE listCommit DROP COLUMN mark;

      """
    ),
  ]

  /// All of them, from the first one on.
  package static let all: [Migration] = Migration.following(later)

  /// The first version after the library's newest: it writes tables anew.
  package static var rewriting: Int { Migration.latestVersion + 1 }

  /// Writes their files into a new folder.
  package static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for migration in all {
      try Data(migration.sql.utf8).write(
        to: folder.appendingPathComponent(migration.name + ".sql"))
    }
  }

  /// Makes a store with what the first released fixture has, of a version.
  ///
  /// `version`: One of the library's or of these; those before the library's newest are of a
  /// library that had not more.
  package static func makeStore(at file: URL, version: Int = Migration.latestVersion) throws {
    guard let store = try stores.get()[version] else { throw CocoaError(.fileNoSuchFile) }
    try store.write(to: file, options: .withoutOverwriting)
  }

  /// The bytes of a store of each version, made once.
  private static let stores = Result {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: PackageFiles.fixture("v0001.sqlite"), to: file)
    return try (1...all.latestVersion).reduce(into: [Int: Data]()) { stores, version in
      _ = try Migrator.up(file, to: version, migrations: all, backsUp: false)
      stores[version] = try Data(contentsOf: file)
    }
  }
}

extension Migration {
  /// The library's migrations and others after them.
  package static func following(_ later: [(words: String, sql: String)]) -> [Migration] {
    all
      + later.enumerated().map { offset, migration in
        let version = latestVersion + 1 + offset
        let digits = String(version)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return Migration(
          version: version, name: "v\(zeros)\(digits)_\(migration.words)", sql: migration.sql)
      }
  }
}
