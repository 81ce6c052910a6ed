import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import SuiteSupport
import Synchronization
import TestSupport
import Testing

/// Decorations that belong to items: they are computed from the items in sight.
@Suite @MainActor struct ItemDecorationTests {
  private let folder: TemporaryFolder
  private let shelf: LiveList

  init() throws {
    folder = try TemporaryFolder()
    shelf = try Repository(at: folder.file("store.sqlite"))
      .liveList("shelf", items: [CardedBook.self])
  }

  private func screen(_ books: [CardedBook]) throws -> (
    screen: Screen, view: UICollectionView, adapter: CollectionAdapter
  ) {
    try shelf.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(books, in: "a")
    }
    let screen = try Screen(.placed, showing: shelf)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return (
      screen, try #require(screen.collection), try #require(screen.adapter as? CollectionAdapter)
    )
  }

  private func book(_ id: String, _ cards: [String] = ["Card"]) -> CardedBook {
    CardedBook(id: id, cards: cards)
  }

  private struct Card: Hashable, Comparable {
    var frame: CGRect
    var text: String?

    static func < (lhs: Card, rhs: Card) -> Bool {
      (lhs.frame.minY, lhs.frame.minX, lhs.text ?? "")
        < (rhs.frame.minY, rhs.frame.minX, rhs.text ?? "")
    }
  }

  /// The decorations that have to be in sight, and those that are.
  private func cards(on screen: Screen) throws -> (expected: [Card], shown: [Card]) {
    var expected: [Card] = []
    for section in try shelf.tree().sections {
      for item in section.items {
        let book = try item.value(as: CardedBook.self)
        guard let frame = screen.frame(of: item.id) else { continue }
        for view in book.cards {
          let frame = view == "Line" ? frame.insetBy(dx: -10, dy: -10) : frame
          if !frame.intersects(screen.view.bounds) { continue }
          expected.append(Card(frame: frame, text: "\"\(book.id) \(book.edition)\""))
        }
      }
    }
    let shown = screen.view.subviews.compactMap { $0 as? CardView }
      .map { Card(frame: $0.frame, text: $0.text) }
    return (expected.sorted(), shown.sorted())
  }

  private func decoration(of book: String, on screen: Screen) -> CardView? {
    screen.view.subviews.compactMap { $0 as? CardView }.first { $0.text == "\"\(book) 1\"" }
  }

  private func check(
    _ screen: Screen, _ count: Int? = nil, _ edit: (ListEditor) throws -> Void
  ) throws {
    try shelf.edit(edit)
    try screen.settle()
    let cards = try cards(on: screen)
    try #require(cards.shown == cards.expected)
    if let count { #expect(cards.shown.count == count) }
  }

  @Test func theyGoWithTheirItems() throws {
    let (screen, _, _) = try screen([
      book("b0", []), book("b1"), book("b2", []), book("b3", ["Card", "Line"]),
    ])
    try check(screen, 3) { list in
      try list.insertSection("b", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(book("c0", []), in: "b")
    }
    let line = try #require(decoration(of: "b3", on: screen))
    try check(screen, 3) { try $0.insert(book("new", []), in: "a", at: .start) }
    #expect(decoration(of: "b3", on: screen) === line)
    try check(screen, 4) { try $0.insert(book("carded"), in: "a", at: .after("b0")) }
    try check(screen, 4) { try $0.move("b1", to: .end) }
    try check(screen, 4) { try $0.move("b1", in: "b", to: .start) }
    try check(screen, 4) { try $0.moveSection("b", to: .start) }
    try check(screen, 4) { list in
      try list.move("b1", in: "a", to: .start)
      try list.insertSection("c", at: .start)
    }
    try check(screen, 2) { list in
      try list.delete("b3")
      try list.moveSection("a", to: .start)
    }
    // With its content.
    try check(screen, 1) { try $0.update("b1", as: CardedBook.self) { $0.cards = [] } }
    try check(screen, 3) { list in
      try list.update("b1", as: CardedBook.self) { $0.cards = ["Card", "Line"] }
      try list.update("carded", as: CardedBook.self) { $0.edition = 2 }
    }
    try check(screen, 0) { try $0.deleteSection("a") }
  }

  /// UIKit is not told of a decoration that an item loses.
  @Test func oneThatAnItemLosesWhileOthersComeAndGo() throws {
    let (screen, _, _) = try screen((0..<4).map { book("b\($0)", ["Card", "Line"]) })
    try check(screen, 7) { list in
      try list.insert(book("new", []), in: "a", at: .start)
      try list.update("b0", as: CardedBook.self) { $0.cards = ["Line"] }
    }
    try check(screen, 4) { list in
      try list.delete("new")
      try list.update("b1", as: CardedBook.self) { $0.cards = [] }
      try list.update("b3", as: CardedBook.self) { $0.cards = ["Card"] }
    }
  }

  @Test(arguments: 0..<8) func theyAreThereWhateverHappens(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (screen, _, _) = try screen((0..<4).map { book("b\($0)") })
    let items = (0..<6).map { ItemID(stringLiteral: "b\($0)") }
    let sections: [SectionID] = ["a", "x", "y"]
    for _ in 0..<40 {
      try check(screen) { list throws in
        for _ in 0...generator.number(0..<3) {
          let item = items[generator.below(items.count)]
          let section = sections[generator.below(sections.count)]
          let cards = ["Card", "Line"].filter { _ in generator.percent(50) }
          try list.insertSectionIfMissing(
            section, SectionAttributes(layout: SectionLayout(kind: .list)))
          switch generator.number(0..<7) {
          case 0: if try list.path(of: item) != nil { try list.delete(item) }
          case 1, 2:
            if try list.path(of: item) != nil {
              try list.move(item, in: section, to: .start)
            } else {
              try list.insert(book(item.rawValue, cards), in: section)
            }
          case 3: try list.moveSection(section, to: .start)
          case 4: if generator.percent(30) { try list.deleteSection(section) }
          default:
            if try list.path(of: item) != nil {
              try list.update(item, as: CardedBook.self) { book in
                book.edition += 1
                book.cards = cards
              }
            }
          }
        }
      }
    }
  }

  @Test func oneGoesWithTheItemThatTheUserDrops() throws {
    let (screen, view, adapter) = try screen([
      book("b0"), book("b1", []), book("b2"), book("b3", []),
    ])
    adapter.canMove = { _ in true }
    try check(screen, 2) { list throws in
      try list.insertSection("b", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(book("c0", []), in: "b")
    }
    for target in [IndexPath(item: 3, section: 0), IndexPath(item: 0, section: 1)] {
      let source = try #require(adapter.indexPath(of: "b0"))
      let frame = try #require(view.layoutAttributesForItem(at: target)?.frame)
      view.beginInteractiveMovementForItem(at: source)
      view.updateInteractiveMovementTargetPosition(CGPoint(x: frame.midX, y: frame.midY))
      view.endInteractiveMovement()
      screen.layOut()
      screen.finishAnimations()
      let cards = try cards(on: screen)
      #expect(cards.shown == cards.expected && cards.shown.count == 2)
    }
  }

  @Test func onlyTheItemsInSightAreAsked() throws {
    let (screen, view, _) = try screen((0..<1_000).map { book("sight \($0)", ["Card", "Line"]) })
    view.headlessDrag(to: CGPoint(x: 0, y: 20_000))
    screen.layOut()
    let cards = try cards(on: screen)
    #expect(cards.shown == cards.expected && cards.shown.count >= 20)
    let asked = CardedBook.asked.withLock { ids in ids.filter { $0.hasPrefix("sight") } }
    #expect((20..<60).contains(asked.count))
  }

  /// The log has the items alone.
  @Test func theyCostTheStoreNothing() throws {
    try shelf.edit { list throws in
      try list.insertSection("a")
      try list.insert((0..<1_000).map { book("b\($0)") }, in: "a")
    }
    try shelf.repository.backup(to: folder.file("before.sqlite"))
    for number in 0..<100 {
      try shelf.edit { try $0.insert(book("new \(number)"), in: "a", at: .start) }
    }
    try shelf.repository.backup(to: folder.file("after.sqlite"))
    let sizes = try ["before", "after"].map { name in
      try #require(
        FileManager.default.attributesOfItem(atPath: folder.file("\(name).sqlite").path)[.size]
          as? Int)
    }
    #expect(sizes[1] - sizes[0] < 100_000)
  }
}

/// A book in front of views of its own.
private struct CardedBook: ListItem {
  var id: String
  var cards: [String]
  var edition = 1
  /// The ids of those that were asked for their decorations.
  static let asked = Mutex<Set<String>>([])

  static var decorationViews: [ViewName: ViewSource] {
    ["Card": .type(CardView.self), "Line": .type(CardView.self)]
  }
  var decorations: [Decoration] {
    _ = Self.asked.withLock { $0.insert(id) }
    let around = Insets(top: -10, left: -10, bottom: -10, right: -10)
    return cards.map { view in
      Decoration(
        view: ViewName(stringLiteral: view), insets: view == "Line" ? around : nil,
        content: JSON(stringLiteral: "\"\(id) \(edition)\""))
    }
  }

  func configure(_ cell: UICollectionViewCell) {}
  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
}

/// A view that says what it shows.
private final class CardView: UICollectionReusableView {
  var text: String?

  override func apply(_ attributes: UICollectionViewLayoutAttributes) {
    super.apply(attributes)
    text = (attributes as? DecorationAttributes)?.decoration?.content.text
  }
}
