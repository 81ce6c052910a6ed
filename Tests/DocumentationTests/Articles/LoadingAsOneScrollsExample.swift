import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``PageArticleTests`` runs them.
enum LoadingAsOneScrollsExample {
  struct Message: ListItem {
    var id: String, subject: String
    func configure(_ cell: MessageCell) { cell.shown = subject }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
  }

  final class MessageCell: UICollectionViewCell { var shown = "" }
  final class LoadingCell: UICollectionViewCell { let text = UILabel() }

  struct Answer: Sendable {
    var messages: [Message]
    var previous: String?
    var next: String?
  }

  protocol MailServer: Sendable {
    func newest() async throws -> Answer
    func messages(below: ItemID?) async throws -> Answer
    func messages(above: ItemID?) async throws -> Answer
    func messages(around: ItemID) async throws -> Answer
  }

  // Article: begin
  struct MailLoader: PageLoader {
    let server: any MailServer

    func page(_ request: PageRequest) async throws -> Page {
      let answer =
        switch request.part {
        case .newest: try await server.newest()
        case .after: try await server.messages(below: request.above)
        case .before: try await server.messages(above: request.below)
        case .around(let item): try await server.messages(around: item)
        case .from: throw Page.Failure.unsupported
        }
      return try Page(answer.messages, before: answer.previous, after: answer.next)
    }
  }
  // Article: end

  // Article: begin
  static func inbox(_ repository: Repository, _ server: any MailServer) -> LiveList {
    repository.liveList("inbox", items: [Message.self], pages: MailLoader(server: server))
  }
  // Article: end

  // Article: begin
  struct LoadingRow: ListItem {
    var id: String
    var count: Int?
    static var cells: [CellName: ViewSource] { [Gap.cell: .type(LoadingCell.self)] }
    var cellName: CellName { Gap.cell }

    func configure(_ cell: LoadingCell) { cell.text.text = count.map { "\($0) more" } }

    func configure(_ cell: LoadingCell, with state: any Sendable) {
      switch state as? LiveList.PageState {
      case .failed(let error): cell.text.text = "\(error)"
      case .offline: cell.text.text = "Offline"
      default: cell.text.text = "Loading…"
      }
    }
  }
  // Article: end

  // Article: begin
  @MainActor static func showFirstPage(of inbox: LiveList, in label: UILabel) async {
    for await _ in inbox.pageStates() {
      switch inbox.pageState(of: nil) {
      case .idle: label.text = nil
      case .loading: label.text = "Loading…"
      case .offline: label.text = "Offline"
      case .failed(let error): label.text = "\(error). Tap to try again."
      }
    }
  }
  // Article: end

  // Article: begin
  static func refresh(_ inbox: LiveList) async -> String {
    do {
      let count = try await inbox.refresh()
      return "\(count) new"
    } catch {
      return "\(error)"
    }
  }
  // Article: end

  // Article: begin
  static func timeline(_ repository: Repository, _ server: any MailServer) -> LiveList {
    repository.liveList(
      "timeline", items: [Message.self], pages: MailLoader(server: server),
      paging: LiveList.Paging(limit: .items(5_000)))
  }
  // Article: end

  // Article: begin
  static func follow(_ isOnline: AsyncStream<Bool>, _ inbox: LiveList) async {
    for await isOnline in isOnline { inbox.isOffline = !isOnline }
  }
  // Article: end

  // Article: begin
  static func aPageThatHasFailedIsLoadedAgain(
    _ inbox: LiveList, _ server: Page.ScriptedLoader
  ) async throws -> Int {
    try await inbox.refresh()
    let gap = try inbox.gaps()[0]
    await server.failNext(with: URLError(.timedOut))
    do { try await inbox.loadPage(of: gap) } catch { try await inbox.loadPage(of: gap) }
    return try inbox.provider().numberOfItems
  }
  // Article: end
}
