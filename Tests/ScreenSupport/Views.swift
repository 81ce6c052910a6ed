public import Cellar
public import HeadlessUIKit

/// A cell that says what it shows, to the view that checks and to tests.
@MainActor public protocol BookView: HeadlessProbe, ControlEventSource {
  /// What it shows.
  var book: Book? { get set }
}

extension BookView {
  /// The book, and how often it was liked.
  public var headlessContent: HeadlessContent? {
    book.map { HeadlessContent(identity: $0.id, version: $0.likes) }
  }
}

/// A book in a collection view.
public class BookCell: UICollectionViewCell, BookView {
  /// What it shows.
  public var book: Book?
  /// Takes the names of controls.
  public var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

/// A wide book in a collection view.
public final class WideCell: BookCell {}

/// A book in a table.
public class BookRow: UITableViewCell, BookView {
  /// What it shows.
  public var book: Book?
  /// Takes the names of controls.
  public var onControlEvent: (@MainActor (ControlEvent) -> Void)?
}

/// A wide book in a table.
public final class WideRow: BookRow {}

/// An item that two cells can show; it says its size itself.
public struct Book: ListItem, Equatable {
  /// Unique in its list.
  public var id: String
  /// How often it was liked.
  public var likes: Int
  /// Whether the other cell shows it.
  public var isWide: Bool

  /// A book.
  public init(id: String, likes: Int = 0, isWide: Bool = false) {
    self.id = id
    self.likes = likes
    self.isWide = isWide
  }

  /// Two.
  public static var cells: [CellName: ViewSource] {
    ["BookCell": .type(BookCell.self), "WideCell": .type(WideCell.self)]
  }
  /// By its width.
  public var cellName: CellName { isWide ? "WideCell" : "BookCell" }

  /// Shows it.
  public func configure(_ cell: any BookView) { cell.book = self }

  /// Another height for each like.
  public func size(fitting room: Item.Room) -> Size? {
    Size(width: min(room.length, 100), height: 40 + Double(likes % 7) * 9 + (isWide ? 30 : 0))
  }
}

/// A header that says its title.
@MainActor public protocol TitleView: AnyObject {
  /// What it shows.
  var title: String? { get set }
}

/// A header in a collection view.
public class HeaderView: UICollectionReusableView, TitleView {
  /// What it shows.
  public var title: String?
}

/// A tall header in a collection view.
public final class TallHeaderView: HeaderView {}

/// A header in a table.
public class TableHeaderView: UITableViewHeaderFooterView, TitleView {
  /// What it shows.
  public var title: String?
}

/// A tall header in a table.
public final class TallTableHeaderView: TableHeaderView {}

/// A header as high as its title is long.
public struct ShelfHeader: ListSupplementary {
  /// What it says.
  public var title: String

  /// A header.
  public init(title: String) { self.title = title }

  /// Its own name.
  public static var viewName: ViewName { "ShelfHeader" }
  /// A collection view's.
  public static var source: ViewSource? { .type(HeaderView.self) }

  /// Shows it.
  public func configure(_ view: any TitleView) { view.title = title }

  /// A point more for each character.
  public func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 20 + Double(title.count))
  }
}

/// A header of 90 points.
public struct TallHeader: ListSupplementary {
  /// What it says.
  public var title: String

  /// A header.
  public init(title: String) { self.title = title }

  /// Its own name.
  public static var viewName: ViewName { "TallHeader" }
  /// A collection view's.
  public static var source: ViewSource? { .type(TallHeaderView.self) }

  /// Shows it.
  public func configure(_ view: any TitleView) { view.title = title }

  /// 90 points.
  public func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 90)
  }
}
