import Cellar

/// The examples of an article, line by line; ``TaskArticleTests`` compares and runs them.
enum FeedsExample {
  static func follow(_ shelf: LiveList, lines: AsyncStream<String>) async throws -> FeedReport {
    // Article: begin
    let following = Task { try await shelf.follow(lines) }
    // Article: end
    return try await following.value
  }

  static func catchUp(
    _ shelf: LiveList, lines: AsyncStream<String>, snapshot: AsyncStream<String>
  ) async throws {
    // Article: begin
    do {
      try await shelf.follow(lines)
    } catch let error as StoreError where error.code == .feedGap {
      try await shelf.follow(snapshot)
    }
    // Article: end
  }
}
