import BatchUpdates
import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import ListSync
import ListTables
import StoreSchema
import TestSupport
import Testing

/// What is erased is in no byte of any file of the store, and the rest is as before.
@Suite struct ErasingTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private var file: URL { folder.file("store.sqlite") }
  private let ann: ItemID = "ann@example.org"

  init() throws {
    folder = try TemporaryFolder()
    var options = Repository.Options()
    // Some systems' SQLite overwrites what is deleted by itself.
    options.prepareConnection = { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
    repository = try Repository(at: folder.file("store.sqlite"), options: options)
  }

  // MARK: A store that has it everywhere

  private func insertion(_ item: ItemID, _ text: String, in section: SectionID = "s") -> Change {
    .insertItem(
      Item(
        id: item, cell: "Cell", content: JSON(stringLiteral: "{\"text\":\"\(text)\"}"),
        type: "PersonType", action: Action(url: "cellar:\(text)")), in: section)
  }

  private func update(_ item: ItemID, _ text: String) -> Change {
    .updateItem(item, ItemUpdate(content: .set(JSON(stringLiteral: "{\"text\":\"\(text)\"}"))))
  }

  /// A list with an item whose every content has the word "secret", between others.
  private func fill(_ list: ListID = "people") throws {
    try repository.commit(
      [.insertSection("s"), .insertSection("t")]
        + (0..<300).map { insertion(ItemID(stringLiteral: "b\($0)"), "other \($0)") }, to: list)
    try repository.commit(
      [insertion(ann, "secret 1"), .moveItem(ann, to: .after("b100"))], to: list)
    // Longer than a page, so that it has pages of its own.
    try repository.commit(
      [update(ann, "secret 2 " + String(repeating: "secret ", count: 5_000))], to: list)
    try repository.commit([update(ann, "secret 3")], to: list)
    try repository.commit([.deleteItem(ann)], to: list)
    try repository.commit([insertion(ann, "secret 4", in: "t")], to: list)
    try repository.commit([.touchItem(ann), .moveItem(ann, in: "s", to: .before("b50"))], to: list)
    try repository.commit([.deleteItem("b49"), .moveItem("b51", to: .before("b50"))], to: list)
    try repository.save(
      [
        MeasuredSize(
          item: ann, size: Size(width: 320, height: 7), cell: "Cell", contentRevision: 0)
      ], for: SizeKey(fittingPixels: 320, environment: LayoutEnvironment()), in: list)
    try repository.save(
      ListViewState(
        selection: ItemSelection(.multiple, ["b1", ann, "b2"]),
        anchor: ListViewState.Anchor(item: ann)), of: list)
    try repository.liveList(ownedBy: ann, in: list, "letters").edit {
      try $0.insertSection("secret letters")
    }
  }

  /// Backups, files that were moved aside, and edits of other processes.
  private func fillFolder() throws {
    _ = try StoreBackup.make(of: file)
    let bytes = try Data(contentsOf: StoreBackup.all(of: file)[0].file)
    let damaged = folder.file(".backups/store.damaged.20250101T000000Z")
    try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: true)
    try bytes.write(to: damaged.appendingPathComponent("store.sqlite"))
    for suffix in ["", "-wal"] {
      try bytes.write(to: folder.file("store.aside.20250101T000000Z-2.sqlite" + suffix))
    }
    let edits = Repository.EditFolder(for: file)
    try edits.append([.deleteItem("nobody"), update(ann, "secret 5")], to: "people")
    try edits.append([.deleteItem("nobody")], to: "people")
    #expect(try repository.importEdits().rejected.count == 2)
    try edits.append([update(ann, "secret 6")], to: "people")
    try Data(#"{"t":"edit","item":"ann@example.org","secret":"#.utf8)
      .write(to: edits.url.appendingPathComponent(".1234-torn"))
  }

  /// Every file of the store's folder, by its path.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      let file = folder.file(path)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      if !isFolder.boolValue { files[path] = try Data(contentsOf: file) }
    }
    return files
  }

  /// Where texts or the hash of an id are.
  private func places(of texts: [String], _ ids: ItemID...) throws -> [String] {
    let patterns =
      texts.map { ($0, Data($0.utf8)) }
      + ids.flatMap { id in
        [
          ("hash of \(id)", withUnsafeBytes(of: id.stableHash.bigEndian) { Data($0) }),
          ("hash of \(id)", withUnsafeBytes(of: id.stableHash.littleEndian) { Data($0) }),
        ]
      }
    return try files().sorted { $0.key < $1.key }.flatMap { path, bytes in
      patterns.filter { bytes.range(of: $0.1) != nil }.map { "\(path): \($0.0)" }
    }
  }

  // MARK: Items

  @Test func noByteOfAnErasedItemIsInAnyFile() throws {
    try fill()
    try fillFolder()
    #expect(try places(of: ["ann@example.org", "secret"], ann).count > 10, "it is there before")
    let commits = try repository.commits(of: "people")
    var others = try repository.tree(of: "people")
    others.sections[0].items.removeAll { $0.id == ann }

    let erased = try repository.erase([.item(ann, of: "people")], by: "officer")
    #expect(erased.isComplete, "\(erased.remaining)")
    #expect(try places(of: ["ann@example.org", "secret", "PersonType\0secret"], ann) == [])
    #expect(erased.itemCount == 1)
    #expect(erased.sectionCount == 0)
    #expect(erased.lists.count == 1)

    // The commits are there, with who and when.
    let after = try repository.commits(of: "people")
    // One of them is the import of an edit that was left.
    let own = try #require(erased.commits.first)
    #expect(after.count == commits.count + 2)
    let revisions = after.map(\.revision)
    #expect(revisions == Array(1...after.count))
    #expect(zip(commits, after).allSatisfy { $0.author == $1.author && $0.time == $1.time })
    #expect(zip(commits, after).allSatisfy { $0.entries.count == $1.entries.count })
    #expect(own.author == "officer" && own.revision == after.count)
    #expect(try repository.undoableCommits(in: "people").last != own.revision)

    var tree = try repository.tree(of: "people")
    tree.revision = others.revision
    #expect(tree == others)
    let state = try repository.viewState(of: "people")
    #expect(state.selection.items == ["b1", "b2"] && state.anchor == nil)
    try checkInvariants(of: file)
    try checkLogAgreesWithRows(of: "people", in: repository)
  }

  /// An earlier revision has something without a content where the item was.
  @Test func whatIsLeftOfEarlierRevisionsIsTold() throws {
    try fill()
    let before = try (0...8).map { try repository.tree(of: "people", at: $0) }
    _ = try repository.erase([.item(ann, of: "people")])
    var ids: Set<ItemID> = []
    for (revision, old) in before.enumerated() {
      let now = try repository.tree(of: "people", at: revision)
      #expect(now.sections.map(\.id) == old.sections.map(\.id))
      for (now, old) in zip(now.sections, old.sections) {
        #expect(now.items.count == old.items.count)
        for (now, old) in zip(now.items, old.items) {
          if old.id == ann {
            ids.insert(now.id)
            #expect(now.id.isErased)
            #expect(now.state.content == .null && now.state.type == nil && now.state.action == nil)
            #expect(now.state.cell == "Cell")
          } else {
            #expect(now == old)
          }
        }
      }
    }
    #expect(ids.count == 1, "it is the same one in all revisions")
    #expect(!ann.isErased)
  }

  @Test func severalThingsOfSeveralListsAreErasedAtOnce() throws {
    try fill()
    try fill("others")
    try fill("third")
    let third = try repository.tree(of: "third")
    let erased = try repository.erase([
      .item("b50", of: "people"), .item(ann, of: "people"), .item("b49", of: "people"),
      .list("others"),
    ])
    #expect(erased.itemCount == 3, "one was deleted before")
    #expect(erased.commits.map(\.list) == ["people"])
    #expect(erased.commits[0].entries.count == 2)
    let letters = { ListOwner(list: $0, item: self.ann, name: "letters").nestedList }
    #expect(erased.lists == ["others", letters("people"), letters("others")])
    #expect(try repository.lists().sorted() == ["people", "third", letters("third")].sorted())
    #expect(try places(of: ["others"]) == [])
    #expect(try repository.tree(of: "third") == third)
    try checkInvariants(of: file)
  }

  @Test func whatIsNotThereIsRefusedAndNothingIsErased() throws {
    try fill()
    _ = try StoreBackup.make(of: file)
    let before = try repository.tree(of: "people")
    func refusal(_ things: [Repository.Erasable]) throws -> StoreError.Code? {
      let error = #expect(throws: StoreError.self) { _ = try repository.erase(things) }
      #expect(error?.file == file.path)
      return error?.code
    }
    #expect(try refusal([.item(ann, of: "people"), .item("anne", of: "people")]) == .itemNotFound)
    #expect(
      try refusal([.item(ann, of: "people"), .section("S", of: "people")]) == .sectionNotFound)
    #expect(try refusal([.item(ann, of: "people"), .item(ann, of: "folks")]) == .listNotFound)
    #expect(try refusal([.item(ann, of: "people"), .list("folks")]) == .listNotFound)
    #expect(try repository.tree(of: "people") == before)
    #expect(StoreBackup.all(of: file).count == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-erasing"))
    let reading = try Repository(readingOnly: file)
    let error = #expect(throws: StoreError.self) { _ = try reading.erase([.list("people")]) }
    #expect(error?.code == .readOnly)
    try checkInvariants(of: file)
  }

  /// It was deleted and the log was truncated, but a screen still had it selected.
  @Test func whatOnlyAScreenKnowsIsErased() throws {
    try fill()
    try repository.commit([.deleteItem(ann)], to: "people")
    try repository.truncateLog(of: "people", keeping: LogRetention(changes: 0))
    #expect(try repository.erase([.item(ann, of: "people")]).isComplete)
    #expect(try places(of: ["ann@example.org", "secret"], ann) == [])
    #expect(throws: StoreError.self) { _ = try repository.erase([.item(ann, of: "people")]) }
    try checkInvariants(of: file)
  }

  /// What no row holds any more can be taken out without naming it.
  @Test func erasingNothingCleansFreePagesAndBackups() throws {
    try fill()
    _ = try StoreBackup.make(of: file)
    try repository.deleteList("people")
    #expect(try places(of: ["secret"]).count > 1)
    let erased = try repository.erase([])
    #expect(erased.isComplete && erased.commits.isEmpty && erased.deletedFiles.count == 1)
    #expect(try places(of: ["ann@example.org", "secret"], ann) == [])
    #expect(erased.backup == StoreBackup.all(of: file).first?.file)
  }

  /// The beginning of the log is at a revision that had the item.
  @Test func theBeginningOfATruncatedLogHasNothingOfIt() throws {
    try fill()
    try repository.truncateLog(of: "people", keeping: LogRetention(changes: 4))
    let floor = try #require(try repository.commits(of: "people").first).revision - 1
    #expect(floor > 2)
    _ = try repository.erase([.item(ann, of: "people")])
    #expect(try places(of: ["ann@example.org", "secret"], ann) == [])
    _ = try repository.tree(of: "people", at: floor)
    try checkInvariants(of: file)
  }

  // MARK: Sections

  @Test func aSectionGoesWithWhatWasInIt() throws {
    try fill()
    let header = Supplementary(view: "Header", content: #""secret header""#)
    try repository.commit(
      [
        .insertSection("secret section", SectionAttributes(header: header, meta: #""secret""#)),
        insertion("secret 1", "secret", in: "secret section"),
        insertion("secret 2", "secret", in: "secret section"),
        insertion("moved out", "public", in: "secret section"),
        insertion("secret 3", "secret", in: "secret section"),
      ], to: "people")
    try repository.commit(
      [
        .deleteItem("secret 1"), .moveItem("moved out", in: "t", to: .start),
        .moveSection("secret section", to: .start), .moveItem("b7", in: "secret section", to: .end),
        .updateSection("secret section", SectionUpdate(meta: .set(#""more secret""#))),
      ], to: "people")
    try repository.commit([.deleteItem(ann)], to: "people")
    let erased = try repository.erase([.section("secret section", of: "people")])
    #expect(erased.itemCount == 4)
    #expect(erased.sectionCount == 1)
    let tree = try repository.tree(of: "people")
    #expect(tree.sections.map(\.id) == ["s", "t"])
    #expect(tree.sections[1].items.map(\.id) == ["moved out"])
    _ = try repository.erase([.item(ann, of: "people")])
    #expect(try places(of: ["secret", "other 7\""], "secret 1", "secret 3", "b7") == [])
    try checkInvariants(of: file)
    try checkLogAgreesWithRows(of: "people", in: repository)
  }

  @Test func aDeletedSectionIsErasedFromTheLog() throws {
    try repository.commit(
      [.insertSection("old"), insertion("secret", "secret", in: "old"), .insertSection("new")],
      to: "people")
    try repository.commit([.deleteSection("old")], to: "people")
    try repository.undoCommit(2, of: "people")
    try repository.commit([.deleteSection("old")], to: "people")
    let erased = try repository.erase([.section("old", of: "people")])
    #expect(erased.itemCount == 1 && erased.commits[0].entries.isEmpty)
    #expect(try places(of: ["secret"], "secret") == [])
    try checkInvariants(of: file)
  }

  // MARK: Undo

  @Test func nothingBringsItBack() throws {
    try fill()
    try repository.commit([.deleteItem("b3")], to: "people")
    let erasing = try repository.erase([.item(ann, of: "people")]).commits[0].revision
    for revision in [5, erasing] {
      let error = #expect(throws: StoreError.self) {
        try repository.undoCommit(revision, of: "people")
      }
      #expect(error?.code == .erased, "\(revision)")
    }
    // The step of the user after it, and one that inserted it.
    #expect(try repository.undo(in: "people")?.revisions == [erasing - 1])
    for revision in [2, 3] {
      #expect(try repository.undoCommit(revision, of: "people").entries.isEmpty)
    }
    try checkInvariants(of: file)
  }

  // MARK: Pending edits

  @Test func pendingEditsLoseWhatNamesIt() throws {
    try fill()
    let list = repository.liveList("people")
    try list.editPending { try $0.apply(update(ann, "secret 5")) }
    let mixed = try list.editPending {
      try $0.apply(insertion("new", "secretary's"))
      try $0.apply(update(ann, "secret 6"))
      try $0.apply(.moveItem("b9", to: .after(ann)))
    }
    try list.edit { try $0.apply(.deleteItem("b10")) }
    _ = try repository.erase([.item(ann, of: "people")])
    #expect(try places(of: ["ann@example.org", "secret 5", "secret 6"], ann) == [])
    let left = try #require(try list.pendingEdits().first)
    #expect(try list.pendingEdits().count == 1)
    #expect(left.id == mixed.edit?.id)
    #expect(left.changes.count == 2)
    #expect(left.changes.last == .moveItem("b9", in: "s", to: .index(49)))
    try checkInvariants(of: file)
    // The server refuses what is left: all of it goes.
    let before = try repository.tree(of: "people", at: 8)
    try repository.reject(left.id, of: "people", why: nil)
    let ids = before.sections.flatMap(\.items).map(\.id).filter { !$0.isErased && $0 != "b10" }
    #expect(try repository.tree(of: "people").sections.flatMap { $0.items.map(\.id) } == ids)
    try checkInvariants(of: file)
  }

  @Test func aConflictThatShowsItIsDeleted() throws {
    try fill()
    let list = repository.liveList("people")
    let edit = try #require(try list.editPending { try $0.apply(update(ann, "secret 5")) }.edit)
    try repository.reject(edit.id, of: "people", why: "secret, says ann@example.org")
    #expect(try list.pendingEdits().count == 1)
    _ = try repository.erase([.item(ann, of: "people")])
    #expect(try list.pendingEdits().isEmpty)
    #expect(try places(of: ["ann@example.org", "secret"], ann) == [])
    try checkInvariants(of: file)
  }
}
