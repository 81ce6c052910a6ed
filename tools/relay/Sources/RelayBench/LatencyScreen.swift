import Cellar
import CellarUIKit
import HeadlessUIKit

/// A device's screen without glass: a collection view that shows a list, as an app has it.
///
/// Each commit inserts a ``Commit`` at the beginning, where it comes into sight.
@MainActor final class LatencyScreen {
  /// How many batch updates and reloads the view has performed.
  private(set) var updateCount = 0
  /// The number of the newest commit in sight; 0 before the first.
  private(set) var newest = 0
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  private let view: UICollectionView
  private let adapter: CollectionAdapter

  /// Shows a list.
  ///
  /// `interval`: The least time between two updates; `nil` for the adapter's own, a frame.
  /// `onShown`: Called when the cells of newer commits are in sight, with their numbers.
  init(
    _ list: LiveList, every interval: Duration?, onShown: @escaping (ClosedRange<Int>) -> Void
  ) throws {
    view = UICollectionView(frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    adapter = try CollectionAdapter(list, in: view)
    if let interval { adapter.updateInterval = interval }
    view.layoutIfNeeded()
    adapter.onUpdate = { [weak self] _ in self?.look(onShown) }
  }

  /// Looks at what a user would see.
  private func look(_ onShown: (ClosedRange<Int>) -> Void) {
    updateCount += 1
    // After a reload, a device would do so before it draws.
    view.layoutIfNeeded()
    let number = view.visibleCells.compactMap { ($0 as? CommitCell)?.number }.max() ?? 0
    guard number > newest else { return }
    onShown(newest + 1...number)
    newest = number
  }
}

/// An item that stands for a commit.
struct Commit: ListItem {
  var id: String
  var number: Int

  func configure(_ cell: CommitCell) { cell.number = number }

  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
}

/// Shows a commit's number.
final class CommitCell: UICollectionViewCell {
  var number: Int?
}
