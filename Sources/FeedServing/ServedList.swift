import BatchUpdates
public import ListModel
import ListSync
import Providers

/// A list as its server has it: in memory, at the last line of its log.
///
/// It checks lines and edits as each client's store does, so that no line reaches the log that a
/// client could not apply. Lines that were taken can be taken back until ``settle()``: whoever writes
/// the log learns later whether it has them.
///
/// A value of its own copies what it changes: keep one, and pass it `inout`.
public struct ServedList: Sendable {
  /// The list's id.
  public let id: ListID
  /// The last line; `nil` before the first one.
  public private(set) var position: LinePosition?
  private var list: Provider
  /// What takes back the lines since the last ``settle()``.
  private var unsettled: [LogEntry] = []
  private var settled: LinePosition?
  /// What a copy of the list in a store lacks.
  private var unkept: UnkeptChanges?
  /// At least as many bytes as a snapshot has; `nil` for a list of which nothing is known.
  private var mostSnapshotBytes: Int?

  /// A list before its first line.
  public init(_ id: ListID) {
    self.init(ListTree(list: id), at: nil)
    mostSnapshotBytes = 6 * id.rawValue.utf8.count + 200
  }

  /// A list at a line.
  init(_ tree: ListTree, at position: LinePosition?) {
    id = tree.list
    var tree = tree
    tree.revision = 0
    list = Provider(tree)
    self.position = position
    settled = position
  }

  /// How many items it has.
  public var itemCount: Int { list.numberOfItems }

  /// The list as plain arrays; its revision is the number of the last line.
  ///
  /// - Complexity: O(*n*), *n* items.
  public var tree: ListTree {
    var tree = list.tree
    tree.revision = position?.sequence ?? 0
    return tree
  }

  // MARK: Lines

  /// Applies the next line of the log.
  ///
  /// - Throws: `StoreError` with `feedGap` or the error of an operation that does not fit; the list is
  ///   then as it was.
  /// - Complexity: O(*k* log *n*), *k* operations; for a snapshot O(*n*).
  public mutating func apply(_ line: ServedLine) throws(StoreError) {
    let expected = (position?.sequence ?? 0) + 1
    let number = line.position.sequence
    guard line.list == id, line.isSnapshot ? number >= expected : number == expected else {
      throw StoreError(
        .feedGap,
        "list \"\(id)\" expects seq \(expected), but the line has \(number) of \"\(line.list)\"")
    }
    switch line.content {
    case .commit(let changes):
      let made: [Change]
      do throws(EditRefusal) {
        made = try make(changes.map { EditedChange($0) }, settles: false)
      } catch {
        throw StoreError(.malformedFeed, "list \"\(id)\", seq \(number): \(error.why)")
      }
      note(made)
      mostSnapshotBytes? += line.text.count
    case .snapshot(let sections, let meta):
      var tree = ListTree(list: id, revision: list.revision, meta: list.meta, sections: sections)
      meta.apply(to: &tree.meta)
      list = Provider(tree)
      // What was before can't be taken back any more.
      unsettled = []
      settled = line.position
      unkept = .all
      mostSnapshotBytes = line.text.count
    case .reset, .rejection: return
    }
    position = line.position
  }

  /// Takes the position of the line that a snapshot stands for: the log goes on from that line.
  public mutating func move(to position: LinePosition) {
    self.position = position
    settled = position
  }

  /// Makes an edit, and writes its line.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - author: Who made it.
  ///   - time: The time of the commit, in milliseconds since 1970.
  ///   - settles: Whether a place whose neighbour is gone becomes the index that it had, and what is
  ///     gone need not be deleted: for an edit that was made while others were.
  /// - Returns: The line, which is the list's last now.
  /// - Throws: ``EditRefusal`` if an operation does not fit; the list is then as it was.
  /// - Complexity: O(*k* log *n*), *k* operations.
  public mutating func take(
    _ edit: SentEdit, by author: Author, at time: Int, settles: Bool = true
  ) throws(EditRefusal) -> ServedLine {
    let number = try nextNumber()
    let changes = try make(edit.changes, settles: settles)
    do throws(EditRefusal) {
      let line = try line(number, changes, edit: edit.id, by: author, at: time)
      try requireSnapshot(after: changes, line)
      note(changes)
      position = line.position
      return line
    } catch {
      takeBack(changes.count)
      throw error
    }
  }

  /// Makes the list equal to a tree, by one commit of what differs.
  ///
  /// - Returns: The line; `nil` if nothing differs. A difference that is longer than a line may be
  ///   becomes a snapshot.
  /// - Throws: ``EditRefusal`` if the tree does not fit into a line, or holds a gap.
  /// - Complexity: O(*n* log *n*), *n* items in both.
  public mutating func replace(
    with tree: ListTree, by author: Author, at time: Int
  ) throws(EditRefusal) -> ServedLine? {
    let changes = list.tree.changes(to: tree.sections, meta: .set(tree.meta))
    if changes.isEmpty { return nil }
    let number = try nextNumber()
    if changes.count <= SentEdit.maximumChangeCount {
      let made = try make(changes.map { EditedChange($0) }, settles: false)
      do throws(EditRefusal) {
        let line = try line(number, made, edit: nil, by: author, at: time)
        try requireSnapshot(after: made, line)
        note(made)
        position = line.position
        return line
      } catch { takeBack(made.count) }
    }
    guard !tree.sections.contains(where: { $0.items.contains { $0.state.isGap } }) else {
      throw Self.gapRefusal
    }
    let line = try Self.snapshot(tree, number, by: author, at: time)
    do { try apply(line) } catch { throw EditRefusal(why: error.message) }
    return line
  }

  /// The whole list as a line of its last number.
  ///
  /// Two servers that have the same log make the same line.
  ///
  /// - Returns: `nil` before the first line.
  /// - Throws: ``EditRefusal`` if it would be longer than a line may be.
  /// - Complexity: O(*n*), *n* bytes.
  public func snapshot() throws(EditRefusal) -> ServedLine? {
    guard let position else { return nil }
    return try Self.snapshot(list.tree, position.sequence, by: nil, at: nil)
  }

  /// Refuses changes after which no line could hold the list: nobody could get it as a whole any more.
  ///
  /// What a list has in its snapshot stood in a line before, so the lines since the last snapshot are at
  /// least as long. Only beyond the limit is one made.
  private mutating func requireSnapshot(
    after changes: [Change], _ line: ServedLine
  ) throws(EditRefusal) {
    if let most = mostSnapshotBytes, most + line.text.count <= FeedLines.maximumByteCount {
      mostSnapshotBytes = most + line.text.count
      return
    }
    do throws(EditRefusal) {
      mostSnapshotBytes = try Self.snapshot(
        list.tree, line.position.sequence, by: nil, at: nil
      ).text.count
    } catch {
      // Of a list that is too long already.
      if changes.allSatisfy(\.isDeletion) { return }
      throw EditRefusal(
        why: "the list would be longer than \(FeedLines.maximumByteCount >> 20) MiB, and nobody "
          + "could get it as a whole: \(error.why)")
    }
  }

  // MARK: Taking back

  /// Forgets what takes lines back: the log has them.
  public mutating func settle() {
    unsettled = []
    settled = position
  }

  /// Takes back the lines since the last ``settle()``: the log did not take them.
  public mutating func takeBack() {
    takeBack(unsettled.count)
    position = settled
    // What a store lacks is not known change by change any more.
    if unkept != nil { unkept = .all }
  }

  private mutating func takeBack(_ count: Int) {
    guard count > 0 else { return }
    let inverse = unsettled.suffix(count).reversed().flatMap(\.inverse)
    unsettled.removeLast(min(count, unsettled.count))
    // The entries were made in this list, one after another, so their inverses fit.
    do throws(ChangeError) { try apply(inverse) } catch {
      preconditionFailure("list \"\(id)\" can't be taken back: \(error)")
    }
  }

  // MARK: Changes

  /// The next number of the log.
  private func nextNumber() throws(EditRefusal) -> Int {
    let (next, isBeyond) = (position?.sequence ?? 0).addingReportingOverflow(1)
    if isBeyond { throw EditRefusal(why: "the list has the last number that there is") }
    return next
  }

  /// Makes changes one after another, as a whole or not at all.
  ///
  /// - Returns: One change for each entry that was made, with the place that it got.
  private mutating func make(
    _ edit: [EditedChange], settles: Bool
  ) throws(EditRefusal) -> [Change] {
    // The overlay is gone when the list changes, or the list would be copied.
    let (changes, entries) = try resolve(edit, settles: settles)
    do throws(ChangeError) { try apply(entries) } catch {
      throw EditRefusal(why: error.description)
    }
    unsettled += entries
    return changes
  }

  private func resolve(
    _ edit: [EditedChange], settles: Bool
  ) throws(EditRefusal) -> (changes: [Change], entries: [LogEntry]) {
    var overlay = ListOverlay(ServedLookup(list))
    var changes: [Change] = []
    var entries: [LogEntry] = []
    for edited in edit {
      if edited.change.bringsGap { throw Self.gapRefusal }
      try edited.change.requireRoomInSnapshot()
      // An index without one that it had says where the change goes.
      let isExact = !settles || edited.index == nil && edited.change.hasIndex
      guard let change = isExact ? edited.change : overlay.change(again: edited) else { continue }
      switch overlay.apply(change) {
      case .success(let entry):
        entries.append(entry)
        changes.append(change)
      case .failure(let error): throw EditRefusal(why: error.description)
      }
    }
    return (changes, entries)
  }

  private mutating func apply(_ entries: [LogEntry]) throws(ChangeError) {
    let commit = Commit(
      list: id, revision: list.revision + 1, author: .feed, time: nil, entries: entries)
    // Without a budget no update for a view is made.
    let policy = UpdatePolicy(budget: ReloadBudget(changes: 0, changesPerItem: 0))
    _ = try list.apply(CollectionOfOne(commit), policy: policy)
  }

  private static let gapRefusal = EditRefusal(
    why: "a server's list is whole: it has no items of the cell #gap")

  // MARK: What a store lacks

  /// Notes changes that a copy of the list in a store lacks.
  private mutating func note(_ changes: [Change]) {
    switch unkept {
    case nil: unkept = .changes(changes)
    case .changes(var before) where before.count < 4 * itemCount + 1_000:
      // Not in two places, or all would be copied.
      unkept = nil
      before += changes
      unkept = .changes(before)
    case .changes, .all: unkept = .all
    }
  }

  /// Whether a copy of the list in a store lacks something.
  public var hasUnkept: Bool { unkept != nil }

  /// Takes what a copy of the list in a store lacks; `nil` if it lacks nothing.
  ///
  /// Call it after ``settle()``: a store is not told what may be taken back.
  public mutating func takeUnkept() -> UnkeptList? {
    guard let position, let unkept else { return nil }
    self.unkept = nil
    switch unkept {
    case .all: return UnkeptList(list: id, position: position, content: .whole(list.tree))
    case .changes(let changes):
      return UnkeptList(list: id, position: position, content: .changes(changes))
    }
  }
}

/// What a copy of a list in a store lacks.
private enum UnkeptChanges {
  case changes([Change])
  case all
}

extension Change {
  /// Refuses content that fits into the line of an edit and not into a snapshot, where an item stands two
  /// levels deeper: no client could read the list any more.
  fileprivate func requireRoomInSnapshot() throws(EditRefusal) {
    let content: JSON?
    let action: Action?
    switch self {
    case .insertItem(let item, _, _): (content, action) = (item.state.content, item.state.action)
    case .updateItem(_, let update):
      if case .set(let new) = update.content { content = new } else { content = nil }
      if case .set(let new) = update.action { action = new } else { action = nil }
    default: return
    }
    // The line, its sections, one of them, its items, one of them; and the action.
    let levels = max(
      5 + (content?.levelCount ?? 0), action.map { 6 + ($0.attrs?.levelCount ?? 0) } ?? 0)
    guard levels <= FeedLines.maximumLevelCount else {
      throw EditRefusal(
        why: "an item with it would nest \(levels) levels deep in a snapshot, and a line has at "
          + "most \(FeedLines.maximumLevelCount)")
    }
  }

  /// Whether its place is an index.
  fileprivate var hasIndex: Bool {
    switch self {
    case .insertSection(_, _, .index), .moveSection(_, .index), .insertItem(_, _, .index),
      .moveItem(_, _, .index):
      true
    default: false
    }
  }

  fileprivate var isDeletion: Bool {
    switch self {
    case .deleteSection, .deleteItem: true
    default: false
    }
  }

  /// Whether it makes an item a gap.
  fileprivate var bringsGap: Bool {
    switch self {
    case .insertItem(let item, _, _): item.state.isGap
    case .updateItem(_, let update): update.cell == .set(Gap.cell)
    default: false
    }
  }
}
