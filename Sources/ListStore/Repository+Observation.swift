import Foundation
public import ListModel

extension Repository {
  /// The revisions that a list comes to by commits of this Repository, from now on.
  ///
  /// A hint that there is something new: who is slower than the commits sees the last one alone, and
  /// other processes' commits are not told of. What changed, ``commits(of:after:limit:)`` says.
  ///
  /// - Returns: A stream that ends when the Repository goes.
  public func revisions(of list: ListID) -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      observers.withValue { $0[id] = Observer(list: list, continuation: continuation) }
      continuation.onTermination = { [weak self] _ in
        self?.observers.withValue { $0[id] = nil }
      }
    }
  }

  struct Observer {
    var list: ListID
    var continuation: AsyncStream<Int>.Continuation
  }

  /// What follows a commit that is in the store.
  func didCommit(_ commit: Commit) {
    truncateLogNowAndThen(after: commit)
    // Called outside the lock: whoever is told may stop listening at once.
    let told = observers.withValue { observers in
      observers.values.filter { $0.list == commit.list }.map(\.continuation)
    }
    for continuation in told { continuation.yield(commit.revision) }
  }

  /// Ends all streams.
  func endObservation() {
    let ended = observers.withValue { observers in
      defer { observers = [:] }
      return observers.values.map(\.continuation)
    }
    for continuation in ended { continuation.finish() }
  }
}
