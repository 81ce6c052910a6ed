import Cellar
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``PageArticleTests`` runs them.
@MainActor enum LoadersExample {
  struct Message: ListItem {
    var id: String, subject: String
    func configure(_ cell: MessageCell) { cell.shown = subject }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 44) }
  }

  final class MessageCell: UICollectionViewCell { var shown = "" }

  // Article: begin
  struct MailAPI: Sendable {
    /// Asks the server, such as `GET /messages?first=20`.
    let get: @Sendable (_ query: [String: String]) async throws -> Answer

    func page(_ query: [String: String]) async throws -> Answer {
      let answer = try await get(query)
      switch answer.status {
      case 200: return answer
      case 401: throw Page.Failure.needsUser("Log in again.")
      case 410: throw Page.Failure.outdatedCursor
      default: throw URLError(.badServerResponse)
      }
    }
  }

  struct Answer: Sendable {
    var status: Int
    var messages: [Message] = []
    var start: String?
    var end: String?
    var total = 0
  }
  // Article: end

  // Article: begin
  struct CursorLoader: PageLoader {
    let api: MailAPI

    func page(_ request: PageRequest) async throws -> Page {
      let query: [String: String] =
        switch request.part {
        case .newest: ["first": "20"]
        case .after: ["first": "20", "after": request.cursor ?? id(request.above)]
        case .before: ["last": "20", "before": request.cursor ?? id(request.below)]
        case .around(let item): ["around": id(item)]
        case .from: throw Page.Failure.unsupported
        }
      let answer = try await api.page(query)
      return try Page(answer.messages, before: answer.start, after: answer.end)
    }

    private func id(_ item: ItemID?) -> String { "id:\(item?.rawValue ?? "")" }
  }
  // Article: end

  // Article: begin
  struct NumberLoader: PageLoader {
    let api: MailAPI

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
      let answer = try await api.page(["page": "\(number)"])
      let isLast = number * 20 >= answer.total
      return try Page(answer.messages, after: isLast ? nil : "\(number + 1)")
    }
  }
  // Article: end

  // Article: begin
  struct OffsetLoader: PageLoader {
    let api: MailAPI

    func page(_ request: PageRequest) async throws -> Page {
      let (gap, cursor) = (request.gap, request.cursor.flatMap { Int($0) })
      let offset: Int
      switch request.part {
      case .newest: offset = 0
      case .around: throw Page.Failure.unsupported
      case .from(let position): offset = position
      case .after:
        guard let first = gap?.offset ?? cursor else { throw Page.Failure.outdatedCursor }
        offset = first
      case .before:
        guard let first = gap?.offset, let count = gap?.count else {
          throw Page.Failure.otherEdge
        }
        offset = first + max(0, count - 20)
      }
      let answer = try await api.page(["offset": "\(offset)", "limit": "20"])
      let end = offset + answer.messages.count
      return try Page(
        answer.messages, before: offset == 0 ? nil : "\(offset)",
        after: end < answer.total ? "\(end)" : nil, offset: offset, total: answer.total)
    }
  }
  // Article: end

  // Article: begin
  struct SinceLoader: PageLoader {
    let api: MailAPI

    func page(_ request: PageRequest) async throws -> Page {
      var query = ["limit": "20"]
      switch request.part {
      case .newest, .after: break
      case .before: throw Page.Failure.otherEdge
      case .around, .from: throw Page.Failure.unsupported
      }
      query["max_id"] = request.above?.rawValue
      query["since_id"] = request.below?.rawValue
      let answer = try await api.page(query)
      let isAll = answer.messages.count < 20
      return try Page(
        answer.messages, after: isAll ? nil : answer.end,
        meetsOtherSide: isAll && request.below != nil)
    }
  }
  // Article: end

  // Article: begin
  static func pulled(_ inbox: LiveList, _ control: UIRefreshControl, _ banner: UILabel) async {
    do {
      let count = try await inbox.refresh()
      banner.text = count == 0 ? nil : "\(count) new"
    } catch { banner.text = "\(error)" }
    control.endRefreshing()
  }
  // Article: end

  // Article: begin
  static func loggedIn(_ inbox: LiveList) { inbox.retryPages() }
  // Article: end
}
