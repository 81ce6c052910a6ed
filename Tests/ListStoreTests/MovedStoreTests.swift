import Foundation
import ListModel
import ListStore
import Providers
import TestSupport
import Testing

/// A commit to a file that nobody finds any more is not acknowledged.
@Suite struct MovedStoreTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
    file = inner.appendingPathComponent("store.sqlite")
    repository = try Repository(at: file)
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s")],
      to: "list")
  }

  /// Expects that nothing is written or read anew, and that what is pinned goes on.
  private func expectRefusals(_ words: String, _ provider: Provider) throws {
    let writes: [() throws -> Void] = [
      { try repository.commit([.insertSection("t")], to: "list") },
      { try repository.commit([], to: "new") },
      { try repository.edit("list") { try $0.apply(.insertSection("t")) } },
      { try repository.undoCommit(1, of: "list") },
      { try repository.deleteList("list") }, { _ = try repository.tree(of: "list") },
      { _ = try repository.revision(of: "list") }, { _ = try repository.provider(for: "list") },
    ]
    for write in writes {
      let failure = #expect(throws: StoreError.self) { try write() }
      #expect(failure?.code == .movedStore)
      #expect(failure?.file == file.path)
      #expect(failure?.message.contains(words) == true)
    }
    #expect(provider.sectionID(at: 0) == "s")
    #expect(provider.item(at: ItemPath(section: 0, item: 0))?.id == "a")
  }

  @Test func aFolderThatWasDeleted() throws {
    let provider = try repository.provider(for: "list")
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
    try expectRefusals("was deleted or moved", provider)
  }

  @Test func aFolderThatWasMovedAndMovedBack() throws {
    let provider = try repository.provider(for: "list")
    let inner = file.deletingLastPathComponent()
    try FileManager.default.moveItem(at: inner, to: folder.file("elsewhere"))
    try expectRefusals("was deleted or moved", provider)
    try FileManager.default.moveItem(at: folder.file("elsewhere"), to: inner)
    #expect(try repository.commit([.insertSection("t")], to: "list").revision == 2)
    #expect(try Repository(existing: file).tree(of: "list").sections.map(\.id) == ["s", "t"])
  }

  @Test func aFileThatAnotherOneReplaced() throws {
    let provider = try repository.provider(for: "list")
    let other = folder.file("other.sqlite")
    try Repository(at: other).commit([.insertSection("theirs")], to: "list")
    _ = rename(other.path, file.path)
    try expectRefusals("another file has taken the place", provider)
  }
}
