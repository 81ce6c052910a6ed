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

/// Cells that size themselves when they are on display, and whose sizes are stored then.
@Suite @MainActor struct OnDisplayTests {
  private protocol NoteView: AnyObject {
    var label: UILabel { get }
  }

  private final class NoteCell: UICollectionViewCell, NoteView {
    let label = UILabel()

    override init(frame: CGRect) {
      super.init(frame: frame)
      label.fill(contentView)
    }
    required init?(coder: NSCoder) { nil }
  }

  private final class NoteRow: UITableViewCell, NoteView {
    let label = UILabel()

    override init(style: CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      label.fill(contentView)
    }
    required init?(coder: NSCoder) { nil }
  }

  /// Cells that size themselves otherwise, and that the store can't tell from the others by their
  /// names.
  private enum Stubborn {
    /// A cell that says how high it wants to be, whatever its constraints say.
    final class NoteCell: UICollectionViewCell, NoteView {
      let label = UILabel()

      override func preferredLayoutAttributesFitting(
        _ attributes: UICollectionViewLayoutAttributes
      ) -> UICollectionViewLayoutAttributes {
        attributes.size.height = 77
        return attributes
      }
    }

    /// A row without constraints.
    final class NoteRow: UITableViewCell, NoteView {
      let label = UILabel()
    }
  }

  private struct Note: ListItem {
    var id: String, text: String
    static var cells: [CellName: ViewSource] { ["Note": .type(NoteCell.self)] }
    var cellName: CellName { "Note" }
    static var measuring: ViewMeasuring { .onDisplay }
    func configure(_ cell: any NoteView) { cell.label.text = text }
  }

  private let bookcase: Bookcase
  private let notes: LiveList

  init() throws {
    bookcase = try Bookcase()
    notes = bookcase.repository.liveList("notes", items: [Note.self])
  }

  /// Notes of as many lines as the numbers say.
  private func fill(_ lines: [Int]) throws {
    try notes.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(
        lines.enumerated().map { Note(id: "n\($0)", text: Self.text(lines: $1)) }, in: "a")
    }
  }

  private static func text(lines: Int) -> String {
    Array(repeating: String(repeating: "x", count: 20), count: lines).joined(separator: " ")
  }

  private func screen(
    _ kind: ScreenKind, cell: UICollectionViewCell.Type = NoteCell.self,
    row: UITableViewCell.Type = NoteRow.self
  ) throws -> Screen {
    var cells = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    cells.register("Note", .type(cell))
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Note", .type(row))
    let screen = try Screen(kind, showing: notes, collectionViews: cells, tableViews: rows)
    screen.table?.separatorStyle = .none
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func heights(_ screen: Screen, _ items: Int...) -> [CGFloat?] {
    items.map { screen.frame(of: ItemID(stringLiteral: "n\($0)"))?.height }
  }

  @Test(arguments: [ScreenKind.table, .placed]) func theNextLaunchKnowsWhatWasOnDisplay(
    _ kind: ScreenKind
  ) throws {
    try fill([1, 3, 2] + Array(repeating: 1, count: 60))
    do {
      let screen = try screen(kind)
      #expect(heights(screen, 0, 1, 2, 3) == [20, 60, 40, 20])
      let frames = (0..<4).compactMap { screen.frame(of: ItemID(stringLiteral: "n\($0)")) }
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.maxY == $1.minY })
      // No cell was made that is not on display.
      #expect(screen.adapter.measurementCount == 0)
      #expect(screen.cells.created == screen.visiblePaths.count)
      bookcase.repository.flushSizes()
    }
    // Cells that would size themselves otherwise are not asked.
    let screen = try screen(kind, cell: Stubborn.NoteCell.self, row: Stubborn.NoteRow.self)
    #expect(heights(screen, 0, 1, 2, 3) == [20, 60, 40, 20])
    #expect(screen.adapter.measurementCount == 0)
  }

  @Test(arguments: [ScreenKind.table, .placed]) func aChangedItemSizesItselfAgain(
    _ kind: ScreenKind
  ) throws {
    try fill([1, 1, 1])
    let screen = try screen(kind)
    try notes.edit { try $0.update("n1", as: Note.self) { $0.text = Self.text(lines: 4) } }
    try screen.settle()
    #expect(heights(screen, 0, 1, 2) == [20, 80, 20])
    #expect(screen.frame(of: "n2")?.minY == 100)
    // Something that the store does not have makes the row larger.
    let view = screen.cell(at: IndexPath(item: 2, section: 0)) as? any NoteView
    try #require(view).label.text = Self.text(lines: 2)
    if kind == .table {
      screen.adapter.setNeedsLayout(of: "n2")
      screen.layOut()
      #expect(heights(screen, 0, 1, 2) == [20, 80, 40])
    }
    try notes.edit { try $0.move("n1", to: .start) }
    try notes.edit { try $0.insert(Note(id: "n3", text: Self.text(lines: 2)), in: "a", at: .start) }
    try screen.settle()
    #expect(heights(screen, 3, 1, 0) == [40, 80, 20])
    bookcase.repository.flushSizes()
    let next = try self.screen(kind, cell: Stubborn.NoteCell.self, row: Stubborn.NoteRow.self)
    #expect(heights(next, 3, 1, 0) == [40, 80, 20])
  }

  @Test func aCellThatIsAskedAgainSizesItselfAgain() throws {
    try fill([1, 1])
    let screen = try screen(.placed)
    let view = screen.cell(at: IndexPath(item: 0, section: 0)) as? any NoteView
    try #require(view).label.text = Self.text(lines: 2)
    screen.adapter.setNeedsLayout(of: "n0")
    screen.layOut()
    #expect(heights(screen, 0, 1) == [40, 20])
    try #require(view).label.text = Self.text(lines: 3)
    screen.adapter.setNeedsLayout(ofSection: "a")
    screen.layOut()
    #expect(heights(screen, 0, 1) == [60, 20])
  }

  @Test(arguments: [ScreenKind.table, .placed]) func whatIsInSightStaysWhereRowsAboveAreLonger(
    _ kind: ScreenKind
  ) throws {
    // Longer ones are in the middle, where nobody has seen them.
    try fill((0..<60).map { (24..<36).contains($0) ? 5 : 1 })
    let screen = try screen(kind)
    // Rows at the end are shorter than assumed: to the new end, until there is no other.
    var offset: CGFloat = -1
    while offset != screen.view.contentOffset.y {
      offset = screen.view.contentOffset.y
      screen.scroll(to: 1)
    }
    for _ in 0..<10 {
      let first = try #require(screen.visiblePaths.first)
      let item = try #require(screen.adapter.itemID(at: first))
      func place() -> CGFloat {
        (screen.frame(of: item)?.minY ?? .infinity) - screen.view.contentOffset.y
      }
      let before = place()
      screen.view.headlessDrag(to: CGPoint(x: 0, y: screen.view.contentOffset.y - 70))
      #expect(abs(place() - before - 70) < 0.5)
    }
    let longer = try #require(screen.adapter.itemID(at: screen.visiblePaths[1]))
    #expect(screen.frame(of: longer)?.height == 100)
  }

  @Test(arguments: [ScreenKind.table, .placed]) func anotherWidthIsAnotherSize(
    _ kind: ScreenKind
  ) throws {
    try fill([2, 2])
    let screen = try screen(kind)
    #expect(heights(screen, 0) == [40])
    screen.window.frame.size.width = 640
    screen.view.frame.size.width = 640
    screen.layOut()
    #expect(heights(screen, 0) == [20])
    screen.view.frame.size.width = 320
    screen.layOut()
    #expect(heights(screen, 0) == [40])
  }

  @Test func aCellMayPreferAnotherLengthThanItsConstraints() throws {
    try fill([1, 2])
    let screen = try screen(.placed, cell: Stubborn.NoteCell.self)
    #expect(heights(screen, 0, 1) == [77, 77])
    #expect(screen.view.contentSize.height == 154)
  }

  /// It needs all sizes before there is a cell.
  @Test func aFlowLayoutHasTemplates() throws {
    try fill([1, 2])
    let screen = try screen(.flow)
    #expect(heights(screen, 0, 1) == [20, 40])
    #expect(screen.adapter.measurementCount == 2)
  }
}

extension UILabel {
  /// Lines of text from edge to edge of a view.
  fileprivate func fill(_ view: UIView) {
    numberOfLines = 0
    translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(self)
    NSLayoutConstraint.activate([
      leadingAnchor.constraint(equalTo: view.leadingAnchor),
      trailingAnchor.constraint(equalTo: view.trailingAnchor),
      topAnchor.constraint(equalTo: view.topAnchor),
      bottomAnchor.constraint(equalTo: view.bottomAnchor),
    ])
  }
}
