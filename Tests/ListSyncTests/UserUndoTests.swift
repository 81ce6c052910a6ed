import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing
import ListTables

/// Undo and redo as a user has them: of an author, in steps, across relaunches.
@Suite struct UserUndoTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let shelf: LiveList
  private let widget: Author

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("store.sqlite")
    shelf = try Repository(at: file).liveList("shelf")
    widget = "widget"
    try shelf.edit(by: .feed) { try $0.insertSectionIfMissing("s") }
  }

  private func insert(_ items: ItemID..., by author: Author = .app) throws {
    try shelf.edit(by: author) { list in
      for item in items { try list.insert(Item(id: item, cell: "Cell", content: "1"), in: "s") }
    }
  }

  private func items(_ shelf: LiveList? = nil) throws -> [String] {
    try (shelf ?? self.shelf).tree().sections.flatMap { $0.items.map(\.id.rawValue) }
  }

  @Test func undoingTwiceGoesFurtherBackAndRedoComesForth() throws {
    try insert("a")
    try insert("b")
    try insert("w", by: widget)
    #expect(try shelf.undo()?.commit.undoes == 3)
    #expect(try items() == ["a", "w"])
    #expect(try shelf.undo()?.revisions == [2])
    #expect(try items() == ["w"])
    #expect(try shelf.undo() == nil)
    #expect(try !shelf.canUndo() && shelf.canRedo())
    #expect(try shelf.redo()?.commit.author == .app)
    #expect(try items() == ["a", "w"])
    try shelf.redo()
    #expect(try Set(items()) == ["a", "b", "w"])
    #expect(try shelf.redo() == nil)
    // A redo is undone like an edit.
    try shelf.undo()
    #expect(try items() == ["a", "w"])
  }

  /// Code that does what no user did has a value of the list for it, and says so once.
  @Test func commitsOfAnotherAuthorAreNoStepsForTheUser() throws {
    let pages = shelf.authored(by: "pages")
    try insert("a")
    try shelf.undo()
    try pages.edit { try $0.insert(Item(id: "p", cell: "Cell", content: "1"), in: "s") }
    #expect(try shelf.canRedo() && !shelf.canUndo())
    #expect(try shelf.redo()?.commit.author == .app)
    try pages.replace(with: shelf.tree().sections + [ListTree.Section(id: "t")])
    try pages.commit([.insertSection("u")])
    try pages.editPending { try $0.setMeta("1") }
    #expect(try shelf.commits().suffix(3).map(\.author.name) == ["pages", "pages", "pages"])
    try shelf.undo()
    #expect(try items() == ["p"])
    #expect(try shelf.undo() == nil)
    // The author's own steps are taken back through its value.
    #expect(try pages.undo()?.commit.author == "pages")
    #expect(try pages.undo()?.commit.author == "pages")
    #expect(try shelf.tree().sections.map(\.id) == ["s", "t"])
    let chapters = pages.nested(in: "p", "chapters")
    try chapters.edit { try $0.insertSectionIfMissing("s") }
    #expect(try chapters.commits().map(\.author) == ["pages"])
  }

  @Test func anEditEndsRedo() throws {
    try insert("a")
    try shelf.undo()
    try insert("w", by: widget)
    #expect(try shelf.canRedo())
    try insert("b")
    #expect(try !shelf.canRedo() && shelf.redo() == nil)
    #expect(try items() == ["w", "b"])
  }

  @Test func aGroupIsOneStepAlsoAfterARelaunch() async throws {
    try insert("a")
    try shelf.undoGroup {
      try insert("b")
      try insert("w", by: widget)
      try insert("c")
    }
    try await shelf.undoGroup {
      try await shelf.edit { try $0.delete("a") }
      try await shelf.edit { try $0.delete("b") }
    }
    let again = try Repository(at: file).liveList("shelf")
    #expect(try again.repository.undoableCommits(in: "shelf") == [6, 7])
    #expect(try await again.undo()?.revisions == [6, 7])
    #expect(try Set(items(again)) == ["a", "b", "w", "c"])
    #expect(try await again.undo()?.revisions == [3, 5])
    #expect(try items(again) == ["a", "w"])
    #expect(try await again.undo(by: widget)?.revisions == [4])
    try await again.redo()
    #expect(try Set(items(again)) == ["a", "b", "c"])
    #expect(try again.repository.checkInvariants() == [])
  }

  @Test func whatOthersHaveChangedStaysAndIsTold() throws {
    try insert("a", "b", "c")
    try shelf.edit { list in
      for item in ["a", "b"] as [ItemID] {
        try list.apply(.updateItem(item, ItemUpdate(content: .set("2"))))
      }
      try list.delete("c")
    }
    try shelf.edit(by: widget) { try $0.apply(.updateItem("a", ItemUpdate(content: .set("3")))) }
    let undone = try #require(try shelf.undo())
    #expect(undone.keptItems == ["a"])
    #expect(try shelf.tree().sections[0].items.map(\.state.content) == ["3", "1", "1"])
  }

  @Test func feedsRenamesAndEmptyEditsAreNoSteps() throws {
    try insert("a")
    let line =
      #"{"t":"commit","list":"shelf","seq":"1","by":"app","ops":[{"op":"deleteItem","item":"a"}]}"#
    try shelf.repository.apply(FeedReader(file: folder.write(line + "\n", to: "feed.ndjson")))
    try shelf.repository.commit([], to: "shelf")
    try shelf.repository.renameCell("Cell", to: "Other")
    #expect(try shelf.repository.undoableCommits(in: "shelf") == [2])
    try shelf.undo()
    #expect(try shelf.undo() == nil)
  }

  @Test func editsOfChildTasksAreOneStep() async throws {
    let repository = shelf.repository
    for round in 0..<20 {
      try await shelf.undoGroup {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<4 {
            let item = Item(
              id: ItemID(stringLiteral: "\(round)-\(number)"), cell: "C", content: "1")
            group.addTask {
              try repository.commit([.insertItem(item, in: "s", at: .end)], to: "shelf")
            }
          }
          try await group.waitForAll()
        }
      }
      #expect(try repository.undoableCommits(in: "shelf").count == 4)
    }
  }

  @Test func aStepOfWhichTheLogHasLostAPartIsNotUndone() throws {
    try shelf.undoGroup {
      try insert("a")
      try insert("b")
      try insert("c")
    }
    try shelf.repository.truncateLog(of: "shelf", keeping: LogRetention(changes: 2))
    #expect(try shelf.history().map(\.revision) == [4, 3])
    #expect(try !shelf.canUndo() && shelf.undo() == nil)
    try insert("d")
    #expect(try shelf.undo()?.revisions == [5])
    #expect(try !shelf.canUndo() && shelf.redo()?.revisions == [6])
    #expect(try items() == ["a", "b", "c", "d"])
  }

  @Test func whatTheLogHasNoMoreIsNotUndone() throws {
    var options = Repository.Options()
    options.logRetention = nil
    let shelf = try Repository(at: file, options: options).liveList("shelf")
    try insert("a")
    try insert("b")
    try shelf.undo()
    try shelf.repository.truncateLog(of: "shelf", keeping: LogRetention(changes: 1))
    #expect(try !shelf.canUndo() && !shelf.canRedo())
    #expect(try shelf.undo() == nil)
    #expect(try items() == ["a"])
    #expect(try shelf.history().map(\.revision) == [4])
    let error = #expect(throws: StoreError.self) { try shelf.tree(at: 2) }
    #expect(error?.code == .revisionNotFound)
  }

  @Test func historyIsReadPageByPage() throws {
    let empty = shelf.repository.liveList("empty")
    #expect(try empty.revision() == 0 && empty.history().isEmpty)
    for number in 0..<7 { try insert(ItemID(stringLiteral: "i\(number)")) }
    #expect(try shelf.revision() == 8)
    var revisions: [Int] = []
    var page = try shelf.history(limit: 3)
    while let last = page.last {
      revisions += page.map(\.revision)
      page = try shelf.history(before: last.revision, limit: 3)
    }
    #expect(revisions == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(try shelf.tree(at: 3).sections[0].items.map(\.id) == ["i0", "i1"])
    let error = #expect(throws: StoreError.self) { try shelf.history(before: 10) }
    #expect(error?.code == .revisionNotFound)
  }

  /// Compares two authors' undo and redo with a model of stacks.
  ///
  /// A third one's commits come in between, and the store is opened anew now and then.
  @Test(arguments: 0..<24) func randomUndoAndRedoAreAsTheModelHasThem(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let source = RandomChanges(sections: 3, items: 10)
    let authors = [Author.app, widget]
    var models = [Author: StackModel]()
    for author in authors { models[author] = StackModel() }
    var shelf = self.shelf
    for round in 0..<60 {
      let author = authors[generator.number(0..<2)]
      let hint = "seed \(seed), round \(round)"
      switch generator.number(0..<10) {
      case 0: shelf = try Repository(at: file).liveList("shelf")
      case 1:
        let change = source.change(for: try shelf.tree(), using: &generator)
        try shelf.repository.commit([change], to: "shelf", by: .feed)
      case 2...4:
        let before = try shelf.tree()
        let step = try shelf.undo(by: author)
        #expect(step?.revisions == models[author]?.undo(step?.commit.revision), "\(hint)")
        if let step, let first = step.revisions.first,
          before.revision - first < step.revisions.count
        {
          #expect(
            try shelf.tree().withoutRevisions == shelf.tree(at: first - 1).withoutRevisions,
            "\(hint)")
        }
      case 5, 6:
        let before = try shelf.tree()
        let step = try shelf.redo(by: author)
        #expect(step?.revisions == models[author]?.redo(step?.commit.revision), "\(hint)")
        if let step, step.revisions.last == before.revision {
          #expect(
            try shelf.tree().withoutRevisions
              == shelf.tree(at: before.revision - 1).withoutRevisions,
            "\(hint)")
        }
      default:
        var revisions: [Int] = []
        try shelf.undoGroup {
          for _ in 0..<generator.number(1..<4) {
            let change = source.change(for: try shelf.tree(), using: &generator)
            revisions.append(
              try shelf.repository.commit([change], to: "shelf", by: author).revision)
          }
        }
        models[author]?.edit(revisions)
      }
      let model = models[author]
      #expect(
        try shelf.repository.undoableCommits(in: "shelf", by: author) == model?.undoable.last ?? [],
        "\(hint)")
      #expect(
        try shelf.repository.redoableCommits(in: "shelf", by: author) == model?.redoable.last ?? [],
        "\(hint)")
      #expect(
        try shelf.repository.undoableSteps(in: "shelf", by: author) == model?.undoable.reversed(),
        "\(hint)")
    }
    #expect(try shelf.repository.checkInvariants() == [], "seed \(seed)")
  }
}

/// The two stacks of an author.
private struct StackModel {
  var undoable: [[Int]] = []
  var redoable: [[Int]] = []

  mutating func edit(_ revisions: [Int]) {
    undoable.append(revisions)
    redoable = []
  }

  mutating func undo(_ revision: Int?) -> [Int]? {
    guard let step = undoable.popLast() else { return nil }
    if let revision { redoable.append([revision]) }
    return step
  }

  mutating func redo(_ revision: Int?) -> [Int]? {
    guard let step = redoable.popLast() else { return nil }
    if let revision { undoable.append([revision]) }
    return step
  }
}
