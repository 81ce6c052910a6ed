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
    log("\(device.name) \(process) asks \(request.url.query ?? "")")
    try await travel()
    log("\(device.name) \(process) reaches \(request.url.query ?? "")")
    let answer = try await device.deliver(request, from: process)
    log("\(device.name) \(process) is answered \(answer.status) \(request.url.query ?? "")")
    try await travel()
    return await FeedClient.Response(
      status: answer.status, headers: answer.headers, body: .init(arriving(answer.body)))
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

  /// A body that comes in parts, with a pause between them; some break off.
  private func arriving(_ body: ServerAnswer.Body) async -> AsyncThrowingStream<Data, any Error> {
    let text: String
    switch body {
    case .text(let whole): text = whole
    case .lines(let lines): text = await device.doubled(lines).joined()
    case .stream(let parts):
      let reader = StreamReader(parts: parts.makeAsyncIterator(), device: device)
      return AsyncThrowingStream { try await reader.next() }
    }
    var endsBroken = false
    if !text.isEmpty || body.isOfLines { endsBroken = await device.breaksAnswers }
    let bytes = Array(text.utf8)
    let reader = PartReader(
      bytes: bytes[...], part: max(1, bytes.count / 3), endsBroken: endsBroken)
    return AsyncThrowingStream { try await reader.next() }
  }
}

/// Hands out a body that is known.
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

/// Hands out a body as it is written, through a network that may fail meanwhile.
private actor StreamReader {
  private var parts: AsyncThrowingStream<String, any Error>.Iterator
  private let device: Device

  init(parts: AsyncThrowingStream<String, any Error>.Iterator, device: Device) {
    self.parts = parts
    self.device = device
  }

  func next() async throws -> Data? {
    // A copy of an iterator goes on in the same stream.
    var parts = parts
    guard let part = try await parts.next(isolation: self) else { return nil }
    switch await device.fate(of: .travel) {
    case .arrives(let time): try await Task.sleep(for: .milliseconds(min(time, 500)))
    case .fails: throw NetworkTransport.Broken()
    case .never: try await Task.sleep(for: .seconds(100_000))
    }
    let ends = part.hasSuffix("\n\n") ? "\n\n" : "\n"
    let lines = part.components(separatedBy: ends).dropLast().map { $0 + ends }
    return Data(await device.doubled(lines).joined().utf8)
  }
}
