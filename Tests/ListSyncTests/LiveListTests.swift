import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import SuiteSupport
import TestSupport
import Testing

private final class BookCell {}

private struct Book: ListItem, Equatable {
  var id: String, title: String
  func configure(_ cell: BookCell) {}
}

/// A list as a screen uses it.
@Suite struct LiveListTests {
  private let folder: TemporaryFolder
  private let repository: Repository
  private let shelf: LiveList

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    shelf = repository.liveList("shelf", items: [Book.self])
  }

  // MARK: Types

  private struct Quote: ListItem {
    var id: String
    func configure(_ cell: BookCell) {}
  }
  private enum Library {
    struct Book: ListItem {
      var id: String
      func configure(_ cell: BookCell) {}
    }
  }
  private struct Header: ListSupplementary {
    func configure(_ view: BookCell) {}
  }

  @Test func whatTheListWasNotToldOfIsNotWritten() throws {
    try add("a")
    let before = try shelf.tree()
    let edits: [(any Error.Type, (ListEditor) throws -> Void)] = [
      (ItemTypeError.self, { try $0.insert(Quote(id: "q"), in: "books") }),
      (ItemTypeError.self, { try $0.insert([Quote(id: "q")], in: "books") }),
      (ItemTypeError.self, { try $0.insert(Library.Book(id: "q"), in: "books") }),
      (ItemTypeError.self, { try $0.update(Library.Book(id: "a")) }),
      (ListBuildError.self, { try $0.insert(in: "books") { Quote(id: "q") } }),
      (ListBuildError.self, { try $0.insertSection(ListSection("t") { Quote(id: "q") }) }),
      (ListBuildError.self, { try $0.replaceAll { ListSection("t") { Quote(id: "q") } } }),
      (
        SupplementaryTypeError.self,
        { try $0.updateSection("books") { $0.header = try Supplementary(Header()) } }
      ),
      (
        SupplementaryTypeError.self,
        { try $0.replaceAll { ListSection("t", footer: try Supplementary(Header())) {} } }
      ),
    ]
    for (index, (cause, edit)) in edits.enumerated() {
      let failure = #expect(throws: StoreError.self, "\(index)") { try shelf.edit(edit) }
      #expect(failure?.code == .invalidValue, "\(index)")
      #expect(failure?.cause.map { Swift.type(of: $0) == cause } == true, "\(index)")
    }
    #expect(try shelf.tree() == before)
    // A list that is told of them takes them, and so does one that is for edits alone.
    let told = repository.liveList("shelf", items: [Quote.self], supplementaries: [Header.self])
    try told.edit { list in
      try list.insert(Quote(id: "q"), in: "books")
      try list.updateSection("books") { $0.header = try Supplementary(Header()) }
    }
    try repository.liveList("shelf").edit { try $0.insert(Library.Book(id: "l"), in: "books") }
    // What others have written stays, and stays in the way of nothing.
    try shelf.edit { try $0.updateSection("books") { $0.meta = "1" } }
    try shelf.replace(with: shelf.tree().sections)
  }

  @Test func twoTypesOfOneNameAreAnErrorWhereverTheListIsUsed() throws {
    try add("a")
    let list = repository.liveList("shelf", items: [Book.self, Library.Book.self])
    var provider = try shelf.provider()
    let calls: [() throws -> Void] = [
      { _ = try list.provider() }, { _ = try list.edit { try $0.delete("a") } },
      { _ = try list.editPending { try $0.delete("a") } },
      { try list.advance(&provider) },
      { try shelf.edit { _ = try $0.editor(of: list) } },
    ]
    for (index, call) in calls.enumerated() {
      let failure = #expect(throws: StoreError.self, "\(index)") { try call() }
      #expect(failure?.code == .invalidValue && failure?.cause is ItemTypeError, "\(index)")
    }
    #expect(try shelf.revision() == 1)
  }

  private func add(_ id: String, by repository: Repository? = nil) throws {
    try (repository?.liveList("shelf") ?? shelf).edit { list throws in
      try list.insertSectionIfMissing("books")
      try list.insert(Book(id: id, title: id), in: "books")
    }
  }

  @Test func aListIsEmptyBeforeItsFirstEditAndIsNotMadeByLooking() throws {
    var provider = try shelf.provider()
    #expect(provider.numberOfSections == 0)
    #expect(try shelf.advance(&provider).mode == .none)
    #expect(try repository.lists().isEmpty)
    try add("emma")
    let update = try shelf.advance(&provider)
    #expect(update.stages.count >= 1)
    #expect(provider.itemID(at: ItemPath(section: 0, item: 0)) == "emma")
    let item = try #require(provider.item(at: ItemPath(section: 0, item: 0)))
    #expect(try shelf.types.value(of: item) as? Book == Book(id: "emma", title: "emma"))
  }

  @Test(.timeLimit) func eachCommitIsToldToWhoListens() async throws {
    try add("a")
    var updates = shelf.updates().makeAsyncIterator()
    try add("b")
    let first = try #require(try await updates.next())
    #expect(first.batch.from == 1)
    #expect(first.provider.numberOfItems == 2)
    // Three at once may be one update, or up to three; none is lost and none comes twice.
    for id in ["c", "d", "e"] { try add(id) }
    var last = first
    while last.provider.numberOfItems < 5 {
      let next = try #require(try await updates.next())
      #expect(next.batch.from == last.batch.to)
      #expect(next.batch.to > next.batch.from)
      last = next
    }
    #expect(last.provider.tree == (try shelf.provider().tree))
  }

  @Test(.timeLimit) func whatWasCommittedBeforeAnybodyListenedIsTheFirstUpdate()
    async throws
  {
    try add("a")
    let shown = try shelf.provider()
    try add("b")
    try add("c")
    var updates = shelf.updates(after: shown).makeAsyncIterator()
    let first = try #require(try await updates.next())
    #expect(first.batch.from == 1)
    #expect(first.batch.to == 3)
  }

  @Test(.timeLimit) func otherListsAreNotTold() async throws {
    try add("a")
    var updates = shelf.updates().makeAsyncIterator()
    try await repository.edit("other") { try $0.insertSection("x") }
    try add("b")
    #expect(try await updates.next()?.provider.numberOfItems == 2)
  }

  @Test(.timeLimit) func everyWayOfCommittingIsTold() async throws {
    try add("a")
    var revisions = repository.revisions(of: "shelf").makeAsyncIterator()
    try repository.commit([.touchItem("a")], to: "shelf")
    #expect(await revisions.next() == 2)
    try add("b")
    #expect(await revisions.next() == 3)
    try repository.undoCommit(3, of: "shelf")
    #expect(await revisions.next() == 4)
    let line = #"{"t":"commit","list":"shelf","seq":"1","ops":[{"op":"touchItem","item":"a"}]}"#
    let feed = folder.file("feed.ndjson")
    try Data((line + "\n").utf8).write(to: feed)
    try repository.apply(FeedReader(file: feed))
    #expect(await revisions.next() == 5)
  }

  @Test(.timeLimit) func commitsOfAnotherConnectionAreUpdates() async throws {
    try add("a")
    var updates = shelf.updates().makeAsyncIterator()
    let other = try Repository(existing: folder.file("store.sqlite"))
    for (revision, id) in zip(2..., ["b", "c", "d"]) {
      try add(id, by: other)
      let update = try #require(try await updates.next())
      #expect(update.batch.from == revision - 1)
      #expect(update.batch.to == revision)
      #expect(update.provider.itemID(at: ItemPath(section: 0, item: revision - 1))?.rawValue == id)
    }
  }

  @Test(.timeLimit) func updatesEndWithTheErrorWhereTheStoreIsReplaced() async throws {
    try add("a")
    var updates = shelf.updates().makeAsyncIterator()
    let other = folder.file("other.sqlite")
    _ = try Repository(at: other)
    _ = rename(other.path, folder.file("store.sqlite").path)
    let failure = await #expect(throws: StoreError.self) { try await updates.next() }
    #expect(failure?.code == .movedStore)
  }

  @Test(.timeLimit) func whoStopsListeningLetsGoOfTheStore() async throws {
    weak var gone: Repository?
    do {
      let repository = try Repository(at: folder.file("other.sqlite"))
      gone = repository
      let task = Task {
        for try await _ in repository.liveList("shelf").updates() {}
      }
      try await repository.edit("shelf") { try $0.insertSection("a") }
      task.cancel()
      _ = await task.result
    }
    // It never ends where somebody holds on to it: the time limit is the test.
    while gone != nil { await Task.yield() }
  }
}
