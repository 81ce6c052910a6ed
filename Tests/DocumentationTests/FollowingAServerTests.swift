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
      if let body = request.body {
        let edit = String(decoding: body, as: UTF8.self).firstMatch(of: #/"edit":"[0-9a-f]+"/#)
        return FeedClient.Response(
          status: 200, headers: [:], body: .init(parts("{\(edit?.0 ?? "")}")))
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

    try await shelf.editPending { _ = try $0.insertSection("mine") }
    let sending = FollowingAServerExample.send(shelf, by: client)
    while try shelf.pendingEdits().map(\.state) != [.accepted] { await Task.yield() }
    sending.cancel()

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
