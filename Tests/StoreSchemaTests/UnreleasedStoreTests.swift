import Foundation
import GRDB
import ListModel
import SchemaSupport
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A store of a schema from before the first release is refused by that name, whatever its version.
@Suite struct UnreleasedStoreTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws {
    bench = try SchemaBench()
    try FileManager.default.copyItem(
      at: PackageFiles.fixture("unreleased.sqlite"), to: bench.file)
  }

  /// The store as a library of another unreleased version left its ledger.
  private func lower(to version: Int) throws {
    try bench.change(
      "DELETE FROM schemaMigration WHERE version > \(version)", "PRAGMA user_version = \(version)")
    if version >= 8 { return }
    for column in ["duration", "libraryVersion", "fingerprint", "minimumReader"] {
      try bench.change("ALTER TABLE schemaMigration DROP COLUMN \(column)")
    }
  }

  private func expectRefusal(_ action: () throws -> Void) throws {
    let failure = try bench.refusal(action)
    #expect(failure?.code == .modifiedMigration)
    #expect(failure?.file == file.path)
    for words in ["a store of an unreleased schema", "nothing was changed", "Delete it"] {
      #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
    }
  }

  @Test(arguments: 1...9) func itIsRefusedWhateverItsVersion(_ version: Int) throws {
    try lower(to: version)
    for migrations in [Migration.all, TestMigrations.all] {
      try expectRefusal { _ = try SchemaStatus(of: file, migrations: migrations) }
      try expectRefusal { _ = try SchemaInspection.read(file, migrations: migrations) }
      try expectRefusal { _ = try Migrator.up(file, migrations: migrations) }
      try expectRefusal { _ = try Migrator.down(file, to: 1, migrations: migrations) }
    }
    try expectRefusal { _ = try StoreBackup.make(of: file) }
    let backup = file
    try expectRefusal { try StoreBackup.restore(backup, to: bench.folder.file("new.sqlite")) }
  }

  /// Only the log says of which version it is, as after a crash.
  @Test func itIsRefusedWithItsLog() throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "INSERT INTO author (name) VALUES ('somebody')")
    }
    let crashed = try SchemaBench()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: crashed.file.path + suffix)
    }
    try queue.close()
    for action in [
      { _ = try SchemaStatus(of: crashed.file) }, { _ = try Migrator.up(crashed.file) },
      { _ = try StoreBackup.make(of: crashed.file) },
    ] {
      let failure = try crashed.refusal { try action() }
      #expect(failure?.message.contains("unreleased schema") == true)
    }
  }

  @Test func aReleasedStoreIsNotTakenForOne() throws {
    let other = try SchemaBench()
    try other.makeStore()
    #expect(Migration.all[0].checksum != Migration.unreleasedChecksum)
    try SchemaStatus.requireReleased(other.file)
  }
}
