import ListModel

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
