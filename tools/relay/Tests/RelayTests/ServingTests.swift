import Cellar
import Foundation
import Logging
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Devices with `FeedClient`, as it is, against nodes in this process.
@Suite struct ServingTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  private func shelf(_ relay: TestRelay, books: [String]) async throws {
    var operations = [#"{"op":"insertSection","section":"s"}"#]
    operations += books.map {
      #"{"op":"insertItem","item":"\#($0)","section":"s","cell":"C","content":{"title":"\#($0)"}}"#
    }
    let answer = try await relay.send(
      "POST", "/append", #"{"list":"shelf","ops":[\#(operations.joined(separator: ","))]}"#)
    #expect(answer.status == 200 && answer.text.contains(#""seq":"1""#), "\(answer.text)")
  }

  @Test(arguments: TestEngine.available)
  func devicesShowTheSameAndEachEditOnce(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    try await shelf(relay, books: ["emma", "dune"])
    let devices = try (0..<3).map { _ in try TestDevice(relay.feed, list: "shelf", in: folder) }
    for device in devices { #expect(try await device.waits { $0.itemCounts == [2] }) }
    for (index, device) in devices.enumerated() {
      for number in 0..<10 { try device.insert("b\(index).\(number)") }
    }
    for device in devices { #expect(try await device.waits { $0.itemCounts == [32] }) }
    let trees = try devices.map { try $0.tree.sections }
    #expect(trees[0] == trees[1] && trees[1] == trees[2])
    for device in devices {
      #expect(try await device.waits { _ in (try? device.list.pendingEdits().isEmpty) == true })
      await device.stop()
    }
    let lines = try await relay.get("/feed?list=shelf&after=0:\(String(repeating: "0", count: 32))")
    #expect(lines.status == 200)
    try await relay.stop()
  }

  @Test(.enabled(if: TestPostgres.isInstalled, "PostgreSQL is not installed"))
  func anEditOnOneNodeIsSeenAtAnother() async throws {
    let address = try await TestEngine.postgres.address()
    let one = try await TestRelay(address, folder: folder.appendingPathComponent("1"))
    let other = try await TestRelay(address, folder: folder.appendingPathComponent("2"))
    try await shelf(one, books: [])
    let (left, right) = (
      try TestDevice(one.feed, list: "shelf", in: folder),
      try TestDevice(other.feed, list: "shelf", in: folder)
    )
    #expect(try await left.waits { $0.sections.count == 1 })
    #expect(try await right.waits { $0.sections.count == 1 })
    for number in 0..<30 {
      try left.insert("l\(number)")
      try right.insert("r\(number)")
    }
    #expect(try await left.waits { $0.itemCounts == [60] })
    #expect(try await right.waits { $0.itemCounts == [60] })
    #expect(try left.tree.sections == right.tree.sections)
    await left.stop()
    await right.stop()
    try await one.stop()
    try await other.stop()
  }

  @Test(arguments: TestEngine.available)
  func anEditThatIsSentAHundredTimesIsMadeOnceAndAnsweredAlike(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    try await shelf(relay, books: ["emma"])
    let taken =
      #"{"list":"shelf","by":"mary","edit":"e1","ops":[{"op":"insertItem","item":"x","section":"s","cell":"C","content":1}]}"#
    let refused =
      #"{"list":"shelf","by":"mary","edit":"e2","ops":[{"op":"touchItem","item":"emma"},{"op":"updateItem","item":"gone","content":1}]}"#
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          let answer = try await relay.send("POST", "/feed", taken)
          #expect(answer.status == 200 && answer.text == #"{"edit":"e1","seq":"2","why":null}"#)
        }
        group.addTask {
          let answer = try await relay.send("POST", "/feed", refused)
          #expect(answer.status == 409 && answer.text.contains(#"no item \"gone\""#))
        }
      }
      try await group.waitForAll()
    }
    // Also after the item is gone that it would insert, and by the next process.
    _ = try await relay.send(
      "POST", "/append",
      #"{"list":"shelf","ops":[{"op":"deleteItem","item":"x"},{"op":"insertItem","item":"gone","section":"s","cell":"C","content":1}]}"#
    )
    #expect(
      try await relay.send("POST", "/feed", taken).text == #"{"edit":"e1","seq":"2","why":null}"#)
    #expect(try await relay.send("POST", "/feed", refused).status == 409)
    let tree = try await relay.get("/list?list=shelf")
    #expect(tree.text.contains("gone") && !tree.text.contains(#""id":"x""#))
    try await relay.stop()
  }

  @Test func positionsOfAllKindsAreAnswered() async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address())
    try await shelf(relay, books: ["emma"])
    for number in 0..<5 {
      _ = try await relay.send(
        "POST", "/append",
        #"{"list":"shelf","at":\#(number),"ops":[{"op":"touchItem","item":"emma"}]}"#)
    }
    let whole = try await relay.get("/feed?list=shelf")
    #expect(whole.status == 200 && whole.headers["feed-after"] == "")
    #expect(
      whole.lines.count == 1 && whole.text.hasPrefix(#"{"t":"snapshot","list":"shelf","seq":"6""#))
    let end = try #require(
      try await relay.get("/list?list=shelf").headers["etag"]?.trimmingCharacters(in: ["\""]))
    let none = try await relay.get("/feed?list=shelf&after=\(end)")
    #expect(none.status == 204 && none.headers["feed-after"] == end)
    // The position of the snapshot itself is as good as that of the line.
    let snapshot = try #require(
      try LineHash.position(of: String(whole.lines[0]), sequence: 6))
    #expect(try await relay.get("/feed?list=shelf&after=\(snapshot)").status == 204)
    let other = "3:" + String(repeating: "a", count: 32)
    let fork = try await relay.get("/feed?list=shelf&after=\(other)")
    #expect(fork.lines.first == #"{"t":"reset","list":"shelf"}"# && fork.lines.count == 2)
    #expect(try await relay.get("/feed?list=shelf&after=3").lines.first == fork.lines.first)
    let asked = try await relay.get("/feed?list=shelf&snapshot=1&after=\(end)")
    #expect(asked.lines.first == #"{"t":"reset","list":"shelf"}"#)
    let gone = try await relay.get("/feed?list=shelf&after=\(other)&to=4")
    #expect(gone.status == 410)
    let beginning = "0:" + String(repeating: "0", count: 32)
    let range = try await relay.get("/feed?list=shelf&after=\(beginning)&to=4")
    #expect(range.lines.count == 4)
    // The same range of a list that is made anew is another one.
    #expect(range.headers["cache-control"] == "no-store")
    let first = try #require(try LineHash.position(of: String(range.lines[0]), sequence: 1))
    let kept = try await relay.get("/feed?list=shelf&after=\(first)&to=4")
    #expect(kept.lines.count == 3)
    #expect(kept.headers["cache-control"] == "max-age=31536000, immutable")
    #expect(range.lines[3].contains(#""seq":"4""#))
    // All requests of these tests ask for it.
    #expect(kept.headers["connection"] == "close")
    let beyond = try await relay.get("/feed?list=shelf&after=\(beginning)&to=9")
    #expect(beyond.lines.count == 6 && beyond.headers["cache-control"] == "no-store")
    let missing = try await relay.get("/feed?list=none")
    #expect(missing.status == 204)
    #expect(
      try await relay.get("/feed?list=none&after=\(other)").lines == [
        #"{"t":"reset","list":"none"}"#
      ])
    let several = try await relay.get("/feed?of=shelf&of=none&after=\(end):shelf")
    #expect(several.status == 204 && several.headers["feed-after"] == end)
    try await relay.stop()
  }

  @Test func whoWaitsIsAnsweredByTheNextLine() async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address()) { $0.sharedAge = 1 }
    try await shelf(relay, books: ["emma"])
    let end = try #require(
      try await relay.get("/list?list=shelf").headers["etag"]?.trimmingCharacters(in: ["\""]))
    let answers = try await withThrowingTaskGroup(of: TestRelay.Answer.self) { group in
      for _ in 0..<50 {
        group.addTask { try await relay.get("/feed?list=shelf&after=\(end)&wait=50") }
      }
      #expect(try await relay.isWaited(by: 50))
      _ = try await relay.send(
        "POST", "/append", #"{"list":"shelf","ops":[{"op":"touchItem","item":"emma"}]}"#)
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for answer in answers {
      #expect(answer.status == 200 && answer.lines.count == 1)
      #expect(answer.headers["cache-control"] == "public, max-age=0, s-maxage=1")
    }
    let start = ContinuousClock.now
    let later = try #require(
      try await relay.get("/list?list=shelf").headers["etag"]?.trimmingCharacters(in: ["\""]))
    #expect(try await relay.get("/feed?list=shelf&after=\(later)&wait=1").status == 204)
    #expect(ContinuousClock.now - start > .milliseconds(900))
    try await relay.stop()
  }

  @Test(arguments: TestEngine.available)
  func aServerWritesListsAndHearsWhichHaveMoved(_ kind: TestEngine) async throws {
    let relay = try await TestRelay(try await kind.address(), folder: folder)
    let begin = try await relay.get("/moved")
    let since = try #require(
      begin.text.split(separator: "\"").last { $0.count > 0 && $0 != "}" && $0 != "}\n" })
    let tree = #"{"sections":[{"id":"s","items":[{"id":"emma","cell":"C","content":1}]}]}"#
    #expect(try await relay.send("PUT", "/list?list=shelf", tree).text.contains(#""seq":"1""#))
    #expect(try await relay.send("PUT", "/list?list=shelf", tree).text.contains(#""seq":"1""#))
    let encoded = String(since).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let moved = try await relay.get("/moved?since=\(encoded)&wait=5")
    #expect(moved.text.contains(#""lists":["shelf"]"#), "\(moved.text)")
    #expect(try await relay.send("POST", "/copy?from=shelf&to=copy").text.contains(#""seq":"1""#))
    #expect(try await relay.get("/list?list=copy").text.contains("emma"))
    let end = try #require(try await relay.get("/list?list=shelf").headers["etag"])
    let edit = #"{"list":"shelf","ops":[{"op":"touchItem","item":"emma"}]}"#
    #expect(try await relay.send("POST", "/append", edit, headers: ["If-Match": end]).status == 200)
    #expect(try await relay.send("POST", "/append", edit, headers: ["If-Match": end]).status == 412)
    #expect(
      try await relay.send("POST", "/append", edit, headers: ["If-None-Match": "*"]).status == 412)
    let many = (0..<20).map { #"{"list":"l\#($0 % 2)","ops":[{"op":"updateList","meta":\#($0)}]}"# }
    // Where the list ends can be said for one line alone.
    let type = ["Content-Type": "application/x-ndjson"]
    for condition in [["If-Match": end], ["If-None-Match": "*"]] {
      let guarded = try await relay.send(
        "POST", "/append", many.joined(separator: "\n"), headers: type.merging(condition) { $1 })
      #expect(guarded.status == 400 && guarded.text.contains("one by one"))
    }
    let first = try await relay.send(
      "POST", "/append", many[0] + "\n", headers: type.merging(["If-None-Match": "*"]) { $1 })
    #expect(first.status == 200 && first.text.contains(#""seq":"1""#))
    let answers = try await relay.send(
      "POST", "/append", many.joined(separator: "\n"), headers: type)
    #expect(answers.lines.count == 20 && answers.lines.last?.contains(#""seq":"10""#) == true)
    #expect(try await relay.get("/lists").text.contains(#""list":"l1""#))
    #expect(try await relay.send("DELETE", "/list?list=shelf").status == 204)
    #expect(try await relay.get("/list?list=shelf").status == 404)
    let old = end.trimmingCharacters(in: ["\""])
    #expect(
      try await relay.get("/feed?list=shelf&after=\(old)").text
        == "{\"t\":\"reset\",\"list\":\"shelf\"}\n")
    try await relay.stop()
  }

  /// A whole list is read from a snapshot, which the log has from the time before.
  @Test func aListThatHasNotMovedIsNotWrittenAgain() async throws {
    let file = folder.appendingPathComponent("log.sqlite")
    let relay = try await TestRelay(.file(file))
    try await shelf(relay, books: ["emma"])
    let whole = try await relay.get("/list?list=shelf")
    let journal = URL(fileURLWithPath: file.path + "-wal")
    func written() throws -> Int { try Data(contentsOf: journal).count }
    let before = try written()
    for _ in 0..<5 { #expect(try await relay.get("/list?list=shelf").body == whole.body) }
    #expect(try written() == before)
    _ = try await relay.send(
      "POST", "/append", #"{"list":"shelf","ops":[{"op":"updateList","meta":1}]}"#)
    #expect(try await relay.get("/list?list=shelf").text.contains(#""revision":"2""#))
    try await relay.stop()
  }

  /// Whoever waits when a node ends is answered then, and asks another one.
  @Test(arguments: ["/feed?list=shelf", "/feed?of=shelf&of=other"])
  func whoWaitsAtTheEndIsAnswered(_ question: String) async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address())
    try await shelf(relay, books: ["emma"])
    _ = try await relay.send(
      "POST", "/append", #"{"list":"other","ops":[{"op":"updateList","meta":1}]}"#)
    var positions = ""
    let lists = ["shelf", "other"].filter { question.contains($0) }
    for list in lists {
      let tag = try #require(try await relay.get("/list?list=\(list)").headers["etag"])
      let place = tag.trimmingCharacters(in: ["\""])
      positions += question.contains("of=") ? "&after=\(place):\(list)" : "&after=\(place)"
    }
    let start = ContinuousClock.now
    async let answer = relay.get("\(question)\(positions)&wait=55")
    // It is counted at each list.
    #expect(try await relay.isWaited(by: lists.count))
    try await relay.stop()
    #expect(try await answer.status == 204)
    #expect(ContinuousClock.now - start < .seconds(40), "not at the end of the wait")
  }

  @Test func whoHasTheListGetsNoBody() async throws {
    let relay = try await TestRelay(try await TestEngine.sqlite.address())
    try await shelf(relay, books: ["emma"])
    for target in ["/list?list=shelf", "/feed?list=shelf"] {
      let tag = try #require(try await relay.get(target).headers["etag"])
      for known in [tag, "W/\(tag)", "\"x\", \(tag)"] {
        let answer = try await relay.send("GET", target, headers: ["If-None-Match": known])
        #expect(answer.status == 304 && answer.body.isEmpty && answer.headers["etag"] == tag)
      }
      let other = try await relay.send("GET", target, headers: ["If-None-Match": "\"1:ff\""])
      #expect(other.status == 200 && !other.body.isEmpty)
      _ = try await relay.send(
        "POST", "/append", #"{"list":"shelf","ops":[{"op":"touchItem","item":"emma"}]}"#)
      let moved = try await relay.send("GET", target, headers: ["If-None-Match": tag])
      #expect(moved.status == 200 && moved.headers["etag"] != tag)
    }
    #expect(
      try await relay.send("GET", "/list?list=none", headers: ["If-None-Match": "*"]).status == 404)
    try await relay.stop()
  }

  @Test func aNodeThatStartsAgainGoesOn() async throws {
    let address = try await TestEngine.sqlite.address()
    var relay = try await TestRelay(address, folder: folder)
    try await shelf(relay, books: ["emma"])
    for round in 0..<3 {
      let body =
        #"{"list":"shelf","ops":[{"op":"insertItem","item":"b\#(round)","section":"s","cell":"C","content":1}]}"#
      #expect(
        try await relay.send("POST", "/append", body).text.contains(#""seq":"\#(round + 2)""#))
      try await relay.stop()
      relay = try await TestRelay(address, folder: folder)
    }
    #expect(try await relay.get("/list?list=shelf").text.contains("b2"))
    try await relay.stop()
  }

  @Test func aListOfWhichLinesWereDroppedIsWholeForEverybody() async throws {
    let address = try await TestEngine.sqlite.address()
    var relay = try await TestRelay(address, folder: folder)
    try await shelf(relay, books: ["emma"])
    let early = try #require(
      try await relay.get("/list?list=shelf").headers["etag"]?.trimmingCharacters(in: ["\""]))
    let device = try TestDevice(relay.feed, list: "shelf", in: folder)
    #expect(try await device.waits { $0.itemCounts == [1] })
    for number in 0..<40 {
      let body =
        #"{"list":"shelf","at":1,"ops":[{"op":"insertItem","item":"b\#(number)","section":"s","cell":"C","content":1}]}"#
      _ = try await relay.send("POST", "/append", body)
    }
    try await relay.stop()
    await device.stop()
    let engine = try await RelayConfiguration(engine: address).openEngine()
    var retention = Retention()
    retention.lines = 0
    let dropped = try await RelayWork(engine, logger: .init(label: "test")).compact(
      ["shelf"], retention)
    #expect(dropped.lines == 40)
    let problems = Problems()
    let checked = try await LogCheck(engine).run { problems.add($0) }
    #expect(problems.all == [] && checked.lines == 1)
    await engine.close()
    for keepsCopies in [true, false] {
      if !keepsCopies {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("lists.sqlite"))
      }
      relay = try await TestRelay(address, folder: folder)
      let answer = try await relay.get("/feed?list=shelf&after=\(early)")
      // Its history is ours, so no reset.
      #expect(answer.text.hasPrefix(#"{"t":"snapshot","list":"shelf","seq":"41""#))
      #expect(try await relay.get("/list?list=shelf").text.contains("b39"))
      _ = try await relay.send(
        "POST", "/append", #"{"list":"shelf","ops":[{"op":"touchItem","item":"emma"}]}"#)
      #expect(try await relay.get("/feed?list=shelf&after=\(early)&to=3").status == 410)
      try await relay.stop()
    }
  }
}
