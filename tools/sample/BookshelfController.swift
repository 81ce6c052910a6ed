import Cellar
import CellarUIKit
import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// The screen of the bookshelf: a list of a store, and what readers do with it.
final class BookshelfController: UIViewController {
  let shelf: LiveList
  let collectionView = UICollectionView(
    frame: .zero, collectionViewLayout: ListCollectionLayout())
  /// Set once the view is there.
  private(set) var adapter: CollectionAdapter?
  /// Whether likes wait for the answer of a server.
  var sendsLikes = false
  /// The commits that deleted books, the last one last.
  private var deletions: [Int] = []

  init(_ repository: Repository) {
    shelf = repository.liveList(
      "shelf", items: [Book.self, Notice.self], supplementaries: [ShelfHeader.self])
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func loadView() { view = collectionView }

  override func viewDidLoad() {
    super.viewDidLoad()
    attempt {
      let adapter = try CollectionAdapter(shelf, in: collectionView)
      adapter.onProblem = { print("bookshelf: \($0)") }
      adapter.handlers.route = { url, _ in print("bookshelf: opens \(url)") }
      adapter.handlers.on(.control("like"), of: Book.self) { [weak self] _, context in
        self?.like(context.id)
      }
      adapter.handlers.menu(of: Book.self) { _, _ in
        ItemMenu([.init("Delete", .menu("delete"), isDestructive: true)])
      }
      adapter.handlers.on(.menu("delete"), of: Book.self) { [weak self] _, context in
        self?.delete(context.id)
      }
      self.adapter = adapter
    }
  }

  private func like(_ book: ItemID) {
    let toggle: (ListEditor) throws -> Void = { list in
      _ = try list.update(book, as: Book.self) { $0.toggleLike() }
    }
    attempt { if sendsLikes { try shelf.editPending(toggle) } else { try shelf.edit(toggle) } }
  }

  private func delete(_ book: ItemID) {
    attempt {
      if let deletion = try shelf.commit({ try $0.delete(book) }) {
        deletions.append(deletion.revision)
      }
    }
  }

  /// Puts back the book that was deleted last, where it was.
  func undoDelete() {
    guard let revision = deletions.popLast() else { return }
    attempt { try shelf.undoCommit(revision) }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { print("bookshelf: \(error)") }
  }
}
