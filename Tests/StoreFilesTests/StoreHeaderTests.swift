import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import StoreSupport
import SuiteSupport
import TestSupport
import Testing

/// What is no store, or not all of one, is told apart by its first bytes, and never opened.
@Suite struct StoreHeaderTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }

  init() throws { bench = try SchemaBench() }

  /// Checks that the file is refused by everything that opens a store, and that nothing changes.
  private func expectRefusal(
    _ code: StoreError.Code, _ hint: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let actions: [(String, () throws -> Void)] = [
      ("header", { _ = try StoreHeader(of: file) }), ("up", { _ = try Migrator.up(file) }),
      ("status", { _ = try SchemaStatus(of: file) }), ("copy", { _ = try PrivateCopy(of: file) }),
    ]
    for (name, action) in actions {
      let failure = try bench.refusal(sourceLocation: sourceLocation) { try action() }
      #expect(failure?.code == code, "\(name) \(hint): \(failure?.message ?? "")")
      #expect(failure?.file == file.path, "\(name) \(hint)", sourceLocation: sourceLocation)
    }
  }

  @Test func aStoreSaysItsVersionAndPageSize() throws {
    try bench.makeStore()
    let header = try StoreHeader(of: file)
    #expect(header.applicationID == StoreHeader.applicationID)
    #expect(header.schemaVersion == Migration.latestVersion)
    #expect(try bench.integer("PRAGMA page_size") == header.pageSize)
  }

  @Test func theLargestPageSizeIsRead() throws {
    try bench.change("PRAGMA user_version = 0")
    let queue = try DatabaseQueue(path: bench.folder.file("large.sqlite").path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: "PRAGMA page_size = 65536; PRAGMA application_id = \(StoreHeader.applicationID)")
      try db.execute(sql: "CREATE TABLE a (b)")
    }
    try queue.close()
    #expect(try StoreHeader(of: bench.folder.file("large.sqlite")).pageSize == 65_536)
  }

  @Test func aMissingFileIsNotFoundAndNotMade() throws {
    try expectRefusal(.fileNotFound)
    #expect(try FolderSnapshot(of: bench.folder.url).names == [])
  }

  @Test func aMissingFolderIsAMissingFile() throws {
    let failure = #expect(throws: StoreError.self) {
      try StoreHeader(of: bench.folder.file("no/store.sqlite"))
    }
    #expect(failure?.code == .fileNotFound)
  }

  @Test func aFolderIsNoStore() throws {
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    try expectRefusal(.notAStore)
  }

  @Test(arguments: [
    "", "\0", "x", "SQLite format", "Dear diary,\n", String(repeating: "word ", count: 1_000),
    "SQLite format 3 " + String(repeating: "\0", count: 1_000),
  ])
  func somethingElseIsNoStore(_ text: String) throws {
    _ = try bench.folder.write(text, to: "store.sqlite")
    try expectRefusal(.notAStore, "\(text.prefix(20))")
  }

  @Test(arguments: [0, 1, 0x0F05_5112, -1]) func anotherProgramsDatabaseIsNoStore(_ id: Int) throws
  {
    try bench.change("CREATE TABLE a (b)", "PRAGMA application_id = \(id)")
    try expectRefusal(.notAStore, "application id \(id)")
  }

  @Test func aPipeAndADeviceAreNoStores() throws {
    #expect(mkfifo(file.path, 0o600) == 0)
    try expectRefusal(.notAStore)
    for device in ["/dev/null", "/dev/zero"] {
      let failure = #expect(throws: StoreError.self) {
        try StoreHeader(of: URL(fileURLWithPath: device))
      }
      #expect(failure?.code == .notAStore)
    }
  }

  @Test func aStoreThatWasCutOffIsDamagedAtEveryLength() throws {
    try bench.makeStore()
    let whole = try Data(contentsOf: file)
    let pageSize = try StoreHeader(of: file).pageSize
    var lengths = Set([16, 17, 50, 99, 100, 101, whole.count - 1, whole.count - pageSize])
    for page in 0..<(whole.count / pageSize) {
      lengths.formUnion([page * pageSize + 1, page * pageSize + 2_000, (page + 1) * pageSize - 1])
    }
    for length in lengths.sorted() where length >= 16 {
      try whole.prefix(length).write(to: file)
      try expectRefusal(.damagedStore, "\(length) bytes")
    }
    for length in 0..<16 {
      try whole.prefix(length).write(to: file)
      try expectRefusal(.notAStore, "\(length) bytes")
    }
    try whole.write(to: file)
    #expect(try StoreHeader(of: file).schemaVersion == Migration.latestVersion)
  }

  @Test func linksAreFollowed() throws {
    try bench.makeStore()
    let link = bench.folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    #expect(try StoreHeader(of: link).schemaVersion == Migration.latestVersion)
    let targets: [(String, StoreError.Code)] = [
      ("nowhere", .fileNotFound), (bench.folder.url.path, .notAStore), ("/dev/null", .notAStore),
      ("other.sqlite", .fileNotFound),
    ]
    for (target, code) in targets {
      let other = bench.folder.file("other.sqlite")
      try FileManager.default.createSymbolicLink(atPath: other.path, withDestinationPath: target)
      let failure = #expect(throws: StoreError.self) { try StoreHeader(of: other) }
      #expect(failure?.code == code, "\(target): \(failure?.message ?? "")")
      try FileManager.default.removeItem(at: other)
    }
  }

  @Test(.timeLimit) func aLinkToAPipeDoesNotWaitForAWriter() throws {
    #expect(mkfifo(bench.folder.file("pipe").path, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "pipe")
    let failure = #expect(throws: StoreError.self) { try StoreHeader(of: file) }
    #expect(failure?.code == .notAStore)
  }

  /// The superuser may read everything.
  @Test(.enabled(if: geteuid() != 0)) func whatMayNotBeReadIsNotReadable() throws {
    try bench.makeStore()
    #expect(chmod(file.path, 0) == 0)
    defer { chmod(file.path, 0o600) }
    let failure = #expect(throws: StoreError.self) { try StoreHeader(of: file) }
    #expect(failure?.code == .notReadable)
  }
}
