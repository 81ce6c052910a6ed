import ListModel
public import ListStore

extension LiveList {
  /// The answer of a server to an edit that was sent.
  public enum EditAnswer: Sendable {
    /// The server has the edit. The feed will bring it, in a line that carries its id.
    case accepted
    /// The server refuses it.
    case rejected(why: String?)
  }

  /// Sends the edits of the outbox one after another, in their order, and waits for more.
  ///
  /// ```swift
  /// let sending = Task {
  ///   try await shelf.sendPendingEdits { edit in
  ///     try await server.post(edit.operations, as: edit.id)
  ///   }
  /// }
  /// ```
  ///
  /// An edit that was handed to `send` and got no answer is handed to it again under the same id:
  /// after an error of `send`, and after a relaunch. So the server must recognise the id of an edit
  /// that it has, and answer as before without making the edit again. An edit with an answer is never
  /// handed out again, nor one that the feed has brought.
  ///
  /// Run one sender for a list, in one process.
  ///
  /// - Parameters:
  ///   - seconds: How long to wait after an error of `send`: the lower bound after the first one,
  ///     then twice as long each time up to the upper bound, with up to a half more at random.
  ///   - send: Sends an edit and returns the server's answer. It throws if there is none.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read or written, and
  ///   `CancellationError` when the task is cancelled. It does not return otherwise.
  public func sendPendingEdits(
    retryingAfter seconds: ClosedRange<Double> = 1...60,
    _ send: (Repository.PendingEdit) async throws -> EditAnswer
  ) async throws -> Never {
    // Listen first, so that no edit from here on is missed.
    let revisions = repository.revisions(of: id)
    try await sendAll(seconds, send)
    for await _ in revisions { try await sendAll(seconds, send) }
    // The Repository is kept until here, so the stream ends with the task alone.
    throw CancellationError()
  }

  private func sendAll(
    _ seconds: ClosedRange<Double>, _ send: (Repository.PendingEdit) async throws -> EditAnswer
  ) async throws {
    var pause = seconds.lowerBound
    while let edit = try pendingEdits().first(where: { $0.state == .waiting }) {
      try Task.checkCancellation()
      let answer: EditAnswer
      do { answer = try await send(edit) } catch {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: UInt64(pause * .random(in: 1...1.5) * 1e9))
        pause = min(2 * pause, seconds.upperBound)
        continue
      }
      pause = seconds.lowerBound
      switch answer {
      case .accepted: try repository.accept(edit.id, of: id)
      case .rejected(let why): try repository.reject(edit.id, of: id, why: why)
      }
    }
  }
}
