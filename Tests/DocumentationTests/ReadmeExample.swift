// The README's examples, line by line, with `HeadlessUIKit` for `UIKit`; `ReadmeTests` compares
// and runs them.
// README: begin
import Cellar
import CellarUIKit
import HeadlessUIKit

// An item is a value of your app. It names its cell, and Cellar stores both.
struct Book: ListItem {
  var id: String, title: String, isLiked = false
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: BookCell) { cell.label.text = isLiked ? "♥ \(title)" : title }
}

// The app shows a list …
@MainActor func show(_ shelf: LiveList, in view: UICollectionView) throws -> CollectionAdapter {
  try CollectionAdapter(shelf, in: view)
}

// … which its widget, another process, edits.
func like(_ book: ItemID, on shelf: LiveList) throws {
  try shelf.edit { list in
    try list.update(book, as: Book.self) { $0.isLiked = true }
    try list.move(book, to: .start)
  }
}
// README: end

// README: begin
final class BookCell: UICollectionViewCell {
  let label = UILabel()
  override func sizeThatFits(_ size: CGSize) -> CGSize { label.sizeThatFits(size) }
  override func layoutSubviews() {
    super.layoutSubviews()
    contentView.addSubview(label)
    label.frame = contentView.bounds
  }
}
// README: end

// README: begin
func fill(_ shelf: LiveList) throws {
  try shelf.replace {
    ListSection("today") {
      Book(id: "emma", title: "Emma")
      Book(id: "dune", title: "Dune")
    }
  }
}
// README: end

// README: begin
final class ShelfController: UIViewController {
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let adapter: CollectionAdapter

  init(_ repository: Repository) throws {
    let shelf = repository.liveList("shelf", items: [Book.self])
    adapter = try CollectionAdapter(shelf, in: list)
    super.init(nibName: nil, bundle: nil)
    adapter.handlers.on(.select, of: Book.self) { book, _ in
      do { try like(ItemID(book.id), on: shelf) } catch { print(error) }
    }
  }
  required init?(coder: NSCoder) { nil }
  override func loadView() { view = list }
}
// README: end

// README: begin
func watch(_ shelf: LiveList) async throws {
  for try await update in shelf.updates() {
    print(update.provider.numberOfItems, "items after", update.batch.stages.count, "stages")
  }
}
// README: end
