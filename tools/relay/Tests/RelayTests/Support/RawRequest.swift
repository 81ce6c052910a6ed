import Foundation
import NIOCore
import NIOPosix

/// A request whose every byte a test chooses: `URLSession` would repair addresses.
enum RawRequest {
  static func send(
    _ method: String, _ target: String, _ body: String?, port: Int, headers: [String: String]
  ) async throws -> TestRelay.Answer {
    var head = "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n"
    let fields = headers.merging(["Host": "127.0.0.1:\(port)"]) { own, _ in own }
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.utf8.count)\r\n" }
    return try answer(to: try await bytes(to: head + "\r\n" + (body ?? ""), port: port))
  }

  /// Sends a text, the rest of it once the answer has a word, and reads until the other side closes.
  static func exchange(
    _ text: String, then rest: String = "", once word: String = "", port: Int
  ) async throws -> String {
    String(decoding: try await bytes(to: text, then: rest, once: word, port: port), as: UTF8.self)
  }

  /// Sends a text, and then a space again and again, until the other side closes.
  static func drip(_ text: String, every pause: Duration, port: Int) async throws -> String {
    try await connect(port).executeThenClose { inbound, outbound in
      let dripping = Task {
        try await outbound.write(ByteBuffer(string: text))
        while true {
          try await Task.sleep(for: pause)
          try await outbound.write(ByteBuffer(string: " "))
        }
      }
      defer { dripping.cancel() }
      var answer = ByteBuffer()
      do { for try await part in inbound { answer.writeImmutableBuffer(part) } } catch {
        // As below.
      }
      return String(buffer: answer)
    }
  }

  /// Sends a text, and reads nothing.
  static func begin(_ text: String, port: Int) async throws -> any Channel {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false).connect(host: "127.0.0.1", port: port).get()
    try await channel.writeAndFlush(ByteBuffer(string: text))
    return channel
  }

  private static func connect(
    _ port: Int
  ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        }
      }
  }

  private static func bytes(
    to text: String, then rest: String = "", once word: String = "", port: Int
  ) async throws -> [UInt8] {
    try await connect(port).executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var rest = rest
      var answer = ByteBuffer()
      do {
        for try await part in inbound {
          answer.writeImmutableBuffer(part)
          guard !rest.isEmpty, String(buffer: answer).contains(word) else { continue }
          try await outbound.write(ByteBuffer(string: rest))
          rest = ""
        }
      } catch {
        // Closed by the other side before all was sent: what it said counts.
      }
      return Array(answer.readableBytesView)
    }
  }

  private static func answer(to bytes: [UInt8]) throws -> TestRelay.Answer {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    let lines = head.components(separatedBy: "\r\n")
    let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] =
        parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
    }
    var body = Array(bytes[end.upperBound...])
    if headers["transfer-encoding"] == "chunked" { body = unchunked(body) }
    return TestRelay.Answer(status: status, headers: headers, body: body)
  }

  private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes[...]
    var body: [UInt8] = []
    while let end = bytes.firstIndex(of: UInt8(ascii: "\r")) {
      let digits = String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
      guard let count = Int(digits, radix: 16), count > 0, bytes.endIndex >= end + 2 + count else {
        break
      }
      let start = end + 2
      body += bytes[start..<(start + count)]
      bytes = bytes[(start + count + 2)...]
    }
    return body
  }
}
