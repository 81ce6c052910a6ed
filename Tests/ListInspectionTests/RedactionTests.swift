import Foundation
import GRDB
import ListInspection
import ListItems
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing
import ListTables

/// A redacted store has the shape and the history of its original, and none of its texts.
@Suite struct RedactionTests {
  private let bench: InspectionBench
  private var newFile: URL { bench.folder.file("redacted.sqlite") }

  init() throws { bench = try InspectionBench() }

  @Test(arguments: 1...SeededGenerator.count(6))
  func everyRevisionHasTheShapeOfTheOriginal(seed: Int) throws {
    try bench.makeStore(seed: UInt64(seed), commits: 30)
    // The log of one list begins later, with a list that is there.
    let kept = [nil, 0, 1, 20, 90, 10_000][seed % 6]
    if let kept {
      _ = try Repository(existing: bench.file).truncateLog(
        of: "first", keeping: LogRetention(changes: kept))
    }
    let redaction = try Inspection(of: bench.file).redact(to: newFile)
    #expect(redaction.recovery == nil)
    #expect(redaction.listCount == 2)
    let (old, new) = (try Repository(existing: bench.file), try Repository(existing: newFile))
    #expect(try new.checkInvariants() == [])
    let pairs = try RedactedShape.lists(old, new)
    #expect(pairs.count == 2)
    for (list, redacted) in pairs {
      let head = try old.revision(of: list)
      #expect(try new.revision(of: redacted) == head)
      let floor = try bench.logFloor(of: list)
      #expect(try bench.logFloor(of: redacted, in: newFile) == floor)
      var names: [String: String] = [:]
      for revision in floor...head {
        let (before, after) = (
          try old.tree(of: list, at: revision), try new.tree(of: redacted, at: revision)
        )
        #expect(RedactedShape.differences(before, after, &names) == [], "revision \(revision)")
      }
      #expect(Set(names.values).count == names.count)
      let (commits, redactedCommits) = (
        try old.commits(of: list, after: floor), try new.commits(of: redacted, after: floor)
      )
      #expect(commits.count == head - floor)
      #expect(commits.map(\.revision) == redactedCommits.map(\.revision))
      #expect(commits.map(\.time) == redactedCommits.map(\.time))
      #expect(
        commits.map { $0.entries.map(\.shape) } == redactedCommits.map { $0.entries.map(\.shape) })
    }
  }

  @Test func noTextIsLeft() throws {
    let secret = "Wuthering Heights, \"zweiter\" Band – naïve 漢字 🦊 \\ \u{7}"
    try bench.makeSecretStore(secret)
    for options in [Self.options(all: false), Self.options(all: true)] {
      try? FileManager.default.removeItem(at: newFile)
      _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
      let bytes = try Data(contentsOf: newFile)
      var words = [
        "Wuther", "Heights", "zweite", "naïve", "漢字", "🦊", "secret-list", "secret-item",
        "secret-section", "secret-author", "example.org", "nobody@", "secret-owned",
      ]
      if !options.keepsNames {
        words += ["SecretCell", "SecretType", "SecretView", "secret-event"]
      }
      if !options.keepsMembers { words += ["secretMember"] }
      for word in words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
      if options.keepsNames { #expect(bytes.range(of: Data("SecretCell".utf8)) != nil) }
      if options.keepsMembers { #expect(bytes.range(of: Data("secretMember".utf8)) != nil) }
      #expect(try Repository(existing: newFile).checkInvariants() == [])
    }
  }

  @Test func pseudonymsDifferEachTimeUnlessASeedIsGiven() throws {
    try bench.makeStore()
    func names(seed: UInt64?) throws -> [ListID] {
      try? FileManager.default.removeItem(at: newFile)
      var options = StoreRedaction.Options()
      options.seed = seed
      _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
      return try Repository(existing: newFile).lists()
    }
    #expect(try names(seed: 7) == names(seed: 7))
    #expect(try names(seed: nil) != names(seed: nil))
    #expect(try names(seed: 7) != names(seed: 8))
  }

  @Test func timesAreKeptToTheDayOnRequest() throws {
    try bench.makeStore()
    var options = StoreRedaction.Options()
    options.keepsTimes = false
    _ = try Inspection(of: bench.file).redact(to: newFile, options: options)
    let repository = try Repository(existing: newFile)
    let commits = try repository.commits(of: repository.lists()[0], after: 0)
    #expect(!commits.isEmpty)
    #expect(commits.allSatisfy { ($0.time ?? 0) % 86_400_000 == 0 })
  }

  @Test(arguments: Migration.latestVersion..<TestMigrations.all.latestVersion)
  func aStoreOfAnEarlierVersionIsRedacted(version: Int) throws {
    let all = TestMigrations.all
    try TestMigrations.makeStore(at: bench.file, version: version)
    let redaction = try Inspection(of: bench.file, migrations: all).redact(to: newFile)
    #expect(redaction.recovery == nil)
    #expect(redaction.itemCount > 0)
    #expect(try StoreHeader(of: newFile).schemaVersion == all.latestVersion)
    var options = Repository.Options()
    options.migration.migrations = all
    #expect(try Repository(existing: newFile, options: options).checkInvariants() == [])
  }

  /// Ids of digits are replaced, while rows have the same digits as numbers.
  @Test func idsOfDigitsAreReplaced() throws {
    let repository = try Repository(at: bench.file)
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { try $0.execute(sql: "UPDATE store SET lastItem = 99990") }
    try queue.close()
    try repository.commit(
      [.insertSection("20241122")]
        + (99_985..<100_015).map { number in
          .insertItem(
            Item(
              id: ItemID(stringLiteral: "\(number)"), cell: "C",
              content: try JSON(parsing: "\"\\u0032 \(number)\"")), in: "20241122")
        }, to: "123456")
    let rows = try repository.read(list: "123456", "look") { try $0.row(of: "100000") }
    #expect(try #require(rows).row > 99_990)
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let new = try Repository(existing: newFile)
    let list = try #require(try new.lists().first)
    let tree = try new.tree(of: list)
    let items = tree.sections[0].items
    let names = [list.rawValue, tree.sections[0].id.rawValue] + items.map(\.id.rawValue)
    #expect(names.count == 32)
    #expect(names.allSatisfy { name in !name.contains(where: \.isNumber) })
    let digits = Set(items.flatMap { $0.state.content.text.filter(\.isNumber) })
    #expect(digits == ["1"])
  }

  @Test func whatIsThereStays() throws {
    try bench.makeStore()
    try Data("mine".utf8).write(to: newFile)
    try bench.unchanged {
      #expect(throws: StoreError.self) { try Inspection(of: bench.file).redact(to: newFile) }
    }
    #expect(try Data(contentsOf: newFile) == Data("mine".utf8))
  }

  /// What was lost is told; what is left is redacted.
  @Test func aDamagedStoreIsRecoveredFirst() throws {
    try bench.makeSecretStore("Wuthering Heights")
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          DELETE FROM content WHERE id = (SELECT id FROM item WHERE name = 'secret-item');
          UPDATE listCommit SET digest = 1 WHERE revision = 1
          """)
    }
    try queue.close()
    let elsewhere = try TemporaryFolder()
    let newFile = elsewhere.file("redacted.sqlite")
    let redaction = try bench.unchanged {
      try? FileManager.default.removeItem(at: newFile)
      return try Inspection(of: bench.file).redact(to: newFile)
    }
    let recovery = try #require(redaction.recovery)
    #expect((recovery.file, recovery.newFile) == (bench.file.path, newFile.path))
    #expect(recovery.lists.first { $0.list == "secret-list" }?.lostItems == ["secret-item"])
    #expect(redaction.itemCount == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.url.path).count == 1)
    let bytes = try Data(contentsOf: newFile)
    for word in ["Wuther", "secret-", "SecretType"] {
      #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    #expect(try Repository(existing: newFile).checkInvariants() == [])
  }

  /// SQLite does not open it.
  @Test func aStoreWithoutAHeaderIsRecoveredFirst() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: bench.file)
    let redaction = try Inspection(of: bench.file).redact(to: newFile)
    #expect(redaction.recovery?.isHeaderDamaged == true)
    #expect(redaction.listCount == 2)
    #expect(try Repository(existing: newFile).checkInvariants() == [])
  }

  @Test func aFileThatNothingCanBeRecoveredFromIsRefused() throws {
    try Data(count: 8_192).write(to: bench.file)
    let error = #expect(throws: StoreError.self) {
      try Inspection(of: bench.file).redact(to: newFile)
    }
    #expect(error?.code == .notAStore)
    #expect(error?.file == bench.file.path)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path).count == 1)
  }

  @Test func aFolderThatIsNotThereIsNotMade() throws {
    try bench.makeStore()
    let folder = try TemporaryFolder()
    let missing = folder.url.appendingPathComponent("none/redacted.sqlite")
    let error = #expect(throws: StoreError.self) {
      try Inspection(of: bench.file).redact(to: missing)
    }
    #expect(error?.code == .notWritable)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test(arguments: [(0o644, 0o644), (0o600, 0o600), (0o400, 0o600), (0o440, 0o640)])
  func whoMayNotReadTheOriginalMayNotReadIt(original: Int, redacted: Int) throws {
    try bench.makeStore(commits: 3)
    #expect(chmod(bench.file.path, mode_t(original)) == 0)
    _ = try Inspection(of: bench.file).redact(to: newFile)
    let attributes = try FileManager.default.attributesOfItem(atPath: newFile.path)
    #expect(attributes[.posixPermissions] as? Int == redacted)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
    #expect(names.sorted() == ["redacted.sqlite", "store.sqlite"])
  }

  private static func options(all: Bool) -> StoreRedaction.Options {
    var options = StoreRedaction.Options()
    options.keepsNames = !all
    options.keepsMembers = !all
    return options
  }
}
