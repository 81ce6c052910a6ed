import FeedClient
import Foundation

/// How the network of a device is.
enum NetworkState: CaseIterable {
  case good, slow, lossy, halfOpen, down
}

/// The network between a process of a device and the server.
struct NetworkTransport: FeedTransport {
  let device: Device
  let process: Int

  /// A connection that broke.
  struct Broken: Error {}

  func send(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    if let body = request.body { await device.noteAttempt(body) }
    try await travel()
    return try await exchange(request)
  }

  /// The time that something takes on its way, on which it may be lost.
  private func travel() async throws {
    switch await device.fate(of: .travel) {
    case .arrives(let time): try await Task.sleep(for: .milliseconds(time))
    case .fails(let time):
      try await Task.sleep(for: .milliseconds(time))
      throw Broken()
    case .never:
      // Nobody says so: the client has to find out.
      try await Task.sleep(for: .seconds(100_000))
    }
  }

  private func exchange(_ request: FeedClient.Request) async throws -> FeedClient.Response {
    if let body = request.body {
      let answer = await device.deliver(body, from: process)
      try await travel()
      return FeedClient.Response(
        status: answer.status, headers: ["Content-Type": "application/json"],
        body: .init(parts(of: answer.body, endsBroken: await device.breaksAnswers)))
    }
    let query = FeedServer.Query(request.url)
    let lineCount = await device.lineCount
    var answer = await device.ask(query)
    if answer.status == 200, answer.lines.isEmpty, query.wait > 0 {
      await wait(for: device.changes(after: lineCount, for: process), atMost: query.wait)
      try Task.checkCancellation()
      answer = await device.ask(query)
    }
    try await travel()
    if answer.status != 200 {
      return FeedClient.Response(status: answer.status, headers: [:], body: .init(parts(of: "")))
    }
    let isEvents =
      request.headers["Accept"]?.contains("event-stream") == true && request.isCacheable == false
    let doubled = await device.doubled(answer.lines)
    let text = doubled.map { isEvents ? "data: \($0.text)\n\n" : $0.text + "\n" }.joined()
    let headers = answer.headers.merging(
      ["Content-Type": isEvents ? "text/event-stream" : "application/x-ndjson"]) { $1 }
    return FeedClient.Response(
      status: 200, headers: headers,
      body: .init(parts(of: text, endsBroken: await device.breaksAnswers)))
  }

  /// Waits until there are new lines, for so many seconds at most.
  private func wait(for changes: AsyncStream<Void>, atMost seconds: Double) async {
    await withTaskGroup { group in
      group.addTask { for await _ in changes { return } }
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// A body that comes in parts, with a pause between them; some break off.
  private func parts(
    of text: String, endsBroken: Bool = false
  ) -> AsyncThrowingStream<Data, any Error> {
    let bytes = Array(text.utf8)
    let part = max(1, bytes.count / 3)
    let reader = PartReader(bytes: bytes[...], part: part, endsBroken: endsBroken)
    return AsyncThrowingStream { try await reader.next() }
  }
}

/// Hands out a body.
private actor PartReader {
  private var bytes: ArraySlice<UInt8>
  private let part: Int
  private let endsBroken: Bool

  init(bytes: ArraySlice<UInt8>, part: Int, endsBroken: Bool) {
    self.bytes = bytes
    self.part = part
    self.endsBroken = endsBroken
  }

  func next() async throws -> Data? {
    if bytes.isEmpty { return nil }
    try await Task.sleep(for: .milliseconds(2))
    // The last part is lost.
    if endsBroken, bytes.count <= part { throw NetworkTransport.Broken() }
    defer { bytes = bytes.dropFirst(part) }
    return Data(bytes.prefix(part))
  }
}
