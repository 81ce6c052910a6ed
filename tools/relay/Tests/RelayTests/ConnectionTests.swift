import Foundation
import Relay
import RelaySupport
import Testing

/// What HTTP/1.1 says of a connection and of a body that is asked for first.
@Suite struct ConnectionTests {
  private let tokens: TestTokens

  init() throws { tokens = try TestTokens() }

  @Test(arguments: ["close", "Close", "CLOSE", "TE, Close", "keep-alive ,\tclose"])
  func aClientThatClosesIsUnderstood(_ field: String) async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address())
    // Until the node closes, or has waited for a minute and a half.
    let answer = try await RawRequest.exchange(
      "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: \(field)\r\n\r\n", port: relay.port)
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.contains("\r\nConnection: close\r\n"))
    try await relay.stop()
  }

  @Test func aConnectionThatStaysHasMoreRequests() async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address())
    func request(_ field: String) -> String {
      "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: \(field)\r\n\r\n"
    }
    let answers = try await RawRequest.exchange(
      request("Keep-Alive, closed"), then: request("Close"), once: "ok\n", port: relay.port)
    #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 3)
    #expect(answers.components(separatedBy: "Connection: close").count == 2)
    try await relay.stop()
  }

  private func head(
    _ method: String, _ target: String, _ token: String?, byteCount: Int
  ) -> String {
    let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return "\(method) \(target) HTTP/1.1\r\nHost: relay\r\nConnection: close\r\n\(authorization)"
      + "Expect: 100-Continue\r\nContent-Length: \(byteCount)\r\n\r\n"
  }

  /// As curl and others do with long bodies, which wait a second for a node that says nothing.
  @Test func aBodyThatIsAskedForIsSentWhenTheHeadIsGood() async throws {
    let relay = try await tokens.relay { $0.bodyPatience = .seconds(20) }
    let token = try await tokens.token("ann", ["a": .own])
    let line = #"{"list":"a","edit":"e","ops":[{"op":"updateList","meta":1}]}"#
    let tree = #"{"sections":[]}"#
    for (method, target, body) in [
      ("POST", "/append", line), ("POST", "/feed", line), ("PUT", "/list?list=a", tree),
    ] {
      let answer = try await RawRequest.exchange(
        head(method, target, token, byteCount: body.utf8.count), then: body, once: "100 Continue",
        port: relay.port)
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), "\(answer)")
    }
    try await relay.stop()
  }

  @Test func aBodyThatWouldBeRefusedIsNotAskedFor() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(bytesPerSecond: 0.1) }
    let (ann, bob) = (
      try await tokens.token("ann", ["a": .read]), try await tokens.token("bob", ["b": .own])
    )
    let line = #"{"list":"b","ops":[{"op":"updateList","meta":1}]}"#
    #expect(try await relay.send("POST", "/append", line, token: bob).status == 200)
    let refused: [(String, String, String?, byteCount: Int, status: Int)] = [
      ("POST", "/append", nil, 9, 401), ("POST", "/append", "x", 9, 401),
      ("PUT", "/list?list=a", ann, 9, 403), ("POST", "/none", ann, 9, 404),
      ("POST", "/append", ann, 17 << 20, 413), ("POST", "/append", bob, 9, 429),
    ]
    for (method, target, token, byteCount, status) in refused {
      // Nothing of the body is sent.
      let answer = try await RawRequest.exchange(
        head(method, target, token, byteCount: byteCount), port: relay.port)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && !answer.contains("100 Continue"))
    }
    try await relay.stop()
  }
}
