import GRDB
import ListModel
import ListStore
import ListTables

/// The last states of items that the log of a damaged list tells.
struct SalvagedLog {
  /// What a change made of an item.
  struct LastState {
    /// The item's cell, content revision and content; its id is not known.
    var member: SalvagedList.Member
    /// Whether no later change of the item can be missing.
    var isCurrent: Bool
  }

  /// The states, by the names of items.
  private(set) var states: [String: LastState] = [:]

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
          let operation = entry.first.flatMap { try? $0.integer() }
          for member in Self.members(of: entry, operation)
          where names?.contains(member.name) != false {
            last[member.name] = Change(
              revision: revision, member: member, isDeletion: operation == 2 || operation == 7)
          }
        }
      }
    let whole = try Self.firstWholeRevision(statements, list, counts)
    states = last.mapValues { change in
      LastState(
        member: change.member, isCurrent: !change.isDeletion && change.revision >= whole)
    }
  }

  /// The items whose states an entry sets, or has deleted.
  private static func members(of entry: [JSONNode], _ operation: Int?) -> [SalvagedList.Member] {
    switch (operation, entry.count) {
    case (1, 7), (2, 7): [member(entry[1], entry[4...6])].compactMap { $0 }
    case (4, 10): [member(entry[1], entry[7...9])].compactMap { $0 }
    case (7, 5):
      ((try? entry[4].array()) ?? []).compactMap { item in
        guard let parts = try? item.array(), parts.count == 4 else { return nil }
        return member(parts[0], parts[1...3])
      }
    default: []
    }
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
    guard var revision = head, revision < .max else { return .max }
    while revision > 0, let total = totals[revision], let before = totals[revision - 1],
      total.subtractingReportingOverflow(before) == (counts[revision] ?? 0, false)
    {
      revision -= 1
    }
    return revision + 1
  }
}
