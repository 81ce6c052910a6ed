import DerivedLists
import GRDB
import ListModel

/// The items of a source that a commit names, as they are now: each is read once for all lists that are
/// derived from it.
final class LentItems {
  let source: ListRows
  private var places: [ItemID: ItemLocation?] = [:]
  private var subjects: [ItemID: Subject?] = [:]
  private var rows: [ItemID: [Int]] = [:]
  private var members: [ItemID: Block.Member?] = [:]

  init(of source: ListRows) { self.source = source }

  /// Where an item is; `nil` if the source does not have it.
  func place(of id: ItemID) throws -> ItemLocation? {
    if let known = places[id] { return known }
    let found = try source.location(of: id)
    places[id] = .some(found)
    return found
  }

  /// An item; `nil` if the source does not have it.
  func subject(_ id: ItemID) throws -> Subject? {
    if let known = subjects[id] { return known }
    let found = try place(of: id).map { place in
      Subject(
        id: id, state: try source.state(of: id, at: place.path), section: place.section,
        try source.statements.searcher(), source.statements.closures)
    }
    subjects[id] = .some(found)
    return found
  }

  /// The member of the source's order that an item is; `nil` if the source does not have it.
  func member(of id: ItemID) throws -> Block.Member? {
    if let known = members[id] { return known }
    let found = try source.member(of: id)
    members[id] = .some(found)
    return found
  }

  /// The rows that an item has, or has had in this transaction.
  private func rows(of id: ItemID) throws -> [Int] {
    if let known = rows[id] { return known }
    let owner = try source.statements.owner(ofItemsIn: source.id)
    let found = try source.statements.rows(
      of: id, in: owner ?? ItemOwner(list: source.list, row: source.id))
    rows[id] = found
    return found
  }

  /// Whether a commit changes nothing of a derived list, so that its rows need not be read: its changes
  /// are of items that the list neither has nor is to have.
  func areNothing(_ entries: [LogEntry], for derived: DerivedListRow) throws -> Bool {
    if entries.count > Self.mostLookedAt || source.revision < 2 || !source.borrowedAnew.isEmpty {
      return false
    }
    for entry in entries {
      guard let id = entry.itemID else { return false }
      if let item = try subject(id), derived.rule.includes(item) { return false }
      // Its own, if its source was another one before.
      let former = source.statements.lists?[derived.list]?.items.formerRows[id] ?? []
      for row in try rows(of: id) + former {
        let isThere = try source.statements(
          """
          SELECT 1 FROM borrowedItem JOIN list ON list.id = borrowedItem.list
          WHERE list.name = ? AND item = ?
          """
        ).first(derived.list.rawValue, row) { _ in true }
        if isThere == true { return false }
      }
    }
    return true
  }

  /// More are looked at with the list's rows at hand.
  private static let mostLookedAt = 32
}

extension LogEntry {
  /// The item that it changes; `nil` for a change of something else.
  fileprivate var itemID: ItemID? {
    switch self {
    case .insertItem(let item, _), .deleteItem(let item, _): item.id
    case .moveItem(let id, _, _), .updateItem(let id, _, _, _), .touchItem(let id, _): id
    case .updateList, .insertSection, .deleteSection, .moveSection, .updateSection: nil
    }
  }
}
