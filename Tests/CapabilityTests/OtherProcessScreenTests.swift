import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// A commit of another process is a batch update of each screen, without a call of the app.
@Suite(.timeLimit) @MainActor struct OtherProcessScreenTests {
  private let bookcase: Bookcase

  init() throws {
    bookcase = try Bookcase()
    try list.edit { list throws in
      for section in ["a", "b"] as [SectionID] { try list.insertSection(section) }
      try list.insert(Book(id: "anchor"), in: "a")
    }
  }

  private var list: LiveList {
    bookcase.repository.liveList(
      "list", items: [Book.self], policy: UpdatePolicy(budget: .unlimited, hidesSections: true))
  }

  /// Two processes commit until the screen has shown some updates, which are of many commits each
  /// on a busy machine.
  @Test(arguments: ScreenKind.allCases) func twoProcessesAreFollowed(
    _ kind: ScreenKind
  ) async throws {
    let screen = try Screen(kind, showing: list)
    screen.checkBooks()
    screen.adapter.onProblem = { Issue.record("\($0)") }
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    screen.layOut()
    let file = bookcase.repository.file
    let outputs = ["A", "B"].map { bookcase.folder.file($0) }
    let processes = try zip(["A", "B"], outputs).map { name, output in
      try Data().write(to: output)
      let process = Process()
      process.executableURL = BuiltProducts.program("CommitUntilKilled")
      process.arguments = [file.path, "shelve", name, "600", "3"]
      process.standardOutput = try FileHandle(forWritingTo: output)
      try process.run()
      return process
    }
    var raised: [HeadlessException] = []
    while try processes.contains(where: \.isRunning)
      || screen.adapter.provider.revision < list.revision()
    {
      // The adapter hears by itself.
      try await Task.sleep(nanoseconds: 1_000_000)
      if updates.count >= 8 {
        for process in processes { kill(process.processIdentifier, SIGKILL) }
      }
      raised += HeadlessException.raised {
        screen.layOut()
        screen.finishAnimations()
      }
    }
    #expect(raised.map(\.description) == [])
    #expect(updates.count >= 8)
    #expect(updates.allSatisfy { if case .batch = $0.mode { true } else { false } })
    #expect(screen.adapter.provider.tree == (try list.tree()))
    #expect(bookcase.repository.diagnostics.isEmpty, "\(bookcase.repository.diagnostics)")
    screen.expectBalance()
  }

  @Test func nestedListsAndDiffableDataSourcesHearToo() async throws {
    let view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 320, height: 480),
      collectionViewLayout: UICollectionViewFlowLayout())
    let source = UICollectionViewDiffableDataSource<SectionID, ItemID>(collectionView: view) {
      _, _, _ in nil
    }
    let follower = try DiffableFollower(bookcase.shelf, source)
    let nested = bookcase.shelf.nested(in: "b0", "sequels", items: [Book.self])
    var updates = nested.updates().makeAsyncIterator()
    let widget = Bookcase.shelf(of: try Repository(existing: bookcase.repository.file))
    try await widget.edit { list throws in
      try list.insertSection("a")
      try list.insert(Book(id: "b0"), in: "a")
    }
    while source.snapshot().itemIdentifiers != ["b0"] {
      try await Task.sleep(nanoseconds: 1_000_000)
    }
    #expect(follower.provider.numberOfItems == 1)
    try await widget.nested(in: "b0", "sequels", items: [Book.self]).edit { list throws in
      try list.insertSection("a")
      try list.insert([Book(id: "n0"), Book(id: "n1")], in: "a")
    }
    #expect(try await updates.next()?.provider.numberOfItems == 2)
  }

  /// A widget likes a book.
  @Test(arguments: ScreenKind.allCases) func aWidgetsEditIsShown(_ kind: ScreenKind) async throws {
    try bookcase.fill(4)
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.checkBooks()
    screen.layOut()
    let widget = try Repository(existing: bookcase.repository.file)
    try await Bookcase.shelf(of: widget).edit { list throws in
      try list.update("b2", as: Book.self) { $0.likes += 1 }
      try list.move("b3", to: .start)
    }
    try await screen.wait { screen.shown == ["b3", "b0", "b1", "b2"] }
    #expect(screen.cell(of: "b2")?.book?.likes == 1)
  }
}
