import ListModel

extension LogCompiler {
  /// The net change of log entries.
  ///
  /// - Parameters:
  ///   - entries: The log.
  ///   - before: How many items each section held.
  ///   - findsNeighbours: Whether to list the items whose neighbours changed.
  /// - Returns: The fewest operations, not yet in stages.
  /// - Throws: ``Mismatch`` if an entry names a place that the list does not have.
  static func netChange(
    of entries: [[LogEntry]], before: SectionCounts, findsNeighbours: Bool
  ) throws(Mismatch) -> NetChange {
    var compiler = LogCompiler(before: before, expecting: entries.reduce(0) { $0 + $1.count })
    for chunk in entries { try compiler.replay(chunk) }
    compiler.matchReturned()
    var writer = NetChangeWriter(consume compiler, findsNeighbours: findsNeighbours)
    return writer.netChange()
  }

  // MARK: States

  /// How an item's states before and after differ, for a view.
  enum Difference {
    case none
    /// The cell is the same; the content, the type or the action differs.
    case content
    case cell

    init(from before: ItemState, to after: ItemState) {
      if before.cell != after.cell {
        self = .cell
      } else {
        self = before.isEquivalent(to: after) ? .none : .content
      }
    }
  }

  func difference(of node: Node) -> Difference {
    if node.lastUpdate < 0 { return .none }
    if node.hasNewContent, node.firstUpdate == node.lastUpdate { return .content }
    guard let before = stateBefore(node), let after = stateAfter(node) else { return .none }
    return Difference(from: before, to: after)
  }

  private func stateBefore(_ node: Node) -> ItemState? {
    switch entry(node.firstUpdate >= 0 ? node.firstUpdate : node.deletion) {
    case .updateItem(_, _, let before, _): before
    case .deleteItem(let item, _): item.state
    case .deleteSection(let section, _) where section.items.indices.contains(node.deletedIndex):
      section.items[node.deletedIndex].state
    default: nil
    }
  }

  private func stateAfter(_ node: Node) -> ItemState? {
    switch entry(node.lastUpdate) {
    case .updateItem(_, _, _, let after): after
    case .insertItem(let item, _): item.state
    default: nil
    }
  }

  /// Whether a view draws a section differently after the log.
  func looksDifferent(_ section: TouchedSection) -> Bool {
    guard section.firstUpdate >= 0,
      case .updateSection(_, _, let before, _) = entry(section.firstUpdate),
      case .updateSection(_, _, _, let after) = entry(section.lastUpdate)
    else { return false }
    return !before.looksTheSame(as: after)
  }

  /// The visibility that the log gives a section; `nil` if no entry sets it.
  func visibility(of section: TouchedSection) -> SectionAttributes.Visibility? {
    let last = max(section.lastUpdate, section.insertion)
    guard last >= 0 else { return nil }
    return switch entry(last) {
    case .updateSection(_, _, _, let after): after.visibility
    case .insertSection(_, let attributes, _): attributes.visibility
    default: nil
    }
  }
}
