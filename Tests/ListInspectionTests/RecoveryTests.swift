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

/// Stores that are whole, or whose pages are whole, come back as they were.
@Suite struct RecoveryTests {
  private let bench: RecoveryBench

  init() throws { bench = try RecoveryBench() }

  @Test func aSoundStoreIsRecoveredWithItsLog() throws {
    try bench.makeStore()
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete, "\(report)")
    let (found, expected) = (
      try RecoveryBench.exports(of: file), try RecoveryBench.exports(of: bench.file)
    )
    #expect(found == expected)
    #expect(report.lists.map(\.logFloor) == [0])
    #expect(report.lists.map(\.revision) == [21])
    let commits = try Repository(existing: file).commits(of: "shelf", after: 0)
    #expect(try commits == Repository(existing: bench.file).commits(of: "shelf", after: 0))
  }

  @Test func theOutboxComesBack() throws {
    try bench.makeStore()
    let edits = try {
      let repository = try Repository(existing: bench.file)
      _ = try repository.editPending(EditTarget("shelf")) { try $0.setMeta("1") }
      try repository.edit("shelf") { try $0.setMeta("2") }
      return try repository.pendingEdits(of: "shelf")
    }()
    #expect(edits.count == 1)
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete, "\(report)")
    let repository = try Repository(existing: file)
    #expect(try repository.pendingEdits(of: "shelf") == edits)
    try repository.reject(edits[0].id, of: "shelf", why: nil)
    #expect(try repository.meta(of: "shelf") == "2")
  }

  @Test func listsOfRandomChangesNestedListsAndViewStatesComeBack() throws {
    do {
      let repository = try Repository(at: bench.file)
      try InspectionBench().fill(repository, seed: 11)
      try repository.edit("first") { list in
        try list.insertSectionIfMissing("s")
        try list.insert(Item(id: "owner", cell: "C", content: "{}"), in: "s")
      }
      let owner = ListOwner(list: "first", item: "owner", name: "inner")
      _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
        try list.insertSection("n")
      }
      try repository.save(
        ListViewState(selection: ItemSelection(.single, ["owner"])), of: "first")
    }
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete, "\(report)")
    let (found, expected) = (
      try RecoveryBench.exports(of: file), try RecoveryBench.exports(of: bench.file)
    )
    #expect(found == expected)
    let repository = try Repository(existing: file)
    #expect(try repository.viewState(of: "first").selection.items == ["owner"])
    #expect(try repository.nestedLists(of: "owner", in: "first").count == 1)
  }

  /// `zeros`: What is lost besides: nothing, or the header.
  @Test(arguments: [0, 100])
  func aTransactionThatWasCutOffIsTakenBackByItsJournal(zeros: Int) throws {
    try bench.makeStore(sections: 2, items: 60)
    let expected = try RecoveryBench.exports(of: bench.file)
    try InspectionBench.cutOffTransaction(in: bench.file)
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<zeros, with: Data(count: zeros))
    try bytes.write(to: bench.file)
    let before = try FolderSnapshot(of: bench.folder.url).contents
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete, "\(report)")
    #expect(try #require(report.journalPageCount) > 0)
    #expect(try RecoveryBench.exports(of: file) == expected)
    let after = try FolderSnapshot(of: bench.folder.url).contents
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
  }

  @Test func aNestedListWhoseOwnerIsLostHasItAgain() throws {
    let owner = ListOwner(list: "shelf", item: "item 3", name: "inner")
    do {
      try bench.makeStore(sections: 1, items: 10, edits: 0)
      let repository = try Repository(existing: bench.file)
      _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
        try list.insertSection("n")
      }
    }
    let original = bench.folder.file("original")
    try FileManager.default.copyItem(at: bench.file, to: original)
    let queue = try DatabaseQueue(path: bench.file.path)
    try queue.write { try $0.execute(sql: "DELETE FROM listOwner") }
    try queue.close()
    let (report, file) = try bench.recover(bench.file)
    #expect(report.isComplete)
    let repository = try Repository(existing: file)
    #expect(try repository.owner(of: owner.nestedList) == owner)
    #expect(try RecoveryBench.trees(of: file) == RecoveryBench.trees(of: original))
  }

  /// `isTruncated`: Whether the log has forgotten the deletions, so that only free pages have them.
  @Test(arguments: [false, true])
  func deletedItemsComeBackOnlyOnRequest(isTruncated: Bool) throws {
    try bench.makeStore(sections: 2, items: 500, edits: 3)
    do {
      var options = Repository.Options()
      // Some builds of SQLite overwrite what they delete.
      options.prepareConnection = { try $0.execute(sql: "PRAGMA secure_delete = 0") }
      let repository = try Repository(existing: bench.file, options: options)
      try repository.edit("shelf") { shelf in
        for number in 0..<300 { try shelf.delete(ItemID("item \(number)")) }
      }
      if isTruncated {
        try repository.truncateLog(of: "shelf", keeping: LogRetention(changes: 0))
      }
    }
    let truth = try RecoveryBench.trees(of: bench.file)["shelf"]
    let (plain, file) = try bench.recover(bench.file)
    #expect(plain.isComplete)
    #expect(try RecoveryBench.trees(of: file)["shelf"] == truth)
    #expect(plain.lists.map(\.deletedItemCount) == [nil])
    try FileManager.default.removeItem(at: file)
    let (report, with) = try bench.recover(bench.file, includesDeleted: true)
    #expect(report.isComplete)
    let tree = try #require(try RecoveryBench.trees(of: with)["shelf"])
    #expect(Array(tree.sections.prefix(2)) == truth?.sections)
    let deleted = try #require(tree.sections.last)
    try #require(deleted.id == "deleted")
    #expect(report.lists.map(\.deletedItemCount) == [deleted.items.count])
    // Pages that were used again have other rows by now.
    let count = deleted.items.count
    #expect(isTruncated ? count > 25 : count == 300, "\(count)")
    for item in deleted.items where item.state.contentRevision == 0 {
      let number = try #require(Int(item.id.rawValue.dropFirst(5)))
      #expect(number < 300)
      #expect(try item == RecoveryBench.item(number))
    }
  }

  @Test func aGapThatWasFilledDoesNotComeBack() throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.commit(
        [
          .insertSection("s"), .insertItem(RecoveryBench.item(1), in: "s"),
          .insertItem(Item(id: "gap", cell: Gap.cell, content: "{}"), in: "s"),
        ], to: "shelf")
      try repository.commit([.deleteItem("item 1"), .deleteItem("gap")], to: "shelf")
    }
    let (report, file) = try bench.recover(bench.file, includesDeleted: true)
    let tree = try #require(try RecoveryBench.trees(of: file)["shelf"])
    #expect(tree.sections.last?.items.map(\.id) == ["item 1"])
    #expect(report.lists.map(\.deletedItemCount) == [1])
  }

  @Test(arguments: Migration.latestVersion...TestMigrations.all.latestVersion)
  func aStoreOfEachVersionIsRecovered(version: Int) throws {
    let original = bench.folder.file("original.sqlite")
    try TestMigrations.makeStore(at: original, version: version)
    let all = TestMigrations.all
    let (report, file) = try bench.recover(Data(contentsOf: original), migrations: all)
    #expect(report.schemaVersion == version)
    #expect(report.isComplete, "\(report)")
    #expect(try StoreHeader(of: file).schemaVersion == all.latestVersion)
    let (found, expected) = (
      try RecoveryBench.exports(of: file, migrations: all),
      try RecoveryBench.exports(of: original, migrations: all)
    )
    #expect(found == expected)
    #expect(!found.isEmpty)
  }

  /// Its pages tell it as well as SQLite does.
  @Test(arguments: [true, false]) func aStoreOfAnUnreleasedSchemaIsNotRead(
    _ hasHeader: Bool
  ) throws {
    var bytes = try Data(contentsOf: PackageFiles.fixture("unreleased.sqlite"))
    if !hasHeader { bytes.replaceSubrange(0..<100, with: Data(count: 100)) }
    let failure = #expect(throws: StoreError.self) { try bench.recover(bytes) }
    #expect(failure?.code == .modifiedMigration)
    #expect(failure?.message.contains("a store of an unreleased schema") == true)
  }

  @Test func everyRowIsFoundBehindAHeaderOfZeros() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    let (report, file) = try bench.recover(bytes)
    let (found, expected) = (
      try RecoveryBench.exports(of: file), try RecoveryBench.exports(of: bench.file)
    )
    #expect(found == expected)
    #expect(report.lists.map(\.isComplete) == [true])
    #expect(report.lists.map(\.logFloor) == [0])
    #expect(report.damagedTables.isEmpty)
    #expect(report.isHeaderDamaged)
    #expect(report.isComplete)
  }

  @Test func everyItemIsFoundBehindAFirstPageOfZeros() throws {
    try bench.makeStore()
    var bytes = try Data(contentsOf: bench.file)
    bytes.replaceSubrange(0..<4_096, with: Data(count: 4_096))
    let (report, file) = try bench.recover(bytes)
    #expect(report.lists.map(\.isComplete) == [true], "\(report)")
    let (found, expected) = (
      try RecoveryBench.trees(of: file), try RecoveryBench.trees(of: bench.file)
    )
    #expect(found == expected)
    #expect(!report.isComplete)
  }

  @Test func commitsThatAreOnlyInTheLogAreRead() throws {
    try bench.makeStore(edits: 0)
    let repository = try Repository(existing: bench.file)
    try repository.commit([.deleteItem("item 7"), .touchItem("item 8")], to: "shelf")
    let (bytes, log) = (
      try Data(contentsOf: bench.file),
      try Data(contentsOf: URL(fileURLWithPath: bench.file.path + "-wal"))
    )
    let (report, file) = try bench.recover(bytes, log: log)
    #expect(report.isComplete, "\(report)")
    #expect(report.lists.map(\.revision) == [2])
    #expect(try Repository(existing: file).tree(of: "shelf") == repository.tree(of: "shelf"))
    // The header of zeros in the file does not matter: the log has the first page.
    let (late, _) = try bench.recover(Data(count: 100) + bytes[100...], log: log)
    #expect(late.lists.map(\.revision) == [2])
  }

  @Test func aTornLogIsReadUpToItsLastWholeCommit() throws {
    try bench.makeStore(edits: 0)
    let repository = try Repository(existing: bench.file)
    try repository.commit([.deleteItem("item 7")], to: "shelf")
    let before = try repository.tree(of: "shelf")
    let path = bench.file.path + "-wal"
    let count = try Data(contentsOf: URL(fileURLWithPath: path)).count
    try repository.commit([.deleteItem("item 9")], to: "shelf")
    var log = try Data(contentsOf: URL(fileURLWithPath: path))
    log[count + 2_000] ^= 1
    let (report, file) = try bench.recover(Data(contentsOf: bench.file), log: log)
    #expect(report.lists.map(\.revision) == [2])
    #expect(report.lists.map(\.isComplete) == [true])
    #expect(report.losses.count == 1)
    #expect(report.losses.first?.contains("write-ahead log are damaged") == true)
    #expect(try Repository(existing: file).tree(of: "shelf") == before)
  }

  @Test func neitherTheStoreNorAnythingBesideItIsChanged() throws {
    try bench.makeStore(items: 20)
    let repository = try Repository(existing: bench.file)
    try repository.commit([.deleteItem("item 7")], to: "shelf")
    let result = try TemporaryFolder()
    let before = try FolderSnapshot(of: bench.folder.url)
    _ = try StoreRecovery.recover(bench.file, to: result.file("new.sqlite"))
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
    #expect(try result.contents().keys.sorted() == ["new.sqlite"])
    withExtendedLifetime(repository) {}
  }

  @Test func aFileThatIsThereIsNotReplaced() throws {
    try bench.makeStore(items: 1)
    for name in ["taken.sqlite", "beside.sqlite-wal"] {
      let taken = try bench.folder.write("mine", to: name)
      let target = bench.folder.file(name.replacingOccurrences(of: "-wal", with: ""))
      let error = #expect(throws: StoreError.self) {
        try StoreRecovery.recover(bench.file, to: target)
      }
      #expect(error?.code == .notWritable)
      #expect(error?.file == target.path)
      #expect(try String(contentsOf: taken, encoding: .utf8) == "mine")
    }
  }

  @Test func whatIsNoStoreIsRefusedAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    for text in ["", "no store", String(repeating: "no store ", count: 2_000)] {
      let file = try folder.write(text, to: "text")
      let error = #expect(throws: StoreError.self) {
        try StoreRecovery.recover(file, to: folder.file("new"))
      }
      #expect(error?.code == .notAStore, "\(String(describing: error))")
      #expect(try folder.contents().keys.sorted() == ["text"])
    }
  }
}
