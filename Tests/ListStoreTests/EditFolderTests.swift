import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Edits that other processes leave beside a store.
@Suite struct EditFolderTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let edits: Repository.EditFolder

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    edits = Repository.EditFolder(for: repository.file)
    try repository.edit("shelf") { try $0.insertSectionIfMissing("s") }
  }

  private func insertion(_ item: ItemID) -> Change {
    .insertItem(Item(id: item, cell: "Cell", content: "1"), in: "s", at: .end)
  }

  private func items() throws -> [String] {
    try repository.tree(of: "shelf").sections.flatMap { $0.items.map(\.id.rawValue) }
  }

  @Test func editsAreImportedOnceInTheirOrder() throws {
    #expect(try repository.importEdits().commits.isEmpty)
    let extensionAuthor: Author = "share"
    for number in 0..<5 {
      try edits.append(
        [insertion(ItemID(stringLiteral: "i\(number)"))], to: "shelf", by: extensionAuthor)
    }
    let imported = try repository.importEdits()
    #expect(imported.commits.map(\.revision) == [2, 3, 4, 5, 6])
    #expect(imported.commits.allSatisfy { $0.author == extensionAuthor && $0.time != nil })
    #expect(try items() == ["i0", "i1", "i2", "i3", "i4"])
    #expect(try repository.importEdits().commits.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: edits.url.path).isEmpty)
    #expect(try repository.undo(in: "shelf", by: extensionAuthor)?.revisions == [6])
    #expect(try repository.checkInvariants() == [])
  }

  @Test func anEditTakesNoMoreBytesThanItSays() throws {
    let most = Repository.EditFolder.maximumByteCount
    func append(_ byteCount: Int) throws {
      let content = JSON(minified: "\"" + String(repeating: "a", count: byteCount) + "\"")
      try edits.append(
        [.insertItem(Item(id: "a", cell: "Cell", content: content), in: "s", at: .end)],
        to: "shelf")
    }
    let failure = #expect(throws: StoreError.self) { try append(most) }
    #expect(failure?.code == .feedLimit)
    try append(1)
    let files = try FileManager.default.contentsOfDirectory(atPath: edits.url.path)
    let file = edits.url.appendingPathComponent(try #require(files.first))
    // As another program could leave it.
    let line = try Data(contentsOf: file)
    try (Data(repeating: UInt8(ascii: " "), count: most + 1 - line.count) + line).write(to: file)
    let imported = try repository.importEdits()
    #expect(imported.commits.isEmpty)
    #expect(imported.rejected.map(\.error.code) == [.feedLimit])
  }

  @Test func filesThatCameBackAreNotImportedAgain() throws {
    try edits.append([insertion("a")], to: "shelf", by: .app)
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: edits.url.path).first)
    let file = edits.url.appendingPathComponent(name)
    let bytes = try Data(contentsOf: file)
    try repository.importEdits()
    // As after a kill between the commit and the deletion.
    try bytes.write(to: file)
    let again = try repository.importEdits()
    #expect(again.commits.isEmpty && again.rejected.isEmpty)
    #expect(try items() == ["a"])
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func whatDoesNotFitIsKeptAsideAndTold() throws {
    try edits.append([insertion("a"), .deleteItem("nobody")], to: "shelf")
    try edits.append([.deleteItem("nobody")], to: "new")
    try edits.append([insertion("b")], to: "shelf")
    try Data("{\"t\":".utf8).write(to: edits.url.appendingPathComponent("zz.json"))
    let imported = try repository.importEdits()
    #expect(imported.commits.count == 1)
    #expect(imported.rejected.map(\.error.code) == [.itemNotFound, .itemNotFound, .malformedFeed])
    #expect(try items() == ["b"])
    #expect(try repository.lists() == ["shelf"])
    for rejected in imported.rejected {
      #expect(FileManager.default.fileExists(atPath: rejected.file.path))
    }
    #expect(try repository.importEdits().rejected.isEmpty)
    #expect(try repository.checkInvariants() == [])
  }

  /// An edit nests deeper than its contents, which a store could not read again.
  @Test(arguments: [
    ##"{"op":"insertItem","item":"i","section":"s","cell":"C","content":[#]}"##,
    ##"{"op":"setMembers","item":"a","members":{"m":#}}"##, ##"{"op":"updateList","meta":[#]}"##,
    ##"{"op":"updateSection","section":"s","header":{"view":"H","content":[#]}}"##,
  ])
  func contentThatNestsTooDeepIsKeptAside(_ operation: String) throws {
    try repository.edit("shelf") {
      try $0.apply(.insertItem(Item(id: "a", cell: "C", content: "{}"), in: "s", at: .end))
    }
    try FileManager.default.createDirectory(at: edits.url, withIntermediateDirectories: true)
    for (name, levels) in [("1.json", 32), ("2.json", 31)] {
      let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let operation = operation.replacing("#", with: value)
      try Data("{\"t\":\"edit\",\"list\":\"shelf\",\"ops\":[\(operation)]}".utf8)
        .write(to: edits.url.appendingPathComponent(name))
    }
    let imported = try repository.importEdits()
    #expect(imported.rejected.map(\.error.code) == [.malformedFeed])
    #expect(imported.commits.count == 1)
    #expect(try repository.checkInvariants() == [])
    #expect(try repository.tree(of: "shelf").revision == 3)
  }

  private struct Note: ListItem {
    var id: String, text: String, isRead = false
    func configure(_ cell: EditFolderTests.Cell) {}
  }
  private final class Cell {}

  private func notes() throws -> [Note] {
    try repository.tree(of: "shelf").sections.flatMap { try $0.items.map { try $0.value() } }
  }

  @Test func valuesFitWhateverTheListHasByThen() throws {
    try edits.edit("shelf", by: "share") { list in
      try list.insert(Note(id: "a", text: "A"), in: "s")
      try list.upsert(Note(id: "b", text: "B"), in: "s", at: .start)
      try list.upsert(Note(id: "a", text: "AA"), in: "s")
      try list.set(["isRead": true, "others": [1, 2]], of: "b")
      list.deleteIfPresent("gone")
    }
    try edits.edit("shelf") { $0.deleteIfPresent("gone") }
    try edits.edit("new") { $0.deleteIfPresent("gone") }
    try edits.edit("shelf") { _ in }
    #expect(try FileManager.default.contentsOfDirectory(atPath: edits.url.path).count == 3)
    let imported = try repository.importEdits()
    #expect(imported.commits.count == 1 && imported.rejected.isEmpty)
    #expect(try repository.lists() == ["shelf"])
    #expect(try notes().map(\.id) == ["b", "a"])
    #expect(try notes().map(\.text) == ["B", "AA"] && notes().map(\.isRead) == [true, false])
    let content = try repository.tree(of: "shelf").sections[0].items[0].state.content
    #expect(content == #"{"id":"b","isRead":true,"text":"B","others":[1,2]}"#)
    #expect(try FileManager.default.contentsOfDirectory(atPath: edits.url.path).isEmpty)
    try edits.edit("shelf", pending: true) { $0.delete("a") }
    #expect(try repository.importEdits().commits.count == 1)
    #expect(try repository.liveList("shelf").pendingEdits().count == 1)
    #expect(try repository.checkInvariants() == [])
  }

  @Test func membersOfWhatHasNoneAreRejected() throws {
    try repository.edit("shelf") { list in
      try list.insert(Item(id: "n", cell: "C", content: "1"), in: "s")
    }
    try edits.edit("shelf") { try $0.set(["isRead": true], of: "n") }
    try edits.edit("shelf") { try $0.set(["isRead": true], of: "gone") }
    try edits.edit("new") { try $0.upsert(Note(id: "a", text: ""), in: "gone") }
    let imported = try repository.importEdits()
    let codes: [StoreError.Code] = [.invalidValue, .itemNotFound, .sectionNotFound]
    #expect(imported.rejected.map(\.error.code) == codes)
    #expect(try repository.lists() == ["shelf"])
    let failure = #expect(throws: StoreError.self) {
      try edits.edit("shelf") { try $0.insert(Note(id: "", text: ""), in: "s") }
    }
    #expect(failure?.code == .invalidValue)
  }

  @Test func aPendingEditEntersTheOutbox() throws {
    try edits.append([insertion("a")], to: "shelf", pending: true)
    try repository.importEdits()
    #expect(try repository.pendingEdits(of: "shelf").map(\.state) == [.waiting])
  }

  @Test func severalThreadsAppendAndTwoRepositoriesImport() async throws {
    let (edits, other) = (edits, try Repository(at: repository.file))
    let repository = repository
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            let id = ItemID(stringLiteral: "w\(writer)-\(number)")
            let item = Item(id: id, cell: "Cell", content: "1")
            try edits.append([.insertItem(item, in: "s", at: .end)], to: "shelf")
          }
        }
      }
      for importer in [repository, other] {
        group.addTask { for _ in 0..<20 { try importer.importEdits() } }
      }
      try await group.waitForAll()
    }
    try repository.importEdits()
    let items = try items()
    #expect(items.count == 200 && Set(items).count == 200)
    for writer in 0..<4 {
      let own = items.filter { $0.hasPrefix("w\(writer)-") }
      #expect(own == (0..<50).map { "w\(writer)-\($0)" })
    }
  }

  @Test func moreEditsThanASliceAreImportedInOrder() throws {
    let ids = (0..<1_050).map { "\($0)" }
    for id in ids { try edits.append([insertion(ItemID(stringLiteral: id))], to: "shelf") }
    #expect(try repository.importEdits().commits.count == ids.count)
    #expect(try items() == ids)
    #expect(try FileManager.default.contentsOfDirectory(atPath: edits.url.path).isEmpty)
  }

  /// For instance because the folder is on a volume that is only read by now.
  @Test(.enabled(if: geteuid() != 0, "root deletes in any folder"))
  func editsThatCanNotBeDeletedAreImportedOnce() throws {
    for number in 0..<1_001 {
      try edits.append([insertion(ItemID(stringLiteral: "\(number)"))], to: "shelf")
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o555], ofItemAtPath: edits.url.path)
    defer {
      try? FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: edits.url.path)
    }
    #expect(try repository.importEdits().commits.count == 1_001)
    #expect(try repository.importEdits().commits.isEmpty)
    #expect(try items().count == 1_001)
  }

  @Test func aFileThatGoesWhileItIsImportedIsNoError() throws {
    try edits.append([insertion("a")], to: "shelf")
    // It is listed, and there is nothing to read.
    try FileManager.default.createSymbolicLink(
      at: edits.url.appendingPathComponent("0.json"),
      withDestinationURL: folder.file("nothing"))
    try edits.append([insertion("b")], to: "shelf")
    let imported = try repository.importEdits()
    #expect(imported.commits.count == 2 && imported.rejected.isEmpty)
    #expect(try items() == ["a", "b"])
  }

  @Test func oneOfSeveralImportersPutsAnEditAside() async throws {
    for number in 0..<200 {
      try edits.append([.deleteItem("nobody")], to: "shelf")
      try edits.append([insertion(ItemID(stringLiteral: "i\(number)"))], to: "shelf")
    }
    let importers = try [repository] + (0..<3).map { _ in try Repository(at: repository.file) }
    let imports = try await withThrowingTaskGroup(of: Repository.Imported.self) { group in
      for importer in importers { group.addTask { try importer.importEdits() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let files = imports.flatMap { $0.rejected.map(\.file.lastPathComponent) }
    #expect(files.count == 200 && Set(files).count == 200)
    #expect(imports.reduce(0) { $0 + $1.commits.count } == 200)
    #expect(try items().count == 200)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: edits.url.path) == ["rejected"])
  }

  /// A process that appends and imports is killed at random moments.
  @Test func noEditIsLostOrImportedTwiceByAKill() throws {
    let kills = ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init) ?? 12
    var generator = SeededGenerator(seed: 20)
    var appended: [String] = []
    for kill in 0..<kills {
      let process = try StoreProcess(
        repository.file, ["import"], output: folder.file("output-\(kill)"))
      process.waitForOutput()
      usleep(UInt32(generator.number(0..<40_000)))
      let lines = try process.killAndRead()
      let reader = try Repository(existing: repository.file)
      let imported = try reader.importEdits()
      #expect(imported.rejected.isEmpty, "kill \(kill)")
      appended += lines.map(String.init)
      let items = try items()
      #expect(Set(items).count == items.count, "kill \(kill)")
      #expect(Set(appended).subtracting(items).isEmpty, "kill \(kill): an edit is lost")
      // One may have been appended and not told of.
      #expect(items.count - appended.count <= kill + 1, "kill \(kill)")
      #expect(try reader.checkInvariants() == [], "kill \(kill)")
    }
  }
}
