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

/// A book with a decoration of its own.
private struct CardedBook: ListItem {
  var id: String
  var color: String?
  var insets: Double?

  static var decorationViews: [ViewName: ViewSource] { ["Card": .type(CardView.self)] }
  var decorations: [Decoration] {
    guard let color else { return [] }
    let insets = insets.map { Insets(top: $0, left: 2 * $0, bottom: 3 * $0, right: 4 * $0) }
    let content = JSON(stringLiteral: "\"\(color)\"")
    return [Decoration(view: "Card", zIndex: 3, insets: insets, content: content)]
  }

  func configure(_ cell: UICollectionViewCell) {}
  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
}

/// A layout of an app: items in a line, with the decorations of sections and items.
private final class LineLayout: UICollectionViewLayout {
  weak var adapter: CollectionAdapter?
  private var cards: [Key: DecorationAttributes] = [:]
  private var kindsOfItems: Set<String> = []
  private var changes: [UICollectionViewUpdateItem] = []

  private struct Key: Hashable {
    var kind: String?
    var path: IndexPath
  }

  private func frame(ofItemAt path: IndexPath) -> CGRect {
    CGRect(x: CGFloat(path.item) * 40, y: CGFloat(path.section) * 100, width: 40, height: 40)
  }

  override var collectionViewContentSize: CGSize { CGSize(width: 320, height: 480) }

  override func prepare() {
    super.prepare()
    cards = [:]
    for section in 0..<(collectionView?.numberOfSections ?? 0) {
      for attributes in adapter?.decorationAttributes(ofSection: section) ?? [] {
        guard attributes.decoration?.element == .section else { continue }
        attributes.place(around: CGRect(x: 0, y: CGFloat(section) * 100, width: 320, height: 100))
        add(attributes)
      }
      for item in 0..<(collectionView?.numberOfItems(inSection: section) ?? 0) {
        let path = IndexPath(item: item, section: section)
        for attributes in adapter?.decorationAttributes(ofItemAt: path) ?? [] {
          attributes.place(around: frame(ofItemAt: path))
          if let kind = attributes.representedElementKind { kindsOfItems.insert(kind) }
          add(attributes)
        }
      }
    }
  }

  private func add(_ attributes: DecorationAttributes) {
    cards[Key(kind: attributes.representedElementKind, path: attributes.indexPath)] = attributes
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
  ) -> UICollectionViewLayoutAttributes? { cards[Key(kind: elementKind, path: indexPath)] }

  override func prepare(forCollectionViewUpdates updateItems: [UICollectionViewUpdateItem]) {
    super.prepare(forCollectionViewUpdates: updateItems)
    changes = updateItems
  }

  // The decorations of items come and go with them, and those of sections stay.
  override func indexPathsToDeleteForDecorationView(ofKind kind: String) -> [IndexPath] {
    kindsOfItems.contains(kind) ? changes.compactMap(\.indexPathBeforeUpdate).sorted() : []
  }

  override func indexPathsToInsertForDecorationView(ofKind kind: String) -> [IndexPath] {
    kindsOfItems.contains(kind) ? changes.compactMap(\.indexPathAfterUpdate).sorted() : []
  }
}

/// Decorations of sections and of items, in Cellar's layout and in an app's.
@Suite @MainActor struct DecorationTests {
  private let folder: TemporaryFolder
  private let shelf: LiveList

  init() throws {
    folder = try TemporaryFolder()
    shelf = try Repository(at: folder.file("store.sqlite"))
      .liveList("shelf", items: [CardedBook.self])
  }

  /// Three books; the last two have decorations.
  private func fill(_ decorations: [Decoration] = []) throws {
    try shelf.edit { list in
      try list.insertSection(
        "a", SectionAttributes(layout: SectionLayout(kind: .list), decorations: decorations))
      try list.insert(
        [
          CardedBook(id: "b0"), CardedBook(id: "b1", color: "blue", insets: 1),
          CardedBook(id: "b2", color: "green"),
        ], in: "a")
    }
  }

  private func screen(_ kind: ScreenKind) throws -> (Screen, CollectionAdapter) {
    var views = ViewRegistry(of: shelf, for: .collectionView)
    views.register("Card", kind: ViewRegistry.decorationKind, .type(CardView.self))
    let screen = try Screen(kind, showing: shelf, collectionViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    return (screen, try #require(screen.adapter as? CollectionAdapter))
  }

  private func cards(on screen: Screen) -> [CardView] {
    screen.view.subviews.compactMap { $0 as? CardView }
      .sorted { ($0.frame.minX, $0.frame.minY) < ($1.frame.minX, $1.frame.minY) }
  }

  @Test("0.16: an app's own layout places the decorations of sections and items")
  func decorationsInALayoutOfTheApp() throws {
    try fill([
      Decoration(view: "Card", content: "\"red\""), Decoration(view: "Card", element: .header),
    ])
    let (screen, adapter) = try screen(.flow)
    let layout = LineLayout()
    layout.adapter = adapter
    adapter.registerDecorations(with: layout)
    screen.collection?.setCollectionViewLayout(layout, animated: false)
    screen.layOut()
    func frames() -> [CGRect] { cards(on: screen).map(\.frame) }
    let whole = CGRect(x: 0, y: 0, width: 320, height: 100)
    let last = CGRect(x: 80, y: 0, width: 40, height: 40)
    #expect(frames() == [whole, CGRect(x: 42, y: 1, width: 34, height: 36), last])
    #expect(cards(on: screen).map(\.color) == ["\"red\"", "\"blue\"", "\"green\""])
    #expect(adapter.decorationAttributes(ofSection: 0).map(\.zIndex) == [-1, -1])
    #expect(
      adapter.decorationAttributes(ofItemAt: IndexPath(item: 1, section: 0)).map(\.zIndex) == [3])
    #expect(adapter.decorationAttributes(ofItemAt: IndexPath(item: 0, section: 0)).isEmpty)
    #expect(adapter.decorationAttributes(ofItemAt: IndexPath(item: 9, section: 7)).isEmpty)
    #expect(adapter.decorationAttributes(ofSection: 7).isEmpty)
    // They go with their items.
    try shelf.edit { try $0.move("b1", to: .start) }
    try screen.settle()
    #expect(frames() == [whole, CGRect(x: 2, y: 1, width: 34, height: 36), last])
    try shelf.edit { try $0.delete("b2") }
    try screen.settle()
    #expect(frames() == [whole, CGRect(x: 2, y: 1, width: 34, height: 36)])
  }

  @Test("0.16: an item is decorated where it stands, as it says, and only while it is there")
  func decorationsOfItems() throws {
    try fill()
    let (screen, _) = try screen(.placed)
    screen.layOut()
    func shown() -> [String?] { cards(on: screen).map(\.color) }
    #expect(shown() == ["\"green\"", "\"blue\""])
    #expect(cards(on: screen).first?.frame == screen.frame(of: "b2"))
    try shelf.edit { try $0.move("b2", to: .start) }
    try screen.settle()
    #expect(cards(on: screen).first?.frame == screen.frame(of: "b2"))
    try shelf.edit { list in
      try list.update("b2", as: CardedBook.self) { $0.color = nil }
      try list.update("b0", as: CardedBook.self) { $0.color = "yellow" }
    }
    try screen.settle()
    #expect(shown() == ["\"yellow\"", "\"blue\""])
    try shelf.edit { try $0.delete(["b0", "b1"]) }
    try screen.settle()
    #expect(shown().isEmpty)
    try shelf.undo()
    try screen.settle()
    #expect(shown() == ["\"yellow\"", "\"blue\""])
  }
}
