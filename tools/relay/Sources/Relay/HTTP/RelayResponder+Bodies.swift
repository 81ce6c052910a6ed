import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import NIOCore
import RelayEngine

// Lines as the bodies of answers: whole, compressed, or some of their bytes.
extension RelayResponder {
  /// Answers with lines.
  ///
  /// Many devices get the newest lines at once, so those are sent as they are. Lines with a name of
  /// their own, and those that are read from the log, are compressed if the request allows it and they
  /// are not few.
  ///
  /// - Parameters:
  ///   - parts: The lines.
  ///   - validator: The name of exactly these bytes; `nil` for the newest lines.
  ///   - request: What may ask for compression, or for a range of the bytes.
  ///   - headers: What the answer says besides.
  ///   - use: What counts the bytes, and the request until its answer is sent.
  /// - Returns: The answer.
  /// - Throws: If lines of the log can't be counted.
  func lines(
    _ parts: [Part], validator: String?, _ request: Request, _ headers: HTTPFields,
    _ use: ConnectionUse
  ) async throws -> Response {
    var headers = headers
    headers[.contentType] = "application/x-ndjson"
    let isFromLog = parts.contains { if case .log = $0.part { true } else { false } }
    guard validator != nil || isFromLog else {
      return Response(status: .ok, headers: headers, body: body(parts, use))
    }
    headers[.vary] = "Accept-Encoding"
    let isCompressed =
      request.acceptsGzip && (isFromLog || Self.knownCount(parts) >= Self.leastCompressed)
    if let validator {
      headers[.acceptRanges] = "bytes"
      headers[.eTag] = "\"\(validator)\""
      let tag = isCompressed ? "\"\(validator)-gzip\"" : "\"\(validator)\""
      if request.has(tag) {
        headers[.eTag] = tag
        headers[.contentType] = nil
        return Response(status: .notModified, headers: headers)
      }
      if let range = ByteRange(request.headers[.range]),
        [nil, headers[.eTag]].contains(request.headers[.ifRange])
      {
        return try await bytes(range, of: parts, headers, use)
      }
    }
    guard isCompressed else {
      return Response(status: .ok, headers: headers, body: body(parts, use))
    }
    headers[.contentEncoding] = "gzip"
    if let validator { headers[.eTag] = "\"\(validator)-gzip\"" }
    return Response(status: .ok, headers: headers, body: compressedBody(parts, use))
  }

  private static let leastCompressed = 1_000
  /// So much is compressed without a pause.
  private static let compressedAtOnce = 128 << 10

  /// Some of the bytes of lines.
  private func bytes(
    _ range: ByteRange, of parts: [Part], _ headers: HTTPFields, _ use: ConnectionUse
  ) async throws -> Response {
    var headers = headers
    var count = 0
    for part in parts { try await write(part, use) { count += $0.readableBytes } }
    guard let bytes = range.bytes(of: count) else {
      headers[.contentRange] = "bytes */\(count)"
      headers[.contentType] = nil
      headers[.cacheControl] = "no-store"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
    headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(count)"
    let body = ResponseBody(contentLength: bytes.count) { writer in
      var start = 0
      for part in parts where start < bytes.upperBound {
        try await self.write(part, use) { buffer in
          let wanted = bytes.clamped(to: start..<start + buffer.readableBytes)
          if let slice = buffer.getSlice(
            at: buffer.readerIndex + wanted.lowerBound - start, length: wanted.count),
            !wanted.isEmpty
          {
            try await self.send(slice, to: &writer, use)
          }
          start += buffer.readableBytes
        }
      }
      try await writer.finish(nil)
    }
    return Response(status: .partialContent, headers: headers, body: body)
  }

  private func body(_ parts: [Part], _ use: ConnectionUse) -> ResponseBody {
    let buffers = parts.compactMap { part -> ByteBuffer? in
      if case .lines(let bytes) = part.part { bytes } else { nil }
    }
    if buffers.count == parts.count {
      use.countRead(Self.knownCount(parts))
      return self.body(buffers, use)
    }
    return ResponseBody { writer in
      for part in parts {
        try await self.write(part, use) { try await self.send($0, to: &writer, use) }
      }
      try await writer.finish(nil)
    }
  }

  /// Bytes that are there; the request counts until they are sent.
  func body(_ buffers: [ByteBuffer], _ use: ConnectionUse) -> ResponseBody {
    let count = buffers.reduce(0) { $0 + $1.readableBytes }
    // What fits into the connection's own buffers is as good as sent.
    if buffers.count == 1, count <= Self.sentAtOnce { return .init(byteBuffer: buffers[0]) }
    return ResponseBody(contentLength: count) { writer in
      for buffer in buffers { try await self.send(buffer, to: &writer, use) }
      try await writer.finish(nil)
    }
  }

  /// Sends bytes in parts, each of which the client takes in time.
  func send(
    _ bytes: ByteBuffer, to writer: inout any ResponseBodyWriter, _ use: ConnectionUse
  ) async throws {
    var bytes = bytes
    while let part = bytes.readSlice(length: min(bytes.readableBytes, Self.sentAtOnce)),
      part.readableBytes > 0
    {
      let transfer = transfers.begin(on: use.channel, within: settings.readingPatience)
      defer { withExtendedLifetime(transfer) {} }
      try await writer.write(part)
      // The connection's thread has to see it, before it can say that this is enough.
      try await use.channel?.eventLoop.submit {}.get()
    }
  }

  private static let sentAtOnce = 128 << 10

  private func compressedBody(_ parts: [Part], _ use: ConnectionUse) -> ResponseBody {
    ResponseBody { writer in
      let gzip = try GzipStream()
      for part in parts {
        try await self.write(part, use) { bytes in
          var bytes = bytes
          while let some = bytes.readSlice(length: min(bytes.readableBytes, Self.compressedAtOnce)),
            some.readableBytes > 0
          {
            try await self.send(try gzip.compress(some), to: &writer, use)
            await Task.yield()
          }
        }
      }
      try await self.send(try gzip.finish(), to: &writer, use)
      try await writer.finish(nil)
    }
  }

  /// The bytes of the parts that are in memory.
  private static func knownCount(_ parts: [Part]) -> Int {
    parts.reduce(0) { count, part in
      if case .lines(let bytes) = part.part { count + bytes.readableBytes } else { count }
    }
  }

  /// Writes a part's lines, those of the log as they are read, and counts them.
  func write(
    _ part: Part, _ use: ConnectionUse, _ put: (ByteBuffer) async throws -> Void
  ) async throws {
    switch part.part {
    case .lines(let bytes):
      use.countRead(bytes.readableBytes)
      try await put(bytes)
    case .log(var last, let end):
      while last < end {
        let lines = try await node.engine.lines(
          of: part.list.rawValue, after: last, byteCount: Self.bytesAtOnce)
        var bytes = ByteBuffer()
        for line in lines where line.position.sequence <= end {
          // They were dropped meanwhile: the client asks again.
          guard line.position.sequence == last + 1 else { throw CancellationError() }
          last = line.position.sequence
          bytes.writeBytes(line.text)
          bytes.writeInteger(UInt8(ascii: "\n"))
        }
        guard bytes.readableBytes > 0 else { throw CancellationError() }
        use.countRead(bytes.readableBytes)
        try await put(bytes)
      }
    }
  }

  private static let bytesAtOnce = 1 << 20
}

extension Request {
  /// Whether `If-None-Match` names an `ETag`: the client has that answer already.
  func has(_ tag: String) -> Bool {
    headers[values: .ifNoneMatch].contains { field in
      field.split(separator: ",").contains { name in
        let name = name.trimmingCharacters(in: .whitespaces)
        // What compresses answers on their way makes the ETag a weak one.
        return name == tag || name == "W/" + tag
      }
    }
  }

  /// Whether the answer may be compressed as gzip.
  var acceptsGzip: Bool {
    var weights: [Substring: Double] = [:]
    for field in headers[values: .acceptEncoding] {
      for part in field.lowercased().split(separator: ",") {
        let members = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let name = members.first else { continue }
        let weight = members.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
        weights[name[...]] = weight.map { Double($0) ?? 0 } ?? 1
      }
    }
    return (weights["gzip"] ?? weights["x-gzip"] ?? weights["*"] ?? 0) > 0
  }
}
