import Cellar

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// A book on the shelf.
struct Book: ListItem, Equatable {
  var id: String
  var title: String
  var author: String
  /// Who likes it.
  var fans: [String] = []

  static var measuring: ViewMeasuring { .sizeThatFits }

  func configure(_ cell: BookCell) {
    cell.show(title: title, author: author, fans: fans, isLiked: fans.contains("You"))
  }

  /// With or without the reader of this device among those who like it.
  mutating func toggleLike() {
    if let index = fans.firstIndex(of: "You") { fans.remove(at: index) } else { fans.append("You") }
  }
}

/// A notice between books, which another cell shows.
struct Notice: ListItem, Equatable {
  var id: String
  var text: String
  /// Where a tap leads: stored with the item, needs no code after a relaunch.
  var url: String?

  static var measuring: ViewMeasuring { .sizeThatFits }
  var action: Action? { url.map { Action(url: $0, event: "notice.open") } }

  func configure(_ cell: NoticeCell) { cell.label.text = text }
}

/// What stands above a shelf.
struct ShelfHeader: ListSupplementary, Equatable {
  var title: String

  static var measuring: ViewMeasuring { .sizeThatFits }

  func configure(_ view: ShelfHeaderView) { view.label.text = title }
}
