import Foundation
import HeadlessUIKit

/// A list as a test has it: sections of items, each with an identity and a version.
struct Shelf: Equatable {
  struct Book: Equatable {
    var id: String
    var version = 0
    var content: HeadlessContent { HeadlessContent(identity: id, version: version) }
  }

  struct Section: Equatable {
    var id: String
    var books: [Book]
  }

  var sections: [Section]

  /// Sections that are called A, B and so on, with books A0, A1 and so on.
  init(_ counts: [Int]) {
    sections = counts.enumerated().map { index, count in
      let name = String(UnicodeScalar(UInt8(65 + index % 26))) + (index < 26 ? "" : "\(index / 26)")
      return Section(id: name, books: (0..<count).map { Book(id: "\(name)\($0)") })
    }
  }

  var counts: [Int] { sections.map(\.books.count) }

  subscript(_ path: IndexPath) -> Book {
    get { sections[path.section].books[path.item] }
    set { sections[path.section].books[path.item] = newValue }
  }

  func book(at path: IndexPath) -> Book? {
    guard sections.indices.contains(path.section),
      sections[path.section].books.indices.contains(path.item)
    else { return nil }
    return self[path]
  }
}

/// A path, shorter.
func at(_ section: Int, _ item: Int) -> IndexPath { IndexPath(item: item, section: section) }

final class BookCell: UICollectionViewCell, HeadlessProbe {
  var headlessContent: HeadlessContent?
  var preparations = 0
  override func prepareForReuse() {
    super.prepareForReuse()
    preparations += 1
    headlessContent = nil
  }
}

final class BookRow: UITableViewCell, HeadlessProbe {
  var headlessContent: HeadlessContent?
  var preparations = 0
  override func prepareForReuse() {
    super.prepareForReuse()
    preparations += 1
    headlessContent = nil
  }
}

final class TitleView: UICollectionReusableView { var title = "" }

/// A screen with a collection view of a shelf; records what the view tells it.
@MainActor
final class ShelfScreen: NSObject, UICollectionViewDataSource,
  UICollectionViewDelegateFlowLayout
{
  var shelf: Shelf
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
  let layout = UICollectionViewFlowLayout()
  let view: UICollectionView
  var events: [String] = []
  /// What the delegate refuses to do.
  var refusals: Set<String> = []
  var headerHeight: CGFloat = 0
  var itemHeight: (Shelf.Book) -> CGFloat = { _ in 20 }
  var configure: ((UICollectionView, IndexPath) -> UICollectionViewCell)?
  var retarget: (IndexPath) -> IndexPath = { $0 }
  var menuActions: [UIAction] = []

  /// Lines of one item, 20 points high without gaps: five fit.
  init(_ counts: [Int], inWindow: Bool = true) {
    shelf = Shelf(counts)
    layout.itemSize = CGSize(width: 100, height: 20)
    layout.minimumLineSpacing = 0
    layout.minimumInteritemSpacing = 0
    view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: 100), collectionViewLayout: layout)
    super.init()
    view.register(BookCell.self, forCellWithReuseIdentifier: "book")
    view.register(
      TitleView.self, forSupplementaryViewOfKind: UICollectionView.elementKindSectionHeader,
      withReuseIdentifier: "title")
    view.dataSource = self
    view.delegate = self
    view.headless.expectedContent = { [unowned self] in shelf.book(at: $0)?.content }
    if inWindow { window.addSubview(view) }
    view.layoutIfNeeded()
  }

  /// What the visible cells show, by path.
  var shown: [String] {
    view.indexPathsForVisibleItems.sorted().map { path in
      let cell = view.cellForItem(at: path) as? BookCell
      return "\(path.section),\(path.item) \(cell?.headlessContent?.description ?? "nothing")"
    }
  }

  func cell(_ path: IndexPath) -> BookCell? { view.cellForItem(at: path) as? BookCell }

  /// Sets the list and tells the view.
  func update(_ counts: [Int]? = nil, _ tell: @escaping (UICollectionView) -> Void) {
    view.performBatchUpdates { [self] in
      if let counts { shelf = Shelf(counts) }
      tell(view)
    }
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { shelf.sections.count }

  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int { shelf.sections[section].books.count }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let configure { return configure(collectionView, indexPath) }
    let cell = collectionView.dequeueReusableCell(withReuseIdentifier: "book", for: indexPath)
    (cell as? BookCell)?.headlessContent = shelf.book(at: indexPath)?.content
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView {
    let view = collectionView.dequeueReusableSupplementaryView(
      ofKind: kind, withReuseIdentifier: "title", for: indexPath)
    (view as? TitleView)?.title = shelf.sections[indexPath.section].id
    return view
  }

  func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { !refusals.contains("move") }

  func collectionView(
    _ collectionView: UICollectionView, moveItemAt source: IndexPath, to destination: IndexPath
  ) {
    events.append("move \(source) \(destination)")
    if refusals.contains("follow") { return }
    let book = shelf.sections[source.section].books.remove(at: source.item)
    shelf.sections[destination.section].books.insert(book, at: destination.item)
  }

  // MARK: Delegate

  private func note(_ event: String, _ path: IndexPath) {
    events.append("\(event) \(path.section),\(path.item)")
  }

  private func ask(_ event: String, _ path: IndexPath) -> Bool {
    note(event, path)
    return !refusals.contains(event)
  }

  func collectionView(_ view: UICollectionView, shouldHighlightItemAt path: IndexPath) -> Bool {
    ask("shouldHighlight", path)
  }
  func collectionView(_ view: UICollectionView, didHighlightItemAt path: IndexPath) {
    note("didHighlight", path)
  }
  func collectionView(_ view: UICollectionView, didUnhighlightItemAt path: IndexPath) {
    note("didUnhighlight", path)
  }
  func collectionView(_ view: UICollectionView, shouldSelectItemAt path: IndexPath) -> Bool {
    ask("shouldSelect", path)
  }
  func collectionView(_ view: UICollectionView, shouldDeselectItemAt path: IndexPath) -> Bool {
    ask("shouldDeselect", path)
  }
  func collectionView(_ view: UICollectionView, didSelectItemAt path: IndexPath) {
    note("didSelect", path)
  }
  func collectionView(_ view: UICollectionView, didDeselectItemAt path: IndexPath) {
    note("didDeselect", path)
  }
  func collectionView(
    _ view: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt path: IndexPath
  ) { note("willDisplay", path) }
  func collectionView(
    _ view: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt path: IndexPath
  ) { note("didEndDisplaying", path) }
  func collectionView(
    _ view: UICollectionView, targetIndexPathForMoveOfItemFromOriginalIndexPath: IndexPath,
    atCurrentIndexPath: IndexPath, toProposedIndexPath path: IndexPath
  ) -> IndexPath { retarget(path) }
  func collectionView(
    _ view: UICollectionView, contextMenuConfigurationForItemsAt paths: [IndexPath], point: CGPoint
  ) -> UIContextMenuConfiguration? {
    if menuActions.isEmpty { return nil }
    return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { [menuActions] _ in
      UIMenu(title: "", children: menuActions)
    }
  }
  func collectionView(
    _ view: UICollectionView, layout: UICollectionViewLayout, sizeForItemAt path: IndexPath
  ) -> CGSize { CGSize(width: 100, height: itemHeight(shelf[path])) }
  func collectionView(
    _ view: UICollectionView, layout: UICollectionViewLayout,
    referenceSizeForHeaderInSection section: Int
  ) -> CGSize { CGSize(width: 0, height: headerHeight) }
}
