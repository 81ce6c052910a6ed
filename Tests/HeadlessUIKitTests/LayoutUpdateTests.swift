import Foundation
import HeadlessUIKit
import Testing

/// Items in a column, below titles and on cards that come and go.
private final class Titled: UICollectionViewLayout {
  /// The sections that have titles and cards.
  var titled: Set<Int> = []
  /// The paths that the layout names as deleted and inserted.
  var deleted: [IndexPath] = []
  var inserted: [IndexPath] = []
  /// The questions during updates.
  var questions: [String] = []

  private static let title = UICollectionView.elementKindSectionHeader

  private var sections: Range<Int> { 0..<(collectionView?.numberOfSections ?? 0) }
  override var collectionViewContentSize: CGSize {
    CGSize(width: 100, height: CGFloat(sections.count) * 30)
  }

  override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
    attributes.frame = CGRect(
      x: 0, y: CGFloat(indexPath.section) * 30 + 10, width: 100, height: 20)
    return attributes
  }

  override func layoutAttributesForSupplementaryView(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard titled.contains(path.section) else { return nil }
    let attributes = UICollectionViewLayoutAttributes(forSupplementaryViewOfKind: kind, with: path)
    attributes.frame = CGRect(x: 0, y: CGFloat(path.section) * 30, width: 100, height: 10)
    return attributes
  }

  override func layoutAttributesForDecorationView(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    guard titled.contains(path.section) else { return nil }
    let attributes = UICollectionViewLayoutAttributes(forDecorationViewOfKind: kind, with: path)
    attributes.frame = CGRect(x: 0, y: CGFloat(path.section) * 30, width: 100, height: 30)
    return attributes
  }

  override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    sections.flatMap { section in
      [
        layoutAttributesForItem(at: at(section, 0)),
        layoutAttributesForSupplementaryView(ofKind: Self.title, at: at(section, 0)),
        layoutAttributesForDecorationView(ofKind: "card", at: at(section, 0)),
      ].compactMap(\.self)
    }
  }

  // MARK: Updates

  override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
    questions += updateItems.map {
      "\($0.updateAction) \($0.indexPathBeforeUpdate?.section ?? -1) "
        + "\($0.indexPathAfterUpdate?.section ?? -1)"
    }
  }
  override func finalizeCollectionViewUpdates() { questions.append("finalize") }
  override func indexPathsToDeleteForSupplementaryView(ofKind kind: String) -> [IndexPath] {
    deleted
  }
  override func indexPathsToInsertForSupplementaryView(ofKind kind: String) -> [IndexPath] {
    inserted
  }
  override func indexPathsToDeleteForDecorationView(ofKind kind: String) -> [IndexPath] { deleted }
  override func indexPathsToInsertForDecorationView(ofKind kind: String) -> [IndexPath] { inserted }
  override func initialLayoutAttributesForAppearingItem(
    at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("initial item \(path.section)")
    return nil
  }
  override func finalLayoutAttributesForDisappearingItem(
    at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("final item \(path.section)")
    return nil
  }
  override func initialLayoutAttributesForAppearingSupplementaryElement(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("initial title \(path.section)")
    return nil
  }
  override func finalLayoutAttributesForDisappearingSupplementaryElement(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("final title \(path.section)")
    return nil
  }
  override func initialLayoutAttributesForAppearingDecorationElement(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("initial card \(path.section)")
    return nil
  }
  override func finalLayoutAttributesForDisappearingDecorationElement(
    ofKind kind: String, at path: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    questions.append("final card \(path.section)")
    return nil
  }
}

/// What a collection view asks its layout in a batch update.
@MainActor @Suite struct LayoutUpdateTests {
  private let screen = ShelfScreen([1, 1])
  private let layout = Titled()

  init() {
    layout.register(TitleView.self, forDecorationViewOfKind: "card")
    layout.titled = [0, 1]
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
  }

  private var titles: [Int] {
    screen.view.indexPathsForVisibleSupplementaryElements(
      ofKind: UICollectionView.elementKindSectionHeader
    ).map(\.section)
  }

  @Test func aTitleThatGoesUnnamedIsRefused() {
    let raised = HeadlessException.raised { screen.update { _ in layout.titled = [1] } }
    let path = "at path <NSIndexPath> {length = 2, path = 0 - 0}"
    #expect(
      Set(raised.map(\.reason)) == [
        "no UICollectionViewLayoutAttributes instance for "
          + "-layoutAttributesForDecorationViewOfKind: card \(path)",
        "no UICollectionViewLayoutAttributes instance for "
          + "-layoutAttributesForSupplementaryElementOfKind: "
          + "UICollectionElementKindSectionHeader \(path)",
      ])
  }

  @Test func aTitleThatIsNamedGoes() {
    layout.questions = []
    screen.update { _ in
      layout.titled = [1]
      layout.deleted = [at(0, 0)]
    }
    #expect(titles == [1])
    #expect(Set(layout.questions) == ["final title 0", "final card 0", "finalize"])
    #expect(layout.questions.last == "finalize")
    screen.view.headless.finishAnimations()
    #expect(screen.view.headless.supplementaryViews.onDisplay == 1)
  }

  @Test func aTitleThatComesIsAskedWhereItBegins() {
    layout.titled = []
    layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    layout.questions = []
    screen.update { _ in
      layout.titled = [1]
      layout.inserted = [at(1, 0)]
    }
    #expect(titles == [1])
    #expect(Set(layout.questions) == ["initial title 1", "initial card 1", "finalize"])
  }

  @Test func sectionsTakeTheirTitlesAlong() {
    layout.questions = []
    screen.update([1]) { view in
      layout.titled = [0]
      view.deleteSections([0])
      screen.shelf.sections[0] = Shelf([1, 1]).sections[1]
    }
    #expect(titles == [0])
    #expect(
      Set(layout.questions) == [
        "delete 0 -1", "final item 0", "final title 0", "final card 0", "finalize",
      ])
    layout.questions = []
    layout.titled = [0, 1]
    screen.view.performBatchUpdates {
      screen.shelf.sections.append(Shelf([1, 1, 1]).sections[2])
      screen.view.insertSections([1])
    }
    #expect(titles == [0, 1])
    #expect(
      Set(layout.questions) == [
        "insert -1 1", "initial item 1", "initial title 1", "initial card 1", "finalize",
      ])
  }

  @Test func aFlowLayoutDoesNotNameHeadersThatGo() {
    let screen = ShelfScreen([3])
    screen.headerHeight = 10
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    let raised = HeadlessException.raised { screen.update { _ in screen.headerHeight = 0 } }
    #expect(raised.count == 1)
    #expect(raised.first?.reason.contains("UICollectionElementKindSectionHeader") == true)
  }

  // MARK: Attributes

  @Test func attributesAreCopied() {
    final class Tinted: UICollectionViewLayoutAttributes {
      // Copied where UIKit copies, which is on the main actor only.
      nonisolated(unsafe) var tint = 0
      override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        (copy as? Tinted)?.tint = tint
        return copy
      }
    }
    let tinted = Tinted(forDecorationViewOfKind: "card", with: at(1, 2))
    tinted.frame = CGRect(x: 1, y: 2, width: 3, height: 4)
    (tinted.zIndex, tinted.alpha, tinted.isHidden, tinted.tint) = (5, 0.5, true, 7)
    let copy = tinted.copy() as? Tinted
    #expect(copy !== tinted)
    #expect(copy?.tint == 7)
    #expect(copy == tinted)
    #expect(copy?.representedElementKind == "card")
    copy?.frame.origin.x = 9
    #expect(copy != tinted)
    let frame = screen.view.layoutAttributesForItem(at: at(0, 0))?.frame
    screen.view.layoutAttributesForItem(at: at(0, 0))?.frame = .zero
    #expect(screen.view.layoutAttributesForItem(at: at(0, 0))?.frame == frame)
    let shelf = ShelfScreen([3])
    shelf.view.layoutAttributesForItem(at: at(0, 0))?.frame = .zero
    #expect(shelf.view.layoutAttributesForItem(at: at(0, 0))?.frame.height == 20)
  }

  // MARK: Sizes

  @Test func aFlowLayoutKeepsItsSizesInARotation() {
    let screen = ShelfScreen([3])
    var height: CGFloat = 20
    screen.itemHeight = { _ in height }
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    height = 30
    screen.view.frame.size.width = 200
    screen.view.layoutIfNeeded()
    #expect(screen.cell(at(0, 0))?.frame.height == 20)
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    #expect(screen.cell(at(0, 0))?.frame.height == 30)
  }

  @Test func sizesAreAskedForAgainOnlyWhenTheyAreOutOfDate() {
    let screen = ShelfScreen([20])
    var questions = 0
    screen.itemHeight = { _ in
      questions += 1
      return 20
    }
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    #expect(questions == 20)
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 100))
    let context = UICollectionViewFlowLayoutInvalidationContext()
    context.invalidateFlowLayoutDelegateMetrics = false
    screen.layout.invalidateLayout(with: context)
    screen.view.layoutIfNeeded()
    #expect(questions == 20)
    screen.layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    #expect(questions == 40)
  }

  @Test func cellsSizeThemselvesWhereSizesAreEstimated() {
    final class Tall: UICollectionViewCell {
      override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 100, height: 35) }
    }
    let screen = ShelfScreen([3])
    screen.view.headless.expectedContent = nil
    screen.view.register(Tall.self, forCellWithReuseIdentifier: "tall")
    screen.configure = { $0.dequeueReusableCell(withReuseIdentifier: "tall", for: $1) }
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.visibleCells.map(\.frame.minY).sorted() == [0, 20, 40])
    screen.layout.estimatedItemSize = CGSize(width: 100, height: 10)
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.visibleCells.map(\.frame.minY).sorted() == [0, 35, 70])
    #expect(screen.view.contentSize.height == 105)
  }

  // MARK: Right to left

  @Test func aFlippedLayoutBeginsAtTheRight() {
    final class Flipped: UICollectionViewFlowLayout {
      override var flipsHorizontallyInOppositeLayoutDirection: Bool { true }
    }
    let screen = ShelfScreen([10])
    let layout = Flipped()
    layout.itemSize = CGSize(width: 30, height: 30)
    layout.scrollDirection = .horizontal
    screen.view.delegate = nil
    screen.view.setCollectionViewLayout(layout, animated: false)
    screen.view.layoutIfNeeded()
    #expect(screen.view.headless.frameOnScreen(ofItemAt: at(0, 0))?.minX == 0)
    screen.window.headlessChangeTraits(UITraitCollection(layoutDirection: .rightToLeft))
    #expect(screen.view.effectiveUserInterfaceLayoutDirection == .rightToLeft)
    #expect(screen.view.headless.frameOnScreen(ofItemAt: at(0, 0))?.maxX == 100)
  }

  // MARK: Menus and the status bar

  @Test func aDelegateMayHaveTheMethodForOneItemOnly() {
    final class Delegate: NSObject, UICollectionViewDelegate {
      func collectionView(
        _ view: UICollectionView, contextMenuConfigurationForItemAt path: IndexPath, point: CGPoint
      ) -> UIContextMenuConfiguration? {
        UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { _ in
          UIMenu(title: "\(path.item)", children: [])
        }
      }
    }
    let screen = ShelfScreen([3])
    let delegate = Delegate()
    screen.view.delegate = delegate
    #expect(screen.view.headless.press(itemsAt: [at(0, 2)])?.title == "2")
    #expect(screen.view.headless.press(itemsAt: [at(0, 1), at(0, 2)]) == nil)
  }

  @Test func aTapOnTheStatusBarScrollsToTheTop() {
    let screen = ShelfScreen([100])
    screen.view.headless.scroll(to: CGPoint(x: 0, y: 500))
    screen.view.headlessScrollToTop()
    #expect(screen.view.contentOffset.y == 0)
    #expect(screen.shown.first == "0,0 A0:0")
  }
}
