import Cellar
import Foundation
import TestSupport
import Testing

/// What the article on apps that are suspended says is what happens.
@Suite struct EditFolderArticleTests {
  @Test func theAppImportsWhatAnExtensionHasLeft() throws {
    let folder = try TemporaryFolder()
    let app = EditFolderExample.App(repository: try Repository(at: folder.file("store.sqlite")))
    try app.repository.liveList("shelf").edit { list in
      try list.insertSectionIfMissing("new")
      try list.insert(EditFolderExample.Book(id: "dune", title: "Dune"), in: "new")
    }
    app.didEnterBackground()
    let book = EditFolderExample.Book(id: "ulysses", title: "Ulysses")
    try EditFolderExample.leave(book, for: app.repository.file)
    try app.willEnterForeground()
    let items = try app.repository.tree(of: "shelf").sections[0].items
    #expect(items.map(\.id) == ["ulysses", "dune"])
    #expect(items[1].state.content == #"{"id":"dune","title":"Dune","isRead":false}"#)
    #expect(try app.repository.commits(of: "shelf").last?.author.name == "share")
  }

  @Test func theFileIsAsTheArticleSays() throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.edit("shelf") { list in
      try list.insertSectionIfMissing("new")
      try list.insert(Item(id: "emma", cell: "Cell", content: "1"), in: "new")
    }
    let page = PackageFiles.root.appendingPathComponent(
      "Sources/ListStore/ListStore.docc/EditFolder.md")
    let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    let line = try #require(lines.first { $0.hasPrefix("{\"t\":\"edit\"") })
    let edits = Repository.EditFolder(for: repository.file).url
    try FileManager.default.createDirectory(at: edits, withIntermediateDirectories: true)
    try Data(line.utf8).write(to: edits.appendingPathComponent("1.json"))
    let commit = try #require(try repository.importEdits().commits.first)
    #expect(commit.time == 1_795_392_000_000 && commit.author.name == "share")
    #expect(try repository.tree(of: "shelf").sections[0].items.isEmpty)
  }
}
