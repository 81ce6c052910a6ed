import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSupport
import TestSupport
import Testing

/// The version of a store whose log or journal is torn, stale or foreign is the one that SQLite
/// finds.
@Suite struct TornLogTests {
  private let bench: SchemaBench
  private var file: URL { bench.file }
  /// What the file and its log held when they were taken.
  private typealias Parts = [String: Data]

  init() throws { bench = try SchemaBench() }

  /// `PRAGMA user_version` of a copy, as SQLite has it; `nil` where SQLite can't say.
  private func versionBySQLite(_ parts: Parts) throws -> Int? {
    let folder = try TemporaryFolder()
    for (suffix, bytes) in parts {
      try bytes.write(to: folder.file("copy.sqlite\(suffix)"))
    }
    do {
      let queue = try DatabaseQueue(path: folder.file("copy.sqlite").path)
      defer { try? queue.close() }
      return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    } catch is DatabaseError {
      return nil
    }
  }

  /// Compares our answer with SQLite's.
  ///
  /// - Returns: The version.
  @discardableResult
  private func expectAgreement(
    _ parts: Parts, _ hint: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Int? {
    for suffix in ["", "-wal", "-journal"] {
      let path = URL(fileURLWithPath: file.path + suffix)
      try? FileManager.default.removeItem(at: path)
      try parts[suffix]?.write(to: path)
    }
    let expected = try versionBySQLite(parts)
    do {
      let found = try StoreHeader(of: file).schemaVersion
      // Where SQLite can't read the file at all, opening it says so.
      if let expected {
        #expect(found == expected, "\(hint())", sourceLocation: sourceLocation)
      }
    } catch {
      #expect(expected == nil, "\(hint()): \(error)", sourceLocation: sourceLocation)
    }
    return expected
  }

  private func parts(_ suffixes: String...) throws -> Parts {
    var parts: Parts = [:]
    for suffix in [""] + suffixes {
      let url = URL(fileURLWithPath: file.path + suffix)
      guard FileManager.default.fileExists(atPath: url.path) else { continue }
      parts[suffix] = try Data(contentsOf: url)
    }
    return parts
  }

  /// A store with commits that are only in its log, the version another in each.
  private func liveParts(commits: Int, restart: Bool = false) throws -> Parts {
    try? FileManager.default.removeItem(at: file)
    try bench.makeBareStore()
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 1;
          CREATE TABLE text(line TEXT);
          """)
      func commit(_ version: Int) throws {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO text VALUES (hex(randomblob(2000)))")
          if version % 2 == 0 { try db.execute(sql: "PRAGMA user_version = \(version)") }
          return .commit
        }
      }
      for version in 2..<(2 + commits) { try commit(version) }
      if restart {
        // The log begins again: what follows the new frames is of another generation.
        try db.execute(sql: "PRAGMA wal_checkpoint(RESTART)")
        for version in 0..<(commits / 3) { try commit(100 + version) }
      }
      return try parts("-wal")
    }
  }

  @Test func aWholeLogSaysTheVersionOfItsLastCommit() throws {
    let parts = try liveParts(commits: 8)
    #expect(try expectAgreement(parts, "whole") == 8)
  }

  @Test func aLogCutOffAnywhere() throws {
    let parts = try liveParts(commits: 6)
    let log = try #require(parts["-wal"])
    var generator = SeededGenerator(seed: 11)
    var lengths = [0, 1, 31, 32, 33, 55, 56, 57, log.count - 1]
    for _ in 0..<60 { lengths.append(generator.number(0..<log.count)) }
    for frame in 0..<(log.count / 4_120) { lengths.append(32 + frame * 4_120) }
    var versions: Set<Int?> = []
    for length in lengths {
      var parts = parts
      parts["-wal"] = log.prefix(length)
      versions.insert(try expectAgreement(parts, "\(length) bytes"))
    }
    #expect(versions.count > 3)
  }

  @Test(arguments: [false, true]) func aLogWithDamagedBytes(_ isRestarted: Bool) throws {
    let parts = try liveParts(commits: 9, restart: isRestarted)
    let log = try #require(parts["-wal"])
    var generator = SeededGenerator(seed: isRestarted ? 5 : 6)
    for round in 0..<150 {
      var parts = parts
      var bytes = log
      let offset: Int
      switch round % 5 {
      case 0: offset = generator.number(0..<32)
      case 1, 2:
        // The head of a frame.
        offset = 32 + generator.number(0..<(log.count / 4_120)) * 4_120 + generator.number(0..<24)
      default: offset = generator.number(0..<log.count)
      }
      if round % 3 == 0 {
        // A sector that was never written, or was before it belonged to the log.
        let start = offset & ~511
        let end = min(start + 512, bytes.count)
        bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
      } else {
        bytes[offset] ^= 1 << UInt8(generator.number(0..<8))
      }
      parts["-wal"] = bytes
      try expectAgreement(parts, "round \(round), offset \(offset)")
    }
  }

  @Test func aPageOneThatSaysANewerVersionUnderAWrongChecksum() throws {
    let parts = try liveParts(commits: 3)
    var log = try #require(parts["-wal"])
    for frame in 0..<(log.count / 4_120) {
      let offset = 32 + frame * 4_120 + 24 + 60
      log.replaceSubrange(offset..<(offset + 4), with: [0x94, 0x68, 0x9D, 0xB5])
    }
    var torn = parts
    torn["-wal"] = log
    // Nothing of the log holds, so the version is the file's own.
    #expect(try expectAgreement(torn, "torn") == 0)
    #expect(throws: Never.self) { try PrivateCopy(of: file) }
  }

  /// The first page of the store with another version.
  private func firstPage(_ parts: Parts, version: Int) throws -> [UInt8] {
    var page = [UInt8](try #require(parts[""]).prefix(4_096))
    page.replaceSubrange(60..<64, with: CraftedLog.bytes(version))
    return page
  }

  @Test func craftedLogs() throws {
    try bench.change("CREATE TABLE a(b)", "PRAGMA application_id = \(StoreHeader.applicationID)")
    let parts = try parts()
    let count = try #require(parts[""]).count / 4_096
    let pages = try [7, 8, 9].map { try firstPage(parts, version: $0) }
    func with(_ log: [UInt8], _ hint: String) throws -> Int? {
      var parts = parts
      parts["-wal"] = Data(log)
      return try expectAgreement(parts, hint)
    }
    for isBigEndian in [false, true] {
      var log = CraftedLog(pageSize: 4_096, isBigEndian: isBigEndian)
      log.append(page: 1, pages[0], pageCount: count)
      let one = log.bytes
      log.append(page: 1, pages[1])
      #expect(try with(one, "one commit") == 7)
      #expect(try with(log.bytes, "a frame that no commit follows") == 7)
      var stale = CraftedLog(
        pageSize: 4_096, isBigEndian: isBigEndian, salts: [9, 9, 9, 9, 9, 9, 9, 9])
      stale.append(page: 1, pages[2], pageCount: count)
      stale.append(page: 1, pages[2], pageCount: count)
      #expect(try with(one + stale.bytes[one.count...], "an earlier generation's frame") == 7)
      #expect(try with(Array(stale.bytes[..<32]) + one[32...], "the head of another log") == 0)
      log.append(page: 1, pages[2], pageCount: count)
      #expect(try with(log.bytes, "two commits") == 9)
      #expect(try with(Array(log.bytes.dropLast()), "a frame cut off") == 7)
      // The other byte order, with a right head or without.
      var other = CraftedLog(pageSize: 4_096, isBigEndian: !isBigEndian)
      other.append(page: 1, pages[2], pageCount: count)
      #expect(try with(Array(one[..<32]) + other.bytes[32...], "sums of the other order") == 0)
      #expect(try with(Array(one[..<3]) + [one[3] ^ 1] + one[4...], "the other magic") == 0)
    }
    var zero = CraftedLog(pageSize: 4_096)
    zero.append(page: 0, pages[0], pageCount: count)
    #expect(try with(zero.bytes, "a page 0") == 0)
    #expect(try with(Array(repeating: 0, count: 9_000), "zeros") == 0)
    for pageSize in [256, 512, 1_024, 8_192, 65_536, 131_072, 3_000] {
      var log = CraftedLog(pageSize: pageSize)
      var page = pages[0].prefix(pageSize)
      page += Array(repeating: 0, count: pageSize - page.count)
      log.append(page: 1, Array(page), pageCount: count)
      _ = try with(log.bytes, "page size \(pageSize)")
      var second = CraftedLog(pageSize: pageSize)
      second.append(page: 2, Array(page), pageCount: count)
      _ = try with(second.bytes, "page size \(pageSize), without page 1")
    }
    var future = CraftedLog(pageSize: 4_096, formatVersion: 3_007_001)
    future.append(page: 1, pages[0], pageCount: count)
    #expect(try with(future.bytes, "a format that SQLite does not know") == nil)
  }

  @Test func aFirstPageThatIsWholeInTheLogAlone() throws {
    var parts = try liveParts(commits: 4)
    // Power failed while the log was being moved into the file.
    parts[""]?.replaceSubrange(0..<512, with: Data(repeating: 0, count: 512))
    #expect(try expectAgreement(parts, "torn page 1") == 4)
    #expect(throws: Never.self) { try PrivateCopy(of: file) }
  }

  // MARK: Journals

  /// A store of version 3 whose writer died after it had written version 4, before its commit
  /// ended.
  ///
  /// Whether the writer waited for the disk: the journal then says how long it is.
  private func cutOffParts(waits: Bool) throws -> Parts {
    try bench.makeBareStore()
    try bench.change(
      "PRAGMA user_version = 3", "CREATE TABLE text(line TEXT)",
      "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 300) "
        + "INSERT INTO text SELECT hex(randomblob(1000)) FROM n")
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA synchronous = \(waits ? "FULL" : "OFF");
          PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; PRAGMA user_version = 4;
          UPDATE text SET line = 'x' || line; DELETE FROM text WHERE rowid > 200;
          UPDATE text SET line = 'y' || line;
          """)
      let journal = try parts("-journal")
      try db.execute(sql: "COMMIT")
      // What the commit wrote, with the journal that it would then delete.
      return try journal.merging(parts()) { $1 }
    }
  }

  @Test(arguments: [false, true]) func theVersionOfACommitThatWasCutOffIsTheOneBefore(
    _ waits: Bool
  ) throws {
    let parts = try cutOffParts(waits: waits)
    #expect([UInt8](try #require(parts[""])[60..<64]) == [0, 0, 0, 4], "the page is there already")
    #expect(try expectAgreement(parts, "whole") == 3)
    if waits { return }
    let copy = try PrivateCopy(of: file)
    let queue = try DatabaseQueue(path: copy.file.path)
    #expect(try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
    #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 3)
    try queue.close()
  }

  @Test(arguments: [false, true]) func aJournalCutOffOrDamagedAnywhere(_ waits: Bool) throws {
    let parts = try cutOffParts(waits: waits)
    let journal = try #require(parts["-journal"])
    var generator = SeededGenerator(seed: 12)
    var versions: Set<Int?> = []
    for round in 0..<140 {
      var parts = parts
      var bytes = journal
      var offset = generator.number(0..<bytes.count)
      switch round % 4 {
      case 0: bytes = bytes.prefix(round < 60 ? round * 20 : offset)
      case 1:
        offset = generator.number(0..<28)
        bytes[offset] ^= 1 << UInt8(generator.number(0..<8))
      case 2:
        // About where the first page lies.
        offset = generator.number(0..<min(bytes.count, 9_000))
        bytes[offset] ^= 1 << UInt8(generator.number(0..<8))
      default:
        let start = offset & ~511
        let end = min(start + 512, bytes.count)
        bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
      }
      parts["-journal"] = bytes
      versions.insert(try expectAgreement(parts, "round \(round), offset \(offset)"))
    }
    #expect(versions.isSuperset(of: [3, 4]))
  }

  @Test func aJournalThatTakesTheFileBackToNothing() throws {
    var parts = try cutOffParts(waits: true)
    // The database had no page before the transaction.
    parts["-journal"]?.replaceSubrange(16..<20, with: [0, 0, 0, 0])
    for suffix in ["", "-journal"] {
      try parts[suffix]?.write(to: URL(fileURLWithPath: file.path + suffix))
    }
    #expect(try versionBySQLite(parts) == 0)
    #expect(try bench.refusal { try StoreHeader(of: file) }?.code == .notAStore)
  }
}
