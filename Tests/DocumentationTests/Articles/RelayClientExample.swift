import Foundation
import RelayClient

/// The examples of an article, line by line.
///
/// What they do at a relay is tried in tools/relay.
enum RelayClientExample {
  static func client(_ token: String, at address: URL) -> RelayClient {
    // Article: begin
    let relay = RelayClient(address) { _ in
      ["Authorization": "Bearer \(token)"]
    }
    // Article: end
    return relay
  }

  static func add(_ order: String, _ relay: RelayClient) async throws {
    // Article: begin
    let item = Item(id: "order-17", cell: "Order", content: try JSON(parsing: order))
    try await relay.append(
      [.insertItem(item, in: "today", at: .start)], to: "user/ann/orders", id: "order-17")
    // Article: end
  }

  static func replace(
    _ today: ListTree.Section, _ earlier: ListTree.Section, _ relay: RelayClient
  ) async throws {
    // Article: begin
    try await relay.replace(with: ListTree(list: "user/ann/orders", sections: [today, earlier]))
    // Article: end
  }

  static func sellPen(
    _ relay: RelayClient, oneLess: (ListTree) throws -> JSON
  ) async throws {
    // Article: begin
    guard let (tree, end) = try await relay.tree(of: "stock") else { return }
    let change = Change.updateItem("pen", ItemUpdate(content: .set(try oneLess(tree))))
    try await relay.append([change], to: "stock", ifAt: .end(end))
    // Article: end
  }

  static func work(
    _ relay: RelayClient, since saved: String?, index: (ListID) async throws -> Void,
    save: (String) -> Void
  ) async throws {
    // Article: begin
    for try await moved in relay.moves(since: saved) {
      for list in moved.lists { try await index(list) }
      save(moved.cursor)
    }
    // Article: end
  }
}
