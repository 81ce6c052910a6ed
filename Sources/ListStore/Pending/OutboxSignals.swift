import Foundation
package import ListModel
import StoreFiles

/// What the senders of outboxes and the screens of their lists tell each other within a process: why
/// an edit could not be sent, and that it is to be sent now.
///
/// Nothing of it is stored: the next launch sends what waits anyway.
package final class OutboxSignals: Sendable {
  /// An edit that could not be sent.
  package struct Failure: Hashable, Sendable {
    /// The edit.
    package let edit: Repository.PendingEdit.ID
    /// The error, for a person.
    package let why: String

    /// An edit that could not be sent.
    package init(edit: Repository.PendingEdit.ID, why: String) {
      self.edit = edit
      self.why = why
    }
  }

  private enum Role { case screen, sender }

  private struct Listener {
    var list: ListID
    var role: Role
    var continuation: AsyncStream<Void>.Continuation
  }

  private struct State {
    /// A sender sends one edit after another: at most one of a list has failed.
    var failures: [ListID: Failure] = [:]
    var listeners: [UUID: Listener] = [:]
  }

  private let state = Guarded(State())

  init() {}

  /// The edit of a list that could not be sent; `nil` for none.
  package func failure(of list: ListID) -> Failure? { state.withValue { $0.failures[list] } }

  /// Notes whether the latest edit of a list could be sent.
  ///
  /// `failure`: `nil` if it was.
  package func note(_ failure: Failure?, of list: ListID) {
    let isNew = state.withValue { state in
      defer { state.failures[list] = failure }
      return state.failures[list] != failure
    }
    if isNew { signal(.screen, of: list) }
  }

  /// Notes that edits of a list have got further without a commit.
  func noteProgress(of list: ListID) { signal(.screen, of: list) }

  /// Tells of each new failure of a list and of its end, and of edits that got further without a commit.
  package func changes(of list: ListID) -> AsyncStream<Void> { stream(.screen, of: list) }

  /// Ends the pauses of senders: those of a list, or all.
  package func retry(_ list: ListID? = nil) { signal(.sender, of: list) }

  /// Waits as long as a closure does, or until ``retry(_:)``.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, and what the closure throws.
  package func pause(
    of list: ListID, _ sleep: @escaping @Sendable () async throws -> Void
  ) async throws {
    let retries = stream(.sender, of: list)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await sleep() }
      group.addTask { for await _ in retries { return } }
      try await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  private func stream(_ role: Role, of list: ListID) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      let listener = Listener(list: list, role: role, continuation: continuation)
      state.withValue { $0.listeners[id] = listener }
      continuation.onTermination = { [weak self] _ in
        self?.state.withValue { $0.listeners[id] = nil }
      }
    }
  }

  private func signal(_ role: Role, of list: ListID?) {
    let found = state.withValue {
      $0.listeners.values.filter { (list == nil || $0.list == list) && $0.role == role }
    }
    for listener in found { listener.continuation.yield() }
  }
}
