import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// The inspector changes no name, no byte and no time in the folder that it looks into.
@Suite struct UntouchedFolderTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  @Test func aStoreThatWasNeverOpenedStaysAsItIs() throws {
    _ = try StoreFile.createIfAbsent(file)
    let found = try bench.unchanged { try lookAtAll(file) }
    #expect(found.summary.lists.isEmpty)
    #expect(found.summary.logByteCount == nil)
  }

  @Test func aStoreInWALModeWithoutALogStaysAsItIs() throws {
    let trees = try bench.makeStore()
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["store.sqlite"])
    #expect(try bench.unchanged { try lookAtAll(file) }.heads == trees.exports)
  }

  @Test func aStoreThatIsOpenStaysAsItIsAndIsSeenUpToItsLastCommit() throws {
    let repository = try Repository(at: file)
    var trees = try bench.fill(repository)
    let names = try FolderSnapshot(of: bench.folder.url).names
    #expect(names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    #expect(try bench.unchanged { try lookAtAll(file) }.heads == trees.exports)
    // The repository goes on, and so does what is seen.
    trees = try bench.fill(repository, seed: 2, commits: 3)
    let found = try bench.unchanged { try lookAtAll(file) }
    #expect(found.heads == trees.exports)
    #expect(try #require(found.summary.logByteCount) > 0)
  }

  @Test func aCopiedStoreWithItsLogStaysAsItIsAndIsSeenUpToItsLastCommit() throws {
    let repository = try Repository(at: file)
    let trees = try bench.fill(repository)
    let copy = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: copy.file("copy.sqlite").path + suffix)
    }
    let found = try bench.unchanged(in: copy) { try lookAtAll(copy.file("copy.sqlite")) }
    #expect(found.heads == trees.exports)
    // Without its log it is the store of an earlier time, and still one.
    try FileManager.default.removeItem(at: copy.file("copy.sqlite-wal"))
    let earlier = try bench.unchanged(in: copy) {
      try Inspection(of: copy.file("copy.sqlite")).summary()
    }
    #expect(earlier.integrity == ["ok"])
    #expect(repository.file == file, "held until here")
  }

  /// The superuser may write everywhere.
  @Test(.enabled(if: geteuid() != 0)) func aFolderThatMayNotBeWrittenIsReadAllTheSame() throws {
    let trees = try bench.makeStore()
    #expect(chmod(bench.folder.url.path, 0o500) == 0)
    defer { chmod(bench.folder.url.path, 0o700) }
    #expect(try bench.unchanged { try lookAtAll(file) }.heads == trees.exports)
  }

  @Test func whatIsNoStoreStaysAsItIs() throws {
    for (number, text) in ["", "Dear diary,", "SQLite forma"].enumerated() {
      let file = try bench.folder.write(text, to: "\(number)")
      let failure = #expect(throws: StoreError.self) {
        try bench.unchanged { try lookAtAll(file) }
      }
      #expect(failure?.file == file.path)
    }
    #expect(throws: StoreError.self) {
      try bench.unchanged { try lookAtAll(bench.folder.file("missing")) }
    }
    #expect(try FolderSnapshot(of: bench.folder.url).names == ["0", "1", "2"])
  }

  @Test func aDamagedStoreStaysAsItIsAndIsATypedErrorOrSaysSo() throws {
    try bench.makeStore(commits: 12)
    let whole = try Data(contentsOf: file)
    var generator = SeededGenerator(seed: 3)
    var refused = 0
    var found = 0
    for round in 0..<50 {
      var bytes = whole
      if round < 25 {
        for _ in 0...generator.number(0..<40) {
          bytes[generator.number(100..<bytes.count)] = UInt8(generator.number(0..<256))
        }
      } else {
        // One page alone: its head, then what it holds, which begins at its end.
        let page = generator.number(1..<(bytes.count / 4_096)) * 4_096
        let start = page + (round % 2 == 0 ? 0 : 4_096 - 40)
        for offset in start..<(start + 40) { bytes[offset] = UInt8(generator.number(0..<256)) }
      }
      try bytes.write(to: file)
      do {
        let summary = try bench.unchanged { try Inspection(of: file).summary() }
        if summary.integrity != ["ok"] { found += 1 }
        for list in summary.lists {
          let inspection = try Inspection(of: file)
          for revision in [nil, 0, 3] {
            _ = try inspection.export(ListID(list.list), at: revision)
          }
        }
      } catch let error as StoreError {
        #expect(error.file == file.path, "round \(round): \(error)")
        refused += 1
      } catch {
        // Only an id of a damaged summary can be no id at all.
        #expect(error is FormatError, "round \(round): \(error)")
      }
    }
    #expect(refused > 0)
    #expect(found > 0)
  }

  @Test func aStoreThatWasCutOffStaysAsItIsAndIsDamaged() throws {
    try bench.makeStore()
    let whole = try Data(contentsOf: file)
    for part in 1..<8 {
      try whole.prefix(whole.count * part / 8).write(to: file)
      let found = try bench.unchanged {
        let inspection = try Inspection(of: file)
        return (inspection.findings, inspection.summary())
      }
      #expect(found.0.contains { $0.code == .truncated && $0.severity == .error })
      #expect(found.1.integrity != ["ok"])
    }
  }

  @Test func noPrivateCopyIsLeftBehind() throws {
    // Every copy lies in the temporary folder, under a name of its own kind.
    func copies() throws -> Set<String> {
      let folder = FileManager.default.temporaryDirectory.path
      return Set(
        try FileManager.default.contentsOfDirectory(atPath: folder).filter {
          $0.hasPrefix("cellar-") && !$0.hasPrefix("cellar-test-")
            && FileManager.default.fileExists(atPath: "\(folder)/\($0)/store.sqlite")
            && (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)/store.sqlite")))?
              .range(of: Data("only in this test".utf8)) != nil
        })
    }
    let repository = try Repository(at: file)
    try repository.commit([], to: "only in this test")
    let summary = try lookAtAll(file).summary
    #expect(summary.lists.map(\.list) == ["only in this test"])
    #expect(try copies().isEmpty)
  }
}
