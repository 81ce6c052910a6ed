import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Changes of a list: its log, and what the list is after them.
struct Workload {
  let entries: [LogEntry]
  /// How many items each section holds before.
  let counts: SectionCounts
  /// The list after, as if it had been fetched again; empty if no differ wants it.
  let rows: [Row]

  /// Several logs of the same length where it is small, so that each kind of change has its turn.
  static func logs(
    of changes: Int, on list: SampleList, withRows: Bool = false
  ) throws -> [Workload] {
    try (0..<(changes < 100 ? 4 : 1)).map { variant in
      var after = list
      return Workload(
        entries: try after.changes(changes, startingWith: variant), counts: list.counts,
        rows: withRows ? after.rows(fetchedAgain: true) : [])
    }
  }

  /// The proven batch update.
  func compiled() -> BatchUpdate {
    BatchUpdate(list: SampleList.list, from: 0, to: 1, replaying: entries, on: counts)
  }

  /// Checks that there is a batch update, and that differs find as much.
  ///
  /// - Throws: ``BenchmarkError`` if a time would say nothing.
  func check(from before: [Row], by differs: [any Differ]) throws {
    let update = compiled()
    if case .reload(let why) = update.mode { throw BenchmarkError("no batch update: \(why)") }
    for differ in differs {
      if differ.changes(from: before, to: rows) == 0, update.mode != .none {
        throw BenchmarkError("\(differ.name) finds nothing")
      }
    }
    guard !differs.isEmpty else { return }
    let script = HeckelDiffer().script(from: before, to: rows)
    let old = before.map(\.id)
    let new = rows.map(\.id)
    guard script.applied(to: old, inserting: new) == new else {
      throw BenchmarkError("Heckel's script leads elsewhere")
    }
    let deleted = update.stages.reduce(0) { $0 + $1.deleteItems.count }
    let inserted = update.stages.reduce(0) { $0 + $1.insertItems.count }
    guard deleted == script.deletions.count, inserted == script.insertions.count,
      update.stages.reduce(0, { $0 + $1.moveItems.count }) <= script.moves.count
    else { throw BenchmarkError("the batch update differs from Heckel's script") }
  }
}

extension BatchUpdate {
  /// How many operations its stages hold.
  var operationCount: Int { stages.reduce(0) { $0 + $1.operationCount } }
}
