import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// For the reader of the article on a base controller: one item type for all cells, cells by their
// names, and one place for taps and buttons.

class CoverCell: UICollectionViewCell, FieldCell, ControlEventSource {
  let title = UILabel()
  var onControlEvent: (@MainActor (ControlEvent) -> Void)?

  func show(_ item: FieldItem) {
    title.text = [item.title, item.subtitle].compactMap { $0 }.joined(separator: ", ")
  }

  override init(frame: CGRect) {
    super.init(frame: frame)
    title.translatesAutoresizingMaskIntoConstraints = false
    contentView.addSubview(title)
    NSLayoutConstraint.activate([
      title.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 8),
      title.bottomAnchor.constraint(equalTo: contentView.bottomAnchor, constant: -8),
      title.leadingAnchor.constraint(equalTo: contentView.leadingAnchor),
      title.trailingAnchor.constraint(equalTo: contentView.trailingAnchor),
    ])
  }

  required init?(coder: NSCoder) { nil }
}

final class WideCoverCell: CoverCell {}

final class ShelfView: UICollectionReusableView {
  let label = UILabel()
}

struct ShelfName: ListSupplementary {
  var title: String
  func configure(_ view: ShelfView) { view.label.text = title }
  func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
}

final class CoversController: UIViewController {
  typealias HomeTop = (bookName: String, imageURL: String)
  let covers: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let adapter: CollectionAdapter
  var opened: [String] = []

  init(_ file: URL) throws {
    covers = try Repository(at: file).liveList(
      "covers", items: [FieldItem.self], supplementaries: [ShelfName.self])
    var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
    views.register("CoverCell", .type(CoverCell.self))
    views.register("WideCoverCell", .type(WideCoverCell.self))
    views.register([ShelfName.self])
    adapter = try CollectionAdapter(covers, in: list, views: views)
    super.init(nibName: nil, bundle: nil)
    // Program: begin
    adapter.handlers.on(.select, of: FieldItem.self) { [weak self] item, _ in
      self?.opened.append(item.model?.key ?? item.id)
    }
    adapter.handlers.on(.control("read"), of: FieldItem.self) { [weak self] item, _ in
      do { try self?.markRead(item) } catch { print(error) }
    }
    // Program: end
  }

  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }

  func setBooks(_ bookList: [HomeTop]) throws {
    try covers.replace {
      ListSection(
        "top",
        layout: SectionLayout(
          columns: 2, insets: Insets(top: 12, left: 12, bottom: 12, right: 12)),
        header: try Supplementary(ShelfName(title: "Top"))
      ) {
        // Program: begin
        for book in bookList {
          FieldItem(
            id: book.bookName, cell: "CoverCell", title: book.bookName, imageURL: book.imageURL,
            height: 122, model: .init(type: "book", key: book.bookName))
        }
        // Program: end
        FieldItem(id: "all", cell: "WideCoverCell", title: "All books")
      }
    }
  }

  func markRead(_ item: FieldItem) throws {
    try covers.edit { list in
      try list.update(ItemID(item.id), as: FieldItem.self) { $0.subtitle = "read" }
    }
  }

  func change() throws {
    try covers.edit { list in
      let path = IndexPath(item: 1, section: 0)
      try list.insert(FieldItem(id: "Ulysses", cell: "CoverCell", title: "Ulysses"), at: path)
      try list.move("Emma", to: .end)
      try list.update("Dune", as: FieldItem.self) { $0.title = "Dune II" }
      try list.delete("Ivanhoe")
      try list.delete(at: IndexPath(item: 2, section: 0))
    }
  }
}
