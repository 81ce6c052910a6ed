import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``PageArticleTests`` runs them.
@MainActor enum ComingFromAndroidPagingExample {
  struct Repo: ListItem {
    var id: String, name: String
    func configure(_ cell: RepoCell) { cell.shown = name }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 60) }
  }

  final class RepoCell: UICollectionViewCell { var shown = "" }

  protocol GitHub: Sendable {
    func search(_ query: String, page: Int) async throws -> [Repo]
  }

  // Article: begin
  struct RepoLoader: PageLoader {
    let github: any GitHub, query: String

    func page(_ request: PageRequest) async throws -> Page {
      let number: Int
      switch request.part {
      case .newest: number = 1
      case .after:
        guard let next = request.cursor.flatMap({ Int($0) }) else {
          throw Page.Failure.outdatedCursor
        }
        number = next
      case .before: throw Page.Failure.otherEdge
      case .around, .from: throw Page.Failure.unsupported
      }
      let repos = try await github.search(query, page: number)
      return try Page(repos, after: repos.isEmpty ? nil : "\(number + 1)")
    }
  }
  // Article: end

  static func show(
    _ query: String, _ github: any GitHub, _ repository: Repository, in view: UICollectionView
  ) throws -> CollectionAdapter {
    // Article: begin
    let repos = repository.liveList(
      try ListID("search \(query)"), items: [Repo.self, MoreRepos.self],
      pages: RepoLoader(github: github, query: query))
    let adapter = try CollectionAdapter(repos, in: view)
    // Article: end
    return adapter
  }

  // Article: begin
  struct MoreRepos: ListItem {
    var id: String
    static var cells: [CellName: ViewSource] { [Gap.cell: .type(LoadingCell.self)] }
    var cellName: CellName { Gap.cell }

    func configure(_ cell: LoadingCell) { cell.text.text = nil }

    func configure(_ cell: LoadingCell, with state: any Sendable) {
      switch state as? LiveList.PageState {
      case .loading: cell.text.text = "Loading…"
      case .failed(let error): cell.text.text = "\(error)"
      case .offline: cell.text.text = "Offline"
      case .idle, nil: cell.text.text = nil
      }
    }
  }
  // Article: end

  final class LoadingCell: UICollectionViewCell {
    let text = UILabel()
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 44) }
  }

  // Article: begin
  static func refresh(_ repos: LiveList, _ banner: UILabel) async {
    do { banner.text = "\(try await repos.refresh()) new" } catch { banner.text = "\(error)" }
  }
  // Article: end
}
