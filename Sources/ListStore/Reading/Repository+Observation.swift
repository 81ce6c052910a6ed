import Foundation
public import ListModel
import StoreSchema

extension Repository {
  /// The revisions that a list comes to by commits of this Repository, from now on.
  ///
  /// A hint that there is something new: who is slower than the commits sees the last one alone, and
  /// other processes' commits are not told of. What changed, ``commits(of:after:limit:)`` says.
  ///
  /// A list that is deleted is at revision 0.
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
    tell(of: commit.list, at: commit.revision)
  }

  /// What follows when lists were deleted: they are at revision 0.
  func didDelete(_ lists: Set<ListID>) { for list in lists { tell(of: list, at: 0) } }

  private func tell(of list: ListID, at revision: Int) {
    // Called outside the lock: whoever is told may stop listening at once.
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
  }
}
