import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// For the reader of the article on models bound to their cells: a model for each cell, sections
// that are said all at once, a waterfall below a list, and taps that are data.

final class InfoCell: UICollectionViewCell {
  let info = UILabel()
  var onPin: (() -> Void)?

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: info.sizeThatFits(size).height + 10)
  }
}

final class PosterCell: UICollectionViewCell {
  let title = UILabel()
}

final class HeadingView: UICollectionReusableView {
  let label = UILabel()
}

// Program: begin
struct Note: ListItem {
  var id: String, info: String, isPinned = false
  static var measuring: ViewMeasuring { .sizeThatFits }
  var action: Action? { Action(url: "app://note/\(id)", event: "note.tap") }
  func configure(_ cell: InfoCell) { cell.info.text = isPinned ? "• \(info)" : info }
  func bind(_ cell: InfoCell, send: @escaping @MainActor (ControlEvent) -> Void) {
    cell.onPin = { send("pin") }
  }
}
// Program: end

struct Poster: ListItem {
  var id: String, ratio: Double
  func configure(_ cell: PosterCell) { cell.title.text = id }
  func size(fitting room: Item.Room) -> Size? {
    Size(width: room.length, height: room.length / ratio)
  }
}

struct Heading: ListSupplementary {
  var title: String
  func configure(_ view: HeadingView) { view.label.text = title }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
}

final class NotesController: UIViewController {
  let notes: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let adapter: CollectionAdapter
  var opened: [String] = []

  init(_ file: URL) throws {
    notes = try Repository(at: file).liveList(
      "notes", items: [Note.self, Poster.self], supplementaries: [Heading.self])
    adapter = try CollectionAdapter(notes, in: list)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.route = { [weak self] url, _ in self?.opened.append(url) }
    adapter.handlers.on(.control("pin"), of: Note.self) { [weak self] _, context in
      do { try self?.pin(context.id) } catch { print(error) }
    }
  }

  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }

  func pin(_ id: ItemID) throws {
    try notes.edit { try $0.update(id, as: Note.self) { $0.isPinned.toggle() } }
  }

  /// What a server sent, all of it, each time.
  func show(_ texts: [(id: String, info: String)], _ posters: [Poster]) throws {
    try notes.replace {
      ListSection("notes", header: try Supplementary(Heading(title: "Notes"))) {
        for text in texts { Note(id: text.id, info: text.info) }
      }
      ListSection(
        "posters",
        layout: SectionLayout(
          kind: .waterfall, columns: 2, interitemSpacing: 8,
          insets: Insets(top: 8, left: 8, bottom: 8, right: 8))
      ) { posters }
    }
  }

  func change() throws {
    try notes.edit { list in
      try list.insert(Note(id: "new", info: "New"), at: IndexPath(item: 1, section: 0))
      try list.move("a", in: "notes", to: .end)
      try list.update("b", as: Note.self) { $0.info = "Second" }
      try list.delete("c")
      try list.delete(at: IndexPath(item: 0, section: 1))
    }
  }
}
