import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// A decoration that takes its color from the store.
private final class CardView: UICollectionReusableView {
  var color: String?

  override func apply(_ attributes: UICollectionViewLayoutAttributes) {
    super.apply(attributes)
    color = (attributes as? DecorationAttributes)?.decoration?.content.text
  }
}

/// A layout of an app: items in a line, with the decorations of sections and items.
private final class LineLayout: UICollectionViewLayout {
  weak var adapter: CollectionAdapter?
  private var cards: [IndexPath: DecorationAttributes] = [:]
  private var cardsBefore: [IndexPath: DecorationAttributes] = [:]

  private func frame(ofItemAt path: IndexPath) -> CGRect {
    CGRect(x: CGFloat(path.item) * 40, y: CGFloat(path.section) * 100, width: 40, height: 40)
  }

  override var collectionViewContentSize: CGSize { CGSize(width: 320, height: 480) }

  override func prepare() {
    super.prepare()
    cardsBefore = cards
    cards = [:]
    for section in 0..<(collectionView?.numberOfSections ?? 0) {
      for attributes in adapter?.decorationAttributes(ofSection: section) ?? [] {
        switch attributes.decoration?.element {
        case .section:
          attributes.place(
            around: CGRect(x: 0, y: CGFloat(section) * 100, width: 320, height: 100))
        case .item(let id):
          guard let path = adapter?.indexPath(of: id), path.section == section else { continue }
          attributes.place(around: frame(ofItemAt: path))
        default: continue
        }
        cards[attributes.indexPath] = attributes
      }
    }
  }

  override func layoutAttributesForElements(
    in rect: CGRect
  ) -> [UICollectionViewLayoutAttributes]? {
    let sections = 0..<(collectionView?.numberOfSections ?? 0)
    let items = sections.flatMap { section in
      (0..<(collectionView?.numberOfItems(inSection: section) ?? 0)).compactMap {
        layoutAttributesForItem(at: IndexPath(item: $0, section: section))
      }
    }
    return items + cards.values.map { $0 as UICollectionViewLayoutAttributes }
  }

  override func layoutAttributesForItem(
    at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? {
    let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
    attributes.frame = frame(ofItemAt: indexPath)
    return attributes
  }

  override func layoutAttributesForDecorationView(
    ofKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionViewLayoutAttributes? { cards[indexPath] }

  override func indexPathsToDeleteForDecorationView(ofKind elementKind: String) -> [IndexPath] {
    Set(cardsBefore.keys).subtracting(cards.keys).sorted()
  }
}

/// Decorations of sections and of single items, in Cellar's layout and in an app's.
@Suite @MainActor struct DecorationTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var views: ViewRegistry {
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register([Book.self])
    views.register("Card", kind: ViewRegistry.decorationKind, .type(CardView.self))
    return views
  }

  private func cards(on screen: Screen) -> [CardView] {
    screen.view.subviews.compactMap { $0 as? CardView }
      .sorted { ($0.frame.minX, $0.frame.minY) < ($1.frame.minX, $1.frame.minY) }
  }

  @Test("0.16: an app's own layout places the decorations that the store has")
  func decorationsInALayoutOfTheApp() throws {
    try bookcase.fill(3)
    let insets = Insets(top: 1, left: 2, bottom: 3, right: 4)
    try bookcase.shelf.edit { list throws in
      try list.updateSection("a") {
        $0.decorations = [
          Decoration(view: "Card", content: "\"red\""),
          Decoration(view: "Card", element: .item("b1"), insets: insets, content: "\"blue\""),
          Decoration(view: "Card", element: .item("b2"), zIndex: 3, content: "\"green\""),
          Decoration(view: "Card", element: .header),
        ]
      }
    }
    let screen = try Screen(.flow, showing: bookcase.shelf, collectionViews: views)
    let adapter = try #require(screen.adapter as? CollectionAdapter)
    adapter.onProblem = { Issue.record("\($0)") }
    let layout = LineLayout()
    layout.adapter = adapter
    adapter.registerDecorations(with: layout)
    screen.collection?.setCollectionViewLayout(layout, animated: false)
    screen.layOut()
    func frames() -> [CGRect] { cards(on: screen).map(\.frame) }
    let whole = CGRect(x: 0, y: 0, width: 320, height: 100)
    #expect(
      frames() == [
        whole, CGRect(x: 42, y: 1, width: 34, height: 36),
        CGRect(x: 80, y: 0, width: 40, height: 40),
      ])
    #expect(cards(on: screen).map(\.color) == ["\"red\"", "\"blue\"", "\"green\""])
    #expect(adapter.decorationAttributes(ofSection: 0).map(\.zIndex) == [-1, -1, 3, -1])
    #expect(adapter.decorationAttributes(ofSection: 7).isEmpty)
    // They go with their items.
    try bookcase.shelf.edit { try $0.move("b1", to: .start) }
    try screen.settle()
    #expect(frames().contains(CGRect(x: 2, y: 1, width: 34, height: 36)))
    try bookcase.shelf.edit { try $0.delete("b2") }
    try screen.settle()
    #expect(frames() == [whole, CGRect(x: 2, y: 1, width: 34, height: 36)])
  }

  @Test("0.16: an item is decorated where it stands, and only while it is there")
  func decorationsOfItems() throws {
    try bookcase.fill(3, layout: SectionLayout(kind: .list))
    let screen = try Screen(.placed, showing: bookcase.shelf, collectionViews: views)
    screen.layOut()
    try bookcase.shelf.edit { list throws in
      try list.updateSection("a") {
        $0.decorations = [Decoration(view: "Card", element: .item("b1"), content: "1")]
      }
    }
    try screen.settle()
    let card = try #require(cards(on: screen).first)
    #expect(card.color == "1" && card.frame == screen.frame(of: "b1"))
    try bookcase.shelf.edit { try $0.move("b1", to: .end) }
    try screen.settle()
    #expect(cards(on: screen).first === card && card.frame == screen.frame(of: "b1"))
    try bookcase.shelf.edit { try $0.delete("b1") }
    try screen.settle()
    #expect(cards(on: screen).isEmpty)
    try bookcase.shelf.undoCommit(bookcase.shelf.revision())
    try screen.settle()
    #expect(cards(on: screen).map(\.frame) == [screen.frame(of: "b1")])
  }
}
