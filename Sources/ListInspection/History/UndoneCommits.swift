import ListModel
import ListStore
import ListTables

/// Finds commits that take back an earlier one: whose changes are those of the earlier one,
/// reversed.
///
/// Places and content revisions are not compared, because others may have changed meanwhile.
struct UndoneCommits {
  /// The later revision that takes back a revision.
  private(set) var undoneBy: [Int: Int] = [:]
  /// The earlier revision that a revision takes back.
  private(set) var undoes: [Int: Int] = [:]
  /// The commits that take back nothing as yet, by what they do without contents.
  private var later: [Int: Later] = [:]

  /// Commits that do the same, but for contents.
  private struct Later {
    /// Those whose contents were not read.
    var unread: [LoggedCommit] = []
    /// The others, by what they do.
    var known: [Int: [Int]] = [:]

    /// Removes the nearest one that does something.
    mutating func remove(
      _ sum: Int, reading read: (LoggedCommit) -> [LogEntry]
    ) -> Int? {
      for commit in unread {
        if let own = UndoneCommits.sum(read(commit)) {
          known[own, default: []].append(commit.revision)
        }
      }
      unread = []
      return known[sum]?.popLast()
    }
  }

  /// Takes the next earlier commit.
  ///
  /// - Parameters:
  ///   - entries: Its changes, whose items need no contents.
  ///   - commit: Its row.
  ///   - read: Reads the changes of a commit with contents, which is done only where one may take
  ///     back another.
  mutating func note(
    _ entries: [LogEntry], of commit: LoggedCommit,
    reading read: (LoggedCommit) -> [LogEntry]
  ) {
    guard let inverse = Self.sum(entries, isInverse: true), let own = Self.sum(entries) else {
      return
    }
    if later[inverse] != nil, let wanted = Self.sum(read(commit), isInverse: true),
      let other = later[inverse]?.remove(wanted, reading: read)
    {
      undoneBy[commit.revision] = other
      undoes[other] = commit.revision
    }
    later[own, default: Later()].unread.append(commit)
  }

  /// A hash of what changes do, in any order; `nil` if they do nothing.
  private static func sum(_ entries: [LogEntry], isInverse: Bool = false) -> Int? {
    var sum = 0
    var isEmpty = true
    for entry in entries {
      for part in isInverse ? entry.inverse.flatMap(\.split) : entry.split {
        if case .touchItem = part { continue }
        isEmpty = false
        var hasher = Hasher()
        part.withoutPlace.hash(into: &hasher)
        sum &+= hasher.finalize()
      }
    }
    return isEmpty ? nil : sum
  }
}

extension LogEntry {
  /// A deleted section as its parts: its items, then the section.
  fileprivate var split: [LogEntry] {
    guard case .deleteSection(let section, let index) = self, !section.items.isEmpty else {
      return [self]
    }
    return section.items.map { .deleteItem($0, at: ItemPath(section: index, item: 0)) }
      + [.deleteSection(.init(id: section.id, attributes: section.attributes), at: index)]
  }

  /// The change without places and content revisions.
  fileprivate var withoutPlace: LogEntry {
    let path = ItemPath(section: 0, item: 0)
    return switch self {
    case .updateList: self
    case .insertSection(let id, let attributes, _): .insertSection(id, attributes, at: 0)
    case .deleteSection(let section, _): .deleteSection(section, at: 0)
    case .moveSection(let id, _, _): .moveSection(id, from: 0, to: 0)
    case .updateSection(let id, _, let before, let after):
      .updateSection(id, at: 0, before: before, after: after)
    case .insertItem(let item, _): .insertItem(item.withoutRevision, at: path)
    case .deleteItem(let item, _): .deleteItem(item.withoutRevision, at: path)
    case .moveItem(let id, _, _): .moveItem(id, from: path, to: path)
    case .updateItem(let id, _, let before, let after):
      .updateItem(
        id, at: path, before: before.withoutRevision, after: after.withoutRevision)
    case .touchItem(let id, _): .touchItem(id, at: path)
    }
  }
}

extension ItemState {
  fileprivate var withoutRevision: ItemState {
    var state = self
    state.contentRevision = 0
    return state
  }
}

extension Item {
  fileprivate var withoutRevision: Item { Item(id: id, state: state.withoutRevision) }
}
