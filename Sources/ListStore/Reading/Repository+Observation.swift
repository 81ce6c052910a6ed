import Foundation
package import ListModel
import StoreFiles

extension Repository {
  /// The revisions of a list that are committed from now on, by this Repository and by others: see
  /// ``Options/otherProcesses``.
  ///
  /// A slow reader gets only the newest one. 0 says that the list was deleted, or that the store can't
  /// be read any more.
  ///
  /// - Returns: A stream that ends when the Repository is closed or deallocated.
  package func revisions(of list: ListID) -> AsyncStream<Int> {
    let head = observers.watchOthers ? knownHead(of: list) : nil
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      if writer.isClosed { return continuation.finish() }
      observers.add(continuation, of: list, at: head)
      // Once more, so that closing meanwhile ends it in any case.
      if writer.isClosed { continuation.finish() }
    }
  }

  /// The head of a list: as a Provider that is open reads it, whose connection is open already, or
  /// else as it is now.
  ///
  /// If the list is further by now, the watch finds that.
  private func knownHead(of list: ListID) -> ListHead? {
    let heads = readers.live().filter(\.snapshot.isPinned).compactMap { live in
      try? live.snapshot.read { db, _ in try ListHead(list, in: db) }
    }
    return heads.max { $0.revision < $1.revision }
      ?? (try? read("read \"\(list)\"") { try ListHead(list, in: $0) })
  }

  /// Has the log truncated if it is time, keeps the commit for readers, and reports its revision.
  func didCommit(_ commit: Commit) {
    recentCommits.add(commit)
    scheduleTruncation(after: commit)
    observers.notify(of: commit.list, at: ListHead(after: commit))
    SystemSignals.post(filePath)
    for derived in commit.derived { didCommit(derived.commit) }
  }

  /// Reports revision 0, after lists were deleted.
  func didDelete(_ lists: Set<ListID>) {
    for list in lists { observers.notify(of: list, at: ListHead()) }
    SystemSignals.post(filePath)
  }

  /// Ends all streams.
  func endObservation() {
    observers.removeAll()
    let ended = editObservers.withValue { observers in
      defer { observers = [:] }
      return observers.values.map(\.continuation)
    }
    for continuation in ended { continuation.finish() }
  }
}
