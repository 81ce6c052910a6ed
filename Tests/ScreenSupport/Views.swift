package import HeadlessUIKit
package import ListModel
package import ListItems

/// A cell that says what it shows, to the view that checks and to tests.
@MainActor package protocol BookView: HeadlessProbe, ControlEventSource {
  /// What it shows.
  var book: Book? { get set }
}

extension BookView {
  /// The book, and how often it was liked.
  package var headlessContent: HeadlessContent? {
    book.map { HeadlessContent(identity: $0.id, version: $0.likes) }
  }
}

/// A book in a collection view.
package class BookCell: UICollectionViewCell, BookView {
  /// What it shows.
  package var book: Book?
  /// Takes the names of controls.
  package var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

/// A wide book in a collection view.
package final class WideCell: BookCell {}

/// A book in a table.
package class BookRow: UITableViewCell, BookView {
  /// What it shows.
  package var book: Book?
  /// Takes the names of controls.
  package var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

/// A wide book in a table.
package final class WideRow: BookRow {}

/// An item that two cells can show; it says its size itself.
package struct Book: ListItem, Equatable {
  /// Unique in its list.
  package var id: String
  /// How often it was liked.
  package var likes: Int
  /// Whether the other cell shows it.
  package var isWide: Bool

  /// A book.
  package init(id: String, likes: Int = 0, isWide: Bool = false) {
    self.id = id
    self.likes = likes
    self.isWide = isWide
  }

  /// Two.
  package static var cells: [CellName: ViewSource] {
    ["BookCell": .type(BookCell.self), "WideCell": .type(WideCell.self)]
  }
  /// By its width.
  package var cellName: CellName { isWide ? "WideCell" : "BookCell" }

  /// Shows it.
  package func configure(_ cell: any BookView) { cell.book = self }

  /// Another height for each like.
  package func size(fitting room: Item.Room) -> Size? {
    Size(width: min(room.length, 100), height: 40 + Double(likes % 7) * 9 + (isWide ? 30 : 0))
  }
}

/// A header that says its title.
@MainActor package protocol TitleView: AnyObject {
  /// What it shows.
  var title: String? { get set }
}

/// A header in a collection view.
package class HeaderView: UICollectionReusableView, TitleView {
  /// What it shows.
  package var title: String?
}

/// A tall header in a collection view.
package final class TallHeaderView: HeaderView {}

/// A header in a table.
package class TableHeaderView: UITableViewHeaderFooterView, TitleView {
  /// What it shows.
  package var title: String?
}

/// A tall header in a table.
package final class TallTableHeaderView: TableHeaderView {}

/// A header as high as its title is long.
package struct ShelfHeader: ListSupplementary {
  /// What it says.
  package var title: String

  /// A header.
  package init(title: String) { self.title = title }

  /// Its own name.
  package static var viewName: ViewName { "ShelfHeader" }
  /// A collection view's.
  package static var source: ViewSource? { .type(HeaderView.self) }

  /// Shows it.
  package func configure(_ view: any TitleView) { view.title = title }

  /// A point more for each character.
  package func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 20 + Double(title.count))
  }
}

/// A header of 90 points.
package struct TallHeader: ListSupplementary {
  /// What it says.
  package var title: String

  /// A header.
  package init(title: String) { self.title = title }

  /// Its own name.
  package static var viewName: ViewName { "TallHeader" }
  /// A collection view's.
  package static var source: ViewSource? { .type(TallHeaderView.self) }

  /// Shows it.
  package func configure(_ view: any TitleView) { view.title = title }

  /// 90 points.
  package func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 90)
  }
}
