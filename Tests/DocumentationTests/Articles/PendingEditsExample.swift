import Cellar

/// The examples of the article on pending edits, line by line; ``PendingEditArticleTests`` compares
/// and runs them.
enum PendingEditsExample {
  struct Book: ListItem {
    var id: String, likes = 0
    func configure(_ cell: BookCell) {}
  }
  final class BookCell {}

  /// The app's own code that talks to its server.
  actor Server {
    private(set) var ids: [String] = []
    func post(_ operations: JSON, as id: String) throws -> Bool {
      ids.append(id)
      return ids.count == 1
    }
  }

  static func edit(_ shelf: LiveList) throws {
    // Article: begin
    try shelf.editPending { list in
      try list.update("emma", as: Book.self) { $0.likes += 1 }
    }
    // Article: end
  }

  static func send(_ shelf: LiveList, to server: Server) -> Task<Void, any Error> {
    // Article: begin
    let sending = Task {
      try await shelf.sendPendingEdits { edit in
        try await server.post(edit.operations, as: edit.id) ? .accepted : .rejected(why: nil)
      }
    }
    // Article: end
    return sending
  }

  static func follow(
    _ shelf: LiveList, show: @Sendable (Repository.PendingEdit) -> Void
  ) async {
    // Article: begin
    for await outcome in shelf.editOutcomes() {
      switch outcome {
      case .acknowledged, .changed: break
      case .rejected(let edit), .conflicted(let edit): show(edit)
      }
    }
    // Article: end
  }
}
