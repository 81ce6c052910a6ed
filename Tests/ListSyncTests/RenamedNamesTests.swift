import BatchUpdates
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// A screen is told when another connection renames what it shows.
@Suite struct RenamedNamesTests {
  @Test func renamesOfAnotherConnectionChangeWhatIsShownInPlace() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let repository = try Repository(at: file)
    try repository.edit("shelf") { list throws in
      try list.insertSection(
        "a", .init(header: Supplementary(view: "Old", content: "1")))
      for id in ["x", "y"] as [ItemID] {
        try list.insert(Item(id: id, cell: "Cell", content: "1", type: "Book"), in: "a")
      }
    }
    let shelf = repository.liveList("shelf")
    var shown = try shelf.provider()
    let paths = [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)]
    let other = try Repository(existing: file)

    try other.renameType("Book", to: "Novel")
    #expect(try shelf.advance(&shown).stages.map(\.reconfigureItems) == [paths])
    try other.setContents(ofType: "Novel") { _ in "2" }
    #expect(try shelf.advance(&shown).stages.map(\.reconfigureItems) == [paths])
    // Another cell: the view needs another one.
    try other.renameCell("Cell", to: "NovelCell")
    #expect(try shelf.advance(&shown).stages.map(\.reloadItems) == [paths])
    try other.renameView("Old", to: "New")
    #expect(try shelf.advance(&shown).stages.map(\.updateSections) == [[0]])
    #expect(shown.tree == (try repository.tree(of: "shelf")))
  }
}
