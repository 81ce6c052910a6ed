import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import StoreSupport
import SuiteSupport
import TestSupport
import Testing

/// What lies beside a store and is not what SQLite puts there leads a look nowhere else.
@Suite struct SidecarFileTests {
  private let bench: SchemaBench
  private let elsewhere: TemporaryFolder
  private var file: URL { bench.file }

  init() throws {
    bench = try SchemaBench()
    elsewhere = try TemporaryFolder()
    try bench.makeStore()
  }

  /// Checks that every look is refused and changes nothing, neither beside the store nor elsewhere.
  private func expectRefusal(
    _ names: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FolderSnapshot(of: elsewhere.url)
    let looks: [(String, () throws -> Void)] = [
      ("header", { _ = try StoreHeader(of: file) }), ("copy", { _ = try PrivateCopy(of: file) }),
      ("status", { _ = try SchemaStatus(of: file) }), ("up", { _ = try Migrator.up(file) }),
    ]
    for (name, look) in looks {
      let failure = try bench.refusal(sourceLocation: sourceLocation) { try look() }
      #expect(failure?.message.contains(names) == true, "\(name): \(failure?.message ?? "")")
    }
    let after = try FolderSnapshot(of: elsewhere.url)
    #expect(before.changes(to: after) == [], sourceLocation: sourceLocation)
  }

  /// A journal that names a super-journal, as one of several databases in a transaction does.
  private func journal(naming path: String, isTorn: Bool = false) throws -> Data {
    let pageCount = try Data(contentsOf: file).count / 4_096
    var bytes: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    for number in [0, 7, pageCount, 512, 4_096] { bytes += CraftedLog.bytes(number) }
    bytes += Array(repeating: 0, count: 512 - bytes.count)
    let name = Array(path.utf8)
    let sum = name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) } + (isTorn ? 1 : 0)
    bytes += CraftedLog.bytes(0x4000_0000 / 4_096 + 1) + name
    bytes += CraftedLog.bytes(name.count) + CraftedLog.bytes(sum)
    return Data(bytes + [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
  }

  @Test(arguments: ["Dear diary,", "", "/nowhere\0"])
  func aJournalThatNamesAFileOfTheUsersIsRefused(_ content: String) throws {
    let victim = try elsewhere.write(content, to: "diary ü.txt")
    try journal(naming: victim.path).write(to: URL(fileURLWithPath: file.path + "-journal"))
    try expectRefusal(victim.path)
    #expect(FileManager.default.fileExists(atPath: victim.path))
  }

  @Test func aJournalThatNamesAFileThatIsNotThereIsRefused() throws {
    let missing = elsewhere.file("store-mj0123").path
    try journal(naming: missing).write(to: URL(fileURLWithPath: file.path + "-journal"))
    try expectRefusal(missing)
  }

  @Test func aJournalWithoutARightHeadNamesItAllTheSame() throws {
    let victim = try elsewhere.write("Dear diary,", to: "diary")
    var bytes = try journal(naming: victim.path)
    bytes.replaceSubrange(0..<8, with: Array("whatever".utf8))
    try bytes.write(to: URL(fileURLWithPath: file.path + "-journal"))
    try expectRefusal(victim.path)
  }

  @Test func whatSQLiteDoesNotTakeForANameIsNone() throws {
    let victim = try elsewhere.write("Dear diary,", to: "diary")
    let path = URL(fileURLWithPath: file.path + "-journal")
    var ended = try journal(naming: victim.path)
    ended.replaceSubrange(0..<28, with: Data(repeating: 0, count: 28))
    for bytes in [try journal(naming: victim.path, isTorn: true), ended] {
      try bytes.write(to: path)
      let copy = try PrivateCopy(of: file)
      let queue = try DatabaseQueue(path: copy.file.path)
      #expect(try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } != nil)
      try queue.close()
      #expect(FileManager.default.fileExists(atPath: victim.path))
    }
  }

  @Test(arguments: ["-wal", "-journal", "-shm"]) func aLinkIsRefused(_ suffix: String) throws {
    let target = try elsewhere.write("Dear diary,", to: "diary")
    #expect(chmod(target.path, 0o644) == 0)
    for destination in [target.path, elsewhere.url.path, "nowhere"] {
      let link = file.path + suffix
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: destination)
      try expectRefusal("store.sqlite\(suffix)")
      try FileManager.default.removeItem(atPath: link)
    }
  }

  @Test(.timeLimit, arguments: ["-wal", "-journal", "-shm"])
  func aPipeOrAFolderIsRefused(_ suffix: String) throws {
    #expect(mkfifo(file.path + suffix, 0o600) == 0)
    try expectRefusal("store.sqlite\(suffix)")
    try FileManager.default.removeItem(atPath: file.path + suffix)
    try FileManager.default.createDirectory(
      atPath: file.path + suffix, withIntermediateDirectories: false)
    try expectRefusal("store.sqlite\(suffix)")
  }

  @Test func sidecarFilesOfALinkedStoreLieBesideItsTarget() throws {
    let link = elsewhere.file("link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    // Beside the link they are nobody's.
    _ = try elsewhere.write("Dear diary,", to: "link.sqlite-wal")
    #expect(throws: Never.self) { try PrivateCopy(of: link) }
    try FileManager.default.createSymbolicLink(
      atPath: file.path + "-wal", withDestinationPath: "nowhere")
    #expect(throws: StoreError.self) { try PrivateCopy(of: link) }
  }
}
