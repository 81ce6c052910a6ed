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

/// Random edits while the user rotates the device, changes settings, edits, selects and swipes.
@Suite @MainActor struct DeviceEventTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    let screen = try Screen.ofRows(kind, showing: "shelf", of: repository)
    screen.collection?.allowsMultipleSelectionDuringEditing = true
    screen.table?.allowsMultipleSelectionDuringEditing = true
    (screen.adapter as? TableAdapter)?.canDelete = { _ in true }
    screen.layOut()
    return screen
  }

  private func isEditing(_ screen: Screen) -> Bool {
    screen.collection?.isEditing ?? screen.table?.isEditing ?? false
  }

  /// Something that a user does besides editing the list.
  private func happen(to screen: Screen, _ random: inout SeededGenerator) {
    let window = screen.window
    switch random.number(0..<9) {
    case 0:
      let isWide = window.frame.width > 400
      window.frame.size =
        isWide
        ? CGSize(width: 320, height: 480) : CGSize(width: 480, height: 320)
      screen.view.frame = window.bounds
      let side: CGFloat = isWide ? 0 : 44
      window.headlessChangeSafeArea(UIEdgeInsets(top: 20, left: side, bottom: 10, right: side))
    case 1:
      let isLarge = window.traitCollection.preferredContentSizeCategory == .extraLarge
      window.headlessChangeTraits(
        UITraitCollection(preferredContentSizeCategory: isLarge ? .large : .extraLarge))
    case 2:
      let isBold = window.traitCollection.legibilityWeight == .bold
      window.headlessChangeTraits(UITraitCollection(legibilityWeight: isBold ? .regular : .bold))
    case 3:
      let isRight = window.traitCollection.layoutDirection == .rightToLeft
      window.headlessChangeTraits(
        UITraitCollection(layoutDirection: isRight ? .leftToRight : .rightToLeft))
    case 4:
      screen.table?.headless.endSwipe()
      let isOn = isEditing(screen)
      screen.collection?.isEditing = !isOn
      screen.table?.setEditing(!isOn, animated: true)
    case 5:
      if let path = random.element(of: screen.visiblePaths), !isEditing(screen) {
        screen.table?.headless.beginSwipe(rowAt: path)
      }
    case 6: screen.table?.headless.endSwipe()
    default:
      if let path = random.element(of: screen.visiblePaths) { screen.tap(path) }
    }
    if random.percent(50) { screen.layOut() }
  }

  private func expectOneSelection(_ screen: Screen) {
    let selected = screen.selectedPaths.compactMap { screen.adapter.itemID(at: $0) }
    let shown = screen.adapter.selection.items.filter { screen.adapter.indexPath(of: $0) != nil }
    #expect(Set(selected) == Set(shown))
    #expect(selected.count == screen.selectedPaths.count)
  }

  @Test(arguments: ScreenKind.allCases, 1...3 as ClosedRange<UInt64>)
  func nothingIsRefusedAndNothingIsStale(_ kind: ScreenKind, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let changes = RandomChanges(sections: 5, items: 40, hasSectionParts: true)
    var tree = ListTree(list: "shelf")
    let screen = try screen(kind)
    var raised: [HeadlessException] = []
    for _ in 0..<(kind == .flow ? 60 : 150) {
      for _ in 0..<random.number(0..<4) {
        raised += HeadlessException.raised { happen(to: screen, &random) }
      }
      let commit = try (0..<random.number(1..<5)).map { _ in
        let change = changes.change(for: tree, using: &random)
        _ = try tree.apply(change)
        return change
      }
      _ = try repository.commit(commit, to: "shelf")
      raised += HeadlessException.raised {
        screen.adapter.update()
        if random.percent(60) { screen.finishAnimations() }
        screen.layOut()
      }
      // Other tests want the main actor, too.
      await Task.yield()
    }
    #expect(raised.map(\.reason) == [])
    screen.table?.headless.endSwipe()
    try screen.settle()
    screen.layOut()
    screen.expectBalance()
    #expect(screen.adapter.provider.tree == (try repository.tree(of: "shelf")))
    // One more commit: the view has its selection again after it.
    try screen.adapter.list.edit { _ = try $0.insertSectionIfMissing("last") }
    try screen.settle()
    expectOneSelection(screen)
    for path in screen.visiblePaths {
      let size = screen.adapter.size(ofItemAt: path)
      #expect(abs(Double(screen.cell(at: path)?.frame.height ?? -1) - size.height) < 0.001)
    }
  }
}
