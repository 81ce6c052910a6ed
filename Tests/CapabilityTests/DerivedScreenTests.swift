import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// A header that a derived list makes of the value of its section.
private struct LikesHeader: ListSupplementary {
  var value: Int
  static var viewName: ViewName { "ShelfHeader" }
  static var source: ViewSource? { .type(HeaderView.self) }
  func configure(_ view: any TitleView) { view.title = "\(value) likes" }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 20) }
}

/// Lists that are derived from one that a screen shows, on screens.
@Suite @MainActor struct DerivedScreenTests {
  private let bookcase: Bookcase
  private var shelf: LiveList { bookcase.shelf }

  /// 40 books with 0 to 3 likes in two sections.
  init() throws {
    bookcase = try Bookcase()
    try shelf.edit { list throws in
      for (number, section) in (["a", "b"] as [SectionID]).enumerated() {
        try list.insertSection(section)
        try list.insert(
          (0..<20).map { Book(id: "b\(number * 20 + $0)", likes: $0 % 4) }, in: section)
      }
    }
  }

  @Test(arguments: ScreenKind.allCases)
  func aFilteredListIsShownAndFollowsItsSource(_ kind: ScreenKind) throws {
    let liked = try shelf.derived("liked", of: Book.self) { $0.where { $0.likes >= 3 } }
    let screen = try Screen(kind, showing: liked)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    #expect(screen.shown.prefix(3) == ["b3", "b7", "b11"])
    #expect(try liked.count() == 10)
    #expect(try liked.sectionCounts().map(\.section) == ["a", "b"])
    #expect(try liked.sectionCounts().map(\.count) == [5, 5])

    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    // One begins to match, one ends to, one is drawn otherwise.
    try shelf.edit { list throws in
      try list.update("b0", \Book.likes, to: 5)
      try list.update("b3", \Book.likes, to: 1)
      try list.update("b7", \Book.likes, to: 4)
    }
    try screen.settle()
    #expect(screen.shown.prefix(3) == ["b0", "b7", "b11"])
    let stages = updates.flatMap(\.stages)
    #expect(updates.count == 1 && stages.map(\.operationCount).reduce(0, +) == 3)
    screen.expectBalance()
    #expect(bookcase.repository.diagnostics.isEmpty)
  }

  @Test(arguments: ScreenKind.allCases)
  func sectionsAndHeadersComeFromAProperty(_ kind: ScreenKind) throws {
    let byLikes = try shelf.derived("byLikes", of: Book.self) {
      $0.sorted(by: \.id, .reverse).sections(by: \.likes, .reverse, header: LikesHeader.self)
    }
    let screen = try Screen(kind, showing: byLikes)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    #expect(try byLikes.sectionCounts().map(\.section) == ["3", "2", "1", "0"])
    #expect(screen.header(inSection: 0)?.title == "3 likes")
    #expect(screen.shown.first == "b7")
    // The last of a section takes the section along.
    try shelf.edit { try $0.update("b7", \Book.likes, to: 9) }
    try screen.settle()
    #expect(screen.header(inSection: 0)?.title == "9 likes")
    #expect(screen.shown.prefix(2) == ["b7", "b39"])
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func aSectionThatWasGoneMeanwhileStays(_ kind: ScreenKind) throws {
    let byLikes = try shelf.derived("byLikes", of: Book.self) { $0.sections(by: \.likes) }
    try shelf.edit { try $0.update("b7", \Book.likes, to: 9) }
    let screen = try Screen(kind, showing: byLikes)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    let provider = screen.adapter.provider
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    // Its only item goes to another one, then another one's comes.
    try shelf.edit { try $0.update("b7", \Book.likes, to: 1) }
    #expect(try byLikes.sectionCounts().map(\.section) == ["0", "1", "2", "3"])
    try shelf.edit { try $0.update("b11", \Book.likes, to: 9) }
    try screen.settle()
    let stages = updates.flatMap(\.stages)
    #expect(updates.count == 1 && updates.first?.from == provider.revision)
    #expect(stages.allSatisfy { $0.deleteSections.isEmpty && $0.insertSections.isEmpty })
    #expect(stages.flatMap(\.moveItems).count == 2)
    #expect(try screen.adapter.provider.tree == byLikes.tree())
    screen.expectBalance()

    var former = provider
    let revision = try byLikes.revision()
    #expect(try byLikes.advance(&former, to: revision).stages.allSatisfy(\.deleteSections.isEmpty))
  }

  /// Both lists would have to be read whole.
  @Test(arguments: [(2_000, true), (2_001, false)])
  func aSectionThatWasGoneMeanwhileStaysInListsThatAreSoonRead(count: Int, stays: Bool) throws {
    try shelf.edit { list throws in
      try list.insert((40..<count).map { Book(id: "b\($0)", likes: 0) }, in: "a")
      try list.update("b7", \Book.likes, to: 9)
    }
    let byLikes = try shelf.derived("byLikes", of: Book.self) { $0.sections(by: \.likes) }
    var provider = try byLikes.provider()
    try shelf.edit { try $0.update("b7", \Book.likes, to: 1) }
    try shelf.edit { try $0.update("b11", \Book.likes, to: 9) }
    let update = try byLikes.advance(&provider)
    #expect(update.stages.allSatisfy(\.deleteSections.isEmpty) == stays)
    #expect(try provider.tree == byLikes.tree())
  }

  @Test(arguments: ScreenKind.allCases)
  func anotherDefinitionIsOneUpdateOfTheScreen(_ kind: ScreenKind) throws {
    @discardableResult func define(_ likes: Int) throws -> DerivedList {
      try shelf.derived("some", of: Book.self) { $0.where { $0.likes == likes } }
    }
    let screen = try Screen(kind, showing: try define(1))
    screen.checkBooks()
    screen.layOut()
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    try define(2)
    try screen.settle()
    #expect(screen.shown.prefix(2) == ["b2", "b6"])
    #expect(updates.count == 1)
    screen.expectBalance()
  }

  @Test func theSameDefinitionAtTheNextLaunchWritesNothing() throws {
    func define(in repository: Repository) throws -> DerivedList {
      try Bookcase.shelf(of: repository).derived("liked", of: Book.self) {
        $0.where { $0.likes > 1 || $0.id.hasPrefix("b1") }.sorted(by: \.likes).limit(7)
      }
    }
    let tree = try define(in: bookcase.repository).tree()
    try bookcase.repository.close()
    let reader = try Repository(readingOnly: bookcase.folder.file("store.sqlite"))
    let again = try define(in: reader)
    #expect(try again.tree() == tree)
  }

  @Test func sizesAreThoseOfTheSource() throws {
    let source = try Screen(.placed, showing: shelf)
    source.layOut()
    source.scroll(to: 1)
    source.layOut()
    #expect(source.adapter.measurementCount > 0)
    // Sizes are kept soon; now, when it closes.
    try bookcase.repository.close()
    let shelf = Bookcase.shelf(of: try Repository(at: bookcase.folder.file("store.sqlite")))
    let derived = try shelf.derived("ends", of: Book.self) {
      $0.where { $0.id.isIn(["b0", "b1", "b38", "b39"]) }.sorted(by: \.likes)
    }
    let screen = try Screen(.placed, showing: derived)
    screen.layOut()
    #expect(screen.shown == ["b0", "b1", "b38", "b39"])
    #expect(screen.adapter.measurementCount == 0)
    #expect(screen.frame(of: "b1")?.size == source.frame(of: "b1")?.size)
  }

  @Test func editsThroughItReachTheSourceAndCanBeUndone() throws {
    let liked = try shelf.derived("liked", of: Book.self) { $0.where { $0.likes > 2 } }
    let first = try liked.derived("first", of: Book.self) { $0.limit(2) }
    #expect(try first.tree().sections.flatMap(\.items).map(\.id) == ["b3", "b7"])
    try first.update("b3", \Book.likes, to: 1)
    #expect(try first.tree().sections.flatMap(\.items).map(\.id) == ["b7", "b11"])
    try first.delete("b7")
    #expect(try shelf.provider().path(of: "b7") == nil)
    #expect(try first.tree().sections.flatMap(\.items).map(\.id) == ["b11", "b15"])
    try liked.undo()
    try liked.undo()
    #expect(try first.tree().sections.flatMap(\.items).map(\.id) == ["b3", "b7"])
    try liked.redo()
    #expect(try first.tree().sections.flatMap(\.items).map(\.id) == ["b7", "b11"])
    #expect(throws: StoreError.self) { try liked.shown.edit { try $0.delete("b11") } }
    #expect(try shelf.provider().path(of: "b11") != nil)
  }

  @Test func aSwipeDeletesFromTheSourceAndWaitsForTheServer() throws {
    var shelf = shelf
    shelf.sendsEdits = true
    let liked = try shelf.derived("liked", of: Book.self) { $0.where { $0.likes > 2 } }
    let screen = try Screen(.table, showing: liked)
    screen.checkBooks()
    screen.layOut()
    try liked.update("b7", \Book.likes, to: 6)
    try screen.settle()
    #expect(screen.adapter.delivery(of: "b7") == .waiting)
    (screen.adapter as? TableAdapter)?.canDelete = { _ in true }
    #expect(screen.table?.headless.deleteRow(at: IndexPath(row: 0, section: 0)) == true)
    try screen.settle()
    #expect(screen.shown.first == "b7")
    #expect(try shelf.pendingEdits().count == 2)
    #expect(try shelf.provider().path(of: "b3") == nil)
    screen.expectBalance()
  }

  @Test(arguments: [ScreenKind.flow, .table])
  func aDropIntoAnotherSectionSetsWhatMakesTheSection(_ kind: ScreenKind) async throws {
    let byLikes = try shelf.derived("byLikes", of: Book.self) { $0.sections(by: \.likes) }
      .settingOnMove(of: Book.self) { book, section in book.likes = Int(section.rawValue) ?? 0 }
    let screen = try Screen(kind, showing: byLikes)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.canMove = { _ in true }
    screen.table?.isEditing = true
    screen.layOut()
    let (from, to) = (IndexPath(item: 0, section: 0), IndexPath(item: 0, section: 1))
    #expect(screen.adapter.itemID(at: from) == "b0")
    let isDropped =
      screen.collection?.headless.dragItem(at: from, to: to)
      ?? screen.table?.headless.dragRow(at: from, to: to)
    #expect(isDropped == true)
    try await screen.wait { try screen.adapter.provider.revision == byLikes.revision() }
    screen.finishAnimations()
    let moved = try shelf.tree().sections.flatMap(\.items).first { $0.id == "b0" }
    #expect(try moved?.value(as: Book.self).likes == 1)
    #expect(screen.adapter.itemID(at: to) == "b0")
    screen.expectBalance()
  }

  @Test func aBadgeFollowsTheCountWithoutOpeningTheList() async throws {
    let liked = try shelf.derived("liked", of: Book.self) { $0.where { $0.likes > 2 } }
    var counts = liked.counts().makeAsyncIterator()
    #expect(try await counts.next() == 10)
    try liked.update("b7", \Book.isWide, to: true)
    try liked.update("b3", \Book.likes, to: 0)
    #expect(try await counts.next() == 9)
  }

  @Test(arguments: ScreenKind.allCases)
  func aScreenGoesToAnotherListByOneUpdate(_ kind: ScreenKind) throws {
    let byLikes = try shelf.derived("byLikes", of: Book.self) {
      $0.where { $0.likes > 0 }.sections(by: \.likes, .reverse, header: LikesHeader.self)
    }
    let screen = try Screen(kind, showing: shelf, tableViews: kind == .table ? tableViews : nil)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    screen.select(IndexPath(item: 3, section: 0))
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    screen.adapter.show(byLikes)
    try screen.settle()
    #expect(screen.shown.prefix(2) == ["b3", "b7"])
    #expect(screen.header(inSection: 0)?.title == "3 likes")
    #expect(screen.adapter.selection.items == ["b3"])
    #expect(updates.count == 1)
    if case .batch? = updates.first?.mode {} else { Issue.record("no batch") }
    // It follows the other list now, and goes back.
    try shelf.edit { try $0.update("b3", \Book.likes, to: 0) }
    try screen.settle()
    #expect(screen.shown.first == "b7")
    screen.adapter.show(shelf)
    try screen.settle()
    #expect(screen.shown.prefix(3) == ["b0", "b1", "b2"])
    #expect(screen.adapter.list.id == "shelf")
    screen.expectBalance()
  }

  /// Whoever follows the list of before may still hear of a commit.
  @Test func aCommitJustBeforeTheChangeDoesNotBringTheOtherListBack() async throws {
    let byLikes = try shelf.derived("byLikes", of: Book.self) { $0.where { $0.likes > 0 } }
    let screen = try Screen(.flow, showing: shelf)
    screen.layOut()
    for round in 0..<10 {
      screen.adapter.show(byLikes)
      try screen.settle()
      // Nothing else runs on the main thread between the two.
      try byLikes.update("b3", \Book.likes, to: 5 + round)
      screen.adapter.show(shelf)
      for _ in 0..<20 {
        try await Task.sleep(for: .milliseconds(1))
        screen.finishAnimations()
      }
      #expect(screen.adapter.provider.list == "shelf")
    }
  }

  private var tableViews: ViewRegistry {
    var views = Screen.tableViews
    views.register("ShelfHeader", kind: .header, .type(TableHeaderView.self))
    return views
  }

  @Test func farMoreThanTheBudgetIsAReload() throws {
    let none = try shelf.derived("none", of: Book.self) { $0.where { $0.likes > 100 } }
    var list = shelf
    list.policy.budget = ReloadBudget(changes: 10, changesPerItem: 0)
    let screen = try Screen(.flow, showing: list)
    screen.layOut()
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    var shown = none.shown
    shown.policy.budget = list.policy.budget
    screen.adapter.show(shown)
    try screen.settle()
    #expect(updates.map(\.mode) == [.reload(why: .tooManyChanges(limit: 10))])
    #expect(screen.shown.isEmpty)
  }

  @Test(arguments: ScreenKind.allCases)
  func aSearchFieldIsOneUpdateAKeystrokeAndWritesNothing(_ kind: ScreenKind) async throws {
    let revision = try shelf.revision()
    let results = try shelf.passing(of: Book.self)
    let screen = try Screen(kind, showing: shelf)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    screen.adapter.show(results)
    try screen.settle()
    #expect(screen.shown.prefix(3) == ["b0", "b1", "b2"])
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    for (text, shown) in [
      ("b3", ["b3", "b30", "b31"]), ("b39", ["b39"]), ("none", []), ("b1", ["b1", "b10", "b11"]),
    ] {
      try results.show { $0.where { $0.id.hasPrefix(text) } }
      // By itself, off the main thread.
      try await screen.wait { screen.shown.prefix(3) == shown[...] }
    }
    #expect(updates.count == 4)
    #expect(updates.allSatisfy { if case .batch = $0.mode { true } else { false } })
    // It follows its source.
    try shelf.commit([.deleteItem("b1")])
    try await screen.wait { screen.shown.first == "b10" }
    try results.show { $0.sorted(by: \.likes, .reverse).sections(by: \.isWide) }
    try await screen.wait { screen.shown.first == "b3" }
    screen.adapter.show(shelf)
    try screen.settle()
    #expect(screen.shown.prefix(2) == ["b0", "b2"])
    screen.expectBalance()
    #expect(try shelf.revision() == revision + 1)
    #expect(bookcase.repository.diagnostics.isEmpty)
  }

  @Test(arguments: ScreenKind.allCases)
  func aPassingListHasHeadersOfTheTypesThatItWasMadeWith(_ kind: ScreenKind) async throws {
    let first = try shelf.passing(of: Book.self) {
      $0.sections(by: \.likes, .reverse, header: LikesHeader.self)
    }
    let later = try shelf.passing(of: Book.self, supplementaries: [LikesHeader.self]) {
      $0.oneSection()
    }
    for list in [first, later] {
      let screen = try Screen(kind, showing: list, tableViews: kind == .table ? tableViews : nil)
      screen.adapter.onProblem = { Issue.record("\($0)") }
      screen.checkBooks()
      screen.layOut()
      try list.show {
        $0.where { $0.likes > 1 }.sections(by: \.likes, .reverse, header: LikesHeader.self)
      }
      try await screen.wait { screen.header(inSection: 0)?.title == "3 likes" }
      screen.expectBalance()
    }
    let none = try shelf.passing(of: Book.self)
    #expect {
      try none.show { $0.sections(by: \.likes, header: LikesHeader.self) }
    } throws: {
      "\($0)".contains("supplementaries: [LikesHeader.self]")
    }
  }

  @Test func aPassingListHasTheSizesOfItsSource() throws {
    let source = try Screen(.placed, showing: shelf)
    source.layOut()
    let results = try shelf.passing(of: Book.self) { $0.where { $0.id.isIn(["b1", "b3"]) } }
    let screen = try Screen(.placed, showing: shelf)
    screen.layOut()
    bookcase.repository.flushSizes()
    let measured = screen.adapter.measurementCount
    screen.adapter.show(results)
    try screen.settle()
    #expect(screen.shown == ["b1", "b3"])
    screen.adapter.show(shelf)
    try screen.settle()
    #expect(screen.adapter.measurementCount == measured)
  }
}
