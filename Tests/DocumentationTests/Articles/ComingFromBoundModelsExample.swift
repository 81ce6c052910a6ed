import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromBoundModelsExample {
  // Article: begin
  struct Poster: ListItem {
    var id: String, picture: String, ratio: Double, url: String?
    var action: Action? { Action(url: url, event: "poster.tap") }

    func configure(_ cell: PosterCell) { cell.load(picture) }

    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: room.length / ratio)
    }
  }
  // Article: end

  final class PosterCell: UICollectionViewCell {
    var picture: String?
    func load(_ picture: String) { self.picture = picture }
  }

  static func fill(_ posters: LiveList, _ found: [Poster]) throws {
    // Article: begin
    let waterfall = SectionLayout(
      kind: .waterfall, columns: 2, lineSpacing: 8, interitemSpacing: 8,
      insets: Insets(top: 8, left: 8, bottom: 8, right: 8))
    try posters.replace {
      ListSection("found", layout: waterfall) {
        for poster in found { poster }
      }
    }
    // Article: end
  }

  static func route(
    _ adapter: CollectionAdapter, _ analytics: @escaping (String) -> Void,
    _ open: @escaping (String) -> Void
  ) {
    // Article: begin
    adapter.handlers.report = { event, _ in analytics(event) }
    adapter.handlers.route = { url, _ in open(url) }
    // Article: end
  }
}
