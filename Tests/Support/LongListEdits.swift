package import ListModel

/// Makes random edits of a list that may be long, and makes them in a tree of its own.
///
/// Items are picked by their path, and the log entry that an edit must come to is written down
/// here: nothing is looked up, so an edit costs no more than inserting into an array, and whoever
/// makes the same edit is compared with what was wanted, not with what another one found.
package struct LongListEdits {
  /// The list with all edits made so far.
  package private(set) var tree: ListTree
  private var generator: SeededGenerator
  private var insertedCount = 0
  private var burst: Burst?

  /// Edits of one kind, one after another, at one spot.
  private struct Burst {
    enum Kind: CaseIterable { case insertsAfterOne, insertsAtFront, deletions, movesToFront }
    var kind: Kind
    var rest: Int
    var section: Int
    var item: Int
  }

  /// The edits of one commit.
  package struct Edits {
    package var changes: [Change] = []
    /// What they must come to.
    package var entries: [LogEntry] = []
  }

  /// - Parameters:
  ///   - tree: The list to begin with; it has sections, and no item of its has an id with `~`.
  ///   - seed: Of the edits.
  package init(_ tree: ListTree, seed: UInt64) {
    self.tree = tree
    generator = SeededGenerator(seed: seed)
  }

  /// Makes edits and counts them as one commit.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - growth: How many of 100 insert or delete; of these, how many insert.
  ///   - longestBurst: Edits that come one after another at one spot, at most.
  /// - Returns: The edits.
  /// - Throws: ``ChangeError`` if the tree and an edit disagree.
  package mutating func commit(
    _ count: Int, growth: (of: Int, inserts: Int) = (60, 55), longestBurst: Int = 200
  ) throws(ChangeError) -> Edits {
    var edits = Edits()
    while edits.changes.count < count {
      if burst == nil, generator.number(0..<1_000) < 5 { startBurst(longestBurst) }
      guard let (change, entry) = burst == nil ? edit(growth) : burstEdit() else {
        burst = nil
        continue
      }
      try tree.apply(entry)
      edits.changes.append(change)
      edits.entries.append(entry)
    }
    tree.revision += 1
    return edits
  }

  // MARK: Kinds

  private mutating func edit(_ growth: (of: Int, inserts: Int)) -> (Change, LogEntry)? {
    if generator.percent(growth.of) {
      guard generator.percent(growth.inserts) else {
        return anyItem().map { deletion(at: $0) }
      }
      let section = anySection()
      return insertion(
        in: section, at: generator.number(0..<(tree.sections[section].items.count + 1)))
    }
    switch generator.number(0..<100) {
    case 0..<55:
      guard let from = anyItem() else { return nil }
      let section = generator.percent(50) ? from.section : anySection()
      let count = tree.sections[section].items.count - (section == from.section ? 1 : 0)
      return move(
        from, to: ItemPath(section: section, item: generator.number(0..<(count + 1))))
    case 55..<90: return anyItem().map { update(at: $0) }
    case 90..<97:
      return anyItem().map { path in
        let item = tree.sections[path.section].items[path.item].id
        return (.touchItem(item), .touchItem(item, at: path))
      }
    default:
      let (from, to) = (
        generator.number(0..<tree.sections.count), generator.number(0..<tree.sections.count)
      )
      let section = tree.sections[from].id
      return (
        .moveSection(section, to: .index(to)), .moveSection(section, from: from, to: to)
      )
    }
  }

  private mutating func startBurst(_ longest: Int) {
    guard let kind = Burst.Kind.allCases.randomElement(using: &generator), let path = anyItem()
    else { return }
    burst = Burst(
      kind: kind, rest: generator.number(2..<(longest + 1)), section: path.section,
      item: path.item)
  }

  /// - Returns: `nil` if the burst is over.
  private mutating func burstEdit() -> (Change, LogEntry)? {
    guard let now = burst, now.rest > 0 else { return nil }
    burst?.rest -= 1
    let count = tree.sections[now.section].items.count
    let path = ItemPath(section: now.section, item: now.item)
    switch now.kind {
    case .insertsAfterOne:
      return now.item < count ? insertion(in: now.section, at: now.item + 1) : nil
    case .insertsAtFront: return insertion(in: now.section, at: 0)
    case .deletions: return now.item < count ? deletion(at: path) : nil
    case .movesToFront:
      guard now.item < count else { return nil }
      return move(path, to: ItemPath(section: now.section, item: 0))
    }
  }

  // MARK: Edits

  private mutating func insertion(in section: Int, at index: Int) -> (Change, LogEntry) {
    insertedCount += 1
    let item = Item(
      id: ItemID(stringLiteral: "~\(insertedCount)"), cell: insertedCount % 7 == 0 ? "B" : "A",
      content: JSON(stringLiteral: "\(insertedCount)"))
    let place = place(of: index, in: section, leaving: nil)
    return (
      .insertItem(item, in: tree.sections[section].id, at: place),
      .insertItem(item, at: ItemPath(section: section, item: index))
    )
  }

  private func deletion(at path: ItemPath) -> (Change, LogEntry) {
    let item = tree.sections[path.section].items[path.item]
    return (.deleteItem(item.id), .deleteItem(item, at: path))
  }

  private mutating func move(_ from: ItemPath, to: ItemPath) -> (Change, LogEntry) {
    let item = tree.sections[from.section].items[from.item].id
    let stays = from.section == to.section
    let place = place(of: to.item, in: to.section, leaving: stays ? from.item : nil)
    let target = stays && generator.percent(50) ? nil : tree.sections[to.section].id
    return (.moveItem(item, in: target, to: place), .moveItem(item, from: from, to: to))
  }

  private mutating func update(at path: ItemPath) -> (Change, LogEntry) {
    let item = tree.sections[path.section].items[path.item]
    var after = item.state
    var update = ItemUpdate()
    // Never what it was: its own revision is in it.
    after.content = JSON(stringLiteral: "[\(after.contentRevision),\(tree.revision)]")
    update.content = .set(after.content)
    if generator.percent(30) {
      after.cell = generator.percent(50) ? "A" : "C"
      update.cell = .set(after.cell)
    }
    after.contentRevision += 1
    return (
      .updateItem(item.id, update),
      .updateItem(item.id, at: path, before: item.state, after: after)
    )
  }

  // MARK: Places

  /// Any section half of the time, else one by the number of its items.
  private mutating func anySection() -> Int {
    if generator.percent(50) { return generator.number(0..<tree.sections.count) }
    return anyItem()?.section ?? 0
  }

  private mutating func anyItem() -> ItemPath? {
    let counts = tree.itemCounts
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    var item = generator.number(0..<total)
    // Short sections get their share.
    if generator.percent(30) {
      let section = generator.number(0..<counts.count)
      if counts[section] > 0 {
        return ItemPath(section: section, item: item % counts[section])
      }
    }
    for (section, count) in counts.enumerated() {
      if item < count { return ItemPath(section: section, item: item) }
      item -= count
    }
    return nil
  }

  /// One of the ways to name a place.
  ///
  /// - Parameters:
  ///   - index: Counts without the item at `leaving`.
  ///   - section: The section's index.
  ///   - leaving: The index of the item that moves inside the section.
  /// - Returns: The place.
  private mutating func place(of index: Int, in section: Int, leaving: Int?) -> Place<ItemID> {
    let items = tree.sections[section].items
    let count = items.count - (leaving == nil ? 0 : 1)
    func sibling(_ index: Int) -> ItemID {
      if let leaving, index >= leaving { return items[index + 1].id }
      return items[index].id
    }
    if index == 0, generator.percent(50) { return .start }
    if index == count, generator.percent(50) { return .end }
    switch generator.number(0..<3) {
    case 0 where index > 0: return .after(sibling(index - 1))
    case 1 where index < count: return .before(sibling(index))
    default: return .index(index)
    }
  }
}
