import Crypto
import Foundation
import JWTKit
import Logging
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Who may do what, and what hostile clients get.
@Suite struct TokenTests {
  private let tokens: TestTokens
  private var keys: Data { tokens.keys }
  private var keyFile: URL { tokens.keyFile }

  init() throws { tokens = try TestTokens() }

  private func relay(
    _ address: RelayConfiguration.EngineAddress? = nil,
    _ configure: (inout RelayConfiguration) -> Void = { _ in }
  ) async throws -> TestRelay { try await tokens.relay(address, configure) }

  private func token(
    _ subject: String, _ rights: [String: Right], seconds: Double = 3_600, id: String? = nil,
    issuer: String = "shop", audience: String = "relay"
  ) async throws -> String {
    try await tokens.token(
      subject, rights, seconds: seconds, id: id, issuer: issuer, audience: audience)
  }

  private let section =
    #"{"list":"user/42/home","by":"x","edit":"e","ops":[{"op":"insertSection","section":"s"}]}"#

  @Test func eachRightIsAskedForAndPrefixesEndAtASlash() async throws {
    let relay = try await relay()
    let (reader, editor) = (
      try await token("ann", ["user/42/": .read]), try await token("bob", ["user/42/home": .edit])
    )
    let owner = try await token("server", ["*": .own])
    #expect(try await relay.send("POST", "/feed", section).status == 401)
    let denied = try await relay.send("POST", "/feed", section, token: reader)
    #expect(denied.status == 403 && denied.text.contains(#""edit":"e""#))
    #expect(try await relay.send("POST", "/feed", section, token: editor).status == 200)
    #expect(try await relay.send("POST", "/append", section, token: editor).status == 403)
    #expect(try await relay.send("DELETE", "/list?list=user/42/home", token: editor).status == 403)
    #expect(
      try await relay.send("POST", "/copy?from=user/42/home&to=user/4", token: editor).status == 403
    )
    let mine = try await relay.get("/feed?list=user/42/home", token: reader)
    // The author is who the token is for, whatever the edit says.
    #expect(mine.status == 200)
    let line = try await relay.get(
      "/feed?list=user/42/home&after=0:\(String(repeating: "0", count: 32))&to=1", token: reader)
    #expect(line.text.contains(#""by":"bob""#))
    for list in ["user/4", "user/421/home", "user/42", "home", "user/43/home"] {
      let answer = try await relay.get("/feed?list=\(list)", token: reader)
      #expect(answer.status == 403 && !answer.text.contains("snapshot"), "\(list)")
    }
    #expect(
      try await relay.get("/feed?of=user/42/home&of=home", token: reader).status == 403)
    #expect(
      try await relay.get("/feed?of=user/42/home&after=1:home", token: reader).status == 403)
    #expect(try await relay.get("/lists", token: reader).text.contains("user/42/home"))
    #expect(
      try await !relay.get("/lists", token: try await token("eve", ["x": .own])).text.contains(
        "home"))
    #expect(try await relay.get("/list?list=user/42/home", token: owner).status == 200)
    try await relay.stop()
  }

  @Test func tokensOfAnotherKindAreRefused() async throws {
    let relay = try await relay()
    func status(_ token: String?) async throws -> Int {
      try await relay.get("/feed?list=a", token: token).status
    }
    let good = try await token("ann", ["a": .read])
    #expect(try await status(good) == 204)
    #expect(try await status(nil) == 401)
    #expect(try await status("") == 401)
    #expect(try await status(try await token("ann", ["a": .read], seconds: -1)) == 401)
    #expect(try await status(try await token("ann", ["a": .read], issuer: "evil")) == 401)
    #expect(try await status(try await token("ann", ["a": .read], audience: "other")) == 401)
    #expect(
      try await status(try await token(String(repeating: "x", count: 65), ["a": .read])) == 401)
    let parts = good.split(separator: ".").map(String.init)
    func header(_ members: String) -> String {
      Data(members.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
    }
    let kid = try #require(
      ((try JSONSerialization.jsonObject(with: keys) as? [String: Any])?["keys"] as? [[String: Any]])?
        .first?["kid"] as? String)
    for members in [
      #"{"alg":"none"}"#, #"{"alg":"none","kid":"\#(kid)"}"#, #"{"alg":"HS512","kid":"\#(kid)"}"#,
      #"{"alg":"ES256","kid":"\#(kid)"}"#, #"{"kid":"\#(kid)"}"#,
      #"{"alg":"HS256","kid":"other"}"#,
      #"{"alg":"HS256","kid":"\#(kid)","jku":"https://evil.example/keys"}"#,
      #"{"alg":"HS256","kid":"\#(kid)","jwk":{}}"#,
      #"{"alg":"HS256","kid":"\#(kid)","crit":["x"]}"#,
      "[]", "1", "",
    ] {
      #expect(
        try await status([header(members), parts[1], parts[2]].joined(separator: ".")) == 401)
      #expect(try await status([header(members), parts[1], ""].joined(separator: ".")) == 401)
    }
    // A changed payload, and a signature that was cut.
    #expect(
      try await status([parts[0], header(#"{"sub":"root"}"#), parts[2]].joined(separator: "."))
        == 401)
    #expect(
      try await status([parts[0], parts[1], String(parts[2].dropLast(2))].joined(separator: "."))
        == 401)
    #expect(try await status(String(repeating: "a.", count: 20_000)) >= 400)
    let twice = try await RawRequest.exchange(
      "GET /feed?list=a HTTP/1.1\r\nHost: r\r\nConnection: close\r\nAuthorization: Bearer \(good)\r\nAuthorization: Bearer x\r\n\r\n",
      port: relay.port)
    #expect(twice.hasPrefix("HTTP/1.1 401"))
    try await relay.stop()
  }

  /// With a true signature over each header, so that the header alone is what is wrong.
  @Test func aHeaderThatIsSignedAndWrongIsRefused() async throws {
    let relay = try await relay()
    let set = try JSONSerialization.jsonObject(with: keys) as? [String: Any]
    let key = try #require((set?["keys"] as? [[String: Any]])?.first)
    let (kid, text) = (try #require(key["kid"] as? String), try #require(key["k"] as? String))
    let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    let secret = try #require(Data(base64Encoded: plain + "="))
    let payload = try #require(
      try await token("ann", ["a": .read]).split(separator: ".").map(String.init).dropFirst().first)
    func encoded(_ data: some Sequence<UInt8>) -> String {
      Data(data).base64EncodedString().replacingOccurrences(of: "=", with: "")
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }
    func status(_ header: String, payload: String) async throws -> Int {
      let signed = encoded(header.utf8) + "." + payload
      let code = HMAC<SHA256>.authenticationCode(
        for: Data(signed.utf8), using: SymmetricKey(data: secret))
      return try await relay.get("/feed?list=a", token: signed + "." + encoded(code)).status
    }
    let good = #"{"alg":"HS256","kid":"\#(kid)"}"#
    #expect(try await status(good, payload: payload) == 204)
    for (audience, expected) in [
      (#"["other","relay"]"#, 204), (#""relay""#, 204), ("[]", 401), ("{}", 401), ("[1]", 401),
    ] {
      let claims =
        #"{"iss":"shop","aud":\#(audience),"exp":99999999999,"sub":"ann","lists":{"a":"read"}}"#
      #expect(try await status(good, payload: encoded(claims.utf8)) == expected, "\(audience)")
    }
    for header in [
      #"{"alg":"none","kid":"\#(kid)"}"#, #"{"alg":"HS512","kid":"\#(kid)"}"#,
      #"{"alg":"ES256","kid":"\#(kid)"}"#, #"{"alg":"hs256","kid":"\#(kid)"}"#,
      #"{"alg":"HS256","kid":"\#(kid)","jku":"https://evil.example/keys"}"#,
      #"{"alg":"HS256","kid":"\#(kid)","jwk":{}}"#, #"{"alg":"HS256","kid":"\#(kid)","x5u":"x"}"#,
      #"{"alg":"HS256","kid":"\#(kid)","crit":["x"]}"#,
    ] {
      #expect(try await status(header, payload: payload) == 401, "\(header)")
    }
    try await relay.stop()
  }

  @Test(arguments: ["ES256", "EdDSA"])
  func keysOfPairsSignAndVerify(_ algorithm: String) async throws {
    let set: String
    if algorithm == "ES256" {
      // RFC 7517, appendix A.2.
      set =
        #"{"keys":[{"kid":"1","kty":"EC","alg":"ES256","crv":"P-256","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}]}"#
    } else {
      // RFC 8037, appendix A.1.
      set =
        #"{"keys":[{"kid":"1","kty":"OKP","alg":"EdDSA","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
    }
    try Data(set.utf8).write(to: keyFile)
    let relay = try await relay()
    let expiry = Int((Date().timeIntervalSince1970 + 60) * 1_000)
    let token = try await TokenMint.token(
      Grant(subject: "ann", expiry: expiry, rights: ["a": .read]), keys: Data(set.utf8),
      issuer: "shop", audience: "relay")
    #expect(try await relay.get("/feed?list=a", token: token).status == 204)
    var parts = token.split(separator: ".").map(String.init)
    parts[2] = String(parts[2].reversed())
    #expect(try await relay.get("/feed?list=a", token: parts.joined(separator: ".")).status == 401)
    try await relay.stop()
  }

  @Test func keysThatAreNotPinnedAreRefused() async throws {
    for set in [
      #"{"keys":[]}"#, "{}", #"{"keys":[{"kty":"oct","k":"AAAA","alg":"HS256"}]}"#,
      #"{"keys":[{"kid":"1","kty":"oct","k":"AAAA","alg":"HS256"}]}"#,
      #"{"keys":[{"kid":"1","kty":"oct","k":"\#(String(repeating: "A", count: 64))"}]}"#,
      #"{"keys":[{"kid":"1","kty":"oct","k":"\#(String(repeating: "A", count: 64))","alg":"none"}]}"#,
      #"{"keys":[{"kid":"1","kty":"RSA","alg":"RS256"}]}"#,
      #"{"keys":[{"kid":"1","kty":"EC","crv":"P-256","alg":"ES256","x":"AAAA","y":"AAAA"}]}"#,
    ] {
      try Data(set.utf8).write(to: keyFile)
      await #expect(throws: (any Error).self, "\(set)") { try await relay().stop() }
    }
  }

  @Test func withoutKeysOnlyThisMachineIsServed() async throws {
    let engine = try await TestEngine.sqlite.address()
    await #expect(throws: RelayConfigurationError.self) {
      _ = try await TestRelay(engine) { $0.host = "0.0.0.0" }
    }
    await #expect(throws: RelayConfigurationError.self) {
      _ = try await TestRelay(engine) { $0.keys = .file(keyFile) }
    }
  }

  /// A browser sends what a page of any site asks, also to this machine.
  @Test func withoutKeysNoWebPageIsServed() async throws {
    let local = try await TestRelay(try await TestEngine.sqlite.address())
    let line = #"{"list":"a","ops":[{"op":"updateList","meta":1}]}"#
    func status(_ headers: [String: String]) async throws -> Int {
      try await local.send("POST", "/append", line, headers: headers).status
    }
    for host in ["localhost", "LOCALHOST:8080", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:80"] {
      #expect(try await status(["Host": host]) == 200, "\(host)")
    }
    for host in [
      "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example",
      "0.0.0.0", "[::2]", "localhost:evil",
    ] {
      #expect(try await status(["Host": host]) == 403, "\(host)")
    }
    for origin in ["https://evil.example", "null", "http://localhost:3000"] {
      let refused = try await local.send("POST", "/append", line, headers: ["Origin": origin])
      #expect(refused.status == 403 && refused.text.contains("--keys"))
    }
    try await local.stop()
    // With keys the token says who asks.
    let relay = try await relay()
    let owner = try await token("server", ["*": .own])
    let asked = try await relay.send(
      "POST", "/append", line, token: owner,
      headers: ["Host": "relay.example", "Origin": "https://shop.example"])
    #expect(asked.status == 200)
    try await relay.stop()
  }

  @Test func movesOfListsThatAreNotGrantedWakeNobody() async throws {
    let relay = try await relay()
    let owner = try await token("server", ["*": .own])
    let eve = try await token("eve", ["user/eve/": .read])
    let begin = try await relay.get("/moved", token: eve).text
    let since = try #require(
      begin.components(separatedBy: #""since":""#).last?.prefix { $0 != "\"" })
    func append(_ list: String) async throws {
      let line = #"{"list":"\#(list)","ops":[{"op":"updateList","meta":1}]}"#
      #expect(try await relay.send("POST", "/append", line, token: owner).status == 200)
    }
    async let answer = relay.get("/moved?since=\(since)&wait=30", token: eve)
    for number in 0..<3 {
      try await append("user/ann/\(number)")
      try await Task.sleep(for: .milliseconds(400))
    }
    try await append("user/eve/home")
    let moved = try await answer
    #expect(moved.text.hasPrefix(#"{"lists":["user/eve/home"],"since":""#), "\(moved.text)")
    try await relay.stop()
  }

  @Test func aStreamEndsWithItsTokenAndARevokedTokenIsOut() async throws {
    let relay = try await relay()
    let owner = try await token("server", ["*": .own])
    _ = try await relay.send("POST", "/append", section, token: owner)
    let short = try await token("ann", ["user/": .read], seconds: 2)
    let start = ContinuousClock.now
    let stream = try await relay.send(
      "GET", "/feed?list=user/42/home", token: short, headers: ["Accept": "text/event-stream"])
    #expect(stream.text.hasPrefix(#"data: {"t":"snapshot""#))
    #expect(stream.text.contains(": that is all for now"))
    #expect(ContinuousClock.now - start < .seconds(8))
    let poll = try await token("ann", ["user/": .read], seconds: 2)
    let end = try #require(
      try await relay.get("/list?list=user/42/home", token: owner).headers["etag"])
    let answer = try await relay.get(
      "/feed?list=user/42/home&wait=30&after=\(end.trimmingCharacters(in: ["\""]))", token: poll)
    #expect(answer.status == 204 && ContinuousClock.now - start < .seconds(14))
    let revoked = try await token("eve", ["user/": .read], id: "t1")
    #expect(try await relay.get("/feed?list=user/42/home", token: revoked).status == 200)
    let until = Int(Date().timeIntervalSince1970) + 3_600
    let body = #"{"token":"t1","until":\#(until)}"#
    #expect(try await relay.send("POST", "/revoke", body, token: revoked).status == 403)
    #expect(try await relay.send("POST", "/revoke", body, token: owner).status == 204)
    var status = 200
    for _ in 0..<300 where status == 200 {
      status = try await relay.get("/feed?list=user/42/home", token: revoked).status
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(status == 401)
    try await relay.stop()
  }

  /// Who waits is looked at again before there is an answer.
  @Test func aRevokedTokenThatWaitsGetsNothing() async throws {
    let relay = try await relay()
    let owner = try await token("server", ["*": .own])
    _ = try await relay.send("POST", "/append", section, token: owner)
    let end = try #require(
      try await relay.get("/list?list=user/42/home", token: owner).headers["etag"])
    let eve = try await token("eve", ["user/": .read], id: "t1")
    let target = "/feed?list=user/42/home&wait=30&after=\(end.trimmingCharacters(in: ["\""]))"
    async let answer = relay.get(target, token: eve)
    try await Task.sleep(for: .milliseconds(300))
    let until = Int(Date().timeIntervalSince1970) + 3_600
    let body = #"{"token":"t1","until":\#(until)}"#
    #expect(try await relay.send("POST", "/revoke", body, token: owner).status == 204)
    var status = 200
    while status == 200 {
      try await Task.sleep(for: .milliseconds(20))
      status = try await relay.get("/list?list=user/42/home", token: eve).status
    }
    let line = #"{"list":"user/42/home","ops":[{"op":"insertSection","section":"secret"}]}"#
    #expect(try await relay.send("POST", "/append", line, token: owner).status == 200)
    let late = try await answer
    #expect(late.status == 401 && !late.text.contains("secret"))
    try await relay.stop()
  }

  /// As Swift's strings, the two prefixes are equal.
  @Test func rightsAreForTheBytesOfAnID() async throws {
    let relay = try await relay()
    let (composed, apart) = ("user/%C3%A9/", "user/e%CC%81/")
    let owner = try await token("server", ["*": .own])
    for name in ["user/\u{E9}/a", "user/e\u{301}/a", "user/\u{E9}"] {
      let line = #"{"list":"\#(name)","ops":[{"op":"insertSection","section":"s"}]}"#
      #expect(try await relay.send("POST", "/append", line, token: owner).status == 200)
    }
    let ann = try await token("ann", ["user/\u{E9}/": .own])
    #expect(try await relay.get("/list?list=\(composed)a", token: ann).status == 200)
    #expect(try await relay.get("/list?list=\(apart)a", token: ann).status == 403)
    #expect(try await relay.send("DELETE", "/list?list=\(apart)a", token: ann).status == 403)
    // She sees her own lists, and that there are others neither by name nor by number.
    #expect(try await relay.get("/lists", token: ann).text.contains("user/\u{E9}/a"))
    let first = try await relay.get("/lists?limit=1", token: ann).text
    #expect(first.contains("user/\u{E9}/a") && first.contains(#""after""#))
    let next = try await relay.get("/lists?limit=1&after=\(composed)a", token: ann).text
    #expect(next == #"{"lists":[]}"#)
    let nobody = try await token("nobody", [:])
    #expect(try await relay.get("/lists?limit=1", token: nobody).text == #"{"lists":[]}"#)
    #expect(try await relay.get("/lists?limit=x", token: nobody).status == 400)
    try await relay.stop()
  }

  @Test func aCacheIsToldWhatTheRelayWouldAnswer() async throws {
    let relay = try await relay()
    let reader = try await token("ann", ["a": .read])
    func status(_ uri: String?, _ token: String?) async throws -> Int {
      try await relay.send(
        "GET", "/auth", token: token, headers: uri.map { ["X-Original-URI": $0] } ?? [:]
      ).status
    }
    #expect(
      try await status("/feed?list=a&after=1:\(String(repeating: "a", count: 32))&wait=5", reader)
        == 204)
    #expect(try await status("/feed?list=a", nil) == 401)
    #expect(try await status(nil, reader) == 400)
    // Whatever a proxy may take for the feed's address is not that for the relay.
    for uri in Self.hostileTargets(list: "b")
      + Self.hostileTargets(list: "a").filter({ !$0.hasPrefix("/feed?") })
      + ["/feed", "/feed?wait=3", "/list?list=a", "/metrics"]
    {
      #expect(try await status(uri, reader) == 403, "\(uri)")
    }
    try await relay.stop()
  }

  @Test func addressesAreNotMadeEqual() async throws {
    let relay = try await relay()
    let (reader, owner) = (try await token("ann", ["a": .own]), try await token("s", ["*": .own]))
    let secret = #"{"list":"b","ops":[{"op":"updateList","meta":"secret"}]}"#
    #expect(try await relay.send("POST", "/append", secret, token: owner).status == 200)
    for target in Self.hostileTargets(list: "b") {
      let answer = try await relay.get(target, token: reader)
      #expect((400..<500).contains(answer.status), "\(target): \(answer.status)")
      #expect(!answer.text.contains("secret"), "\(target)")
    }
    try await relay.stop()
  }

  private static func hostileTargets(list: String) -> [String] {
    [
      "/feed?list=\(list)", "/feed?list=a&list=\(list)", "/feed?list=\(list)&list=a",
      "/feed?l%69st=\(list)&list=a", "/feed?list=a&of=\(list)", "/feed?of=a&of=\(list)",
      "/feed?of=a&of=a",
      "/feed?of=a&to=4",
      "/feed?list=%62%00", "/feed?list=\(list)%2F..%2Fa", "/feed?list=../\(list)",
      "//feed?list=\(list)", "/feed/?list=\(list)", "/./feed?list=\(list)",
      "/x/../feed?list=\(list)", "/FEED?list=\(list)", "/feed%3Flist=\(list)",
      "/%66eed?list=\(list)",
      "/feed;a?list=\(list)", "/feed\\?list=\(list)", "http://other/feed?list=\(list)",
      "/feed#?list=\(list)", "/feed?list=%ff", "/feed?list=a&after=x", "/feed?list=a&after=1:%00",
      "/feed?list=a&after=1&after=2", "/feed?after=1:aa", "/feed?list=a&to=-1",
      "/feed?list=a&wait=x",
      "/feed?LIST=a&list=\(list)", "/feed?list=\(list)&%4cist=a", "/feed?list=",
      "/feed?list=\(String(repeating: "x", count: 300))",
    ]
  }

  @Test func bodiesAreAsHostileAsTheyCome() async throws {
    let relay = try await relay()
    let editor = try await token("ann", ["a": .own])
    let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    for body in [
      "", "{", "[]", "null", "\u{feff}{}", #"{"list":"a"}"#, #"{"list":"a","edit":"e"}"#,
      #"{"list":"a","edit":"e","ops":7}"#, #"{"list":"a","edit":"e","ops":[7]}"#,
      #"{"list":"a","edit":"","ops":[]}"#, #"{"list":"a","edit":"\u0000","ops":[]}"#,
      #"{"list":"","edit":"e","ops":[]}"#, #"{"list":"a\u0000","edit":"e","ops":[]}"#,
      #"{"list":"a","list":"b","edit":"e","ops":[]}"#,
      #"{"list":"a","edit":"e","at":1e400,"ops":[]}"#,
      #"{"list":"a","edit":"e","ops":\#(deep)}"#,
      #"{"list":"a","edit":"e","by":"\#(String(repeating: "x", count: 100))","ops":[]}"#,
      #"{"list":"a","edit":"e","ops":[{"op":"drop"}]}"#,
      #"{"list":"a","edit":"\#(String(repeating: "e", count: 300))","ops":[]}"#,
    ] {
      let answer = try await relay.send("POST", "/feed", body, token: editor)
      #expect((400..<500).contains(answer.status), "\(body.prefix(60)): \(answer.status)")
    }
    let nested = try await relay.send(
      "POST", "/feed", #"{"list":"\u001fnested 1","edit":"e","ops":[]}"#, token: editor)
    #expect((400..<500).contains(nested.status))
    #expect(try await relay.get("/health").status == 200)
    let long = String(repeating: "x", count: 17 << 20)
    let answer = try? await relay.send("POST", "/feed", long, token: editor)
    #expect(answer.map { $0.status == 413 } ?? true)
    #expect(try await relay.get("/health").status == 200)
    try await relay.stop()
  }
}
