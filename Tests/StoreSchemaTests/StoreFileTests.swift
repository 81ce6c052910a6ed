import Dispatch
import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import StoreSupport
import TestSupport
import Testing

/// A new store appears whole or not at all.
@Suite struct StoreFileTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  private func names() throws -> [String] { try FolderSnapshot(of: bench.folder.url).names }

  @Test func aNewStoreIsOneFileOfTheLatestVersion() throws {
    #expect(try StoreFile.createIfAbsent(file))
    #expect(try names() == ["store.sqlite"])
    #expect(try SchemaStatus(of: file).pending == [])
    #expect(try bench.integer("SELECT count(*) FROM store WHERE length(storeID) = 16") == 1)
  }

  @Test func aFileThatIsThereIsLeftAlone() throws {
    _ = try bench.folder.write("Dear diary,", to: "store.sqlite")
    let before = try FolderSnapshot(of: bench.folder.url)
    #expect(try !StoreFile.createIfAbsent(file))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func aLinkThatLeadsNowhereIsAFileToo() throws {
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "elsewhere")
    #expect(try !StoreFile.createIfAbsent(file))
    #expect(try names() == ["store.sqlite"])
  }

  @Test(arguments: ["-wal", "-journal"]) func aLogWithoutItsDatabaseIsRefused(
    _ suffix: String
  ) throws {
    _ = try bench.folder.write("left over", to: "store.sqlite\(suffix)")
    let failure = try bench.refusal { try StoreFile.createIfAbsent(file) }
    #expect(failure?.code == .damagedStore)
    #expect(failure?.message.contains("store.sqlite\(suffix)") == true)
  }

  @Test func aFolderThatIsNotThereIsATypedError() throws {
    let failure = #expect(throws: StoreError.self) {
      try StoreFile.createIfAbsent(bench.folder.file("no/store.sqlite"))
    }
    #expect(failure?.code == .notWritable)
    #expect(try names() == [])
  }

  @Test func aFileInPlaceOfTheFolderIsATypedError() throws {
    _ = try bench.folder.write("", to: "file")
    let failure = try bench.refusal {
      try StoreFile.createIfAbsent(bench.folder.file("file/store.sqlite"))
    }
    #expect(failure?.code == .notWritable)
  }

  @Test func namesThatMeanSomethingToSQLiteAreOnlyNames() throws {
    for name in ["a b?mode=memory.sqlite", "file:x", "ü'\"%41.db", ":memory:"] {
      let file = bench.folder.file(name)
      #expect(try StoreFile.createIfAbsent(file), "\(name)")
      #expect(try StoreHeader(of: file).schemaVersion == Migration.latestVersion, "\(name)")
      #expect(try Migrator.up(file).names == [], "\(name)")
      #expect(try SchemaStatus(of: file).pending == [], "\(name)")
    }
    #expect(try names().count == 4)
  }

  // MARK: An empty file

  @Test func aNewStoreTakesThePlaceAndThePermissionsOfAnEmptyFile() throws {
    _ = try bench.folder.write("", to: "store.sqlite")
    _ = try bench.folder.write("", to: "store.sqlite-journal")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    #expect(try StoreFile.createIfAbsent(file))
    #expect(try SchemaStatus(of: file).pending == [])
    #expect(try files.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
    #expect(try names() == ["store.sqlite", "store.sqlite-journal"])
  }

  @Test func aLinkToAnEmptyFileLeadsToTheNewStore() throws {
    let target = try bench.folder.write("", to: "target.sqlite")
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    #expect(try StoreFile.createIfAbsent(file))
    #expect(FileStatus(of: file.path)?.kind == .link)
    #expect(try SchemaStatus(of: target).pending == [])
    #expect(try names() == ["store.sqlite", "target.sqlite"])
  }

  @Test(arguments: ["-wal", "-journal"]) func anEmptyFileBesideALogIsLeftAlone(
    _ suffix: String
  ) throws {
    _ = try bench.folder.write("", to: "store.sqlite")
    _ = try bench.folder.write("left over", to: "store.sqlite\(suffix)")
    let before = try FolderSnapshot(of: bench.folder.url)
    #expect(try !StoreFile.createIfAbsent(file))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }

  @Test func anEmptyFileThatIsLockedIsBusy() throws {
    _ = try bench.folder.write("", to: "store.sqlite")
    let holder = try DatabaseQueue(path: file.path)
    try holder.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; SELECT * FROM sqlite_schema")
      let failure = try bench.refusal { try StoreFile.createIfAbsent(file, busyTimeout: 0.05) }
      #expect(failure?.code == .busy)
      #expect(try Data(contentsOf: file).isEmpty)
      try db.execute(sql: "ROLLBACK")
    }
    try holder.close()
    #expect(try StoreFile.createIfAbsent(file))
  }

  @Test(arguments: [false, true]) func ofManyAtOnceOneMakesTheStoreAndNoDraftIsLeft(
    hasEmptyFile: Bool
  ) throws {
    for round in 0..<15 {
      let bench = try SchemaBench()
      if hasEmptyFile { _ = try bench.folder.write("", to: "store.sqlite") }
      let file = bench.file
      let results = Guarded<[Result<Bool, any Error>]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let result = Result { try StoreFile.createIfAbsent(file) }
        results.withValue { $0.append(result) }
      }
      let made = try results.withValue({ $0 }).map { try $0.get() }
      #expect(made.count { $0 } == 1, "round \(round)")
      #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite"])
      #expect(try bench.integer("SELECT count(*) FROM store") == 1)
    }
  }
}
