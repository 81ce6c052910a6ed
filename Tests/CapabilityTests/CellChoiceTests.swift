import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// A view of a note.
@MainActor private protocol NoteView: AnyObject {
  var note: String? { get set }
}

private class BareCell: UICollectionViewCell, NoteView {
  var note: String?
  var height: CGFloat { 40 }
  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: height) }
}

private final class AdCell: BareCell {
  override var height: CGFloat { 70 }
}

private class BareRow: UITableViewCell, NoteView {
  var note: String?
  var height: CGFloat { 40 }
  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: height) }
}

private final class AdRow: BareRow {
  override var height: CGFloat { 70 }
}

/// A row that only its own initializer completes.
private final class StyledRow: BareRow {
  var isStyled = false

  convenience init(isStyled: Bool, reuseIdentifier: String?) {
    self.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
    self.isStyled = isStyled
  }
}

private final class StyledHeader: UITableViewHeaderFooterView, TitleView {
  var title: String?
  var isStyled = false

  convenience init(isStyled: Bool, reuseIdentifier: String?) {
    self.init(reuseIdentifier: reuseIdentifier)
    self.isStyled = isStyled
  }
}

private final class NoteHeader: UITableViewHeaderFooterView, NoteView {
  var note: String?
  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 70) }
}

/// An item that leaves the choice of its cell to the registry.
private struct Note: ListItem {
  var id: String, likes = 0
  static var cells: [CellName: ViewSource] { [:] }
  static var measuring: ViewMeasuring { .sizeThatFits }
  var cellName: CellName { "NoteCell" }
  func configure(_ cell: any NoteView) { cell.note = "\(id) \(likes)" }
}

/// Which class shows an item: by its section, in a table or a collection view, made by the app, or
/// from a storyboard.
@Suite @MainActor struct CellChoiceTests {
  private let folder: TemporaryFolder
  private let notes: LiveList

  init() throws {
    folder = try TemporaryFolder()
    notes = try Repository(at: folder.file("store.sqlite")).liveList(
      "notes", items: [Note.self], supplementaries: [ShelfHeader.self])
    try notes.edit { list throws in
      for (section, ids) in [("all", ["n0", "n1"]), ("ads", ["n2"])] {
        try list.insertSection(
          ListSection(try SectionID(section), layout: SectionLayout(kind: .list)) {
            for id in ids { Note(id: id) }
          })
      }
    }
  }

  /// One registry for collection views and tables.
  private var views: ViewRegistry {
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.registerFallback(
      .type(UITableViewCell.self), supplementary: .type(UITableViewHeaderFooterView.self),
      for: .tableView)
    views.register("BareCell", .type(BareCell.self))
    views.register("AdCell", .type(AdCell.self))
    views.register("BareCell", .type(BareRow.self), for: .tableView)
    views.register("AdCell", .type(AdRow.self), for: .tableView)
    views.map("Note", to: "BareCell")
    views.map(section: "ads", to: "AdCell")
    return views
  }

  private func screen(_ kind: ScreenKind, _ views: ViewRegistry? = nil) throws -> Screen {
    let views = views ?? self.views
    return try Screen(kind, showing: notes, collectionViews: views, tableViews: views)
  }

  private func view(_ id: ItemID, on screen: Screen) -> UIView? {
    screen.adapter.indexPath(of: id).flatMap { screen.cell(at: $0) }
  }

  private func isAd(_ id: ItemID, on screen: Screen) -> Bool {
    let view = view(id, on: screen)
    return view is AdCell || view is AdRow
  }

  /// Heights without the separator of a row.
  private func heights(_ ids: [ItemID], on screen: Screen) -> [CGFloat?] {
    ids.map { screen.frame(of: $0)?.height.rounded(.down) }
  }

  @Test(
    "1.7, 1.12: a section's items have its cell, in tables and collection views of one registry",
    arguments: ScreenKind.allCases)
  func sectionsHaveCells(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    #expect(["n0", "n1", "n2"].map { isAd($0, on: screen) } == [false, false, true])
    #expect(heights(["n0", "n1", "n2"], on: screen) == [40, 40, 70])
    screen.tap(IndexPath(item: 0, section: 0))
    let neighbours = ["n1", "n2"].map { view($0, on: screen) }
    // To another section: another cell, of another size. Everything else stays as it is.
    try notes.edit { try $0.move("n0", in: "ads", to: .end) }
    try screen.settle()
    #expect(["n0", "n1", "n2"].map { isAd($0, on: screen) } == [true, false, true])
    #expect(heights(["n0", "n1", "n2"], on: screen) == [70, 40, 70])
    #expect((view("n0", on: screen) as? any NoteView)?.note == "n0 0")
    #expect(zip(neighbours, ["n1", "n2"]).allSatisfy { $0 === view($1, on: screen) })
    #expect(screen.selectedPaths == [IndexPath(item: 1, section: 1)])
    screen.expectBalance()
    // Within its section, and with it, it keeps the cell.
    let cell = view("n0", on: screen)
    try notes.edit { list throws in
      try list.move("n0", to: .start)
      try list.moveSection("ads", to: .start)
      try list.update(Note(id: "n0", likes: 1))
    }
    try screen.settle()
    #expect(view("n0", on: screen) === cell)
    #expect((cell as? any NoteView)?.note == "n0 1")
    // And back, next to an item that goes.
    try notes.edit { list throws in
      try list.move("n0", in: "all", to: .start)
      try list.delete("n1")
    }
    try screen.settle()
    #expect(!isAd("n0", on: screen))
    #expect(heights(["n0"], on: screen) == [40])
    screen.expectBalance()
    #expect(screen.adapter.provider.tree == (try notes.tree()))
  }

  @Test("1.7: a size that was measured in one section's cell is not another's, at any launch")
  func sizesAreThoseOfTheSectionsCell() throws {
    let first = try screen(.placed)
    first.layOut()
    notes.repository.flushSizes()
    try notes.edit { try $0.move("n0", in: "ads", to: .end) }
    let second = try screen(.placed)
    second.layOut()
    #expect(heights(["n0", "n1", "n2"], on: second) == [70, 40, 70])
    #expect(second.adapter.measurementCount == 1)
  }

  @Test(
    "1.7: an item that the user drops into another section gets that section's cell",
    .timeLimit)
  func droppedItemsGetTheSectionsCell() async throws {
    let screen = try screen(.table)
    screen.layOut()
    screen.adapter.canMove = { _ in true }
    screen.table?.setEditing(true, animated: false)
    let path = IndexPath(row: 0, section: 0)
    let raised = HeadlessException.raised {
      screen.table?.headless.dragRow(at: path, to: IndexPath(row: 0, section: 1))
      screen.finishAnimations()
    }
    #expect(raised.isEmpty)
    try await screen.wait { isAd("n0", on: screen) }
    #expect(heights(["n0"], on: screen) == [70])
    #expect(try notes.tree().itemCounts == [1, 2])
  }

  @Test("1.12: a table shows the rows and headers that an app's factories make, and reuses them")
  func factoriesMakeRowsAndHeaders() throws {
    var views = self.views
    views.register(
      "BareCell", .factory { StyledRow(isStyled: true, reuseIdentifier: $0) }, for: .tableView)
    views.register(
      "ShelfHeader", kind: .header, .factory { StyledHeader(isStyled: true, reuseIdentifier: $0) },
      for: .tableView)
    let screen = try screen(.table, views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    try notes.edit { list throws in
      try list.insert((3..<80).map { Note(id: "n\($0)") }, in: "all")
      try list.updateSection("all") { $0.header = try Supplementary(ShelfHeader(title: "A")) }
    }
    try screen.settle()
    func rows() -> [StyledRow?] { screen.visiblePaths.map { screen.cell(at: $0) as? StyledRow } }
    #expect(rows().allSatisfy { $0?.isStyled == true && $0?.reuseIdentifier == "BareCell" })
    #expect(heights(["n0"], on: screen) == [40])
    let header = try #require(screen.header(inSection: 0) as? StyledHeader)
    #expect(header.isStyled && header.title == "A")
    // What changes in place keeps its row and its header.
    let row = view("n0", on: screen)
    try notes.edit { list throws in
      try list.update(Note(id: "n0", likes: 3))
      try list.updateSection("all") { $0.header = try Supplementary(ShelfHeader(title: "B")) }
    }
    try screen.settle()
    #expect(view("n0", on: screen) === row)
    #expect((row as? StyledRow)?.note == "n0 3")
    #expect(screen.header(inSection: 0) === header && header.title == "B")
    var all = Set(rows().compactMap { $0.map(ObjectIdentifier.init) })
    let inSight = all.count
    for share in [0.2, 0.4, 0.6, 0.8, 0.4] {
      screen.scroll(to: share)
      all.formUnion(rows().compactMap { $0.map(ObjectIdentifier.init) })
    }
    #expect(all.count <= inSight + 2)
    screen.expectBalance()
  }

  @Test("1.12: a factory whose rows can't be used again is reported once, and so is no row at all")
  func factoriesThatCanNotBeUsed() throws {
    let factories: [(source: ViewSource, text: String)] = [
      (.factory { _ in StyledRow(isStyled: true, reuseIdentifier: nil) }, "no reuse identifier"),
      (.factory { _ in BareRow(style: .default, reuseIdentifier: "other") }, "\"other\""),
      (.factory { _ in BareCell() }, "BareCell"),
    ]
    for (source, text) in factories {
      var views = self.views
      views.register("BareCell", source, for: .tableView)
      let screen = try screen(.table, views)
      var problems: [String] = []
      screen.adapter.onProblem = {
        if $0 is TableAdapter.UnusableView { problems.append("\($0)") }
      }
      screen.layOut()
      #expect(problems.count == 1)
      #expect(problems.first?.contains(text) == true)
      #expect(screen.visiblePaths.count == 3)
      try notes.edit { try $0.update("n0", as: Note.self) { $0.likes += 1 } }
      try screen.settle()
    }
  }

  @Test("1.12: a collection view registers the class of what a factory makes")
  func factoriesOfCollectionViews() throws {
    var views = self.views
    views.register("BareCell", .factory { _ in AdCell() })
    let screen = try screen(.flow, views)
    screen.layOut()
    #expect(isAd("n0", on: screen))
    #expect(heights(["n0"], on: screen) == [70])
  }

  @Test(
    "2.11: the prototypes of a storyboard are used as they are, and nothing is registered",
    arguments: ScreenKind.allCases, [nil, "Prototype"])
  func prototypesOfStoryboards(_ kind: ScreenKind, identifier: String?) throws {
    var views = self.views
    for host in ViewRegistry.Host.allCases {
      views.register("BareCell", .prototype(identifier: identifier), for: host)
    }
    let screen = try screen(kind, views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.adapter.estimatedLength = 55
    screen.table?.headless.addPrototype(identifier ?? "BareCell") {
      StyledRow(isStyled: true, reuseIdentifier: nil)
    }
    screen.collection?.headless.addPrototype(identifier ?? "BareCell") { BareCell() }
    screen.layOut()
    #expect(
      view("n0", on: screen) is BareCell
        || (view("n0", on: screen) as? StyledRow)?.isStyled == true)
    #expect((view("n0", on: screen) as? any NoteView)?.note == "n0 0")
    // A collection view gives no cell to measure with: a flow layout has a size, Cellar's an estimate.
    let height: [ScreenKind: CGFloat] = [.table: 40, .flow: 50, .placed: 55]
    #expect(heights(["n0", "n1"], on: screen) == [height[kind], height[kind]])
    try notes.edit { try $0.update(Note(id: "n0", likes: 2)) }
    try screen.settle()
    #expect((view("n0", on: screen) as? any NoteView)?.note == "n0 2")
    screen.expectBalance()
  }

  @Test(
    "2.11: a prototype that the storyboard lacks raises as with UIKit",
    arguments: ScreenKind.allCases)
  func prototypesThatAreNotThere(_ kind: ScreenKind) throws {
    var views = self.views
    for host in ViewRegistry.Host.allCases {
      views.register("BareCell", .prototype(), for: host)
    }
    let screen = try screen(kind, views)
    let raised = HeadlessException.raised { screen.layOut() }
    #expect(raised.first?.reason.contains("connect a prototype cell in a storyboard") == true)
  }

  @Test(
    "3.5: an item is a header too, in the same cell, and by the same code",
    arguments: ScreenKind.allCases)
  func itemsAreHeaders(_ kind: ScreenKind) throws {
    let list = notes.repository.liveList(
      "notes", items: [Note.self], supplementaries: [Supplementary.Of<Note>.self])
    var views = self.views
    // A note names no cells, so that its type's name is the view's.
    views.register("Note", kind: .header, .type(AdCell.self))
    views.register("Note", kind: .header, .type(NoteHeader.self), for: .tableView)
    try list.edit { list throws in
      try list.updateSection("all") { $0.header = try Supplementary(Note(id: "n0", likes: 7)) }
    }
    let screen = try Screen(kind, showing: list, collectionViews: views, tableViews: views)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    func header() -> UIView? {
      screen.collection?.supplementaryView(
        forElementKind: UICollectionView.elementKindSectionHeader,
        at: IndexPath(item: 0, section: 0)) ?? screen.table?.headerView(forSection: 0)
    }
    let first = try #require(header())
    #expect((first as? any NoteView)?.note == "n0 7")
    #expect(first.frame.height == 70)
    // It has the id of an item, and is none.
    #expect((view("n0", on: screen) as? any NoteView)?.note == "n0 0")
    try list.edit { list throws in
      try list.updateSection("all") { $0.header = try Supplementary(Note(id: "n0", likes: 8)) }
    }
    try screen.settle()
    #expect(header() === first && (first as? any NoteView)?.note == "n0 8")
    let stored = try list.provider().attributes(ofSection: 0)?.header
    #expect(stored?.content == #"{"id":"n0","likes":8}"#)
  }
}
