import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

struct Novel: ListItem {
  var id: String, title: String, isLiked = false
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: NovelCell) { cell.label.text = isLiked ? "♥ " + title : title }
}

struct Essay: ListItem {
  var id: String, title: String, minutes: Int
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: EssayCell) { cell.label.text = "\(title), \(minutes) min" }
}

struct ShelfTitle: ListSupplementary {
  var title: String
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ view: ShelfTitleView) { view.label.text = title }
}

class LabelCell: UICollectionViewCell {
  let label = UILabel()
  override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
  override func layoutSubviews() {
    super.layoutSubviews()
    contentView.addSubview(label)
    label.frame = contentView.bounds
  }
}

final class NovelCell: LabelCell {}
final class EssayCell: LabelCell {}

final class ShelfTitleView: UICollectionReusableView {
  let label = UILabel()
  override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
  override func layoutSubviews() {
    super.layoutSubviews()
    addSubview(label)
    label.frame = bounds
  }
}

final class ReadingListController: UIViewController {
  let shelf: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let adapter: CollectionAdapter

  init(_ file: URL) throws {
    shelf = try Repository(at: file).liveList(
      "reading", items: [Novel.self, Essay.self], supplementaries: [ShelfTitle.self])
    try shelf.edit { list in
      for (id, title) in [("unread", "To read"), ("read", "Read")] {
        try list.insertSectionIfMissing(SectionID(id))
        try list.updateSection(SectionID(id)) {
          $0.header = try Supplementary(ShelfTitle(title: title))
        }
      }
    }
    adapter = try CollectionAdapter(shelf, in: list)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.on(.select, of: Novel.self) { [weak self] _, context in
      do { try self?.like(context.id) } catch { print(error) }
    }
  }

  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }

  func add(_ item: some ListItem) throws {
    try shelf.edit { list in try list.insert(item, in: "unread", at: .start) }
  }

  func finish(_ item: ItemID) throws {
    try shelf.edit { list in try list.move(item, in: "read", to: .start) }
  }

  func like(_ novel: ItemID) throws {
    try shelf.edit { list in try list.update(novel, as: Novel.self) { $0.isLiked.toggle() } }
  }

  func undo() throws {
    try shelf.undoCommit(try shelf.revision())
  }

  func history() throws -> [String] {
    try shelf.commits().map { commit in
      "\(commit.revision) by \(commit.author): \(commit.entries.count) changes"
    }
  }

  func watch(_ report: (Int) -> Bool) async throws {
    for try await update in shelf.updates() {
      guard report(update.provider.numberOfItems) else { return }
    }
  }
}
