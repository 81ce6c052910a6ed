import Cellar
import CellarUIKit
import Foundation
import TestSupport
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// The adapters in the views of the system that runs the tests: UIKit's on a simulator, and
/// HeadlessUIKit's elsewhere.
@MainActor @Suite struct ListScreenTests {
  private struct Book: ListItem {
    var id: String, title: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: BookCell) { cell.label.text = title }
  }

  private struct Chapter: ListItem {
    var id: String, title: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ row: ChapterRow) { row.label.text = title }
  }

  private final class BookCell: UICollectionViewCell {
    let label = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 40) }
  }

  private final class ChapterRow: UITableViewCell {
    let label = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 40) }
  }

  private let folder: TemporaryFolder
  private let repository: Repository
  private let bounds = CGRect(x: 0, y: 0, width: 320, height: 480)

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  @Test func aCollectionViewShowsWhatIsCommitted() throws {
    let shelf = repository.liveList("shelf", items: [Book.self])
    try shelf.replace {
      ListSection("today") {
        Book(id: "emma", title: "Emma")
        Book(id: "dune", title: "Dune")
      }
    }
    let view = UICollectionView(frame: bounds, collectionViewLayout: ListCollectionLayout())
    let adapter = try CollectionAdapter(shelf, in: view)
    adapter.onProblem = { Issue.record("\($0)") }
    func titles() -> [String?] {
      view.layoutIfNeeded()
      return view.indexPathsForVisibleItems.sorted()
        .map { (view.cellForItem(at: $0) as? BookCell)?.label.text }
    }
    #expect(titles() == ["Emma", "Dune"])
    try shelf.edit { list in
      try list.update("dune", as: Book.self) { $0.title = "Dune Messiah" }
      try list.move("dune", to: .start)
      try list.insert(Book(id: "utz", title: "Utz"), in: "today")
      try list.delete("emma")
    }
    adapter.update()
    #expect(titles() == ["Dune Messiah", "Utz"])
    #expect(view.numberOfItems(inSection: 0) == 2)
    // A view of the next launch has the sizes from the store.
    try repository.close()
    let relaunched = try Repository(at: repository.file).liveList("shelf", items: [Book.self])
    let next = UICollectionView(frame: bounds, collectionViewLayout: ListCollectionLayout())
    let second = try CollectionAdapter(relaunched, in: next)
    next.layoutIfNeeded()
    #expect(next.contentSize == view.contentSize)
    #expect(second.measurementCount == 0)
  }

  @Test func aTableViewShowsWhatIsCommitted() throws {
    let contents = repository.liveList("contents", items: [Chapter.self])
    try contents.replace {
      ListSection("part one") { Chapter(id: "1", title: "In which") }
    }
    let view = UITableView(frame: bounds, style: .plain)
    let adapter = try TableAdapter(contents, in: view)
    adapter.onProblem = { Issue.record("\($0)") }
    func titles() -> [String?] {
      view.layoutIfNeeded()
      return (view.indexPathsForVisibleRows ?? []).sorted()
        .map { (view.cellForRow(at: $0) as? ChapterRow)?.label.text }
    }
    #expect(titles() == ["In which"])
    try contents.edit { list in
      try list.insert(Chapter(id: "0", title: "Preface"), in: "part one", at: .start)
    }
    adapter.update()
    #expect(titles() == ["Preface", "In which"])
  }
}
