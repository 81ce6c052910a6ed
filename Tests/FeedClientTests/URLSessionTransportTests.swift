import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import StoreSchema
import SuiteSupport
import TestSupport
import Testing

/// The session's transport, on a socket of this machine.
@Suite(.timeLimit) struct URLSessionTransportTests {
  private let transport = URLSessionTransport()
  private let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"

  private func send(
    _ url: URL, headers: [String: String] = [:], idleTimeout: Duration = .seconds(300)
  ) async throws -> FeedClient.Response {
    try await transport.send(
      .init(url: url, headers: headers, idleTimeout: idleTimeout))
  }

  private func text(_ response: FeedClient.Response) async throws -> String {
    var body = Data()
    while let part = try await response.body.next() { body.append(part) }
    return String(decoding: body, as: UTF8.self)
  }

  @Test func requestsAndAnswersArriveAsTheyAre() async throws {
    let requests = Guarded<[String]>([])
    let server = try LoopbackServer { [head] request, connection in
      requests.withValue { $0.append(request) }
      connection.send(head + "Feed-After: 7\r\nContent-Length: 6\r\n\r\nline\r\n")
    }
    let response = try await send(
      try server.url("/l?after=1:00ff&list=%2F"), headers: ["Authorization": "Bearer x"])
    #expect(response.status == 200)
    #expect(response.headers["feed-after"] == "7")
    #expect(try await text(response) == "line\r\n")
    let request = try #require(requests.withValue { $0.first })
    #expect(request.hasPrefix("GET /l?after=1:00ff&list=%2F HTTP/1.1\r\n"))
    #expect(request.contains("Authorization: Bearer x\r\n"))
  }

  @Test func aBodyIsPostedAndNotRedirected() async throws {
    let requests = Guarded<[String]>([])
    let server = try LoopbackServer { request, connection in
      requests.withValue { $0.append(request) }
      let head = request.contains("/moved") ? "307 Moved\r\nLocation: /" : "200 OK"
      connection.send("HTTP/1.1 \(head)\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
    }
    let body = Data("{\"edit\":\"é\"}".utf8)
    let headers = ["Content-Type": "application/json"]
    let response = try await transport.send(
      .init(
        url: try server.url("/l?key=7"), headers: headers, body: body, idleTimeout: .seconds(300)))
    #expect(response.status == 200)
    #expect(try await text(response) == "{}")
    let request = try #require(requests.withValue { $0.first })
    #expect(request.hasPrefix("POST /l?key=7 HTTP/1.1\r\n"))
    #expect(request.contains("Content-Type: application/json\r\n"))
    #expect(request.hasSuffix("\r\n\r\n{\"edit\":\"é\"}"))
    let moved = try await transport.send(
      .init(
        url: try server.url("/moved"), headers: headers, body: body, idleTimeout: .seconds(300)))
    #expect(moved.status == 307)
    #expect(requests.withValue { $0.count } == 2)
  }

  @Test func partsAreHandedOutAsTheyArrive() async throws {
    let taken = DispatchSemaphore(value: 0)
    defer { taken.signal() }
    let server = try LoopbackServer { [head] _, connection in
      connection.send(head + "Connection: close\r\n\r\none\n")
      // The second part is sent when the first was taken.
      taken.wait()
      connection.send("two\n")
    }
    let response = try await send(try server.url("/"), idleTimeout: .seconds(3_600))
    #expect(try await response.body.next() == Data("one\n".utf8))
    taken.signal()
    #expect(try await response.body.next() == Data("two\n".utf8))
    #expect(try await response.body.next() == nil)
  }

  @Test func aConnectionThatBreaksIsAnError() async throws {
    let server = try LoopbackServer { [head] _, connection in
      connection.send(head + "Content-Length: 100\r\n\r\nhalf")
    }
    let response = try await send(try server.url("/"))
    await #expect(throws: (any Error).self) { try await text(response) }
  }

  @Test func aSilentServerIsAnError() async throws {
    let server = try LoopbackServer { [head] request, connection in
      if request.contains("/body") { connection.send(head + "Content-Length: 100\r\n\r\nhalf") }
      connection.waitForEnd()
    }
    await #expect(throws: (any Error).self) {
      try await send(try server.url("/"), idleTimeout: .seconds(1))
    }
    let response = try await send(try server.url("/body"), idleTimeout: .seconds(1))
    await #expect(throws: (any Error).self) { try await text(response) }
  }

  @Test func anAnswerThatAsksForAPasswordEnds() async throws {
    let server = try LoopbackServer { _, connection in
      connection.send(
        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"p\"\r\n"
          + "Content-Length: 4\r\nConnection: close\r\n\r\nwho?")
    }
    let response = try await send(try server.url("/"), idleTimeout: .seconds(300))
    #expect(response.status == 401)
    #expect(try await text(response) == "who?")
  }

  @Test func cancellingClosesTheConnection() async throws {
    let (closed, close) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { [head] _, connection in
      connection.send(head + "Connection: close\r\n\r\none\n")
      connection.waitForEnd()
      close.yield()
    }
    let response = try await send(try server.url("/"))
    #expect(try await response.body.next() == Data("one\n".utf8))
    let reading = Task { try await response.body.next() }
    reading.cancel()
    await #expect(throws: (any Error).self) { try await reading.value }
    for await _ in closed { break }
  }

  // Apps of the other systems start no programs.
  #if os(macOS) || os(Linux)
    /// In a process of its own, because what fails here traps in Foundation.
    @Test func aRequestCanBeCancelledWhenever() async {
      await #expect(processExitsWith: .success) {
        // With the cache that the default configuration has on Linux, a few hundred requests were enough.
        // Somebody answers: where a connection is refused, libdispatch traps once in a million times
        // ("Source finalized twice"), whether or not the request is cancelled.
        let server = try LoopbackServer { _, connection in
          connection.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        }
        let transport = URLSessionTransport()
        await withTaskGroup(of: Void.self) { group in
          for round in 0..<4_000 {
            if round >= 8 { await group.next() }
            group.addTask {
              let sending = Task {
                try await transport.send(
                  .init(url: try server.url("/"), headers: [:], idleTimeout: .seconds(300)))
              }
              try? await Task.sleep(for: .microseconds(round % 50 * 20))
              sending.cancel()
              _ = await sending.result
            }
          }
        }
      }
    }
  #endif

  @Test func aServerFasterThanTheReaderIsBrokenOff() async throws {
    let block = String(repeating: "0123456789abcde\n", count: 1 << 14)
    let (stopped, stop) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { [head] _, connection in
      connection.send(head + "Connection: close\r\n\r\n")
      // 50 MB: where Foundation hands out what came much later, all of it may be sent by then.
      for _ in 0..<200 where !connection.send(block) { break }
      connection.waitForEnd()
      stop.yield()
    }
    let response = try await send(try server.url("/"))
    for await _ in stopped { break }
    var byteCount = 0
    await #expect(throws: (any Error).self) {
      while let part = try await response.body.next() { byteCount += part.count }
    }
    #expect((32 << 20..<64 << 20).contains(byteCount), "what came before is there")
  }

  @Test func otherServersAreNotToldTheToken() async throws {
    let requests = Guarded<[String]>([])
    let other = try LoopbackServer { request, connection in
      requests.withValue { $0.append(request) }
      connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let target = try other.url("/elsewhere")
    let server = try LoopbackServer { request, connection in
      let place = request.contains("/here") ? target.absoluteString : "/here"
      connection.send(
        "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
      )
    }
    let response = try await send(try server.url("/"), headers: ["Authorization": "Bearer x"])
    #expect(response.status == 302)
    #expect(requests.withValue { $0 } == [])
  }

  @Test func aListFollowsAServer() async throws {
    let folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    let lines = [FeedServer.Line.commit(1, section(), item("a")), .commit(2, item("b"))]
    let server = try LoopbackServer { request, connection in
      let isFirst = !request.contains("after=")
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      connection.send(head + "data: \(lines[isFirst ? 0 : 1].text)\n\n")
      // The first connection breaks.
      if !isFirst { connection.waitForEnd() }
    }
    var client = FeedClient(try server.url("/l"))
    client.firstPause = .milliseconds(10)
    client.pollInterval = .milliseconds(10)
    let list = repository.liveList("l")
    let following = Task { [client] in
      try await client.follow(list) { state in
        if case .receiving(let report) = state, report.applied == 2 {
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
    }
    #expect(try await following.value.applied == 2)
    #expect(try repository.revision(of: "l") == 2)
  }
}
