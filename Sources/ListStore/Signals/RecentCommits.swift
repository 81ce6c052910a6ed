import ListModel
import StoreFiles

/// The last commits that a Repository made: its readers need not read them from the log.
final class RecentCommits: Sendable {
  private let kept = Guarded(Kept())

  private struct Kept {
    /// The heads before and after things were erased, by their list.
    var erased: [ListID: (revision: Int, former: UInt64, chain: UInt64)] = [:]
    /// In the order in which they came; those of several threads can come in any order.
    var commits: [(commit: Commit, byteCount: Int)] = []
    var byteCount = 0
  }

  /// The most that is kept: contents may be large, and commits may be many.
  private static let maximumByteCount = 1 << 20
  private static let maximumCommitCount = 256

  /// Adds a commit.
  ///
  /// If they are too many, the older half of them is forgotten, so that a commit costs the same
  /// however many are kept.
  func add(_ commit: Commit) {
    let byteCount = commit.byteCount
    kept.withValue { kept in
      kept.commits.append((commit, byteCount))
      kept.byteCount += byteCount
      while kept.byteCount > Self.maximumByteCount || kept.commits.count > Self.maximumCommitCount {
        let forgotten = kept.commits.prefix((kept.commits.count + 1) / 2)
        kept.byteCount -= forgotten.reduce(0) { $0 + $1.byteCount }
        kept.commits.removeFirst(forgotten.count)
      }
    }
  }

  /// Forgets the commits of a list, because some of what they hold was erased.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: Its revision before.
  ///   - former: The chain hash that this revision had.
  ///   - chain: The one that it has now.
  func forget(_ list: ListID, at revision: Int, formerly former: UInt64, now chain: UInt64) {
    kept.withValue { kept in
      kept.commits.removeAll { $0.commit.list == list }
      kept.byteCount = kept.commits.reduce(0) { $0 + $1.byteCount }
      kept.erased[list] = (revision, former, chain)
    }
  }

  /// The chain hash that a reader's revision has now: another one if it is the last before something
  /// was erased.
  func chain(of list: ListID, at revision: Int, formerly former: UInt64) -> UInt64 {
    guard let erased = kept.withValue({ $0.erased[list] }),
      (erased.revision, erased.former) == (revision, former)
    else { return former }
    return erased.chain
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
    let count = head - revision
    let found = kept.withValue { kept -> [Commit] in
      guard count <= kept.commits.count else { return [] }
      var found: [Commit] = []
      // From the newest on: readers are rarely far behind.
      for (commit, _) in kept.commits.reversed() where found.count < count {
        if (revision + 1...head).contains(commit.revision), commit.list == list {
          found.append(commit)
        }
      }
      return found
    }.sorted { $0.revision < $1.revision }
    guard found.count == count, found.last?.proof?.chain == chain,
      zip(found, revision + 1...head).allSatisfy({ $0.revision == $1 })
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
