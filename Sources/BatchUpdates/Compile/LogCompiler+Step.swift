import ListModel

extension LogCompiler {
  /// What the replay needs of an entry: numbers alone.
  ///
  /// Replaying entries themselves would retain and release each of them.
  enum Step {
    case updateList
    case insertSection(at: Int)
    case deleteSection(at: Int)
    case moveSection(from: Int, to: Int)
    case updateSection(at: Int)
    case insertItem(at: ItemPath)
    case deleteItem(at: ItemPath)
    case moveItem(from: ItemPath, to: ItemPath)
    /// `hasNewContent`: Whether the content changed and the cell did not.
    case updateItem(at: ItemPath, hasNewContent: Bool)
    case touchItem(at: ItemPath)

    @inline(__always)
    init(_ entry: LogEntry) {
      switch entry {
      case .updateList: self = .updateList
      case .insertSection(_, _, let index): self = .insertSection(at: index)
      case .deleteSection(_, let index): self = .deleteSection(at: index)
      case .moveSection(_, let from, let to): self = .moveSection(from: from, to: to)
      case .updateSection(_, let index, _, _): self = .updateSection(at: index)
      case .insertItem(_, let path): self = .insertItem(at: path)
      case .deleteItem(_, let path): self = .deleteItem(at: path)
      case .moveItem(_, let from, let to): self = .moveItem(from: from, to: to)
      case .updateItem(_, let path, let before, let after):
        // Read here, where the entry is in the cache; most items are updated once. The contents
        // were compared when the change was made: a new revision means new content.
        self = .updateItem(
          at: path,
          hasNewContent: before.contentRevision != after.contentRevision
            && before.cell == after.cell)
      case .touchItem(_, let path): self = .touchItem(at: path)
      }
    }
  }
}
