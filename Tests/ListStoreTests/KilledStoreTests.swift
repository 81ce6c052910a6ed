import Foundation
import GRDB
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A process that migrates, undoes, restores or repairs a store of any version is killed at random
/// moments: the store is the one before or the one after, backups are whole, and the next call leaves
/// nothing behind.
@Suite struct KilledStoreTests {
  /// `CELLAR_KILLS` asks for another number: all together, over each operation on each version.
  private static let kills =
    ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 32

  enum Operation: String, CaseIterable {
    case up, down, restore, repair
  }

  /// In parts that run side by side.
  @Test(arguments: 0..<2) func theStoreIsTheOneBeforeOrTheOneAfter(_ part: Int) throws {
    var generator = SeededGenerator(seed: UInt64(part + 1))
    var seen: [Operation: Set<String>] = [:]
    var prepared: [String: KilledOperation] = [:]
    for number in 0..<max(16, Self.kills / 2) {
      // Each operation on each version, in turns; the parts take turns with the versions.
      let operation = Operation.allCases[number % 4]
      let version = 1 + (2 * (number / 4) + part) % TestMigrations.all.latestVersion
      let name = "\(operation) of version \(version)"
      let killed = try prepared[name] ?? KilledOperation(operation, version)
      prepared[name] = killed
      let hint = "\(name), kill \(number) of part \(part)"
      let state = try killed.run(
        killedAfter: UInt32(generator.number(0..<killed.microseconds)), hint)
      seen[operation, default: []].insert(state)
    }
    // With few kills, chance decides which end they hit.
    if Self.kills >= 300 {
      for operation in Operation.allCases {
        #expect((seen[operation]?.count ?? 0) > 1, "\(operation): \(seen)")
      }
    }
  }
}

/// An operation on a store of a version, and what the store may be after it was killed.
private final class KilledOperation {
  let microseconds: Int
  private let operation: KilledStoreTests.Operation
  private let template: TemporaryFolder
  private let store: URL
  /// What is restored; for a repair, the store before it was damaged.
  private let other: URL
  /// Rows, by what the store is called that has them.
  private var states: [String: [String]] = [:]
  private var sections: [ListID: [ListTree.Section]] = [:]

  init(_ operation: KilledStoreTests.Operation, _ version: Int) throws {
    self.operation = operation
    microseconds =
      switch operation {
      case .up, .restore: 100_000
      case .down: 300_000
      case .repair: 1_000_000
      }
    template = try TemporaryFolder()
    store = template.file("store.sqlite")
    other = template.file("other.sqlite")
    try TestMigrations.makeStore(at: store, version: version)
    try copyStoreToOther()
    switch operation {
    case .up:
      states["before"] = try rows(store)
      for next in version...Self.migrations.latestVersion {
        _ = try up(other, to: next)
        states["version \(next)"] = try rows(other)
      }
    case .down:
      _ = try up(store)
      states["before"] = try rows(store)
      try copyStoreToOther()
      _ = try Migrator.down(
        other, to: Self.migrations.latestVersion - 1, migrations: Self.migrations)
      states["after"] = try rows(other)
    case .restore:
      states["after"] = try rows(other)
      _ = try up(store)
      try change("UPDATE list SET meta = '1'")
      states["before"] = try rows(store)
    case .repair: try damage(version)
    }
  }

  private static let migrations = TestMigrations.all

  private func up(_ file: URL, to version: Int = .max) throws -> [String] {
    try Migrator.up(file, to: version, migrations: Self.migrations, backsUp: false).names
  }

  /// The schema version and all rows.
  private func rows(_ file: URL) throws -> [String] {
    let rows = try storedRows(of: file, isOfStore: false)
    return try ["version \(StoreHeader(of: file).schemaVersion)"] + rows
  }

  private func copyStoreToOther() throws {
    try? FileManager.default.removeItem(at: other)
    try FileManager.default.copyItem(at: store, to: other)
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Rows that contradict the digest, or a file that SQLite does not open.
  private func damage(_ version: Int) throws {
    sections = try Self.sections(of: other, in: template)
    if version.isMultiple(of: 2) {
      try change(
        "UPDATE list SET digest = digest + 1; UPDATE section SET itemCount = itemCount + 1")
      states["before"] = try rows(store)
    } else {
      var bytes = try Data(contentsOf: store)
      bytes.replaceSubrange(0..<100, with: Data(count: 100))
      try bytes.write(to: store)
    }
  }

  /// What the lists of a store are, read from a copy that is migrated.
  private static func sections(
    of file: URL, in folder: TemporaryFolder
  ) throws -> [ListID: [ListTree.Section]] {
    let copy = folder.file("copy-\(UUID().uuidString).sqlite")
    try FileManager.default.copyItem(at: file, to: copy)
    var options = Repository.Options()
    options.migration.migrations = migrations
    let repository = try Repository(existing: copy, options: options)
    #expect(try repository.checkInvariants() == [])
    var sections: [ListID: [ListTree.Section]] = [:]
    for list in try repository.lists() { sections[list] = try repository.tree(of: list).sections }
    return sections
  }

  private var arguments: [String] {
    switch operation {
    case .up: ["migrate"]
    case .down: ["down-and-up"]
    case .restore: ["restore", other.path, other.path]
    case .repair: ["repair"]
    }
  }

  /// Kills the operation on a copy of the store.
  ///
  /// - Returns: Which of its states the store has then.
  func run(killedAfter microseconds: UInt32, _ hint: String) throws -> String {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: store, to: file)
    let process = try StoreProcess(file, arguments, output: folder.file("output"))
    process.waitForOutput()
    usleep(microseconds)
    let said = try process.killAndRead()
    let isDone = said.contains("repaired") || said.contains("migrated")
    let state =
      operation == .repair ? try repaired(file, hint) : try named(rows(file), hint)
    #expect(!isDone || state != "before", "\(hint)")
    try checkBackups(of: file, hint)
    // The next call removes what the killed one has left.
    try StoreBackup.restore(other, to: file, migrations: Self.migrations)
    _ = try StoreBackup.make(of: file)
    #expect(try rows(file) == rows(other), "\(hint)")
    let names = Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    #expect(names == ["store.sqlite", "output", ".backups"], "\(hint)")
    let backups = try FileManager.default.contentsOfDirectory(atPath: folder.file(".backups").path)
    #expect(backups.allSatisfy { !$0.hasPrefix(".") }, "\(hint): \(backups)")
    return state
  }

  private func named(_ found: [String], _ hint: String) throws -> String {
    let names = states.filter { $0.value == found }.keys
    #expect(!names.isEmpty, "\(hint): neither before nor after")
    // For a store of the newest version, both are one.
    return names.first { $0 != "before" } ?? "before"
  }

  private func repaired(_ file: URL, _ hint: String) throws -> String {
    if try Data(contentsOf: file) == Data(contentsOf: store) { return "before" }
    if let before = states["before"], try rows(file) == before { return "before" }
    #expect(try Self.sections(of: file, in: template) == sections, "\(hint)")
    return "after"
  }

  /// Each backup is one of the states; a copy of a damaged store is that store.
  private func checkBackups(of file: URL, _ hint: String) throws {
    for backup in StoreBackup.all(of: file) {
      #expect(states.values.contains(try rows(backup.file)), "\(hint): \(backup.file.path)")
    }
    let folder = file.deletingLastPathComponent().appendingPathComponent(".backups")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.contains(".damaged.") {
      let copy = folder.appendingPathComponent(name).appendingPathComponent("store.sqlite")
      #expect(try Data(contentsOf: copy) == Data(contentsOf: store), "\(hint): \(name)")
    }
  }
}
