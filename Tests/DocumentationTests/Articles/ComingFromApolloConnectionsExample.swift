import Cellar
import Foundation
import HeadlessUIKit

/// The examples of an article, line by line; ``PageArticleTests`` runs them.
@MainActor enum ComingFromApolloConnectionsExample {
  struct Message: ListItem {
    var id: String, text: String, isStarred = false
    func configure(_ cell: MessageCell) { cell.shown = text }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 60) }
  }

  final class MessageCell: UICollectionViewCell { var shown = "" }

  /// What Apollo's generated types are.
  struct Connection: Sendable {
    struct Edge: Sendable { var node: Message }
    struct PageInfo: Sendable {
      var startCursor: String?, endCursor: String?
      var hasPreviousPage = false, hasNextPage = false
    }
    var edges: [Edge]
    var pageInfo: PageInfo
    var totalCount: Int
  }

  protocol Client: Sendable {
    func fetch(first: Int?, after: String?, last: Int?, before: String?) async throws -> Connection
    func perform(_ edit: Repository.PendingEdit) async throws
  }

  // Article: begin
  struct MessagesConnection: PageLoader {
    let client: any Client

    func page(_ request: PageRequest) async throws -> Page {
      let connection: Connection
      switch (request.part, request.cursor) {
      case (.after, let cursor?):
        connection = try await client.fetch(first: 20, after: cursor, last: nil, before: nil)
      case (.before, let cursor?):
        connection = try await client.fetch(first: nil, after: nil, last: 20, before: cursor)
      case (.after, nil), (.before, nil): throw Page.Failure.otherEdge
      case (.newest, _):
        connection = try await client.fetch(first: 20, after: nil, last: nil, before: nil)
      case (.around, _), (.from, _): throw Page.Failure.unsupported
      }
      let info = connection.pageInfo
      return try Page(
        connection.edges.map(\.node), before: info.hasPreviousPage ? info.startCursor : nil,
        after: info.hasNextPage ? info.endCursor : nil)
    }
  }
  // Article: end

  static func list(_ repository: Repository, _ client: any Client) -> LiveList {
    // Article: begin
    var messages = repository.liveList(
      "messages", items: [Message.self], pages: MessagesConnection(client: client))
    messages.sendsEdits = true
    // Article: end
    return messages
  }

  static func star(_ messages: LiveList, _ id: ItemID) throws {
    // Article: begin
    try messages.edit { try $0.update(id, as: Message.self) { $0.isStarred = true } }
    // Article: end
  }

  // Article: begin
  static func send(_ messages: LiveList, _ client: any Client) async throws {
    try await messages.sendPendingEdits { edit in
      try await client.perform(edit)
      return .accepted
    }
  }
  // Article: end
}
