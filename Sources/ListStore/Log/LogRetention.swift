import ListModel

/// The limits of a list's log.
///
/// The newest commits that are within all limits are kept. A reader at an earlier revision has to
/// read the list anew.
public struct LogRetention: Hashable, Sendable {
  /// The most changes; `nil` for no limit.
  public var changes: Int?
  /// The most bytes that the rows of commits take, approximately; `nil` for no limit.
  public var bytes: Int?
  /// The greatest age of a commit, in milliseconds; `nil` for no limit.
  ///
  /// The age is counted from the commit's time; for a feed, that is when the server made the
  /// commit. A commit without a time is as old as the next one that has a time.
  public var age: Int?

  /// Limits; `nil` means no limit.
  public init(changes: Int? = nil, bytes: Int? = nil, age: Int? = nil) {
    self.changes = changes
    self.bytes = bytes
    self.age = age
  }

  /// A million changes and 256 MB: enough for a long history, and little enough for any disk.
  public static let standard = LogRetention(changes: 1_000_000, bytes: 256 << 20)
}

/// The changes and bytes of all commits that a list ever had.
struct LogTotals: Hashable, Sendable {
  var changes = 0
  var bytes = 0

  /// Adds an entry and the contents that only the log keeps, without the rows of `change`.
  mutating func add(_ entry: LogEntry) {
    changes += 1
    switch entry {
    case .deleteItem(let item, _): bytes += item.state.contentByteCount
    case .updateItem(_, _, let before, let after):
      if before.content != after.content { bytes += before.contentByteCount }
    case .deleteSection(let section, _):
      bytes += section.items.reduce(0) { $0 + $1.state.contentByteCount }
    default: break
    }
  }
}

extension ItemState {
  /// About how many bytes its row of `content` takes.
  fileprivate var contentByteCount: Int { content.text.utf8.count + 12 }
}
