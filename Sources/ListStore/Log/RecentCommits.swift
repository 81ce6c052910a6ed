import ListModel
import StoreSchema

/// The last commits that a Repository made: its readers need not read them from the log.
final class RecentCommits: Sendable {
  private let commits = Guarded<[Commit]>([])

  /// How many changes are kept; the items of a deleted section count, too.
  static let maximumChangeCount = 1_000

  /// Adds a commit, and forgets the oldest ones if there are too many.
  ///
  /// Commits of several threads can come in any order.
  func add(_ commit: Commit) {
    commits.withValue { commits in
      commits.append(commit)
      var count = 0
      let kept = commits.reversed().prefix { commit in
        count += commit.storedChangeCount
        return count <= Self.maximumChangeCount
      }
      commits.removeFirst(commits.count - kept.count)
    }
  }

  /// The commits of a list from a reader's revision to the newest one.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The reader's.
  ///   - head: The list's.
  ///   - chain: The chain hash that the store has at `head`. With another hash the store's commits
  ///     are others, for instance because the file was replaced.
  /// - Returns: `nil` if one of them is not here.
  func commits(
    of list: ListID, after revision: Int, to head: Int, chain: UInt64
  ) -> [Commit]? {
    let found = commits.withValue { commits in
      commits.filter { $0.list == list && (revision + 1...head).contains($0.revision) }
    }.sorted { $0.revision < $1.revision }
    guard found.map(\.revision) == Array(revision + 1...head), found.last?.proof?.chain == chain
    else { return nil }
    return found
  }
}

extension Commit {
  /// How many changes and items it holds.
  fileprivate var storedChangeCount: Int {
    entries.reduce(1) { count, entry in
      if case .deleteSection(let section, _) = entry { return count + 1 + section.items.count }
      return count + 1
    }
  }
}
