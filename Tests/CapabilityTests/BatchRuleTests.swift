import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// The rules that a batch has to keep: edits that tempt to break one are shown without an exception,
/// and without a reload.
///
/// `LegalityRuleTests` has what the proof refuses.
@Suite @MainActor struct BatchRuleTests {
  private let bookcase: Bookcase

  /// Three sections of four items each: section `a` has `a0` to `a3`.
  init() throws {
    bookcase = try Bookcase()
    try bookcase.shelf.edit { list throws in
      for section in ["a", "b", "c"] {
        try list.insertSection(SectionID(section))
        try list.insert((0..<4).map { Book(id: "\(section)\($0)") }, in: SectionID(section))
      }
    }
  }

  /// Shows an edit as one update.
  ///
  /// - Returns: The ids that the screen shows then.
  private func show(
    _ kind: ScreenKind, _ edit: (ListEditor) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.view.frame.size.height = 2_000
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    try bookcase.shelf.edit(edit)
    let raised = try HeadlessException.raised { try screen.settle() }
    #expect(raised.map(\.description) == [], sourceLocation: sourceLocation)
    #expect(updates.count == 1, sourceLocation: sourceLocation)
    for update in updates {
      if case .batch = update.mode { continue }
      Issue.record("\(update.mode)", sourceLocation: sourceLocation)
    }
    screen.expectBalance(sourceLocation)
    return screen.visiblePaths.sorted().compactMap {
      (screen.cell(at: $0) as? any BookView)?.book?.id
    }
  }

  @Test("R2: sections that come, go, hide and move add up", arguments: ScreenKind.allCases)
  func sectionsAddUp(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.deleteSection("b")
      try list.insertSection("d", at: .start)
      try list.insert(Book(id: "d0"), in: "d")
      try list.insertSection("e", SectionAttributes(visibility: .hidden))
      try list.insert(Book(id: "e0"), in: "e")
      try list.updateSection("a") { $0.visibility = .hidden }
      try list.insertSection("b", at: .end)
      try list.moveSection("c", to: .start)
    }
    #expect(shown == ["c0", "c1", "c2", "c3", "d0"])
  }

  @Test("R3: what is deleted again and again is deleted once", arguments: ScreenKind.allCases)
  func nothingIsDeletedTwice(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.delete("a0")
      try list.insert(Book(id: "a0"), in: "b", at: .start)
      try list.delete("a0")
      try list.delete(["b0", "b1"])
      try list.deleteSection("b")
      try list.insertSection("b", at: .start)
      try list.insert(Book(id: "b0"), in: "b")
      try list.delete("b0")
    }
    #expect(shown == ["a1", "a2", "a3", "c0", "c1", "c2", "c3"])
  }

  @Test(
    "R5: items leave a section that goes and enter one that comes", arguments: ScreenKind.allCases)
  func itemsOfSectionsThatComeAndGo(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.move("a1", in: "b", to: .start)
      try list.insertSection("d", at: .start)
      try list.move("a2", in: "d", to: .end)
      try list.move("c3", in: "d", to: .end)
      try list.move("b3", in: "d", to: .end)
      try list.deleteSection("a")
      try list.deleteSection("c")
    }
    #expect(shown == ["a2", "c3", "b3", "a1", "b0", "b1", "b2"])
  }

  @Test("R6: items change in a section that moves", arguments: ScreenKind.allCases)
  func changesInAMovedSection(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.moveSection("a", to: .end)
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.delete("a0")
      try list.move("a3", to: .start)
      try list.move("b0", in: "a", to: .end)
      try list.move("a1", in: "c", to: .start)
      try list.update(Book(id: "a2", likes: 3, isWide: true))
    }
    #expect(shown == ["b1", "b2", "b3", "a1", "c0", "c1", "c2", "c3", "a3", "new", "a2", "b0"])
  }

  @Test("R7: an item moves and gets another cell", arguments: ScreenKind.allCases)
  func anItemMovesAndIsReloaded(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.update(Book(id: "a0", isWide: true))
      try list.move("a0", to: .end)
      try list.move("b3", in: "a", to: .start)
      try list.update(Book(id: "b3", likes: 2, isWide: true))
      try list.update(Book(id: "b0", isWide: true))
      try list.deleteSection("c")
    }
    #expect(shown == ["b3", "a1", "a2", "a3", "a0", "b0", "b1", "b2"])
  }

  @Test("R8: an item that gets another cell is deleted", arguments: ScreenKind.allCases)
  func aReloadedItemIsDeleted(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.update(Book(id: "a0", isWide: true))
      try list.delete("a0")
      try list.delete("a1")
      try list.insert(Book(id: "a1", likes: 1, isWide: true), in: "a", at: .start)
      try list.update(Book(id: "b0", isWide: true))
      try list.deleteSection("b")
    }
    #expect(shown == ["a1", "a2", "a3", "c0", "c1", "c2", "c3"])
  }

  @Test("R9: an item moves that is deleted or inserted, too", arguments: ScreenKind.allCases)
  func anItemMovesThatComesOrGoes(_ kind: ScreenKind) throws {
    let shown = try show(kind) { list throws in
      try list.move("a0", in: "b", to: .end)
      try list.delete("a0")
      try list.delete("a1")
      try list.insert(Book(id: "a1", likes: 4), in: "c", at: .end)
      try list.insert(Book(id: "new"), in: "b", at: .index(1))
      try list.move("new", in: "c", to: .start)
      try list.move("b3", to: .index(1))
      try list.insert(Book(id: "other"), in: "b", at: .index(1))
    }
    #expect(
      shown == ["a2", "a3", "b0", "other", "b3", "b1", "b2", "new", "c0", "c1", "c2", "c3", "a1"])
  }

  /// Edits the list when a cell comes on display, which happens inside a batch update, too.
  private final class Meddler: NSObject, UICollectionViewDelegate, UITableViewDelegate {
    var onDisplay: (() -> Void)?

    func collectionView(
      _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
      forItemAt indexPath: IndexPath
    ) { onDisplay?() }

    func tableView(
      _ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath
    ) { onDisplay?() }
  }

  @Test(
    "R13: what asks for a reload in the middle of a batch gets it after the batch",
    arguments: ScreenKind.allCases)
  func reloadsWaitForTheBatch(_ kind: ScreenKind) throws {
    let list = bookcase.repository.liveList(
      "shelf", items: [Book.self],
      policy: UpdatePolicy(budget: ReloadBudget(changes: 3, changesPerItem: 0)))
    let screen = try Screen(kind, showing: list)
    screen.checkBooks()
    let meddler = Meddler()
    (screen.adapter as? CollectionAdapter)?.delegate = meddler
    (screen.adapter as? TableAdapter)?.delegate = meddler
    screen.layOut()
    var modes: [BatchUpdate.Mode] = []
    screen.adapter.onUpdate = { modes.append($0.mode) }
    var isDone = false
    meddler.onDisplay = {
      if isDone { return }
      isDone = true
      // More changes than the policy allows.
      _ = try? list.edit { try $0.delete(["a0", "a1", "a2", "a3"]) }
      screen.adapter.update()
      screen.adapter.layoutEnvironmentDidChange()
    }
    let raised = HeadlessException.raised {
      _ = try? list.edit { try $0.insert(Book(id: "new"), in: "a", at: .start) }
      screen.adapter.update()
      #expect(isDone && modes.isEmpty)
      #expect(screen.adapter.provider.numberOfItems == 13)
      screen.finishAnimations()
      screen.layOut()
    }
    #expect(raised.map(\.description) == [])
    #expect(modes.count == 2)
    guard case .batch? = modes.first, case .reload? = modes.last else {
      Issue.record("\(modes)")
      return
    }
    try screen.settle()
    #expect(screen.shown.first == "new")
    #expect(screen.adapter.provider.numberOfItems == 9)
  }
}
