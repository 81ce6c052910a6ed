import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// Batch updates of a collection view that UIKit takes.
///
/// What it refuses it raises as an exception, which Swift can't catch: `UpdateRuleTests` of
/// HeadlessUIKit has those rules, with the texts of devices.
@MainActor @Suite struct CollectionViewUpdateTests {
  @Test func deletesCountBeforeAndInsertsAfterInWhateverOrderTheyAreSaid() async throws {
    for isReversed in [false, true] {
      let screen = CollectionScreen([["a", "b", "c", "d"]])
      screen.view.layoutIfNeeded()
      try await screen.update([["x", "b", "y", "d"]]) { view in
        if isReversed { view.insertItems(at: [at(0, 2), at(0, 0)]) }
        view.deleteItems(at: [at(0, 0), at(0, 2)])
        if !isReversed { view.insertItems(at: [at(0, 0), at(0, 2)]) }
      }
      #expect(screen.shown == ["x", "b", "y", "d"])
      #expect(screen.view.numberOfItems(inSection: 0) == 4)
    }
  }

  @Test func cellsStayWithTheirItems() async throws {
    let screen = CollectionScreen([["a", "b", "c", "d"]])
    screen.view.layoutIfNeeded()
    let cells = (0..<4).map { screen.cell(0, $0) }
    try await screen.update([["d", "b", "new", "a"]]) { view in
      view.moveItem(at: at(0, 3), to: at(0, 0))
      view.moveItem(at: at(0, 0), to: at(0, 3))
      view.deleteItems(at: [at(0, 2)])
      view.insertItems(at: [at(0, 2)])
    }
    #expect(screen.cell(0, 0) === cells[3])
    #expect(screen.cell(0, 1) === cells[1])
    #expect(screen.cell(0, 3) === cells[0])
    #expect(screen.shown == ["d", "b", "new", "a"])
  }

  @Test func onlyWhatComesIsAskedFor() async throws {
    let screen = CollectionScreen(3)
    screen.asked = []
    try await screen.update([["0", "new", "1", "2"]]) { $0.insertItems(at: [at(0, 1)]) }
    #expect(screen.asked == [at(0, 1)])
    #expect(screen.shown == ["0", "new", "1", "2"])
  }

  @Test func whatComesIsDisplayedAndWhatGoesEndsAtThePathThatItHad() async throws {
    let screen = CollectionScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    screen.events = []
    try await screen.update([["c", "d"]]) { view in
      view.deleteItems(at: [at(0, 0), at(0, 1)])
      view.insertItems(at: [at(0, 1)])
    }
    try await wait { screen.events.count { $0.hasPrefix("ended") } == 2 }
    #expect(screen.events.contains("will 0,1"))
    #expect(Set(screen.events.filter { $0.hasPrefix("ended") }) == ["ended 0,0", "ended 0,1"])
  }

  @Test func aReloadedItemIsAskedForAgain() async throws {
    let screen = CollectionScreen(3)
    screen.asked = []
    try await screen.update([["0", "one", "2"]]) { $0.reloadItems(at: [at(0, 1)]) }
    #expect(screen.asked == [at(0, 1)])
    #expect(screen.shown == ["0", "one", "2"])
  }

  @Test func aReconfiguredItemKeepsItsCell() {
    let screen = CollectionScreen(3)
    let cell = screen.cell(0, 1)
    screen.data = [["0", "one", "2"]]
    screen.asked = []
    screen.events = []
    screen.view.reconfigureItems(at: [at(0, 1)])
    screen.view.layoutIfNeeded()
    #expect(screen.asked == [at(0, 1)])
    #expect(screen.cell(0, 1) === cell)
    #expect(cell?.text == "one")
    #expect(cell?.preparations == 0)
    #expect(screen.events == [])
  }

  @Test func whatIsOutOfSightIsNotReconfigured() {
    let screen = CollectionScreen(1_000)
    screen.asked = []
    screen.view.reconfigureItems(at: [at(0, 900)])
    screen.view.layoutIfNeeded()
    #expect(screen.asked == [])
  }

  @Test func sectionsComeGoAndMoveWithTheirItems() async throws {
    let screen = CollectionScreen([["a"], ["b"], ["c"]])
    screen.headerHeight = 10
    screen.view.layoutIfNeeded()
    let (b, c) = (screen.cell(1, 0), screen.cell(2, 0))
    let kind = UICollectionView.elementKindSectionHeader
    let header = screen.view.supplementaryView(forElementKind: kind, at: at(2, 0))
    try await screen.update([["c"], ["new"], ["b"]]) { view in
      view.deleteSections([0])
      view.moveSection(2, toSection: 0)
      view.insertSections([1])
    }
    #expect(screen.shown == ["c", "new", "b"])
    #expect(screen.cell(0, 0) === c)
    #expect(screen.cell(2, 0) === b)
    #expect(screen.view.supplementaryView(forElementKind: kind, at: at(0, 0)) === header)
    #expect(
      (0..<3).map { section in
        (screen.view.supplementaryView(forElementKind: kind, at: at(section, 0)) as? TextView)?.text
      } == ["c…", "new…", "b…"])
  }

  @Test func itemsMoveBetweenSections() async throws {
    let screen = CollectionScreen([["a", "b"], ["c"]])
    screen.view.layoutIfNeeded()
    let a = screen.cell(0, 0)
    try await screen.update([["b"], ["c", "a"]]) { $0.moveItem(at: at(0, 0), to: at(1, 1)) }
    #expect(screen.cell(1, 1) === a)
    #expect(screen.shown == ["b", "c", "a"])
  }

  @Test func aReloadedSectionIsAskedForAgainAndMayHaveAnotherCount() async throws {
    let screen = CollectionScreen([["a"], ["b"]])
    screen.view.layoutIfNeeded()
    screen.asked = []
    try await screen.update([["a"], ["x", "y"]]) { $0.reloadSections([1]) }
    #expect(Set(screen.asked) == [at(1, 0), at(1, 1)])
    #expect(screen.shown == ["a", "x", "y"])
  }

  @Test func anOperationAloneIsABatchOfItsOwn() {
    let screen = CollectionScreen(2)
    screen.data[0].append("2")
    screen.view.insertItems(at: [at(0, 2)])
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["0", "1", "2"])
  }

  @Test func anEmptyBatchAsksForSizesAgain() async throws {
    let screen = CollectionScreen(3)
    let cell = screen.cell(0, 1)
    screen.height = { $0 == "0" ? 50 : 20 }
    try await screen.update(screen.data) { _ in }
    #expect(screen.cell(0, 1)?.frame.minY == 50)
    #expect(screen.cell(0, 1) === cell)
  }

  @Test func completionsComeOutermostFirst() async throws {
    let screen = CollectionScreen(3)
    var called: [String] = []
    screen.view.performBatchUpdates {
      screen.view.performBatchUpdates(nil) { _ in called.append("inner 0") }
      screen.view.performBatchUpdates(nil) { _ in called.append("inner 1") }
    } completion: { _ in
      called.append("outer")
    }
    try await wait { called.count == 3 }
    #expect(called == ["outer", "inner 0", "inner 1"])
  }

  @Test func countsAreAskedWhenTheClosureHasRun() async throws {
    let screen = CollectionScreen(2)
    var inside = 0
    try await screen.update([["0", "1", "2"]]) { view in
      view.insertItems(at: [at(0, 2)])
      inside = view.numberOfItems(inSection: 0)
    }
    #expect(inside == 2)
    #expect(screen.view.numberOfItems(inSection: 0) == 3)
  }

  @Test func withoutAWindowTheDataIsShownToo() async throws {
    let screen = CollectionScreen([["a", "b"]], isInWindow: false)
    screen.view.layoutIfNeeded()
    try await screen.update([["b", "c"]]) { view in
      view.deleteItems(at: [at(0, 0)])
      view.insertItems(at: [at(0, 1)])
    }
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["b", "c"])
  }

  @Test func aBatchBetweenAReloadAndItsLayoutIsTaken() async throws {
    let screen = CollectionScreen([["a"], ["b", "c"]])
    screen.view.layoutIfNeeded()
    screen.data = [["x"]]
    screen.view.reloadData()
    try await screen.update([["x", "y"]]) { $0.insertItems(at: [at(0, 1)]) }
    screen.view.layoutIfNeeded()
    #expect(screen.shown == ["x", "y"])
  }

  /// Any list of letters to any other, as Swift's own difference says it.
  @Test(arguments: 0..<30) func everyDifferenceIsShown(_ seed: Int) async throws {
    var state = UInt64(seed + 1)
    func number(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let screen = CollectionScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    for _ in 0..<6 {
      let old = screen.data[0]
      var new = "abcdefgh".map(String.init).filter { _ in number(3) > 0 }
      for index in new.indices.reversed() { new.swapAt(index, number(index + 1)) }
      // Cells stay with the letters that were visible and are so again.
      let before = Dictionary(
        uniqueKeysWithValues: screen.view.indexPathsForVisibleItems.map {
          (old[$0.item], screen.view.cellForItem(at: $0))
        })
      let changes = new.difference(from: old).inferringMoves()
      try await screen.update([new]) { view in
        for change in changes {
          switch change {
          case .remove(let offset, _, nil): view.deleteItems(at: [at(0, offset)])
          case .remove(let offset, _, let target?):
            view.moveItem(at: at(0, offset), to: at(0, target))
          case .insert(let offset, _, nil): view.insertItems(at: [at(0, offset)])
          case .insert: break
          }
        }
      }
      #expect(screen.shown == Array(new.prefix(5)))
      for path in screen.view.indexPathsForVisibleItems {
        guard let cell = before[new[path.item]] else { continue }
        #expect(screen.view.cellForItem(at: path) === cell)
      }
    }
  }
}

/// What a layout is asked in a batch update.
@MainActor @Suite struct LayoutQuestionTests {
  private final class AskedLayout: UICollectionViewFlowLayout {
    var questions: [String] = []

    override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
      super.prepare(forCollectionViewUpdates: updateItems)
      for item in updateItems {
        let (before, after) = (item.indexPathBeforeUpdate, item.indexPathAfterUpdate)
        switch item.updateAction {
        case .insert: questions.append("insert \(before?.item ?? -1) \(after?.item ?? -1)")
        case .delete: questions.append("delete \(before?.item ?? -1) \(after?.item ?? -1)")
        case .move: questions.append("move \(before?.item ?? -1) \(after?.item ?? -1)")
        default: questions.append("other")
        }
      }
    }
    override func finalizeCollectionViewUpdates() {
      super.finalizeCollectionViewUpdates()
      questions.append("finalize")
    }
    override func initialLayoutAttributesForAppearingItem(
      at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      questions.append("initial \(itemIndexPath.item)")
      return super.initialLayoutAttributesForAppearingItem(at: itemIndexPath)
    }
    override func finalLayoutAttributesForDisappearingItem(
      at itemIndexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      questions.append("final \(itemIndexPath.item)")
      return super.finalLayoutAttributesForDisappearingItem(at: itemIndexPath)
    }
  }

  @Test func aLayoutHearsOfAnUpdateBeforeItIsAskedAndOfItsEnd() async throws {
    let screen = CollectionScreen([["a", "b", "c"]])
    let layout = AskedLayout()
    layout.minimumLineSpacing = 0
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    layout.questions = []
    try await screen.update([["c", "a", "new"]]) { view in
      view.deleteItems(at: [at(0, 1)])
      view.moveItem(at: at(0, 2), to: at(0, 0))
      view.insertItems(at: [at(0, 2)])
    }
    let told = layout.questions.prefix { !$0.hasPrefix("initial") && !$0.hasPrefix("final ") }
    #expect(Set(told) == ["delete 1 -1", "move 2 0", "insert -1 2"])
    #expect(layout.questions.contains("initial 2"))
    #expect(layout.questions.contains("final 1"))
    #expect(layout.questions.last == "finalize")
  }

  @Test func aLayoutChoosesTheOffsetAfterAnUpdate() async throws {
    final class Keeping: UICollectionViewFlowLayout {
      var target: CGFloat?
      override func targetContentOffset(forProposedContentOffset proposed: CGPoint) -> CGPoint {
        target.map { CGPoint(x: 0, y: $0) } ?? proposed
      }
    }
    let layout = Keeping()
    layout.minimumLineSpacing = 0
    layout.itemSize = CGSize(width: 100, height: 20)
    let screen = CollectionScreen(20)
    // A delegate with the method would be asked instead.
    screen.view.delegate = nil
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    screen.scroll(to: 100)
    layout.target = 120
    try await screen.update([["new"] + screen.data[0]]) { $0.insertItems(at: [at(0, 0)]) }
    #expect(screen.view.contentOffset.y == 120)
    #expect(screen.shown.first == "5")
  }

  @Test func anotherLayoutKeepsTheCells() {
    let screen = CollectionScreen([["a", "b", "c"]])
    screen.view.layoutIfNeeded()
    let cells = (0..<3).map { screen.cell(0, $0) }
    let layout = UICollectionViewFlowLayout()
    layout.minimumLineSpacing = 10
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    #expect(screen.view.collectionViewLayout === layout)
    #expect(layout.collectionView === screen.view)
    #expect(screen.layout.collectionView == nil)
    #expect((0..<3).allSatisfy { screen.cell(0, $0) === cells[$0] })
    #expect(screen.cell(0, 2)?.frame.minY == 60)
  }

  /// A layout with a card behind each section.
  private final class CardLayout: UICollectionViewFlowLayout {
    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      (super.layoutAttributesForElements(in: rect) ?? [])
        + [layoutAttributesForDecorationView(ofKind: "card", at: at(0, 0))].compactMap(\.self)
    }
    override func layoutAttributesForDecorationView(
      ofKind elementKind: String, at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      let attributes = UICollectionViewLayoutAttributes(
        forDecorationViewOfKind: elementKind, with: indexPath)
      attributes.frame = CGRect(x: 0, y: 0, width: 100, height: 60)
      attributes.zIndex = -1
      return attributes
    }
  }

  private final class Card: UICollectionReusableView {}

  @Test func aLayoutMakesItsDecorations() {
    let screen = CollectionScreen([["a", "b", "c"]])
    let layout = CardLayout()
    layout.minimumLineSpacing = 0
    layout.register(Card.self, forDecorationViewOfKind: "card")
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    let cards = screen.view.subviews.compactMap { $0 as? Card }
    #expect(cards.map(\.frame) == [CGRect(x: 0, y: 0, width: 100, height: 60)])
    #expect(screen.shown == ["a", "b", "c"])
  }
}
