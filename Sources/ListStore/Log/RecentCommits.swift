import ListModel
import StoreSchema

/// The last commits that a Repository made: its readers need not read them from the log.
final class RecentCommits: Sendable {
  private let commits = Guarded<[Commit]>([])

  /// The most bytes that are kept: contents may be large, so a number of changes is no bound.
  private static let maximumByteCount = 1 << 20

  /// Adds a commit, and forgets the oldest ones if there are too many.
  ///
  /// Commits of several threads can come in any order.
  func add(_ commit: Commit) {
    commits.withValue { commits in
      commits.append(commit)
      var bytes = 0
      let kept = commits.reversed().prefix { commit in
        bytes += commit.byteCount
        return bytes <= Self.maximumByteCount
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
  /// About how many bytes it takes, by its contents.
  fileprivate var byteCount: Int { entries.reduce(1_000) { $0 + $1.byteCount } }
}

extension LogEntry {
  fileprivate var byteCount: Int {
    switch self {
    case .insertItem(let item, _), .deleteItem(let item, _): item.state.byteCount
    case .updateItem(_, _, let before, let after): before.byteCount + after.byteCount
    case .deleteSection(let section, _):
      section.items.reduce(section.attributes.byteCount) { $0 + $1.state.byteCount }
    case .insertSection(_, let attributes, _): attributes.byteCount
    case .updateSection(_, _, let before, let after): before.byteCount + after.byteCount
    case .updateList(let before, let after):
      200 + (before?.text.utf8.count ?? 0) + (after?.text.utf8.count ?? 0)
    case .moveItem, .touchItem, .moveSection: 200
    }
  }
}

extension ItemState {
  fileprivate var byteCount: Int { 500 + content.text.utf8.count }
}

extension SectionAttributes {
  fileprivate var byteCount: Int {
    let views = supplementaryKinds.compactMap { self[$0]?.content } + decorations.map(\.content)
    return 500 + (meta?.text.utf8.count ?? 0) + views.reduce(0) { $0 + 200 + $1.text.utf8.count }
  }
}
