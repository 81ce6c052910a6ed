import GRDB
import ListModel
import ListStore

/// The last states of items that the log of a damaged list tells.
struct SalvagedLog {
  /// What a change made of an item.
  struct State {
    /// The item's cell, content revision and content; its id is not known.
    var member: SalvagedList.Member
    /// Whether no later change of the item can be missing.
    var isCurrent: Bool
  }

  /// The states, by the names of items.
  private(set) var states: [String: State] = [:]

  private struct Change {
    var revision: Int
    var member: SalvagedList.Member
    var isDeletion: Bool
  }

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - db: A connection to the salvaged store.
  ///   - list: The list's row.
  ///   - names: The items that are looked for; `nil` for all.
  /// - Throws: SQLite's error.
  init(_ db: Database, list: Int, of names: Set<String>?) throws {
    var last: [String: Change] = [:]
    var counts: [Int: Int] = [:]
    let statements = Statements(db)
    try statements("SELECT revision, entries FROM change WHERE list = ? ORDER BY revision, id")
      .forEach(list) { row in
        let revision = try row.integer(0)
        for entry in SalvagedList.entries(try row.text(1)) {
          counts[revision, default: 0] += 1
          for (member, isDeletion) in Self.members(of: entry)
          where names?.contains(member.name) != false {
            last[member.name] = Change(
              revision: revision, member: member, isDeletion: isDeletion)
          }
        }
      }
    let whole = try Self.firstWholeRevision(statements, list, counts)
    states = last.mapValues { change in
      State(
        member: change.member, isCurrent: !change.isDeletion && change.revision >= whole)
    }
  }

  /// The items whose states an entry has: those that it set, or deleted.
  private static func members(
    of entry: [JSONNode]
  ) -> [(member: SalvagedList.Member, isDeletion: Bool)] {
    let operation = entry.first.flatMap { try? $0.integer() }
    switch (operation, entry.count) {
    case (1, 7): return [(member(entry[1], entry[4...6]), false)].compactMap(present)
    case (2, 7): return [(member(entry[1], entry[4...6]), true)].compactMap(present)
    case (4, 10): return [(member(entry[1], entry[7...9]), false)].compactMap(present)
    case (7, 5):
      let items = (try? entry[4].array()) ?? []
      return items.compactMap { try? $0.array() }.filter { $0.count == 4 }
        .map { (member($0[0], $0[1...3]), true) }.compactMap(present)
    default: return []
    }
  }

  private static func present(
    _ pair: (SalvagedList.Member?, Bool)
  ) -> (member: SalvagedList.Member, isDeletion: Bool)? {
    pair.0.map { ($0, pair.1) }
  }

  private static func member(
    _ name: JSONNode, _ state: ArraySlice<JSONNode>
  ) -> SalvagedList.Member? {
    let numbers = state.compactMap { try? $0.integer() }
    guard let name = try? name.string(), numbers.count == 3 else { return nil }
    return SalvagedList.Member(
      id: 0, name: name, cell: numbers[0], contentRevision: numbers[1], content: numbers[2])
  }

  /// The revision from which on all changes are there, as the totals of the commits count them.
  private static func firstWholeRevision(
    _ statements: Statements, _ list: Int, _ counts: [Int: Int]
  ) throws -> Int {
    var totals: [Int: Int] = [0: 0]
    try statements("SELECT revision, changeTotal FROM listCommit WHERE list = ?")
      .forEach(list) { totals[try $0.integer(0)] = try $0.integer(1) }
    let head = try statements("SELECT revision FROM list WHERE id = ?")
      .first(list) { try $0.integer(0) }
    guard var revision = head else { return .max }
    while revision > 0, let total = totals[revision], let before = totals[revision - 1],
      total.subtractingReportingOverflow(before) == (counts[revision] ?? 0, false)
    {
      revision -= 1
    }
    return revision + 1
  }
}
