import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import TestSupport
import Testing

/// Whose size an item has: its own cell's, and where that can't be measured the app's.
@MainActor @Suite struct AppSizeTests {
  /// Its cell has no constraints.
  private struct Plain: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { ["PlainCell": .type(UICollectionViewCell.self)] }
    var cellName: CellName { "PlainCell" }
    func configure(_ cell: UIView) {}
  }

  private final class SaysSizes: NSObject, UICollectionViewDelegateFlowLayout, UITableViewDelegate {
    func collectionView(
      _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
      sizeForItemAt indexPath: IndexPath
    ) -> CGSize { CGSize(width: 120, height: 70 + CGFloat(indexPath.item)) }

    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
      70 + CGFloat(indexPath.row)
    }
  }

  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let folder: TemporaryFolder
  private let list: LiveList
  private let path = IndexPath(item: 1, section: 0)

  init() throws {
    folder = try TemporaryFolder()
    list = try Repository(at: folder.file("store.sqlite")).liveList("list", items: [Plain.self])
    try list.replace {
      ListSection("a") {
        Plain(id: "x")
        Plain(id: "y")
      }
    }
  }

  private func view(_ layout: UICollectionViewLayout) -> UICollectionView {
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    return view
  }

  private func size(_ view: UICollectionView, _ adapter: CollectionAdapter) -> CGSize? {
    view.layoutIfNeeded()
    return view.layoutAttributesForItem(at: path)?.frame.size
  }

  @Test func aFlowLayoutHasTheDelegatesSizesThenItsOwn() throws {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 100, height: 90)
    let view = view(layout)
    let adapter = try CollectionAdapter(list, in: view)
    #expect(size(view, adapter) == CGSize(width: 100, height: 90))
    let says = SaysSizes()
    adapter.delegate = says
    layout.invalidateLayout()
    #expect(size(view, adapter) == CGSize(width: 120, height: 71))
  }

  @Test func prototypesOfAStoryboardHaveTheSizeOfItsLayout() throws {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 100, height: 90)
    let view = view(layout)
    view.headless.addPrototype("PlainCell") { UICollectionViewCell() }
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register("PlainCell", .prototype())
    let adapter = try CollectionAdapter(list, in: view, views: views)
    #expect(size(view, adapter) == CGSize(width: 100, height: 90))
  }

  @Test func cellarsLayoutHasTheDelegatesSizesThenTheEstimate() throws {
    let view = view(ListCollectionLayout())
    let adapter = try CollectionAdapter(list, in: view)
    #expect(size(view, adapter)?.height == 44)
    let says = SaysSizes()
    adapter.delegate = says
    view.collectionViewLayout.invalidateLayout()
    #expect(size(view, adapter)?.height == 71)
  }

  /// A table measures every cell but that of an item which no cell shows.
  @Test func aTableHasTheDelegatesHeightsThenItsRowHeight() throws {
    let views = ViewRegistry(fallback: .type(UITableViewCell.self))
    let table = UITableView(frame: window.bounds, style: .plain)
    window.addSubview(table)
    let adapter = try TableAdapter(list, in: table, views: views)
    table.layoutIfNeeded()
    #expect(table.rectForRow(at: path).height == 44)
    table.rowHeight = 90
    table.reloadData()
    table.layoutIfNeeded()
    #expect(table.rectForRow(at: path).height == 90)
    let says = SaysSizes()
    adapter.delegate = says
    table.reloadData()
    table.layoutIfNeeded()
    #expect(table.rectForRow(at: path).height == 71)
  }

  // MARK: Two screens

  private struct Note: ListItem {
    var id: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    static var cells: [CellName: ViewSource] { ["NoteCell": .type(NoteCell.self)] }
    var cellName: CellName { "NoteCell" }
    func configure(_ cell: UICollectionViewCell) {}
  }

  private final class NoteCell: UICollectionViewCell {
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 30) }
  }

  private final class LargeNoteCell: UICollectionViewCell {
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 90) }
  }

  /// Two screens of one list show an item in different cells of one width.
  @Test(arguments: ["NoteCell", "EarlierCell"]) func eachCellHasItsSize(_ stored: String) throws {
    let list = list.repository.liveList("notes", items: [Note.self])
    let cell = CellName(stringLiteral: stored)
    let item = Item(id: "n", state: ItemState(cell: cell, content: #"{"id":"n"}"#, type: "Note"))
    try list.commit([.insertSection("a", .init(), at: .end), .insertItem(item, in: "a", at: .end)])
    var large = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    var small = large
    if stored == "NoteCell" {
      small.register("NoteCell", .type(NoteCell.self))
      large.register("NoteCell", .type(LargeNoteCell.self))
    } else {
      for name in ["NoteCell", "LargeNoteCell"] as [CellName] {
        let source = ViewSource.type(name == "NoteCell" ? NoteCell.self : LargeNoteCell.self)
        small.register(name, source)
        large.register(name, source)
      }
      small.map("Note", to: "NoteCell")
      large.map("Note", to: "LargeNoteCell")
    }
    for (views, height) in [(large, 90 as CGFloat), (small, 30), (large, 90)] {
      let view = view(ListCollectionLayout())
      let adapter = try CollectionAdapter(list, in: view, views: views, screen: nil)
      view.layoutIfNeeded()
      let path = IndexPath(item: 0, section: 0)
      #expect(view.cellForItem(at: path)?.frame.height == height)
      let isSmall = stored == "NoteCell" || height == 30
      #expect(adapter.cellName(at: path) == (isSmall ? "NoteCell" : "LargeNoteCell"))
      list.repository.flushSizes()
    }
    // Each was measured once, whatever comes in between.
    let view = view(ListCollectionLayout())
    let adapter = try CollectionAdapter(list, in: view, views: small, screen: nil)
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 0)
  }
}
