import BatchUpdates
import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import TestSupport
import Testing

/// The rules that a batch has to keep: the proof refuses one that breaks a rule, and edits that
/// tempt to break it are shown without an exception, and without a reload.
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

  /// The rule that a batch breaks.
  private func brokenRule(
    _ before: SectionCounts, _ after: SectionCounts, _ operations: (inout Stage) -> Void
  ) -> LegalityRule? {
    var stage = Stage()
    operations(&stage)
    let verdict = LegalityCheck.verdict(of: stage, before: before, after: after)
    return verdict.outcome == .ok ? nil : verdict.rule
  }

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  private func move(_ from: ItemPath, _ to: ItemPath) -> Stage.Move<ItemPath> {
    Stage.Move(from: from, to: to)
  }

  /// Shows an edit as one update.
  ///
  /// - Returns: The ids that the screen shows then; the stages are proven once more.
  private func show(
    _ kind: ScreenKind, _ edit: (ListEditor) throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let screen = try Screen(kind, showing: bookcase.shelf)
    screen.view.frame.size.height = 2_000
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.checkBooks()
    screen.layOut()
    let shown = screen.adapter.provider.shown
    var counts = SectionCounts((0..<shown.numberOfSections).map(shown.numberOfItems(inSection:)))
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    try bookcase.shelf.edit(edit)
    let raised = try HeadlessException.raised { try screen.settle() }
    #expect(raised.map(\.description) == [], sourceLocation: sourceLocation)
    #expect(updates.count == 1, sourceLocation: sourceLocation)
    for update in updates {
      guard case .batch(let stages) = update.mode else {
        Issue.record("\(update.mode)", sourceLocation: sourceLocation)
        continue
      }
      for stage in stages {
        let verdict = LegalityCheck.verdict(of: stage, before: counts, after: stage.counts)
        #expect(verdict.outcome == .ok, "\(verdict)", sourceLocation: sourceLocation)
        counts = stage.counts
      }
    }
    screen.expectBalance(sourceLocation)
    return screen.visiblePaths.sorted().compactMap {
      (screen.cell(at: $0) as? any BookView)?.book?.id
    }
  }

  @Test("R2: sections that come, go, hide and move add up", arguments: ScreenKind.allCases)
  func sectionsAddUp(_ kind: ScreenKind) throws {
    #expect(brokenRule([1, 1], [1]) { _ in } == .sectionCountMismatch)
    #expect(brokenRule([1], [1, 1, 1]) { $0.insertSections = [1] } == .sectionCountMismatch)
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
    let twice = brokenRule([3], [1]) { $0.deleteItems = [path(0, 0), path(0, 0)] }
    #expect(twice == .duplicateDelete)
    let section = brokenRule([1, 1, 1], [1]) { $0.deleteSections = [0, 0] }
    #expect(section == .duplicateDelete)
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
    let out = brokenRule([1, 1], [2]) {
      $0.deleteSections = [0]
      $0.moveItems = [move(path(0, 0), path(0, 0))]
    }
    #expect(out == .moveOutOfDeletedSection)
    let into = brokenRule([2], [1, 1]) {
      $0.insertSections = [1]
      $0.moveItems = [move(path(0, 0), path(1, 0))]
    }
    #expect(into == .moveIntoInsertedSection)
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
    func broken(_ after: SectionCounts, _ more: (inout Stage) -> Void) -> LegalityRule? {
      brokenRule([2, 1], after) {
        $0.moveSections = [Stage.Move(from: 0, to: 1)]
        more(&$0)
      }
    }
    #expect(broken([1, 3]) { $0.insertItems = [path(1, 0)] } == .insertInMovedSection)
    #expect(broken([1, 1]) { $0.deleteItems = [path(0, 0)] } == .deleteInMovedSection)
    let inside = broken([1, 2]) { $0.moveItems = [move(path(0, 0), path(1, 1))] }
    #expect(inside == .moveInMovedSection)
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
    let both = brokenRule([2], [2]) {
      $0.reloadItems = [path(0, 0)]
      $0.moveItems = [move(path(0, 0), path(0, 1))]
    }
    #expect(both == .reloadAndMove)
    let beside = brokenRule([3], [3]) {
      $0.reloadItems = [path(0, 1)]
      $0.moveItems = [move(path(0, 2), path(0, 0))]
    }
    #expect(beside == .reloadWithMove)
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
    let both = brokenRule([2], [1]) {
      $0.deleteItems = [path(0, 1)]
      $0.reloadItems = [path(0, 1)]
    }
    #expect(both == .deleteAndReload)
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
    let deleted = brokenRule([3], [2]) {
      $0.deleteItems = [path(0, 1)]
      $0.moveItems = [move(path(0, 1), path(0, 0))]
    }
    #expect(deleted == .deleteAndMove)
    let inserted = brokenRule([2], [3]) {
      $0.insertItems = [path(0, 2)]
      $0.moveItems = [move(path(0, 0), path(0, 2))]
    }
    #expect(inserted == .insertAndMove)
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
