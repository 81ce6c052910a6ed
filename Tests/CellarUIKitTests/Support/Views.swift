import Foundation
import HeadlessUIKit
import ListModel
import Providers

/// A cell that says what it shows, to the view that checks and to tests.
@MainActor protocol BookView: HeadlessProbe, ControlEventSource {
  var book: Book? { get set }
}

extension BookView {
  var headlessContent: HeadlessContent? {
    book.map { HeadlessContent(identity: $0.id, version: $0.likes) }
  }
}

class BookCell: UICollectionViewCell, BookView {
  var book: Book?
  var onControlEvent: (@MainActor (String) -> Void)?
}

final class WideCell: BookCell {}

class BookRow: UITableViewCell, BookView {
  var book: Book?
  var onControlEvent: (@MainActor (String) -> Void)?
}

final class WideRow: BookRow {}

/// An item that two cells can show; it says its size itself.
struct Book: ListItem, Equatable {
  var id: String, likes = 0, isWide = false

  static var cells: [CellName: ViewSource] {
    ["BookCell": .type(BookCell.self), "WideCell": .type(WideCell.self)]
  }
  var cellName: CellName { isWide ? "WideCell" : "BookCell" }

  func configure(_ cell: any BookView) { cell.book = self }

  /// Another height for each like.
  func size(fitting length: Double, in environment: LayoutEnvironment) -> Size? {
    Size(width: min(length, 100), height: 40 + Double(likes % 7) * 9 + (isWide ? 30 : 0))
  }
}

@MainActor protocol TitleView: AnyObject {
  var title: String? { get set }
}

class HeaderView: UICollectionReusableView, TitleView { var title: String? }
final class TallHeaderView: HeaderView {}
class TableHeaderView: UITableViewHeaderFooterView, TitleView { var title: String? }
final class TallTableHeaderView: TableHeaderView {}

struct ShelfHeader: ListSupplementary {
  var title: String
  static var viewName: ViewName { "ShelfHeader" }
  static var source: ViewSource? { .type(HeaderView.self) }
  func configure(_ view: any TitleView) { view.title = title }
  func size(fitting length: Double, in environment: LayoutEnvironment) -> Size? {
    Size(width: length, height: 20 + Double(title.count))
  }
}

struct TallHeader: ListSupplementary {
  var title: String
  static var viewName: ViewName { "TallHeader" }
  static var source: ViewSource? { .type(TallHeaderView.self) }
  func configure(_ view: any TitleView) { view.title = title }
  func size(fitting length: Double, in environment: LayoutEnvironment) -> Size? {
    Size(width: length, height: 90)
  }
}
