import Foundation
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// A summary's numbers are those of the lists.
@Suite struct SummaryTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }

  init() throws { bench = try InspectionBench() }

  @Test(arguments: [UInt64(1), 2, 3]) func numbersOfRandomListsAreCountedRight(
    _ seed: UInt64
  ) throws {
    let repository = try Repository(at: file)
    let trees = try bench.fill(repository, seed: seed)
    let summary = try Inspection(of: file).summary()
    #expect(summary.formatVersion == 1)
    #expect(summary.file == file.path)
    #expect(summary.schemaVersion == Migration.latestVersion)
    #expect(summary.pendingMigrations == [])
    #expect(summary.integrity == ["ok"])
    #expect(summary.byteCount == (try Data(contentsOf: file).count))
    #expect(
      summary.logByteCount == (try Data(contentsOf: bench.folder.file("store.sqlite-wal")).count))
    #expect(summary.lists.map(\.list) == ["first", "second"])
    for list in summary.lists {
      let id = try ListID(list.list)
      let tree = try #require(trees[id])
      let commits = try repository.commits(of: id)
      #expect(list.revision == tree.revision)
      #expect(list.feedSequence == 0)
      #expect(list.sectionCount == tree.sections.count)
      let itemCount = tree.itemCounts.reduce(0, +)
      #expect(list.itemCount == itemCount)
      #expect(list.commitCount == commits.count)
      #expect(list.changeCount == commits.reduce(0) { $0 + $1.entries.count })
      #expect(list.sizeCount == 0)
      var cells: [String: Int] = [:]
      for item in tree.sections.flatMap(\.items) {
        cells[item.state.cell.rawValue, default: 0] += 1
      }
      #expect(list.cells == cells)
      #expect(list.lastCommit?.revision == tree.revision)
      #expect(list.lastCommit?.author == "writer")
      #expect(list.lastCommit?.time == commits.last?.time)
    }
  }

  /// SQLite's check meets a page that it can't read while it steps the rows, and ends with an
  /// error.
  @Test func aCheckThatEndsEarlyIsAProblemFoundAndTheRestIsTold() throws {
    do {
      let repository = try Repository(at: file)
      let text = JSON(stringLiteral: "\"" + String(repeating: "x", count: 500) + "\"")
      try repository.commit(
        [.insertSection("s")]
          + (0..<100).map {
            .insertItem(Item(id: ItemID(stringLiteral: "\($0)"), cell: "C", content: text), in: "s")
          }, to: "list")
    }
    // A page of contents alone: the log has them beside its operations.
    var bytes = try Data(contentsOf: file)
    let pages = stride(from: 0, to: bytes.count, by: 4_096).map { $0..<$0 + 4_096 }
    let page = try #require(
      pages.last { page in
        bytes[page].range(of: Data("xxxxxxxx".utf8)) != nil
          && bytes[page].range(of: Data("insertItem".utf8)) == nil
      })
    bytes.replaceSubrange(page, with: Data(repeating: 0xFF, count: page.count))
    try bytes.write(to: file)
    let summary = try Inspection(of: file).summary()
    #expect(summary.integrity.first != "ok")
    #expect(summary.integrity.contains { $0.contains("the check ended early: ") })
    #expect(summary.lists.map(\.itemCount) == [100])
  }

  @Test func aStoreWithoutListsHasNone() throws {
    _ = try StoreFile.createIfAbsent(file)
    #expect(try Inspection(of: file).summary().lists.isEmpty)
  }

  @Test func aStoreThatNeedsMigrationsSaysWhichAndIsReadAllTheSame() throws {
    // Only whose it is: what SQLite writes for `PRAGMA application_id` alone.
    let bare = try #require(PackageFiles.bareStore)
    try bare.write(to: file)
    let summary = try bench.unchanged { try Inspection(of: file).summary() }
    #expect(summary.schemaVersion == 0)
    #expect(summary.pendingMigrations == Migration.all.map(\.name))
    #expect(summary.lists.isEmpty)
  }

  @Test func aLinkIsSummarisedAsWhatItLeadsTo() throws {
    let repository = try Repository(at: file)
    let trees = try bench.fill(repository)
    let elsewhere = try TemporaryFolder()
    let link = elsewhere.file("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    let found = try bench.unchanged { try lookAtAll(link) }
    #expect(found.summary.file == link.path)
    #expect(found.summary.byteCount == (try Data(contentsOf: file).count))
    #expect(found.heads == trees.exports)
  }

  // MARK: Sizes

  private func measure(_ items: [ItemID], in repository: Repository) throws {
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    try repository.save(
      items.enumerated().map { number, item in
        MeasuredSize(
          item: item, size: Size(width: 320, height: 40.5 + Double(number)), cell: "C",
          contentRevision: 0)
      }, for: key, in: "list")
  }

  @Test func sizesAreExportedAtTheHeadAloneAndOnlyWhileTheyHold() throws {
    let repository = try Repository(at: file)
    try repository.commit(
      [
        .insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s"),
        .insertItem(Item(id: "b", cell: "C", content: "2"), in: "s"),
      ], to: "list")
    try measure(["a", "b"], in: repository)
    #expect(try Inspection(of: file).summary().lists[0].sizeCount == 2)
    let measured = """
      {"list":"list","revision":"1","sections":[{"id":"s","items":[\
      {"id":"a","cell":"C","content":1,"size":[320,40.5]},\
      {"id":"b","cell":"C","content":2,"size":[320,41.5]}]}]}
      """
    #expect(try Inspection(of: file).export("list") == measured)
    #expect(try Inspection(of: file).export("list", at: 1) == measured)
    #expect(try !Inspection(of: file).export("list", at: 0).contains("size"))

    try repository.commit([.updateItem("a", ItemUpdate(content: .set("3")))], to: "list")
    let head = try Inspection(of: file).export("list")
    #expect(head.contains(#"{"id":"a","cell":"C","content":3},"#), "measured with other content")
    #expect(head.contains(#""size":[320,41.5]"#))
    #expect(try !Inspection(of: file).export("list", at: 1).contains("size"))
    #expect(try Inspection(of: file).summary().lists[0].sizeCount == 2)
  }

  // MARK: Errors

  @Test func unknownListsAndRevisionsNameTheOriginalFile() throws {
    try bench.makeStore(commits: 4)
    let inspection = try Inspection(of: file)
    let noList = #expect(throws: StoreError.self) { try inspection.export("third") }
    #expect(noList?.code == .listNotFound)
    #expect(noList?.file == file.path)
    #expect(noList?.message.contains("\"first\", \"second\"") == true)
    for revision in [-1, 5, .max, .min] {
      let failure = #expect(throws: StoreError.self) {
        try inspection.export("first", at: revision)
      }
      #expect(failure?.code == .revisionNotFound)
      #expect(failure?.file == file.path)
      #expect(failure?.message.contains("0...4") == true)
    }
  }

  @Test func anInspectionIsOfOneMoment() throws {
    let repository = try Repository(at: file)
    try repository.commit([.insertSection("s")], to: "list")
    let inspection = try Inspection(of: file)
    try repository.commit([.insertSection("t")], to: "list")
    #expect(inspection.summary().lists[0].revision == 1)
    #expect(try !inspection.export("list").contains("\"t\""))
    #expect(try Inspection(of: file).summary().lists[0].revision == 2)
  }
}

extension PackageFiles {
  /// A store that has had no migration: one page with a header and no table.
  fileprivate static var bareStore: Data? {
    guard let folder = try? TemporaryFolder(),
      (try? StoreFile.createIfAbsent(folder.file("store.sqlite"))) == true,
      let store = try? Data(contentsOf: folder.file("store.sqlite"))
    else { return nil }
    var page = [UInt8](repeating: 0, count: 4_096)
    page.replaceSubrange(0..<100, with: store.prefix(100))
    page.replaceSubrange(16..<18, with: [0x10, 0x00])  // pages of 4,096 bytes
    page.replaceSubrange(28..<32, with: [0, 0, 0, 1])  // one of them
    page.replaceSubrange(32..<40, with: Array(repeating: 0, count: 8))  // none of them free
    page.replaceSubrange(60..<64, with: [0, 0, 0, 0])  // schema version 0
    page.replaceSubrange(100..<108, with: [13, 0, 0, 0, 0, 0x10, 0x00, 0])  // an empty table leaf
    return Data(page)
  }
}
