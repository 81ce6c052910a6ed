import Cellar
import TestSupport
import Testing

/// What the article on live lists says is what happens.
@Suite struct LiveListsTests {
  @Test func theExamplesDoWhatTheArticleSays() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let shelf = repository.liveList(
      "shelf", items: [LiveListsExample.Book.self, FieldItem.self])
    let dune = LiveListsExample.Book(id: "dune", title: "Dune")
    #expect(try LiveListsExample.replace(shelf, more: [dune], showsAd: true)?.revision == 1)
    #expect(try LiveListsExample.replace(shelf, more: [dune], showsAd: true) == nil)
    try LiveListsExample.edit(shelf, books: [.init(id: "faust", title: "Faust")])
    let ids = try repository.tree(of: "shelf").sections.map { $0.items.map(\.id.rawValue) }
    #expect(ids == [["emma", "dune", "ad"], ["faust"]])

    let (lines, continuation) = AsyncStream<String>.makeStream()
    continuation.yield(#"{"t":"commit","list":"shelf","seq":"1","ops":[]}"#)
    continuation.finish()
    #expect(try await LiveListsExample.follow(shelf, lines: lines).applied == 1)

    let state = try LiveListsExample.viewState(shelf)
    #expect(state.selection.items == ["emma"])
    #expect(state.anchor == ListViewState.Anchor(item: "dune", offset: -12))

    let chapters = try LiveListsExample.nested(shelf)
    #expect(try repository.nestedLists(of: "emma", in: "shelf") == ["chapters": chapters.id])
  }
}
