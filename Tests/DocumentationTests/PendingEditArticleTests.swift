import Cellar
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

/// What the article on pending edits says is what happens.
@Suite struct PendingEditArticleTests {
  @Test(.timeLimit) func theExamplesDoWhatTheArticleSays() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let shelf = repository.liveList("shelf", items: [PendingEditsExample.Book.self])
    try await shelf.replace { ListSection("s") { PendingEditsExample.Book(id: "emma") } }
    let shown = Guarded<[String]>([])
    let following = Task {
      await PendingEditsExample.follow(shelf) { edit in shown.withValue { $0.append(edit.id) } }
    }
    // Until it listens, which it does from its first step on.
    while shown.withValue({ $0.isEmpty }) {
      let probe = try await shelf.editPending { try $0.move("emma", to: .end) }.edit?.id ?? ""
      try shelf.reject(probe)
      try shelf.discard(probe)
      await Task.yield()
    }
    try PendingEditsExample.edit(shelf)
    try PendingEditsExample.edit(shelf)
    let edits = try shelf.pendingEdits()
    #expect(edits.count == 2)
    let server = PendingEditsExample.Server()
    let sending = PendingEditsExample.send(shelf, to: server)
    while !shown.withValue({ $0.contains(edits[1].id) }) { await Task.yield() }
    sending.cancel()
    following.cancel()
    _ = await sending.result
    await following.value
    #expect(await server.ids == edits.map(\.id))
    #expect(!shown.withValue { $0 }.contains(edits[0].id))
    #expect(try shelf.pendingEdits().map(\.state) == [.accepted, .rejected(why: nil)])
  }
}
