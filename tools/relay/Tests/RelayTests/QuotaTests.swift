import Dispatch
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import Relay
import RelayEngine
import RelaySupport
import Testing

/// How much one user may ask of a node.
@Suite struct QuotaTests {
  private let tokens: TestTokens

  init() throws { tokens = try TestTokens() }

  @Test func aQuotaIsEachUsersOwn() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(editsPerSecond: 5, connections: 500) }
    let (greedy, other) = (
      try await tokens.token("greedy", ["a": .edit]), try await tokens.token("other", ["b": .edit])
    )
    typealias Timed = (answer: TestRelay.Answer, time: Duration)
    try await withThrowingTaskGroup(of: Timed.self) { group in
      for number in 0..<100 {
        let edit =
          #"{"list":"a","edit":"e\#(number)","ops":[{"op":"updateList","meta":\#(number)}]}"#
        group.addTask {
          let start = ContinuousClock.now
          let answer = try await relay.send("POST", "/feed", edit, token: greedy)
          return (answer, ContinuousClock.now - start)
        }
      }
      let answers: [Timed] = try await group.reduce(into: []) { $0.append($1) }
      let late = answers.filter { $0.answer.status == 429 }
      #expect(!late.isEmpty && late.allSatisfy { $0.answer.headers["retry-after"] == "1" })
      // Who asks again and again is not refused as fast as that.
      #expect(late.allSatisfy { $0.time >= .milliseconds(250) })
      #expect(answers.filter { $0.answer.status == 200 }.count >= 3)
    }
    let edit = #"{"list":"b","edit":"e","ops":[{"op":"updateList","meta":1}]}"#
    #expect(try await relay.send("POST", "/feed", edit, token: other).status == 200)
    try await relay.stop()
  }

  /// Long trees are read, compared, and written on a thread of their own: here it has something else to do.
  @Test func longTreesDoNotKeepOthersWaiting() async throws {
    let relay = try await tokens.relay()
    let (owner, other) = (
      try await tokens.token("owner", ["long": .own]), try await tokens.token("other", ["b": .own])
    )
    let items = (0..<10_000).map { #"{"id":"i\#($0)","cell":"C","content":{"n":\#($0)}}"# }
    let tree =
      #"{"list":"long","sections":[{"id":"s","items":[\#(items.joined(separator: ","))]}]}"#
    for body in [tree, nil] {
      let isDone = NIOLockedValueBox(false)
      let gate = DispatchSemaphore(value: 0)
      // Others wait for this thread too, also if something is thrown here.
      defer { gate.signal() }
      let blocker = Task { try await LongWork.run(.max) { gate.wait() } }
      let request = Task {
        defer { isDone.withLockedValue { $0 = true } }
        return try await relay.send(
          body == nil ? "GET" : "PUT", "/list?list=long", body, token: owner)
      }
      for number in 0..<20 {
        let edit =
          #"{"list":"b","edit":"\#(number) \#(body == nil)","ops":[{"op":"updateList","meta":1}]}"#
        #expect(try await relay.send("POST", "/feed", edit, token: other).status == 200)
        #expect(try await relay.get("/list?list=b", token: other).status == 200)
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(!isDone.withLockedValue { $0 })
      gate.signal()
      #expect(try await request.value.status == 200)
      try await blocker.value
    }
    try await relay.stop()
  }

  @Test func connectionsThatWaitCountUntilTheyEnd() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(connections: 3) }
    let greedy = try await tokens.token("greedy", ["a": .own])
    let section = #"{"list":"a","ops":[{"op":"insertSection","section":"s"}]}"#
    _ = try await relay.send("POST", "/append", section, token: greedy)
    let end = try #require(try await relay.get("/list?list=a", token: greedy).headers["etag"])
    let position = end.trimmingCharacters(in: ["\""])
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try await relay.get("/feed?list=a&after=\(position)&wait=3", token: greedy).status
        }
      }
      let found = try await group.reduce(into: []) { $0.append($1) }
      #expect(found.filter { $0 == 429 }.count == 3 && found.filter { $0 == 204 }.count == 3)
    }
    #expect(try await relay.get("/feed?list=a&after=\(position)", token: greedy).status == 204)
    try await relay.stop()
  }

  @Test func whoHasGoneWaitsNoLonger() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(connections: 1) }
    let ann = try await tokens.token("ann", ["a": .own])
    let section = #"{"list":"a","ops":[{"op":"insertSection","section":"s"}]}"#
    _ = try await relay.send("POST", "/append", section, token: ann)
    let end = try #require(try await relay.get("/list?list=a", token: ann).headers["etag"])
    let begin = try await relay.get("/moved", token: ann).text
    let since = try #require(
      begin.components(separatedBy: #""since":""#).last?.prefix { $0 != "\"" })
    func status() async throws -> Int { try await relay.get("/lists", token: ann).status }
    for target in [
      "/feed?list=a&after=\(end.trimmingCharacters(in: ["\""]))&wait=60",
      "/moved?since=\(since)&wait=60",
    ] {
      let waiting = try await RawRequest.begin(
        "GET \(target) HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer \(ann)\r\n\r\n",
        port: relay.port)
      // Nobody else may ask for her before it waits.
      try #require(try await relay.isWaited(by: 1))
      #expect(try await status() == 429)
      try await waiting.close()
      let start = ContinuousClock.now
      while try await status() != 200 {
        try #require(ContinuousClock.now < start + .seconds(30))
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    #expect(try await relay.isWaited(by: 0))
    try await relay.stop()
  }

  @Test func namesOfListsCountAsRead() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(readBytesPerSecond: 500) }
    let owner = try await tokens.token("owner", ["*": .own])
    let lines = (0..<60).map { #"{"list":"l\#($0)","ops":[{"op":"updateList","meta":1}]}"# }
    let made = try await relay.send(
      "POST", "/append", lines.joined(separator: "\n"), token: owner,
      headers: ["Content-Type": "application/x-ndjson"])
    #expect(made.status == 200)
    let reader = try await tokens.token("reader", ["*": .read])
    #expect(try await relay.get("/lists", token: reader).status == 200)
    #expect(try await relay.get("/lists", token: reader).status == 429)
    try await relay.stop()
  }

  /// However few items it has.
  @Test func aCopyCountsAsManyBytesAsItHas() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(bytesPerSecond: 1_000) }
    let owner = try await tokens.token("owner", ["a": .own])
    let text = String(repeating: "x", count: 20_000)
    let tree = #"{"sections":[{"id":"s","items":[{"id":"i","cell":"C","content":"\#(text)"}]}]}"#
    #expect(try await relay.send("PUT", "/list?list=a", tree, token: owner).status == 200)
    let copier = try await tokens.token("copier", ["*": .own])
    func copy(_ list: String) async throws -> Int {
      try await relay.send("POST", "/copy?from=a&to=\(list)", token: copier).status
    }
    #expect(try await copy("b") == 200)
    #expect(try await copy("c") == 429)
    try await relay.stop()
  }

  @Test func appendedLinesAndTreesCountAsEditsDo() async throws {
    let relay = try await tokens.relay {
      $0.quota = Quota(editsPerSecond: 5, bytesPerSecond: 1_000)
    }
    let greedy = try await tokens.token("greedy", ["a": .own])
    let other = try await tokens.token("other", ["a": .own])
    let line = #"{"list":"a","ops":[{"op":"updateList","meta":1}]}"#
    let lines = Array(repeating: line, count: 150).joined(separator: "\n")
    func append(_ token: String) async throws -> TestRelay.Answer {
      try await relay.send(
        "POST", "/append", lines, token: token, headers: ["Content-Type": "application/x-ndjson"])
    }
    let taken = try await append(greedy)
    #expect(taken.status == 200 && taken.lines.count == 150)
    let refused = try await append(greedy)
    #expect(refused.status == 429 && refused.headers["retry-after"] != nil)
    #expect(try await append(other).status == 200)
    let text = String(repeating: "x", count: 20_000)
    let tree = #"{"sections":[{"id":"s","items":[{"id":"i","cell":"C","content":"\#(text)"}]}]}"#
    let big = try await tokens.token("big", ["b": .own])
    #expect(try await relay.send("PUT", "/list?list=b", tree, token: big).status == 200)
    #expect(try await relay.send("PUT", "/list?list=b", tree, token: big).status == 429)
    #expect(
      try await relay.get("/list?list=a", token: greedy).text.contains("\"revision\":\"300\""))
    try await relay.stop()
  }

  @Test(arguments: ["/list?list=a", "/feed?list=a"])
  func whoHasReadTooMuchWaits(_ target: String) async throws {
    // The list has 20,000 bytes: five seconds of it.
    let relay = try await tokens.relay { $0.quota = Quota(readBytesPerSecond: 4_000) }
    let owner = try await tokens.token("owner", ["a": .own])
    let (greedy, other) = (
      try await tokens.token("greedy", ["a": .edit]), try await tokens.token("other", ["a": .read])
    )
    let text = String(repeating: "x", count: 20_000)
    let tree = #"{"sections":[{"id":"s","items":[{"id":"i","cell":"C","content":"\#(text)"}]}]}"#
    #expect(try await relay.send("PUT", "/list?list=a", tree, token: owner).status == 200)
    // What is read is counted after this, and before it has arrived.
    let start = ContinuousClock.now
    let taken = try await relay.get(target, token: greedy)
    #expect(taken.status == 200 && taken.body.count > 20_000)
    let asked = ContinuousClock.now
    let refused = try await relay.get(target, token: greedy)
    #expect(refused.status == 429 && refused.text.contains("bytes read"))
    #expect(ContinuousClock.now - asked >= .milliseconds(250))
    #expect((1...5).contains(Int(refused.headers["retry-after"] ?? "") ?? 0))
    // What he writes is counted by itself, and what another reads too.
    let edit = #"{"list":"a","edit":"e","ops":[{"op":"updateList","meta":1}]}"#
    #expect(try await relay.send("POST", "/feed", edit, token: greedy).status == 200)
    #expect(try await relay.get(target, token: other).status == 200)
    var status = 0
    while status != 200 {
      try #require(ContinuousClock.now < start + .seconds(60))
      status = try await relay.get(target, token: greedy).status
    }
    #expect(ContinuousClock.now - start >= .seconds(3))
    try await relay.stop()
  }

  @Test func bodiesThatAreNotWholeYetCountUntilTheyEnd() async throws {
    // A user has 3,000 bytes, and all have 48,000.
    let relay = try await tokens.relay { $0.quota = Quota(bodyBytes: 48_000) }
    let (greedy, other) = (
      try await tokens.token("greedy", ["*": .own]), try await tokens.token("other", ["b": .own])
    )
    // Again where it is refused because a body that is only asked with is there at that moment.
    func begin(_ token: String) -> Task<Void, any Error> {
      let head =
        "POST /append HTTP/1.1\r\nHost: relay\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n"
      let text = head + "Content-Length: 9000\r\n\r\n" + String(repeating: " ", count: 2_900)
      return Task {
        while !Task.isCancelled { _ = try await RawRequest.exchange(text, port: relay.port) }
      }
    }
    let line =
      #"{"list":"b","ops":[{"op":"updateList","meta":"\#(String(repeating: "x", count: 1_700))"}]}"#
    func status(_ token: String) async throws -> Int {
      try await relay.send("POST", "/append", line, token: token).status
    }
    func becomes(_ wanted: Int, _ token: String) async throws {
      let start = ContinuousClock.now
      while try await status(token) != wanted {
        try #require(ContinuousClock.now < start + .seconds(60))
      }
    }
    let slow = begin(greedy)
    try await becomes(429, greedy)
    #expect(try await status(other) == 200)
    // Fifteen more: 1,600 bytes are left for all.
    var more: [Task<Void, any Error>] = []
    for number in 0..<15 { more.append(begin(try await tokens.token("m\(number)", ["*": .own]))) }
    try await becomes(503, other)
    for task in more { task.cancel() }
    try await becomes(200, other)
    slow.cancel()
    try await becomes(200, greedy)
    try await relay.stop()
  }

  @Test func aBodyComesInTime() async throws {
    let relay = try await tokens.relay { $0.bodyPatience = .milliseconds(500) }
    let token = try await tokens.token("slow", ["b": .own])
    let line = #"{"list":"b","ops":[{"op":"updateList","meta":1}]}"#
    let head =
      "POST /append HTTP/1.1\r\nHost: relay\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Length: 100000\r\n\r\n"
    // All of the line is there, and the rest of the body would come for hours. However late the node begins
    // to read, it gets a part after the time is over.
    let answer = try await RawRequest.drip(
      head + line, every: .milliseconds(100), port: relay.port)
    #expect(answer.hasPrefix("HTTP/1.1 408 "))
    // Of which nothing more comes: its connection is closed.
    let start = ContinuousClock.now
    #expect(try await RawRequest.exchange(head, port: relay.port) == "")
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(try await relay.get("/list?list=b", token: token).status == 404)
    try await relay.stop()
  }

  /// The user may have one request at a time, so the next one says when the first is over.
  @Test func whoDoesNotReadOnIsCutOff() async throws {
    let relay = try await tokens.relay {
      $0.quota = Quota(
        bytesPerSecond: 1e9, readBytesPerSecond: 1e9, connections: 1)
      $0.readingPatience = .seconds(1)
    }
    let server = try await tokens.token("server", ["a": .own])
    // More than the system keeps of it.
    let text = String(repeating: "x", count: 15 << 20)
    let line =
      #"{"list":"a","ops":[{"op":"insertSection","section":"s"},{"op":"insertItem","item":"i","section":"s","cell":"C","content":"\#(text)"}]}"#
    #expect(try await relay.send("POST", "/append", line, token: server).status == 200)
    let reader = try await tokens.token("reader", ["a": .read])
    let stalled = try await RawRequest.begin(
      "GET /feed?list=a HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer \(reader)\r\n\r\n",
      port: relay.port)
    let start = ContinuousClock.now
    func status() async throws -> Int {
      try await relay.get("/moved", token: reader).status
    }
    while try await status() != 429 {
      try #require(ContinuousClock.now < start + .seconds(30))
    }
    while try await status() != 200 {
      try #require(ContinuousClock.now < start + .seconds(30))
    }
    try? await stalled.close()
    try await relay.stop()
  }

  @Test func aNodeEndsWithoutTheRestOfABody() async throws {
    let relay = try await tokens.relay()
    let token = try await tokens.token("slow", ["b": .own])
    let head =
      "POST /append HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer \(token)\r\n"
      + "Content-Length: 9\r\n\r\n"
    async let answer = RawRequest.exchange(head + "{", port: relay.port)
    try await Task.sleep(for: .milliseconds(500))
    let start = ContinuousClock.now
    try await relay.stop()
    #expect(ContinuousClock.now - start < .seconds(40))
    _ = try await answer
  }

  @Test func aRequestHasSoManyLines() async throws {
    let relay = try await tokens.relay { $0.quota = Quota(editsPerSecond: 1e6) }
    let token = try await tokens.token("server", ["a": .own])
    func append(_ count: Int) async throws -> TestRelay.Answer {
      let line = #"{"list":"a","ops":[{"op":"updateList","meta":1}]}"#
      return try await relay.send(
        "POST", "/append", Array(repeating: line, count: count).joined(separator: "\n"),
        token: token, headers: ["Content-Type": "application/x-ndjson"])
    }
    #expect(try await append(10_001).status == 413)
    let taken = try await append(10_000)
    #expect(taken.status == 200 && taken.lines.count == 10_000)
    try await relay.stop()
  }

  @Test(arguments: TestEngine.available)
  func aPrefixHasSoManyLists(_ kind: TestEngine) async throws {
    let relay = try await tokens.relay(try await kind.address()) { $0.quota = Quota(lists: 3) }
    let ann = try await tokens.token("ann", ["user/1/": .edit, "user/": .read, "extra": .edit])
    let bob = try await tokens.token("bob", ["user/10/": .own])
    let server = try await tokens.token("server", ["*": .own])
    func edit(_ list: String, _ id: String, _ token: String) async throws -> TestRelay.Answer {
      try await relay.send(
        "POST", "/feed",
        #"{"list":"\#(list)","edit":"\#(id)","ops":[{"op":"updateList","meta":1}]}"#,
        token: token)
    }
    // One that is not made is not counted.
    for number in 0..<5 {
      let wrong =
        #"{"list":"user/1/w\#(number)","edit":"w","ops":[{"op":"insertItem","item":"i","section":"none","cell":"C","content":1}]}"#
      #expect(try await relay.send("POST", "/feed", wrong, token: ann).status == 409)
    }
    for number in 0..<3 { #expect(try await edit("user/1/\(number)", "e", ann).status == 200) }
    let refused = try await edit("user/1/3", "e", ann)
    #expect(refused.status == 403 && refused.text.contains(#""edit":"e""#))
    #expect(refused.text.contains("there may be 3 lists under user/1/"))
    // Nothing was made of it, and the lists that there are go on.
    #expect(try await !relay.get("/lists", token: server).text.contains("user/1/3"))
    #expect(try await edit("user/1/2", "f", ann).status == 200)
    #expect(try await edit("extra", "e", ann).status == 200)
    // The server of an app, and another prefix, are not bound by it.
    #expect(try await edit("user/1/s", "e", server).status == 200)
    #expect(
      try await relay.send(
        "PUT", "/list?list=user/10/a", #"{"sections":[{"id":"s","items":[]}]}"#, token: bob
      ).status == 200)
    #expect(
      try await relay.send("POST", "/copy?from=user/10/a&to=user/10/b", token: bob).status == 200)
    let two = ["c", "d"].map { #"{"list":"user/10/\#($0)","ops":[]}"# }.joined(separator: "\n")
    #expect(
      try await relay.send(
        "POST", "/append", two, token: bob, headers: ["Content-Type": "application/x-ndjson"]
      ).status == 403)
    // A list that was deleted makes room: here for one, as there are four.
    for list in ["user/1/0", "user/1/1"] {
      #expect(try await relay.send("DELETE", "/list?list=\(list)", token: server).status == 204)
    }
    var status = 0
    for _ in 0..<100 where status != 200 {
      status = try await edit("user/1/3", "e", ann).status
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(status == 200)
    #expect(try await edit("user/1/4", "e", ann).status == 403)
    try await relay.stop()
  }
}
