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

  /// Makes an item that was deleted and inserted again one node: it moved.
  private mutating func matchReturned() {
    // Most logs have no such item: nothing is hashed unless there are deleted and inserted items.
    var deletedCount = 0
    var hasInserted = false
    for node in nodes {
      if node.origin < 0 {
        if node.isAlive { hasInserted = true }
      } else if !node.isAlive, touched[node.origin].isAlive {
        deletedCount += 1
      }
    }
    guard deletedCount > 0, hasInserted else { return }
    var deleted = [ItemID: Int](minimumCapacity: deletedCount)
    // Items that were inserted, touched and deleted in between: the view has not drawn them again.
    var redrawn: Set<ItemID> = []
    for (number, node) in nodes.enumerated() where !node.isAlive {
      if node.origin < 0 {
        if node.isTouched, let id = insertedID(of: node) { redrawn.insert(id) }
      } else if touched[node.origin].isAlive, let id = deletedID(of: node) {
        deleted[id] = number
      }
    }
    for number in nodes.indices where nodes[number].origin < 0 && nodes[number].isAlive {
      guard let id = insertedID(of: nodes[number]), let before = deleted[id] else { continue }
      let insertion = nodes[number].old
      nodes[number].origin = nodes[before].origin
      nodes[number].old = nodes[before].old
      if nodes[before].isTouched || redrawn.contains(id) { nodes[number].isTouched = true }
      nodes[number].deletion = nodes[before].deletion
      nodes[number].deletedIndex = nodes[before].deletedIndex
      if nodes[number].lastUpdate < 0 { nodes[number].lastUpdate = insertion }
      nodes[number].firstUpdate = nodes[before].firstUpdate
      // The earlier node is no longer among the deleted ones.
      nodes[before].origin = -1
    }
  }

  private func insertedID(of node: Node) -> ItemID? {
    withEntry(node.old) { entry in
      if case .insertItem(let item, _) = entry { item.id } else { nil }
    }
  }

  private func deletedID(of node: Node) -> ItemID? {
    withEntry(node.deletion) { entry in
      switch entry {
      case .deleteItem(let item, _): item.id
      case .deleteSection(let section, _) where section.items.indices.contains(node.deletedIndex):
        section.items[node.deletedIndex].id
      default: nil
      }
    }
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
    if node.firstUpdate == node.lastUpdate {
      return withEntry(node.lastUpdate) { entry in
        guard case .updateItem(_, _, let before, let after) = entry else { return .none }
        // The contents were compared when the change was made: a new revision means new content.
        if before.contentRevision != after.contentRevision, before.cell == after.cell {
          return .content
        }
        return Difference(from: before, to: after)
      }
    }
    return withStateBefore(node) { before in
      withEntry(node.lastUpdate) { entry in
        switch entry {
        case .updateItem(_, _, _, let after): Difference(from: before, to: after)
        case .insertItem(let item, _): Difference(from: before, to: item.state)
        default: .none
        }
      }
    }
  }

  private func withStateBefore(
    _ node: Node, _ body: (ItemState) -> Difference
  ) -> Difference {
    withEntry(node.firstUpdate >= 0 ? node.firstUpdate : node.deletion) { entry in
      switch entry {
      case .updateItem(_, _, let before, _): body(before)
      case .deleteItem(let item, _): body(item.state)
      case .deleteSection(let section, _) where section.items.indices.contains(node.deletedIndex):
        body(section.items[node.deletedIndex].state)
      default: .none
      }
    }
  }

  /// Whether a view draws a section differently after the log.
  func looksDifferent(_ section: TouchedSection) -> Bool {
    guard section.firstUpdate >= 0 else { return false }
    return withEntry(section.firstUpdate) { first in
      withEntry(section.lastUpdate) { last in
        guard case .updateSection(_, _, let before, _) = first,
          case .updateSection(_, _, _, let after) = last
        else { return false }
        return !before.looksTheSame(as: after)
      }
    }
  }

  /// The visibility that the log gives a section; `nil` if no entry sets it.
  func visibility(of section: TouchedSection) -> SectionAttributes.Visibility? {
    let last = max(section.lastUpdate, section.insertion)
    guard last >= 0 else { return nil }
    return withEntry(last) { entry in
      switch entry {
      case .updateSection(_, _, _, let after): after.visibility
      case .insertSection(_, let attributes, _): attributes.visibility
      default: nil
      }
    }
  }
}
