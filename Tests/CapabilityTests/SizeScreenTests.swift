import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// Sizes as a screen has them: by content and width, asked once.
@Suite @MainActor struct SizeScreenTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  private final class ParagraphCell: UICollectionViewCell {}
  private final class ParagraphRow: UITableViewCell {}

  /// A text of 20 points a line and 10 points a letter.
  private struct Paragraph: ListItem {
    var id: String, letters: Int
    static var cells: [CellName: ViewSource] { ["Paragraph": .type(ParagraphCell.self)] }
    var cellName: CellName { "Paragraph" }
    func configure(_ cell: UIView) {}
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: Paragraph.height(letters, in: room.length))
    }
    static func height(_ letters: Int, in width: Double) -> Double {
      20 * (Double(letters * 10) / width).rounded(.up)
    }
  }

  private var text: LiveList { bookcase.repository.liveList("text", items: [Paragraph.self]) }

  /// As many paragraphs as lengths are given, all of them in sight.
  private func write(_ letters: [Int]) throws {
    try text.replace {
      ListSection("a", layout: SectionLayout(kind: .list)) {
        for (index, count) in letters.enumerated() { Paragraph(id: "p\(index)", letters: count) }
      }
    }
  }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Paragraph", .type(ParagraphRow.self))
    let screen = try Screen(kind, showing: text, tableViews: rows)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.table?.separatorStyle = .none
    screen.layOut()
    return screen
  }

  private func turn(_ screen: Screen, to width: CGFloat) {
    screen.window.frame.size.width = width
    screen.view.frame.size.width = width
    screen.layOut()
  }

  private func heights(_ screen: Screen, _ count: Int) -> [CGFloat?] {
    (0..<count).map { item in
      screen.adapter.itemID(at: IndexPath(item: item, section: 0))
        .flatMap { screen.frame(of: $0)?.height }
    }
  }

  private func expectHeights(
    of letters: [Int], in width: Double, on screen: Screen,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      heights(screen, letters.count) == letters.map { CGFloat(Paragraph.height($0, in: width)) },
      sourceLocation: location)
  }

  @Test(
    "0.26: a screen that turns and turns back asks for each size once, and the next launch for none",
    arguments: ScreenKind.allCases)
  func eachWidthIsAskedForOnce(_ kind: ScreenKind) throws {
    let letters = [10, 50, 70, 33, 96]
    try write(letters)
    let screen = try screen(kind)
    expectHeights(of: letters, in: 320, on: screen)
    #expect(screen.adapter.measurementCount == 5)
    turn(screen, to: 480)
    expectHeights(of: letters, in: 480, on: screen)
    #expect(screen.adapter.measurementCount == 10)
    for width in [320, 480, 320] {
      turn(screen, to: CGFloat(width))
      expectHeights(of: letters, in: Double(width), on: screen)
    }
    #expect(screen.adapter.measurementCount == 10)
    bookcase.repository.flushSizes()
    let relaunched = try self.screen(kind)
    expectHeights(of: letters, in: 320, on: relaunched)
    turn(relaunched, to: 480)
    expectHeights(of: letters, in: 480, on: relaunched)
    #expect(relaunched.adapter.measurementCount == 0)
  }

  @Test(
    "3.9: a height follows the text and the width, and another text asks for that item's alone",
    arguments: ScreenKind.allCases)
  func heightsFollowContentAndWidth(_ kind: ScreenKind) throws {
    var letters = [10, 50, 70, 33]
    try write(letters)
    let screen = try screen(kind)
    for (item, count) in [(1, 120), (1, 8), (3, 65)] {
      let asked = screen.adapter.measurementCount
      letters[item] = count
      try text.edit { list throws in
        try list.update(ItemID("p\(item)"), as: Paragraph.self) { $0.letters = count }
      }
      try screen.settle()
      expectHeights(of: letters, in: 320, on: screen)
      #expect(screen.adapter.measurementCount == asked + 1)
    }
    turn(screen, to: 200)
    expectHeights(of: letters, in: 200, on: screen)
    // What stood at another width is not taken for an edited item.
    letters[0] = 90
    try text.edit { try $0.update("p0", as: Paragraph.self) { $0.letters = 90 } }
    try screen.settle()
    turn(screen, to: 320)
    expectHeights(of: letters, in: 320, on: screen)
  }

  // MARK: Asked of the view

  @MainActor private protocol NoteView: AnyObject {
    var text: String { get set }
  }

  /// Answers a question for its size with 10 points a letter.
  private final class AnsweringCell: UICollectionViewCell, NoteView {
    var text = ""
    override func sizeThatFits(_ size: CGSize) -> CGSize {
      CGSize(width: size.width, height: CGFloat(text.count) * 10)
    }
  }

  private final class AnsweringRow: UITableViewCell, NoteView {
    var text = ""
    override func sizeThatFits(_ size: CGSize) -> CGSize {
      CGSize(width: size.width, height: CGFloat(text.count) * 10)
    }
  }

  /// Has a bar of 7 points a letter between its edges.
  private final class ConstrainedCell: UICollectionViewCell, NoteView {
    private lazy var height = SizeScreenTests.bar(in: contentView)
    var text = "" { didSet { height.constant = CGFloat(text.count) * 7 } }
  }

  private final class ConstrainedRow: UITableViewCell, NoteView {
    private lazy var height = SizeScreenTests.bar(in: contentView)
    var text = "" { didSet { height.constant = CGFloat(text.count) * 7 } }
  }

  /// A bar between the edges of a view: the constraint of its height.
  private static func bar(in view: UIView) -> NSLayoutConstraint {
    let bar = UIView()
    bar.translatesAutoresizingMaskIntoConstraints = false
    view.addSubview(bar)
    let height = bar.heightAnchor.constraint(equalToConstant: 0)
    NSLayoutConstraint.activate([
      bar.leadingAnchor.constraint(equalTo: view.leadingAnchor),
      bar.trailingAnchor.constraint(equalTo: view.trailingAnchor),
      bar.topAnchor.constraint(equalTo: view.topAnchor),
      bar.bottomAnchor.constraint(equalTo: view.bottomAnchor), height,
    ])
    return height
  }

  private struct Answered: ListItem {
    var id: String, text: String
    static var cells: [CellName: ViewSource] { ["Answering": .type(AnsweringCell.self)] }
    static var measuring: ViewMeasuring { .sizeThatFits }
    var cellName: CellName { "Answering" }
    func configure(_ cell: any NoteView) { cell.text = text }
  }

  private struct Constrained: ListItem {
    var id: String, text: String
    static var cells: [CellName: ViewSource] { ["Constrained": .type(ConstrainedCell.self)] }
    static var measuring: ViewMeasuring { .constraints }
    var cellName: CellName { "Constrained" }
    func configure(_ cell: any NoteView) { cell.text = text }
  }

  private struct Displayed: ListItem {
    var id: String, text: String
    static var cells: [CellName: ViewSource] { ["Constrained": .type(ConstrainedCell.self)] }
    static var measuring: ViewMeasuring { .onDisplay }
    var cellName: CellName { "Constrained" }
    func configure(_ cell: any NoteView) { cell.text = text }
  }

  @Test(
    "3.10: a cell is as high as it says or its constraints need, also when its text changes",
    arguments: ScreenKind.allCases)
  func viewsAreAsked(_ kind: ScreenKind) throws {
    let list = bookcase.repository.liveList(
      "notes", items: [Answered.self, Constrained.self, Displayed.self])
    func write(_ text: String) throws {
      try list.replace {
        ListSection("a", layout: SectionLayout(kind: .list)) {
          Answered(id: "answered", text: text)
          Constrained(id: "constrained", text: text)
          Displayed(id: "displayed", text: text)
        }
      }
    }
    try write("12345678")
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Answering", .type(AnsweringRow.self))
    rows.register("Constrained", .type(ConstrainedRow.self))
    func screen() throws -> Screen {
      let screen = try Screen(kind, showing: list, tableViews: rows)
      screen.adapter.onProblem = { Issue.record("\($0)") }
      screen.table?.separatorStyle = .none
      screen.layOut()
      return screen
    }
    func heights(_ screen: Screen) -> [CGFloat?] {
      (["answered", "constrained", "displayed"] as [ItemID]).map {
        screen.frame(of: $0)?.height
      }
    }
    let first = try screen()
    #expect(heights(first) == [80, 56, 56])
    try write("1234567890")
    try first.settle()
    #expect(heights(first) == [100, 70, 70])
    // And the next launch knows.
    bookcase.repository.flushSizes()
    let second = try screen()
    #expect(heights(second) == [100, 70, 70])
    #expect(second.adapter.measurementCount == 0)
  }
}
