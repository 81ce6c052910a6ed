import Foundation
import ListModel
import ListStore
import ListSync
import ListItems
import Providers
import TestSupport
import Testing
import ListTables

/// A write inside the closure of an edit is an error, and the edit goes on.
@Suite struct NestedEditTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s")],
      to: "list")
  }

  private let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())

  /// Every way to write.
  private var writes: [(name: String, write: (Repository) throws -> Void)] {
    [
      ("commit", { try $0.commit([.touchItem("a")], to: "list") }),
      ("commit to another list", { try $0.commit([], to: "other") }),
      ("undo", { try $0.undoCommit(1, of: "list") }),
      ("edit", { try $0.edit("list") { try $0.apply(.touchItem("a")) } }),
      ("live edit", { _ = try $0.liveList("list").edit { try $0.apply(.touchItem("a")) } }),
      ("replace", { try $0.liveList("list").replace(with: []) }),
      ("delete", { try $0.deleteList("list") }),
      ("rename", { try $0.renameCell("C", to: "D") }),
      ("upgrade", { try $0.upgradeContents(of: []) }),
      ("truncate", { try $0.truncateLog(of: "list", keeping: LogRetention(changes: 0)) }),
      ("view state", { try $0.save(ListViewState(), of: "list") }),
      (
        "feed",
        {
          let line = FeedLine(
            list: "list", sequence: 1, author: .app, time: nil,
            digest: [UInt8](repeating: 0, count: 32))
          var position = FeedPosition()
          let source = FeedSource(nil, shownAs: "feed", lists: .all)
          _ = try $0.apply(line, from: source, at: &position) { _ in [] }
        }
      ),
      (
        "sizes",
        { [key] in
          try $0.save(
            [
              MeasuredSize(
                item: "a", size: Size(width: 1, height: 1), cell: "C", contentRevision: 0)
            ], for: key, in: "list")
        }
      ),
    ]
  }

  @Test func eachWayToWriteInsideAnEditIsRefusedAndTheEditGoesOn() throws {
    for (name, write) in writes {
      let before = try repository.revision(of: "list")
      let result = try repository.edit("list") { list in
        try list.apply(.updateItem("a", ItemUpdate(content: .set("\"before\""))))
        let failure = #expect(throws: StoreError.self, "\(name)") { try write(repository) }
        #expect(failure?.code == .nestedEdit, "\(name)")
        #expect(failure?.message.contains("finish the edit first") == true)
        let after = JSON(stringLiteral: "\"\(name)\"")
        try list.apply(.updateItem("a", ItemUpdate(content: .set(after))))
      }
      #expect(result.commit?.revision == before + 1, "\(name)")
      let item = try repository.tree(of: "list").sections[0].items[0]
      #expect(item.state.content.text == "\"\(name)\"")
    }
    #expect(try repository.lists() == ["list"])
    #expect(try repository.checkInvariants().isEmpty)
    // Afterwards all is as ever, also for a store whose last write was refused.
    for (name, write) in writes where !["delete", "replace", "undo"].contains(name) {
      try write(repository)
    }
  }

  @Test func anErrorThatTheClosureLetsThroughLeavesNothing() throws {
    let before = try repository.tree(of: "list")
    let failure = #expect(throws: StoreError.self) {
      try repository.edit("list") { list in
        try list.apply(.deleteItem("a"))
        try repository.edit("other") { try $0.apply(.insertSection("t")) }
      }
    }
    #expect(failure?.code == .nestedEdit)
    #expect(try repository.tree(of: "list") == before)
    #expect(try repository.commit([], to: "list").revision == before.revision + 1)
  }

  @Test func readingAndWaitingSizesAndAnotherStoreAreFine() throws {
    let other = try Repository(at: folder.file("other.sqlite"))
    try repository.edit("list") { list in
      try list.apply(.deleteItem("a"))
      #expect(try repository.tree(of: "list").itemCounts == [1], "the store before the edit")
      #expect(try repository.provider(for: "list").numberOfItems == 1)
      repository.flushSizes()
      repository.suspend()
      try other.commit([.insertSection("t")], to: "theirs")
      try other.edit("theirs") { try $0.apply(.insertSection("u")) }
    }
    #expect(try repository.tree(of: "list").itemCounts == [0])
    #expect(try other.tree(of: "theirs").sections.count == 2)
  }

  @Test func anotherThreadWaits() async throws {
    let repository = repository
    let commit = try await repository.edit("list") { list -> Task<Commit, any Error> in
      try list.apply(.touchItem("a"))
      return Task.detached { try repository.commit([.touchItem("a")], to: "list") }
    }.value
    #expect(try await commit.value.revision == 3)
  }
}
