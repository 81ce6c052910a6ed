import Cellar
import HeadlessUIKit

/// A cell of text.
class TextCell: UICollectionViewCell {
  var text = ""
}

/// A header of the class that shows items too.
struct TextHeader: ListSupplementary {
  var text: String
  func configure(_ view: TextCell) { view.text = text }
  func size(fitting room: Supplementary.Room) -> Size? {
    Size(width: room.length, height: 30)
  }
}

/// Of an article, how long it is.
struct Article: ListItem {
  var id: String, words: Int
  func configure(_ cell: TextCell) { cell.text = "\(words / 200) minutes" }
  func size(fitting room: Item.Room) -> Size? {
    Size(width: room.length, height: 50)
  }
}

/// What stands between articles.
struct Advert: ListItem {
  var id: String, company: String
  func configure(_ cell: TextCell) { cell.text = "by \(company)" }
  func size(fitting room: Item.Room) -> Size? {
    Size(width: room.length, height: 20)
  }
}
