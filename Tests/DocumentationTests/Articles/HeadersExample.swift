import Cellar
import CellarUIKit
import HeadlessUIKit

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
@MainActor enum HeadersExample {
  // Article: begin
  struct ShelfHeader: ListSupplementary {
    var title: String
    static var measuring: ViewMeasuring { .sizeThatFits }

    func configure(_ view: ShelfHeaderView) { view.label.text = title }
  }
  // Article: end

  final class ShelfHeaderView: UICollectionReusableView {
    let label = UILabel()

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 24) }
  }

  static func setHeader(_ repository: Repository) throws -> LiveList {
    // Article: begin
    let shelf = repository.liveList("shelf", supplementaries: [ShelfHeader.self])
    try shelf.edit { list in
      try list.insertSectionIfMissing("today")
      try list.updateSection("today") { section in
        section.header = try Supplementary(ShelfHeader(title: "Today"))
      }
    }
    // Article: end
    return shelf
  }
}
