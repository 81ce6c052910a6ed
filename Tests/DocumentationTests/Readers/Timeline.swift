import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

// An app of today: a timeline that opens where it was left, says how many posts are new above, and
// has gaps where it was not read for long. They are filled from the side that the user comes from.

final class StatusView: UICollectionViewCell {
  let text = UILabel()

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: 40 + CGFloat((text.text ?? "").count % 4) * 20)
  }
}

final class GapCell: UICollectionViewCell {
  let text = UILabel()
}

/// The app's own code that talks to its server.
protocol TimelineServer: Sendable {
  /// At most 20 posts, the newest first: those right below a post, those right above one, or the
  /// newest.
  func posts(below: ItemID?, above: ItemID?) async throws -> [Status]
}

// Program: begin
struct Status: ListItem {
  var id: String, text: String
  static var measuring: ViewMeasuring { .sizeThatFits }
  func configure(_ cell: StatusView) { cell.text.text = text }
}

struct MissingPosts: ListItem {
  var id: String
  static var cells: [CellName: ViewSource] { [Gap.cell: .type(GapCell.self)] }
  var cellName: CellName { Gap.cell }

  func configure(_ cell: GapCell) { cell.text.text = "More posts" }

  func configure(_ cell: GapCell, with state: any Sendable) {
    switch state as? LiveList.PageState {
    case .loading: cell.text.text = "Loading…"
    case .failed(let error): cell.text.text = "\(error). Tap to try again."
    case .offline: cell.text.text = "Offline"
    case .idle, nil: configure(cell)
    }
  }

  func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
}

struct TimelineLoader: PageLoader {
  let server: any TimelineServer

  func page(_ request: PageRequest) async throws -> Page {
    let posts =
      switch request.part {
      case .after: try await server.posts(below: request.above, above: nil)
      case .before: try await server.posts(below: nil, above: request.below)
      case .newest: try await server.posts(below: nil, above: nil)
      case .around, .from: throw Page.Failure.unsupported
      }
    let isLast = request.part != .before && posts.count < 20
    return try Page(posts, before: posts.first?.id, after: isLast ? nil : posts.last?.id)
  }
}

final class TimelineController: UIViewController, UICollectionViewDelegate {
  let timeline: LiveList
  let list = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
  let newPosts = UILabel()
  private(set) var adapter: CollectionAdapter?
  private var newCount = 0

  init(_ store: URL, _ server: any TimelineServer) throws {
    timeline = try Repository(at: store).liveList(
      "timeline", items: [Status.self, MissingPosts.self], pages: TimelineLoader(server: server))
    super.init(nibName: nil, bundle: nil)
  }

  // Program: end
  required init?(coder: NSCoder) { nil }
  // Program: begin
  override func loadView() { view = list }

  override func viewDidLoad() {
    super.viewDidLoad()
    do {
      let adapter = try CollectionAdapter(timeline, in: list)
      adapter.delegate = self
      adapter.handlers.on(.select, of: MissingPosts.self) { [timeline] _, _ in
        timeline.retryPages()
      }
      self.adapter = adapter
    } catch { newPosts.text = "\(error)" }
  }

  func refresh() async {
    do { newCount += try await timeline.refresh() } catch { return newPosts.text = "\(error)" }
    adapter?.update()
    showNewCount()
  }

  func scrollViewDidScroll(_ scrollView: UIScrollView) { showNewCount() }

  private func showNewCount() {
    let top = CGPoint(x: list.bounds.midX, y: max(0, list.contentOffset.y) + 1)
    if let first = list.indexPathForItem(at: top) { newCount = min(newCount, first.item) }
    newPosts.text = newCount == 0 ? nil : "\(newCount) new"
  }

  func showNewest() {
    guard let newest = adapter?.itemID(at: IndexPath(item: 0, section: 0)) else { return }
    adapter?.scroll(to: newest, at: .start, animated: true)
  }
}
// Program: end
