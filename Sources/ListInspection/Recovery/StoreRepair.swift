import DerivedLists
import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreSchema

/// Makes the lists of a new store sound, each with as little change as that takes.
///
/// The store is a copy of the salvaged one. The checks of ``/ListStore/Repository/checkInvariants()``
/// decide which lists are sound.
struct StoreRepair {
  let store: URL
  let source: URL
  private let migrations: [Migration]

  /// What was done to a list, each after those before did not suffice.
  enum Step: Int, CaseIterable {
    /// Nothing: the list is as its rows were.
    case asFound
    /// What follows from the order of its items was made anew, and what its log or its digest says
    /// otherwise was left out.
    case references
    /// It was made anew from the salvaged rows.
    case anew
  }

  /// Repairs the copy `store` of the salvaged store `source`, which is only read.
  init(_ store: URL, from source: URL, _ migrations: [Migration]) {
    self.store = store
    self.source = source
    self.migrations = migrations
  }

  /// - Parameter includesDeleted: Whether deleted items are added, each list's in a section of
  ///   their own.
  /// - Returns: What was done; deleted items are only counted.
  /// - Throws: ``/ListModel/StoreError`` or SQLite's error if the store can't be made sound.
  func run(includesDeleted: Bool) throws -> Result {
    var withoutPlace: Set<ListID> = []
    var steps: [ListID: Step] = [:]
    var results: [ListID: ListRebuilding.Result] = [:]
    var changed: [ListID] = []
    var problems: [StoreProblem] = []
    // Made anew at the end, of what their sources are by then.
    let indexes = try Repository(existing: store, options: options).dropSearchIndexes()
    let derived = try Repository(existing: store, options: options).takeOutDerivedLists()
    if !derived.lists.isEmpty {
      try Repository(existing: store, options: options).deleteUnusedContents()
    }
    // Once more than there are steps, for what a repaired list leaves behind.
    for _ in 0...Step.allCases.count {
      try editRows { db in
        for list in changed where try !repairRows(of: list, steps[list] ?? .asFound, db) {
          withoutPlace.insert(list)
        }
        if !problems.isEmpty { try deleteLeftovers(db) }
        try makeSums(db)
      }
      let repository = try Repository(existing: store, options: options)
      for list in changed {
        switch steps[list] {
        case .references:
          try mendLog(of: list, in: repository, takesRows: !withoutPlace.contains(list))
        case .anew: results[list] = try rebuild(list, in: repository)
        default: break
        }
      }
      if !changed.isEmpty || !problems.isEmpty { try repository.deleteUnusedContents() }
      problems = try repository.checkInvariants()
      if problems.isEmpty { break }
      changed = Set(problems.compactMap(\.list)).sorted()
      for list in changed {
        steps[list] = Step(rawValue: (steps[list] ?? .asFound).rawValue + 1) ?? .anew
      }
    }
    if let problem = problems.first { throw StoreError.unsound(problem, of: "rows") }
    let defined = try define(derived.definitions)
    for (list, paths) in indexes {
      try Repository(existing: store, options: options).keepSearchIndex(of: list, at: paths)
    }
    var result = try report(steps, results, defined)
    result.lostDerivedLists = derived.lists.filter { defined[$0] == nil }.sorted()
    if includesDeleted {
      for index in result.lists.indices where result.lists[index].source == nil {
        let list = try ListID(result.lists[index].list.list)
        result.lists[index].list.deletedItemCount = try addDeletedItems(to: list)
      }
    }
    try editRows { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    return result
  }

  /// Defines derived lists again, each by itself, and leaves out what can't be defined any more.
  ///
  /// - Returns: Their sources.
  private func define(_ definitions: [DerivedDefinition]) throws -> [ListID: ListID] {
    let repository = try Repository(existing: store, options: options)
    for definition in definitions {
      do throws(StoreError) { try repository.define([(definition, 1)]) } catch {
        guard [.duplicateID, .invalidValue].contains(error.code) else { throw error }
      }
    }
    return Dictionary(
      uniqueKeysWithValues: try repository.derivedLists().map { ($0.list, $0.definition.source) })
  }

  private func mendLog(of list: ListID, in repository: Repository, takesRows: Bool) throws {
    do { try repository.mendLog(of: list, takesRows: takesRows) } catch
      where error.code == .damagedStore
    {
      // Its rows can't be read: a later step makes the list anew.
    }
  }

  private var options: Repository.Options {
    var options = Repository.Options()
    options.migration.migrations = migrations
    options.timeLimit = TimeLimit.seconds(for: store)
    options.logRetention = nil
    return options
  }

  /// Runs SQL on the store, outside a transaction and without the checks of references.
  private func editRows(_ body: (Database) throws -> Void) throws {
    try Self.open(store) { queue in try queue.writeWithoutTransaction(body) }
  }

  static func open<Value>(
    _ file: URL, _ body: (DatabaseQueue) throws -> Value
  ) throws -> Value {
    var configuration = Configuration.store()
    configuration.foreignKeysEnabled = false
    configuration.prepareDatabase { try $0.makeViews() }
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    defer { try? queue.close() }
    return try body(queue)
  }

  // MARK: Lists

  private func rebuild(_ list: ListID, in repository: Repository) throws -> ListRebuilding.Result {
    try Self.open(source) { queue in
      try queue.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT id, meta FROM list WHERE name = ?", arguments: [list.rawValue])
        guard let row else { return ListRebuilding.Result() }
        let meta = (row[1] as String?).flatMap { try? JSON(parsing: $0) }
        var rebuilding = ListRebuilding(
          try SalvagedList(db, id: row[0], list: list), into: repository)
        try rebuilding.run(meta: meta)
        return rebuilding.result
      }
    }
  }

  /// Adds the items that the log or free pages still have, and that are not in a list, to a section
  /// `deleted`.
  ///
  /// - Returns: How many there are.
  private func addDeletedItems(to list: ListID) throws -> Int {
    let repository = try Repository(existing: store, options: options)
    return try Self.open(source) { queue in
      try queue.read { db in
        let id = try Int.fetchOne(
          db, sql: "SELECT id FROM list WHERE name = ?", arguments: [list.rawValue])
        guard let id else { return 0 }
        let salvaged = try SalvagedList(db, id: id, list: list)
        let states = try SalvagedLog(db, list: id, of: nil).states.values
          .sorted { $0.member.name.utf8.lexicographicallyPrecedes($1.member.name.utf8) }
        var count = 0
        try repository.edit(list, by: "recovered") { editor in
          let names = try (0..<editor.numberOfSections()).compactMap {
            try editor.sectionID(at: $0)
          }
          let section = SalvagedList.freeName("deleted", among: names)
          for state in states {
            // A gap that is gone was filled, or its place is.
            guard case .success(let item) = try salvaged.item(state.member), !item.state.isGap,
              try editor.path(of: item.id) == nil
            else { continue }
            try editor.insertSectionIfMissing(section)
            try editor.restore(item, in: section)
            count += 1
          }
        }
        return count
      }
    }
  }
}
