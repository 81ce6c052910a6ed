import Cellar
import FeedClient
import Foundation
import TestSupport
import Testing

/// The examples of the article on servers do what it says, with a transport instead of a server.
@Suite struct FollowingAServerTests {
  private struct Server: FeedTransport {
    func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
      let isNew = request.url.query?.contains("after=") != true
      guard request.headers["Authorization"] == "Bearer new" else {
        return FeedClient.Response(status: 401, headers: [:], body: .init(parts("")))
      }
      let line = #"{"t":"commit","list":"shelf","seq":"1","ops":[]}"# + "\n"
      return FeedClient.Response(
        status: 200, headers: ["Content-Type": "application/x-ndjson"],
        body: .init(parts(isNew ? line : "")))
    }

    private func parts(_ text: String) -> AsyncStream<Data> {
      AsyncStream { continuation in
        continuation.yield(Data(text.utf8))
        continuation.finish()
      }
    }
  }

  @Test func theExamplesFollowAServer() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let shelf = repository.liveList("shelf")
    let address = try #require(URL(string: "http://127.0.0.1:9/feeds/shelf"))
    let session = FollowingAServerExample.Session()
    let client = FeedClient(address, transport: Server()) { wereRefused in
      ["Authorization": "Bearer \(try await session.token(renewed: wereRefused))"]
    }
    #expect(try await FollowingAServerExample.catchUp(shelf, client) == 1)
    #expect(try await FollowingAServerExample.catchUp(shelf, client) == 0)
    #expect(try repository.revision(of: "shelf") == 1)
    #expect(FollowingAServerExample.client(session, at: address).url == address)

    // Nobody listens there: they go on until they are cancelled.
    let following = FollowingAServerExample.follow(shelf, at: address)
    let showing = Task {
      try await FollowingAServerExample.showProgress(of: FeedClient(address), shelf, on: .init())
    }
    following.cancel()
    showing.cancel()
    #expect(try await following.value.applied == 0)
    try await showing.value
  }
}
