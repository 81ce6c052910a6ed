import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What the article on models that are bound to their cells describes.
@Suite @MainActor struct BoundModelTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private var shelf: LiveList { bookcase.shelf }

  /// An item that is one of two things.
  private enum Entry: ListItem, Equatable {
    case text(String)
    case gap(Int)

    var id: String {
      switch self {
      case .text(let text): "text \(text)"
      case .gap(let number): "gap \(number)"
      }
    }

    func configure(_ cell: TextCell) { cell.text = id }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 30)
    }
  }

  @Test("3.3: an item is any value that conforms, an enumeration too")
  func enumerationsAreItems() throws {
    let list = bookcase.repository.liveList("entries", items: [Entry.self])
    try list.replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        Entry.text("Hello")
        Entry.gap(1)
      }
    }
    let screen = try Screen(.placed, showing: list)
    var tapped: [Entry] = []
    screen.adapter.handlers.on(.select, of: Entry.self) { entry, _ in tapped.append(entry) }
    screen.layOut()
    let texts = screen.visiblePaths.map { (screen.cell(at: $0) as? TextCell)?.text }
    #expect(texts == ["text Hello", "gap 1"])
    screen.tap(IndexPath(item: 1, section: 0))
    #expect(tapped == [.gap(1)])
  }

  @Test(
    "3.6: a list that is said anew as a whole changes by what differs",
    arguments: ScreenKind.allCases)
  func aListSaidAnewChangesByWhatDiffers(_ kind: ScreenKind) throws {
    func say(_ ids: [String], liked: String) throws {
      try shelf.replace {
        ListSection("a", layout: SectionLayout(kind: .list)) {
          for id in ids { Book(id: id, likes: id == liked ? 1 : 0) }
        }
      }
    }
    try say(["x", "y", "z"], liked: "none")
    let screen = try Screen(kind, showing: shelf)
    screen.checkBooks()
    screen.layOut()
    let cell = screen.cell(of: "z")
    try say(["z", "new", "x"], liked: "z")
    try screen.settle()
    #expect(screen.shown == ["z", "new", "x"])
    #expect(screen.cell(of: "z") === cell)
    #expect(cell?.book?.likes == 1)
    #expect(screen.cells.displayed == 4)
    #expect(screen.cells.reconfigured == 1)
  }

  @Test("3.7: a waterfall stands below a list, on one screen")
  func aWaterfallBelowAList() throws {
    try shelf.replace {
      ListSection("list", layout: SectionLayout(kind: .list)) {
        Book(id: "l0")
        Book(id: "l1")
      }
      ListSection(
        "waterfall",
        layout: SectionLayout(
          kind: .waterfall, columns: 3, lineSpacing: 5, interitemSpacing: 10)
      ) {
        for (index, likes) in [3, 0, 1, 0].enumerated() { Book(id: "w\(index)", likes: likes) }
      }
    }
    let screen = try Screen(.placed, showing: shelf)
    screen.layOut()
    #expect(screen.frame(of: "l1") == CGRect(x: 0, y: 40, width: 320, height: 40))
    // Columns of (320 - 20) / 3 = 100 points; the fourth goes below the shortest.
    #expect(screen.frame(of: "w0") == CGRect(x: 0, y: 80, width: 100, height: 67))
    #expect(screen.frame(of: "w1") == CGRect(x: 110, y: 80, width: 100, height: 40))
    #expect(screen.frame(of: "w2") == CGRect(x: 220, y: 80, width: 100, height: 49))
    #expect(screen.frame(of: "w3") == CGRect(x: 110, y: 125, width: 100, height: 40))
  }

  /// A cell that counts how many of it there are, and how often one is filled.
  private final class CountingCell: UICollectionViewCell {
    static var made = 0
    static var filled = 0

    override init(frame: CGRect) {
      Self.made += 1
      super.init(frame: frame)
    }
    required init?(coder: NSCoder) { nil }

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 50) }
  }

  private struct Counted: ListItem {
    var id: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: CountingCell) { CountingCell.filled += 1 }
  }

  @Test("3.12: one cell is made to measure with, and filled only where no size is known")
  func oneTemplateForEachCell() throws {
    let list = bookcase.repository.liveList("counted", items: [Counted.self])
    try list.replace { ListSection("a") { for index in 0..<30 { Counted(id: "\(index)") } } }
    let screen = try Screen(.flow, showing: list)
    screen.layOut()
    let shown = screen.visiblePaths.count
    #expect(shown > 0 && shown < 30)
    #expect(CountingCell.made == shown + 1)
    #expect(CountingCell.filled == shown + 30)
    screen.collection?.collectionViewLayout.invalidateLayout()
    screen.layOut()
    #expect(CountingCell.filled == shown + 30)
    #expect(CountingCell.made == shown + 1)
    #expect(screen.cells.dequeued == screen.cells.bound)
  }
}
