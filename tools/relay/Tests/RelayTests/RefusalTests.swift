import Foundation
import NIOCore
import Relay
import RelaySupport
import Testing

/// What refused requests cost, and whom.
///
/// With a quota of one in a hundred seconds, also a slow machine has the first, and no other.
@Suite struct RefusalTests {
  private let tokens: TestTokens
  private let edit = #"{"list":"a","edit":"e","ops":[{"op":"updateList","meta":1}]}"#

  init() throws { tokens = try TestTokens() }

  private func relay(refusalsPerSecond: Double) async throws -> TestRelay {
    try await tokens.relay { $0.quota = Quota(refusalsPerSecond: refusalsPerSecond) }
  }

  @Test func whoHasNoTokenIsRefusedSoOften() async throws {
    let relay = try await relay(refusalsPerSecond: 0.01)
    #expect(try await relay.get("/feed?list=a").status == 401)
    // Whatever is wrong, and with whatever looks like a token.
    let token = try await tokens.token("ann", ["a": .edit])
    let forged = token.dropLast(4) + "AAAA"
    let wrong: [(String, String?)] = [
      ("/feed?list=a", nil), ("/feed?list=a", "x"), ("/feed?list=a", String(forged)),
      ("/none", nil),
    ]
    for (target, token) in wrong {
      let start = ContinuousClock.now
      let late = try await relay.get(target, token: token)
      #expect(late.status == 429 && late.text.contains("refused"), "\(target)")
      #expect((1...3_600).contains(Int(late.headers["retry-after"] ?? "") ?? 0))
      #expect(ContinuousClock.now - start >= .milliseconds(250))
    }
    // Nobody who has one pays for it, also if the token is new to the node.
    for user in ["ann", "bob"] {
      let token = try await tokens.token(user, ["a": .edit])
      #expect(try await relay.send("POST", "/feed", edit, token: token).status == 200)
    }
    #expect(try await relay.get("/health").status == 200)
    try await relay.stop()
  }

  /// A device whose token has ended has to learn so, to fetch another one.
  @Test func aTokenThatWasTrueHasRefusalsOfItsOwn() async throws {
    let relay = try await relay(refusalsPerSecond: 0.01)
    let expired = try await tokens.token("ann", ["a": .read], seconds: -60)
    let other = try await tokens.token("bob", ["a": .read], seconds: -60)
    for status in [401, 429] { #expect(try await relay.get("/lists").status == status) }
    for token in [expired, other] {
      for status in [401, 429] {
        #expect(try await relay.get("/lists", token: token).status == status)
      }
    }
    let new = try await tokens.token("ann", ["a": .read])
    #expect(try await relay.get("/lists", token: new).status == 200)
    try await relay.stop()
  }

  @Test(
    arguments: [
      ("GET", "/feed?list=b", nil, 403), ("GET", "/feed?list=a&wait=x", nil, 400),
      ("GET", "/none", nil, 404), ("GET", "/list?list=a", nil, 404),
      ("GET", "/moved?since=1", nil, 410), ("PUT", "/list?list=b", "{}", 403),
      ("POST", "/feed", "{", 400), ("POST", "/feed", #"{"edit":"e"}"#, 422),
      ("POST", "/feed", #"{"list":"b","edit":"e","ops":[]}"#, 403),
    ] as [(String, String, String?, Int)])
  func eachRefusalCounts(
    _ method: String, _ target: String, _ body: String?, _ status: Int
  ) async throws {
    let relay = try await relay(refusalsPerSecond: 0.01)
    let (ann, bob) = (
      try await tokens.token("ann", ["a": .edit]), try await tokens.token("bob", ["a": .edit])
    )
    // So that the node knows the token, also where it looks at the address first.
    #expect(try await relay.get("/lists", token: ann).status == 200)
    #expect(try await relay.send(method, target, body, token: ann).status == status)
    #expect(try await relay.send(method, target, body, token: ann).status == 429)
    // What is good waits as well: its body is not read before.
    #expect(try await relay.send("POST", "/feed", edit, token: ann).status == 429)
    #expect(try await relay.send("POST", "/feed", edit, token: bob).status == 200)
    try await relay.stop()
  }

  @Test func whoWaitsMayAskAgain() async throws {
    let relay = try await relay(refusalsPerSecond: 0.5)
    let ann = try await tokens.token("ann", ["a": .edit])
    #expect(try await relay.get("/lists", token: ann).status == 200)
    let start = ContinuousClock.now
    #expect(try await relay.get("/none", token: ann).status == 404)
    while try await relay.get("/lists", token: ann).status != 200 {
      try #require(ContinuousClock.now < start + .seconds(60))
    }
    #expect(ContinuousClock.now - start >= .milliseconds(1_900))
    try await relay.stop()
  }

  @Test func aBodyThatIsRefusedCountsAsWritten() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(bytesPerSecond: 100) }
    let (ann, bob) = (
      try await tokens.token("ann", ["a": .edit]), try await tokens.token("bob", ["a": .edit])
    )
    let wrong = String(repeating: "x", count: 20_000)
    #expect(try await relay.send("POST", "/feed", wrong, token: ann).status == 400)
    let late = try await relay.send("POST", "/feed", edit, token: ann)
    #expect(late.status == 429 && late.text.contains("bytes written"))
    #expect(try await relay.send("POST", "/feed", edit, token: bob).status == 200)
    try await relay.stop()
  }

  /// For nginx another status would be a failure of the node.
  @Test func aCacheIsToldNoOtherStatus() async throws {
    let relay = try await relay(refusalsPerSecond: 0.01)
    let ann = try await tokens.token("ann", ["a": .read])
    func status(_ uri: String, _ token: String?) async throws -> Int {
      try await relay.send("GET", "/auth", token: token, headers: ["X-Original-URI": uri]).status
    }
    for isLate in [false, true] {
      let start = ContinuousClock.now
      #expect(try await status("/feed?list=a", nil) == 401)
      #expect(try await status("/feed?list=b", ann) == 403)
      // Each takes a quarter of a second.
      if isLate { #expect(ContinuousClock.now - start >= .milliseconds(500)) }
      #expect(try await status("/feed?list=a", ann) == 204)
    }
    try await relay.stop()
  }

  @Test func placesAreThoseOfANetwork() throws {
    func asker(_ address: String, port: Int = 1) throws -> Asker {
      Asker(try SocketAddress(ipAddress: address, port: port))
    }
    #expect(try asker("192.0.2.1") == asker("192.0.2.1", port: 2))
    #expect(try asker("192.0.2.1") != asker("192.0.2.2"))
    #expect(try asker("::ffff:192.0.2.1") == asker("192.0.2.1"))
    #expect(try asker("2001:db8::1") == asker("2001:db8::ffff:1:2:3"))
    #expect(try asker("2001:db8::1") != asker("2001:db8:0:1::1"))
    #expect(try asker("::1") != asker("192.0.2.1"))
  }
}
