import Cellar
import CellarUIKit
import HeadlessUIKit

/// The item of the app.
struct Book: ListItem, Equatable {
  var id: String
  var title: String
  var likes: Int
  var isWide: Bool

  static var cells: [CellName: ViewSource] {
    ["BookCell": .type(BookCell.self), "WideCell": .type(WideCell.self)]
  }
  var cellName: CellName { isWide ? "WideCell" : "BookCell" }

  /// Everything that a cell shows, as a number.
  var version: Int {
    title.utf8.reduce(likes &* 2 &+ (isWide ? 1 : 0)) { ($0 &* 31 &+ Int($1)) & 0xFF_FFFF }
  }

  func configure(_ cell: any BookView) { cell.book = self }

  /// Another height for each number of likes.
  func size(fitting room: Item.Room) -> Size? {
    Size(width: min(room.length, 140), height: height)
  }

  var height: Double { 40 + Double(likes % 7) * 9 + (isWide ? 30 : 0) }
}

/// A cell that says what it shows.
@MainActor protocol BookView: AnyObject, HeadlessProbe {
  var book: Book? { get set }
}

extension BookView {
  var headlessContent: HeadlessContent? {
    book.map { HeadlessContent(identity: $0.id, version: $0.version) }
  }
}

class BookCell: UICollectionViewCell, BookView {
  var book: Book?
}

final class WideCell: BookCell {}

class BookRow: UITableViewCell, BookView {
  var book: Book?
}

final class WideRow: BookRow {}
