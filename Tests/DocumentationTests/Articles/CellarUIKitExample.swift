import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of the module's article, line by line; ``ArticleTests`` compares and runs them.
@MainActor enum CellarUIKitExample {
  // Article: begin
  struct Book: ListItem {
    var id: String, title: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: BookCell) { cell.label.text = title }
  }

  final class BookCell: UICollectionViewCell {
    let label = UILabel()

    override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }

    override func layoutSubviews() {
      super.layoutSubviews()
      contentView.addSubview(label)
      label.frame = contentView.bounds
    }
  }
  // Article: end

  // Article: begin
  final class ShelfController: UIViewController {
    let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
    let adapter: CollectionAdapter

    init(_ repository: Repository) throws {
      let shelf = repository.liveList("shelf", items: [Book.self])
      adapter = try CollectionAdapter(shelf, in: list)
      super.init(nibName: nil, bundle: nil)
      adapter.handlers.on(.select, of: Book.self) { book, _ in print("open \(book.title)") }
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() { view = list }
  }
  // Article: end
}
