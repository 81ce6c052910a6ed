import BatchUpdates
public import ListModel
import ListStore
import ListTables

extension Inspection {
  /// What differs between two revisions of a list, by its log.
  ///
  /// Of the list only what has changed is read. The rows are not compared with their digest, as
  /// ``check(registry:)`` does it.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - old: The revision before.
  ///   - new: The revision after, which may be the earlier one; `nil` for the head.
  ///   - content: How much is told of contents.
  /// - Returns: The difference. An item that was deleted and inserted again is the same item.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``,
  ///   ``/ListModel/StoreError/Code/revisionNotFound``, or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if the log does not fit the list.
  /// - Complexity: O(*k* · log *n*), *n* items, *k* changes since the earlier revision.
  public func difference(
    of list: ListID, from old: Int, to new: Int? = nil, content: ContentDetail = .hash
  ) throws(StoreError) -> Difference {
    try naming { () throws(StoreError) in
      let repository = try lists()
      let new = if let new { new } else { try repository.revision(of: list) }
      return try repository.compare(list, (old, new), "compare revisions of \"\(list)\"") {
        try Difference(of: list, from: old, to: new, earlier: $0, later: $1, content)
      }
    }
  }
}

/// What changes do to sections and items, by their ids.
private struct NamedChanges {
  var isMetaChanged = false
  var sections: [SectionID: [Inspection.Difference.Kind]] = [:]
  var items: [ItemID: [Inspection.Difference.Kind]] = [:]

  /// - Parameters:
  ///   - changes: A net change.
  ///   - list: The list before it.
  ///   - result: The list after it.
  /// - Throws: What can't be read.
  init(
    _ changes: [Change], of list: StoredList.Later, notIn result: StoredList.Earlier
  ) throws {
    for change in changes {
      switch change {
      case .updateList: isMetaChanged = true
      case .insertSection(let id, _, _): sections[id] = [.inserted]
      case .moveSection(let id, _): sections[id, default: []].append(.moved)
      case .updateSection(let id, _): sections[id, default: []].append(.updated)
      case .deleteSection(let id):
        sections[id] = [.deleted]
        // The items that go with it have no change of their own.
        guard let index = try list.sectionIndex(of: id) else { continue }
        for item in try list.section(id, at: index).items
        where try result.location(of: item.id) == nil { items[item.id] = [.deleted] }
      case .insertItem(let item, _, _): items[item.id] = [.inserted]
      case .deleteItem(let id): items[id] = [.deleted]
      case .moveItem(let id, _, _): items[id, default: []].append(.moved)
      case .updateItem(let id, _): items[id, default: []].append(.updated)
      case .touchItem: break
      }
    }
  }

  /// Makes it what the opposite changes do.
  mutating func reverse() {
    func reversed(_ kinds: [Inspection.Difference.Kind]) -> [Inspection.Difference.Kind] {
      kinds.map { $0 == .inserted ? .deleted : $0 == .deleted ? .inserted : $0 }
    }
    sections = sections.mapValues(reversed)
    items = items.mapValues(reversed)
  }
}

extension Inspection.Difference {
  /// Compares a list with what it was earlier.
  ///
  /// - Throws: What can't be read.
  fileprivate init(
    of list: ListID, from old: Int, to new: Int, earlier: StoredList.Earlier,
    later: StoredList.Later, _ detail: Inspection.ContentDetail
  ) throws {
    (self.list, from, to, isMetaChanged) = (list.rawValue, old, new, false)
    // What makes the later list the earlier one.
    var changes = try NamedChanges(earlier.changes(), of: later, notIn: earlier)
    if old < new {
      changes.reverse()
      try add(changes, from: earlier, to: later, detail)
    } else {
      try add(changes, from: later, to: earlier, detail)
    }
  }

  /// Tells of changes: of what is deleted in its order before, then of the rest in its order after.
  fileprivate mutating func add(
    _ changes: NamedChanges, from old: some ListLookup, to new: some ListLookup,
    _ detail: Inspection.ContentDetail
  ) throws {
    isMetaChanged = changes.isMetaChanged
    for (id, kinds) in changes.sections {
      let (from, to) = (try old.sectionIndex(of: id), try new.sectionIndex(of: id))
      var change = SectionChange(section: id.rawValue, kinds: kinds, from: from, to: to)
      if kinds != [.moved] {
        change.before = try from.flatMap {
          .init(try old.attributes(ofSection: id, at: $0), detail)
        }
        change.after = try to.flatMap { .init(try new.attributes(ofSection: id, at: $0), detail) }
      }
      sections.append(change)
    }
    sections.sort { Self.precedes(($0.from, $0.to), ($1.from, $1.to), <) }
    for (id, kinds) in changes.items {
      let (from, to) = (try old.location(of: id), try new.location(of: id))
      var change = ItemChange(
        item: id.rawValue, kinds: kinds, from: from.map(Inspection.Timeline.Place.init),
        to: to.map(Inspection.Timeline.Place.init))
      if kinds != [.moved] {
        change.before = try from.map { .init(try old.state(of: id, at: $0.path), detail) }
        change.after = try to.map { .init(try new.state(of: id, at: $0.path), detail) }
      }
      items.append(change)
    }
    items.sort {
      Self.precedes(($0.from?.path, $0.to?.path), ($1.from?.path, $1.to?.path)) {
        $0.lexicographicallyPrecedes($1)
      }
    }
  }

  /// The order of changes by their places before and after.
  private static func precedes<Place>(
    _ lhs: (from: Place?, to: Place?), _ rhs: (from: Place?, to: Place?),
    _ isBefore: (Place, Place) -> Bool
  ) -> Bool {
    if let left = lhs.to, let right = rhs.to { return isBefore(left, right) }
    if lhs.to != nil || rhs.to != nil { return lhs.to == nil }
    guard let left = lhs.from, let right = rhs.from else { return false }
    return isBefore(left, right)
  }
}

extension Inspection.Timeline.Place {
  fileprivate init(_ location: ItemLocation) {
    self.init(location.path)
    section = location.section.rawValue
  }
}
