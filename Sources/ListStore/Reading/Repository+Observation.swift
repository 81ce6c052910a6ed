import Foundation
public import ListModel
import StoreSchema

extension Repository {
  /// The revisions of a list that this Repository commits from now on.
  ///
  /// A revision is a hint that the list has changed; ``commits(of:after:limit:)`` reads the
  /// changes. If the reader is slower than the commits, it gets only the newest revision. Commits
  /// of other processes are not reported. Deleting the list reports revision 0.
  ///
  /// - Returns: A stream that ends when the Repository is closed or deallocated.
  public func revisions(of list: ListID) -> AsyncStream<Int> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      observers.withValue { $0[id] = Observer(list: list, continuation: continuation) }
      // Afterwards, so that closing ends it in any case.
      if writer.isClosed { continuation.finish() }
      continuation.onTermination = { [weak self] _ in
        self?.observers.withValue { $0[id] = nil }
      }
    }
  }

  struct Observer {
    var list: ListID
    var continuation: AsyncStream<Int>.Continuation
  }

  /// Truncates the log if it is time, keeps the commit for readers, and reports its revision.
  func didCommit(_ commit: Commit) {
    recentCommits.add(commit)
    truncateLogNowAndThen(after: commit)
    tell(of: commit.list, at: commit.revision)
  }

  /// Reports revision 0, after lists were deleted.
  func didDelete(_ lists: Set<ListID>) { for list in lists { tell(of: list, at: 0) } }

  private func tell(of list: ListID, at revision: Int) {
    // Outside the lock, because a listener may stop listening at once, which takes the lock.
    let told = observers.withValue { observers in
      observers.values.filter { $0.list == list }.map(\.continuation)
    }
    for continuation in told { continuation.yield(revision) }
  }

  /// Ends all streams.
  func endObservation() {
    let ended = observers.withValue { observers in
      defer { observers = [:] }
      return observers.values.map(\.continuation)
    }
    for continuation in ended { continuation.finish() }
    let endedEdits = editObservers.withValue { observers in
      defer { observers = [:] }
      return observers.values.map(\.continuation)
    }
    for continuation in endedEdits { continuation.finish() }
  }
}
