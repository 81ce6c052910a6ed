import FeedServing
import Foundation
import HTTPTypes
import Hummingbird
import ListModel
import NIOCore

extension RelayResponder {
  /// An event stream: each line is an event, until the client goes, the token ends or the node does.
  func stream(
    _ question: FeedQuestion, _ lists: [ListID], _ request: Request, _ headers: HTTPFields,
    _ use: ConnectionUse
  ) -> Response {
    var headers = headers
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    let body = ResponseBody { writer in
      var question = question
      while let grant = await self.grantThatHolds(request) {
        let answers = try await self.answers(to: question, lists)
        for part in answers.parts {
          try await self.write(part, use) {
            try await self.send(Self.events($0), to: &writer, use)
          }
        }
        try await self.send(Self.comment, to: &writer, use)
        question.move(to: answers.ends)
        // Who has read too much gets words that the stream is alive, and no lines.
        while case let debt = use.readingDebt(at: self.node.limits.now()), debt > .zero,
          let grant = await self.grantThatHolds(request)
        {
          try await Task.sleep(for: min(debt, self.pause(grant), .seconds(1)))
          try await self.send(Self.comment, to: &writer, use)
        }
        await self.waker(beyond: answers.ends, until: .now + self.pause(grant)).wait()
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  /// What a request's token grants still; `nil` if it ends here, with the token or the node.
  private func grantThatHolds(_ request: Request) async -> Grant? {
    node.isEnding ? nil : try? await grant(of: request)
  }

  /// Until the next word that the stream is alive, or the end of the token.
  private func pause(_ grant: Grant) -> Duration {
    guard let expiry = grant.expiry else { return settings.heartbeat }
    return min(settings.heartbeat, .milliseconds(max(1, expiry - node.limits.now())))
  }

  /// Says that all was sent.
  private static let comment = ByteBuffer(string: ": that is all for now\n\n")

  /// Lines as events, without an `id`: the client knows what it has.
  private static func events(_ lines: ByteBuffer) -> ByteBuffer {
    var events = ByteBuffer()
    events.reserveCapacity(lines.readableBytes + 64)
    for line in lines.readableBytesView.split(separator: UInt8(ascii: "\n")) {
      events.writeStaticString("data: ")
      events.writeBytes(line)
      events.writeStaticString("\n\n")
    }
    return events
  }
}

extension FeedQuestion {
  /// Asks for the lines after the ends of lists.
  mutating func move(to ends: [(list: ListID, end: LinePosition?)]) {
    wantsSnapshot = false
    positions = ends.map { list, end in
      (list: list, position: end.map(AskedPosition.line) ?? .reset, text: "")
    }
  }
}
