import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What an item, a header and a footer know of the room before they say their sizes.
@Suite @MainActor struct ItemRoomTests {
  private let bookcase: Bookcase
  private let lines: LiveList

  init() throws {
    bookcase = try Bookcase()
    lines = bookcase.repository.liveList(
      "lines", items: [Line.self], supplementaries: [Title.self])
  }

  private final class LineCell: UICollectionViewCell {}

  /// The first of a section is longer, and those of section `b` are.
  private struct Line: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { ["Line": .type(LineCell.self)] }
    var cellName: CellName { "Line" }
    static var sizeDependsOnPlace: Bool { true }
    func configure(_ cell: UIView) {}

    func size(fitting room: Item.Room) -> Size? {
      let length = (room.path.item == 0 ? 50.0 : 20) + (room.section == "b" ? 100 : 0)
      return room.axis == .vertical
        ? Size(width: room.length, height: length) : Size(width: length, height: room.length)
    }
  }

  /// A header that is higher on top of the list, and a footer that is so in section `b`.
  private struct Title: ListSupplementary {
    static var viewName: ViewName { "Title" }
    static var source: ViewSource? { .type(UICollectionReusableView.self) }
    static var sizeDependsOnPlace: Bool { true }
    func configure(_ view: UIView) {}

    func size(fitting room: Supplementary.Room) -> Size? {
      let isHigh = room.kind == .header ? room.sectionIndex == 0 : room.section == "b"
      return Size(width: room.length, height: isHigh ? 40 : 10)
    }
  }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    var rows = ViewRegistry(
      fallback: .type(UITableViewCell.self),
      supplementaryFallback: .type(UITableViewHeaderFooterView.self))
    rows.register("Line", .type(UITableViewCell.self))
    for kind in [.header, .footer] as [Supplementary.Kind] {
      rows.register("Title", kind: kind, .type(UITableViewHeaderFooterView.self))
    }
    let screen = try Screen(kind, showing: lines, tableViews: rows)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func fill(_ ids: [SectionID: [String]], _ layout: SectionLayout? = nil) throws {
    try lines.edit { list throws in
      for (id, items) in ids.sorted(by: { $0.key < $1.key }) {
        try list.insertSection(id, SectionAttributes(layout: layout))
        try list.insert(items.map { Line(id: $0) }, in: id)
      }
    }
  }

  private func heights(_ screen: Screen, _ ids: ItemID...) -> [CGFloat?] {
    ids.map { screen.frame(of: $0)?.height }
  }

  @Test("0.6: an item knows the direction of scrolling", arguments: [ScreenKind.flow, .placed])
  func itemsKnowTheAxis(_ kind: ScreenKind) throws {
    try fill(["a": ["x", "y"]], kind == .placed ? SectionLayout(kind: .list) : nil)
    let screen = try screen(kind)
    #expect(screen.frame(of: "y")?.size == CGSize(width: 320, height: 20))
    let layout = try #require(screen.collection?.collectionViewLayout)
    (layout as? UICollectionViewFlowLayout)?.scrollDirection = .horizontal
    (layout as? ListCollectionLayout)?.scrollDirection = .horizontal
    screen.layOut()
    #expect(screen.frame(of: "x")?.size == CGSize(width: 50, height: 480))
    #expect(screen.frame(of: "y")?.size == CGSize(width: 20, height: 480))
  }

  @Test(
    "0.6: an item knows its section and its path, and its size is right again after an update",
    arguments: ScreenKind.allCases)
  func itemsKnowTheirPlaces(_ kind: ScreenKind) throws {
    try fill(["a": ["x", "y", "z"], "b": ["u", "v"]])
    let screen = try screen(kind)
    #expect(heights(screen, "x", "y", "z", "u", "v") == [50, 20, 20, 150, 120])
    try lines.edit { try $0.move("z", to: .start) }
    try screen.settle()
    #expect(heights(screen, "z", "x", "y") == [50, 20, 20])
    try lines.edit { try $0.delete("z") }
    try screen.settle()
    #expect(heights(screen, "x", "y") == [50, 20])
    // Into another section, where it is the first.
    try lines.edit { try $0.move("y", in: "b", to: .start) }
    try screen.settle()
    #expect(heights(screen, "x", "y", "u", "v") == [50, 150, 120, 120])
    // Such a size is nobody else's: it is not stored.
    bookcase.repository.flushSizes()
    #expect(try bookcase.repository.evictSizes(keeping: .init(count: 0)) == 0)
  }

  @Test("0.6: an item that moves into sight has the size of its place", arguments: [0, 40])
  func itemsBeyondTheScreenKnowTheirPlaces(_ item: Int) throws {
    try fill(["a": (0..<60).map { "x\($0)" }], SectionLayout(kind: .list))
    let screen = try screen(.placed)
    func scrollThrough() { for step in 0...20 { screen.scroll(to: 1 - Double(step) / 20) } }
    scrollThrough()
    try lines.edit { try $0.move(ItemID("x\(item)"), to: item == 0 ? .end : .start) }
    try screen.settle()
    scrollThrough()
    let first = try #require(screen.adapter.itemID(at: IndexPath(item: 0, section: 0)))
    #expect(heights(screen, first, "x0", "x59") == [50, first == "x0" ? 50 : 20, 20])
    #expect(screen.view.contentSize.height == 1_230)
  }

  @Test("0.15: a header and a footer know their section", arguments: ScreenKind.allCases)
  func headersKnowTheirSections(_ kind: ScreenKind) throws {
    try fill(["a": ["x"], "b": ["y"]])
    let title = try Supplementary(Title())
    try lines.edit { list throws in
      for section in ["a", "b"] as [SectionID] {
        try list.updateSection(section) {
          $0.header = title
          $0.footer = title
        }
      }
    }
    let screen = try screen(kind)
    func total() -> CGFloat { screen.view.contentSize.height }
    func lengths() -> [Double?] {
      (0..<2).flatMap { section in
        [Supplementary.Kind.header, .footer].map {
          screen.adapter.size(of: $0, inSection: section)?.height
        }
      }
    }
    #expect(lengths() == [40, 10, 10, 40])
    #expect(total() == 300)
    try lines.edit { try $0.moveSection("b", to: .start) }
    try screen.settle()
    #expect(lengths() == [40, 40, 10, 10])
    #expect(screen.frame(of: "y")?.minY == 40)
    #expect(screen.frame(of: "x")?.minY == 240)
    #expect(total() == 300)
  }
}
