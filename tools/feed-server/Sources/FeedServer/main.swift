import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

// Serves a folder of feeds over HTTP, as the article on the feed format says: `NAME.ndjson` is at
// `/feeds/NAME`. Lines that are appended to a file are sent at once, and so are edits that are posted.
// It trusts whoever can reach it, so it listens on this machine alone.
//
//   swift run FeedServer FOLDER [PORT]

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: FeedServer FOLDER [PORT]\n".utf8))
  exit(64)
}
let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
let look = Duration.milliseconds(100)

@Sendable func feed(_ context: BasicRequestContext) throws -> URL {
  let name = try context.parameters.require("name")
  let file = folder.appendingPathComponent(name + ".ndjson")
  guard !name.contains("/"), !name.hasPrefix("."), FileManager.default.fileExists(atPath: file.path)
  else { throw HTTPError(.notFound) }
  return file
}

let router = Router()
let inbox = EditInbox()
router.post("feeds/:name") { request, context -> Response in
  let file = try feed(context)
  var request = request
  let body = try await request.collectBody(upTo: 16 << 20)
  guard let taken = try await inbox.take(Data(body.readableBytesView), into: file) else {
    throw HTTPError(.badRequest)
  }
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  let answer = try encoder.encode(["edit": taken.edit, "why": taken.why])
  return Response(
    status: taken.why == nil ? .ok : .conflict, headers: [.contentType: "application/json"],
    body: .init(byteBuffer: ByteBuffer(bytes: answer)))
}
router.get("feeds/:name") { request, context -> Response in
  let file = try feed(context)
  let query = FeedQuery(request.uri.queryParameters.map { ($0.key, $0.value) })
  var headers = HTTPFields()
  if let field = HTTPField.Name("Feed-After") {
    headers[field] = query.positions.map(\.position).joined(separator: ", ")
  }
  var lines = try FeedFile(file).answer(to: query)
  guard query.end == nil, request.headers[.accept]?.contains("text/event-stream") == true else {
    for _ in 0..<query.wait * 10 where lines.isEmpty {
      try await Task.sleep(for: look)
      lines = try FeedFile(file).answer(to: query)
    }
    if lines.isEmpty { return Response(status: .noContent, headers: headers) }
    headers[.contentType] = "application/x-ndjson"
    headers[.cacheControl] = query.end == nil ? "no-store" : "max-age=31536000, immutable"
    let text = lines.map { $0.text + "\n" }.joined()
    return Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }
  headers[.contentType] = "text/event-stream"
  headers[.cacheControl] = "no-store"
  let first = lines
  let body = ResponseBody { writer in
    var (query, lines) = (query, first)
    // Until the client is gone, which a comment finds out.
    for round in 0... {
      if !lines.isEmpty || round % 100 == 0 {
        let events = lines.map { "id: \($0.seq ?? "0")\ndata: \($0.text)\n\n" }.joined()
        try await writer.write(ByteBuffer(string: events + ": that is all for now\n\n"))
      }
      query.move(behind: lines)
      try await Task.sleep(for: look)
      lines = try FeedFile(file).answer(to: query)
    }
    try await writer.finish(nil)
  }
  return Response(status: .ok, headers: headers, body: body)
}

let port = arguments.count == 3 ? Int(arguments[2]) ?? 8080 : 8080
try await Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: port))
).runService()
