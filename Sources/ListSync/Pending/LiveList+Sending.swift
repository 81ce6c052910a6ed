package import ListModel
public import ListStore

extension LiveList {
  /// The answer of a server to an edit that was sent.
  public enum EditAnswer: Sendable {
    /// The server has the edit. The feed will bring it, in a line that carries its id; in a list that loads
    /// pages and has no feed, the next page that is asked for.
    case accepted
    /// The server has the edit in the feed's line of this number, which a snapshot may have replaced: a list
    /// that is beyond it waits no more.
    case acceptedInLine(Int)
    /// The server refuses it.
    case rejected(why: String?)
  }

  /// Sends the edits of the outbox one after another, in their order, and waits for more.
  ///
  /// For a server of the app's own; a `FeedClient` sends them to the one that it follows.
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
  ///     then twice as long each time up to the upper bound, with up to a half more at random. At least
  ///     a millisecond.
  ///   - send: Sends an edit and returns the server's answer. It throws if there is none.
  /// The call returns when the task is cancelled, as following a feed does. An error of `send` is the
  /// item's ``Delivery/failed(why:)`` until the edit is sent; ``retry()`` sends it at once.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read or written. While it is suspended, or
  ///   busy, the call waits as after an error of `send`: an edit whose answer could not be stored is
  ///   handed to it again. ``/ListStore/Repository/resume()`` ends the wait.
  public func sendPendingEdits(
    retryingAfter seconds: ClosedRange<Double> = 1...60,
    _ send: @Sendable (Repository.PendingEdit) async throws -> EditAnswer
  ) async throws {
    // No other pause can be waited for.
    let seconds = seconds.clamped(to: 0.001...Self.longestPause / .seconds(1))
    var pause = seconds.lowerBound
    func nextPause() -> Duration {
      defer { pause = min(2 * pause, seconds.upperBound) }
      return .seconds(pause * .random(in: 1...1.5))
    }
    try await untilCancelled {
      try await handOutPendingEdits(pausing: { _ in
        let wait = nextPause()
        return { try await Task.sleep(for: wait) }
      }) { edit in
        do {
          let answer = try await send(edit)
          pause = seconds.lowerBound
          return answer
        } catch {
          try Task.checkCancellation()
          let wait = nextPause()
          try await self.pause(after: error, of: edit) { try await Task.sleep(for: wait) }
          return nil
        }
      }
    }
  }

  /// Runs a closure that ends only by an error, and returns when the task is cancelled.
  package func untilCancelled(_ body: () async throws -> Never) async throws {
    do { try await body() } catch is CancellationError where Task.isCancelled {}
  }

  /// Notes why an edit could not be sent, and waits as long as a closure does, or until ``retry()``.
  package func pause(
    after error: any Error, of edit: Repository.PendingEdit,
    _ sleep: @escaping @Sendable () async throws -> Void
  ) async throws {
    let failure = OutboxSignals.Failure(edit: edit.id, why: "\(error)")
    repository.outboxSignals.note(failure, of: id)
    try await repository.outboxSignals.pause(of: id, sleep)
  }

  /// Hands out the edits of the outbox one after another, in their order, and waits for more.
  ///
  /// - Parameters:
  ///   - whenEmpty: Called whenever no edit waits.
  ///   - pause: Makes what waits where the store is suspended, or was busy for too long; ``retry()`` and
  ///     ``/ListStore/Repository/resume()`` end it. Then an edit whose answer could not be stored is handed out again.
  ///   - send: Sends an edit and returns the server's answer. After `nil` the edit is handed out
  ///     again if it still waits. An error ends the call.
  /// - Throws: `StoreError` if the store can't be read or written, what `send` throws, and
  ///   `CancellationError` when the task is cancelled. It does not return otherwise.
  package func handOutPendingEdits(
    whenEmpty: () -> Void = {}, pausing pause: (StoreError) -> @Sendable () async throws -> Void,
    _ send: (Repository.PendingEdit) async throws -> EditAnswer?
  ) async throws -> Never {
    while true {
      do {
        // Listen first, so that no edit from here on is missed.
        let revisions = repository.revisions(of: id)
        try await handOutAll(send)
        whenEmpty()
        for await _ in revisions {
          try await handOutAll(send)
          whenEmpty()
        }
        // The Repository is kept until here, so the stream ends with the task alone.
        throw CancellationError()
      } catch let error as StoreError where [.busy, .suspended].contains(error.code) {
        try Task.checkCancellation()
        try await repository.outboxSignals.pause(of: id, pause(error))
      }
    }
  }

  private func handOutAll(
    _ send: (Repository.PendingEdit) async throws -> EditAnswer?
  ) async throws {
    while let edit = try pendingEdits().first(where: { $0.state == .waiting }) {
      try Task.checkCancellation()
      // Its answer could not be stored.
      try repository.requireWritable("send an edit of \"\(id)\"")
      let epoch = try repository.feedEpoch(of: id)
      switch try await send(edit) {
      case .accepted: try repository.accept(edit.id, sentIn: epoch, of: id)
      case .acceptedInLine(let number):
        try repository.accept(edit.id, inLine: number, sentIn: epoch, of: id)
      case .rejected(let why): try repository.reject(edit.id, of: id, why: why)
      case nil: continue
      }
      repository.outboxSignals.note(nil, of: id)
    }
  }
}
