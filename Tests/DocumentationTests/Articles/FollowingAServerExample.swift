import Cellar
import FeedClient
import Foundation

#if canImport(AsyncHTTPClient)
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
#endif

/// The examples of an article, line by line; ``FollowingAServerTests`` runs them.
enum FollowingAServerExample {
  static func follow(_ shelf: LiveList, at address: URL) -> Task<FeedReport, any Error> {
    // Article: begin
    let client = FeedClient(address)
    let following = Task { try await client.follow(shelf) }
    // Article: end
    return following
  }

  static func catchUp(_ shelf: LiveList, _ client: FeedClient) async throws -> Int {
    // Article: begin
    let report = try await client.catchUp(shelf)
    print(report.applied, "new commits")
    // Article: end
    return report.applied
  }

  static func send(_ shelf: LiveList, by client: FeedClient) -> Task<Void, any Error> {
    // Article: begin
    let sending = Task { try await client.sendPendingEdits(of: shelf) }
    // Article: end
    return sending
  }

  struct Session: Sendable {
    func token(renewed: Bool) async throws -> String { renewed ? "new" : "old" }
  }

  static func client(_ session: Session, at address: URL) -> FeedClient {
    // Article: begin
    let client = FeedClient(address) { wereRefused in
      ["Authorization": "Bearer \(try await session.token(renewed: wereRefused))"]
    }
    // Article: end
    return client
  }

  struct Banner: Sendable {
    func show(_ text: String) {}
    func hide() {}
  }

  static func showProgress(
    of client: FeedClient, _ shelf: LiveList, on banner: Banner
  ) async throws {
    // Article: begin
    try await client.follow(shelf) { state in
      switch state {
      case .connecting: banner.show("Connecting …")
      case .receiving(let report): banner.show("\(report.applied) new")
      case .upToDate: banner.hide()
      case .waiting(let time, let error): banner.show("Offline until \(time): \(error)")
      }
    }
    // Article: end
  }

  // Compiled where there is such a package.
  #if canImport(AsyncHTTPClient)
    // Article: begin
    struct AsyncHTTPTransport: FeedTransport {
      let client: HTTPClient

      func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
        var message = HTTPClientRequest(url: request.url.absoluteString)
        message.method = HTTPMethod(rawValue: request.method)
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = request.body.map { .bytes($0) }
        let response = try await client.execute(message, timeout: .hours(24))
        let headers = Dictionary(
          response.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return FeedClient.Response(
          status: Int(response.status.code), headers: headers,
          body: .init(response.body.map { Data($0.readableBytesView) }))
      }
    }
  // Article: end
  #endif
}
