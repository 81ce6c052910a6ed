import Foundation
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Bodies of answers: compressed, or some of their bytes.
@Suite struct BodyTests {
  private static let beginning = "0:" + String(repeating: "0", count: 32)
  private static let gzip = ["Accept-Encoding": "deflate, gzip;q=0.8"]

  /// A node with a list of so many books, one a line, each of so many bytes.
  private func relay(
    books: Int, byteCount: Int, sharedAge: Int? = nil
  ) async throws -> TestRelay {
    let relay = try await TestRelay(try await TestEngine.sqlite.address()) {
      $0.sharedAge = sharedAge
      // The ranges of a long body are more than a user may read in a second.
      $0.quota = Quota(readBytesPerSecond: 1e9)
    }
    var lines = [#"{"list":"shelf","ops":[{"op":"insertSection","section":"s"}]}"#]
    for number in 0..<books {
      let title = String(repeating: "\(number) ", count: byteCount / 4)
      lines.append(
        #"{"list":"shelf","at":\#(number),"ops":[{"op":"insertItem","item":"b\#(number)","section":"s","cell":"C","content":"\#(title)"}]}"#
      )
    }
    let answer = try await relay.send(
      "POST", "/append", lines.joined(separator: "\n"),
      headers: ["Content-Type": "application/x-ndjson"])
    try #require(answer.lines.last?.contains(#""seq":"\#(books + 1)""#) == true)
    return relay
  }

  private func expanded(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TestFolder.make()
    let (packed, plain) = (
      folder.appendingPathComponent("packed"), folder.appendingPathComponent("plain")
    )
    try Data(bytes).write(to: packed)
    try Data().write(to: plain)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc"]
    process.standardInput = try FileHandle(forReadingFrom: packed)
    process.standardOutput = try FileHandle(forWritingTo: plain)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(try Data(contentsOf: plain))
  }

  // 40 books are in memory; 80 of 16 KB are more than a desk keeps, and are read from the log.
  @Test(arguments: [(40, 200), (80, 16_000)])
  func whatIsWorthItIsCompressedIfTheRequestAllowsIt(_ books: Int, _ byteCount: Int) async throws {
    let relay = try await relay(books: books, byteCount: byteCount)
    for target in [
      "/feed?list=shelf", "/feed?list=shelf&after=\(Self.beginning)&to=\(books)",
      "/feed?list=shelf&after=9:\(String(repeating: "a", count: 32))",
    ] {
      let plain = try await relay.get(target)
      let packed = try await relay.send("GET", target, headers: Self.gzip)
      #expect(plain.status == 200 && packed.status == 200)
      #expect(plain.headers["content-encoding"] == nil)
      #expect(packed.headers["content-encoding"] == "gzip")
      #expect(plain.headers["vary"] == "Accept-Encoding")
      #expect(packed.headers["vary"] == "Accept-Encoding")
      #expect(packed.headers["cache-control"] == plain.headers["cache-control"])
      #expect(packed.headers["content-type"] == plain.headers["content-type"])
      // Other bytes have another name.
      let tag = try #require(plain.headers["etag"])
      #expect(tag.hasPrefix("\"") && packed.headers["etag"] == "\(tag.dropLast())-gzip\"")
      #expect(packed.body.count < plain.body.count / 2)
      #expect(try expanded(packed.body) == plain.body)
      for refusal in ["identity", "gzip;q=0", "*;q=0", "gzip;q=0, *", "br"] {
        let answer = try await relay.send("GET", target, headers: ["Accept-Encoding": refusal])
        #expect(answer.body == plain.body && answer.headers["content-encoding"] == nil)
      }
      let any = try await relay.send("GET", target, headers: ["Accept-Encoding": "*"])
      #expect(any.headers["content-encoding"] == "gzip")
    }
    try await relay.stop()
  }

  @Test func fewLinesAndTheNewestAreSentAsTheyAre() async throws {
    let relay = try await relay(books: 40, byteCount: 200, sharedAge: 1)
    let few = try await relay.send(
      "GET", "/feed?list=shelf&after=\(Self.beginning)&to=2", headers: Self.gzip)
    #expect(few.lines.count == 2 && few.headers["content-encoding"] == nil)
    let position = try #require(try LineHash.position(of: String(few.lines[1]), sequence: 2))
    let newest = try await relay.send(
      "GET", "/feed?list=shelf&after=\(position)", headers: Self.gzip)
    #expect(newest.lines.count == 39 && newest.headers["content-encoding"] == nil)
    #expect(newest.headers["etag"] == nil && newest.headers["accept-ranges"] == nil)
    let ranged = try await relay.send(
      "GET", "/feed?list=shelf&after=\(position)", headers: ["Range": "bytes=0-9"])
    #expect(ranged.status == 200 && ranged.lines.count == 39)
    try await relay.stop()
  }

  @Test(arguments: [(40, 200), (80, 16_000)])
  func rangesOfBytesAreThoseOfTheWholeAnswer(_ books: Int, _ byteCount: Int) async throws {
    let relay = try await relay(books: books, byteCount: byteCount)
    for target in ["/feed?list=shelf", "/feed?list=shelf&after=\(Self.beginning)&to=\(books)"] {
      let whole = try await relay.get(target)
      #expect(whole.headers["accept-ranges"] == "bytes")
      let count = whole.body.count
      let tag = try #require(whole.headers["etag"])
      for (range, bytes) in [
        ("0-0", 0..<1), ("5-\(count / 2)", 5..<count / 2 + 1), ("\(count / 2)-", count / 2..<count),
        ("0-", 0..<count), ("7-\(count + 9)", 7..<count), ("-3", count - 3..<count),
        ("-\(count + 9)", 0..<count), ("\(count - 1)-\(Int.max)", count - 1..<count),
      ] {
        for headers in [[:], ["If-Range": tag], Self.gzip] {
          let part = try await relay.send(
            "GET", target, headers: headers.merging(["Range": "bytes=\(range)"]) { $1 })
          #expect(part.status == 206 && part.body == Array(whole.body[bytes]), "\(range)")
          #expect(
            part.headers["content-range"]
              == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(count)")
          #expect(part.headers["content-length"] == "\(bytes.count)")
          #expect(part.headers["etag"] == tag && part.headers["content-encoding"] == nil)
        }
      }
      for range in ["\(count)-", "-0", "\(count)-\(count + 1)"] {
        let none = try await relay.send("GET", target, headers: ["Range": "bytes=\(range)"])
        #expect(none.status == 416 && none.headers["content-range"] == "bytes */\(count)")
        #expect(none.body.isEmpty && none.headers["cache-control"] == "no-store")
      }
      for (name, value) in [
        ("Range", "bytes=0-1,3-4"), ("Range", "bytes=4-1"), ("Range", "lines=0-1"),
        ("Range", "bytes=-"), ("Range", "bytes= 1-2"), ("Range", "bytes=99999999999999999999-"),
        ("If-Range", "\"other\""),
      ] {
        let answer = try await relay.send(
          "GET", target, headers: ["Range": "bytes=0-1"].merging([name: value]) { $1 })
        #expect(answer.status == 200 && answer.body == whole.body, "\(name): \(value)")
      }
    }
    // The first half of a list that has moved is no half of what it is now.
    let old = try #require(try await relay.get("/feed?list=shelf").headers["etag"])
    _ = try await relay.send(
      "POST", "/append", #"{"list":"shelf","ops":[{"op":"touchItem","item":"b1"}]}"#)
    let rest = try await relay.send(
      "GET", "/feed?list=shelf", headers: ["Range": "bytes=9-", "If-Range": old])
    #expect(rest.status == 200 && rest.headers["etag"] != old)
    try await relay.stop()
  }
}
