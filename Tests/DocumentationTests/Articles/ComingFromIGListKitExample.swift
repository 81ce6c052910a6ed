import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum ComingFromIGListKitExample {
  // Article: begin
  struct Post: ListItem {
    var id: String, text: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: PostCell) { cell.label.text = text }
  }

  struct DayHeader: ListSupplementary {
    var day: String
    func configure(_ view: DayHeaderView) { view.day = day }
    func size(fitting room: Supplementary.Room) -> Size? {
      Size(width: room.length, height: 32)
    }
  }
  // Article: end

  final class PostCell: UICollectionViewCell {
    let label = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
  }
  final class DayHeaderView: UICollectionReusableView { var day: String? }

  static func feed(_ repository: Repository) throws -> LiveList {
    // Article: begin
    let feed = repository.liveList(
      "feed", items: [Post.self], supplementaries: [DayHeader.self])
    try feed.edit { list in
      let header = try Supplementary(DayHeader(day: "Monday"))
      try list.insertSection("monday", SectionAttributes(header: header), at: .start)
      try list.insert(Post(id: "p1", text: "Good morning"), in: "monday")
    }
    // Article: end
    return feed
  }
}
