import Foundation
import ListModel
import ListStore
import ListSync

/// One call that sends the edits of an outbox.
struct FeedSender {
  let client: FeedClient
  let list: LiveList
  /// The feed's name for the list.
  let feedList: ListID
  let progress: @Sendable (FeedClient.State) -> Void

  /// Requests in a row without an answer.
  private var failures = 0

  init(
    client: FeedClient, list: LiveList, feedList: ListID,
    progress: @escaping @Sendable (FeedClient.State) -> Void
  ) {
    self.client = client
    self.list = list
    self.feedList = feedList
    self.progress = progress
  }

  mutating func run() async throws -> Never {
    try client.requireSecureAddress()
    try await list.handOutPendingEdits(
      whenEmpty: { progress(.upToDate) },
      pausing: { error in
        let pause = notePause(after: error)
        return { [pace = client.pace] in try await pace.sleep(pause) }
      },
      { edit in try await send(edit) })
  }

  /// Sends an edit once, or twice if the credentials have expired.
  ///
  /// - Returns: The server's answer; `nil` if there is none.
  /// - Throws: An error that another attempt would meet too.
  private mutating func send(
    _ edit: Repository.PendingEdit
  ) async throws -> LiveList.EditAnswer? {
    let body = body(of: edit)
    guard body.count <= client.longestEdit else {
      return .rejected(
        why: "the edit has \(body.count) bytes, and a line of a feed has at most "
          + "\(client.longestEdit)")
    }
    // A server could not read it, and so not name it: it would stand before all others for ever.
    let levelCount = JSON.levelCount(of: body)
    guard levelCount <= FeedLines.maximumLevelCount else {
      return .rejected(
        why: "the edit nests \(levelCount) levels deep, and a line of a feed has at most "
          + "\(FeedLines.maximumLevelCount)")
    }
    var verdict = try await post(body, edit, afterRefusal: false)
    if case .unauthorized = verdict { verdict = try await post(body, edit, afterRefusal: true) }
    switch verdict {
    case .accepted(let sequence):
      failures = 0
      return sequence.map(LiveList.EditAnswer.acceptedInLine) ?? .accepted
    case .rejected(let why):
      failures = 0
      return .rejected(why: why)
    case .later(let error, let asked):
      try Task.checkCancellation()
      let pause = notePause(after: error, asked: asked)
      try await list.pause(after: error, of: edit) { [pace = client.pace] in
        try await pace.sleep(pause)
      }
      return nil
    case .unauthorized(let error), .refused(let error): throw error
    }
  }

  private func post(
    _ body: Data, _ edit: Repository.PendingEdit, afterRefusal: Bool
  ) async throws -> EditVerdict {
    var headers = try await client.headers(afterRefusal: afterRefusal)
    headers["Content-Type"] = "application/json"
    headers["Accept"] = "application/json"
    progress(.connecting)
    do {
      let request = FeedClient.Request(
        url: client.url, headers: headers, body: body, idleTimeout: client.idleTimeout)
      let response = try await client.send(request)
      defer { response.body.cancel() }
      return try await EditVerdict(response, on: edit.id, from: client.name, client.pace.now()) {
        try await client.nextPart(of: response, to: request)
      }
    } catch {
      return .later(error, nil)
    }
  }

  /// The edit as a server gets it: the line of a feed without `t` and `seq`.
  private func body(of edit: Repository.PendingEdit) -> Data {
    let text = JSONWriter.object { writer in
      writer.member("list", feedList.rawValue)
      if let time = edit.time { writer.member("at", time) }
      writer.member("by", edit.author.name)
      writer.member("edit", edit.id)
      writer.member("ops", edit.operations)
    }
    return Data(text.utf8)
  }

  /// Reports the pause after a failure.
  private mutating func notePause(after error: any Error, asked: Duration? = nil) -> Duration {
    failures += 1
    let pause = client.pause(afterFailures: failures, asked: asked)
    progress(.waiting(until: client.pace.now() + pause.seconds, because: error))
    return pause
  }
}
