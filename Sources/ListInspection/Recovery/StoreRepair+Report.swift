import Foundation
import GRDB
import ListModel
import ListStore
import ListTables

// What a repair has made of a store.
extension StoreRepair {
  /// What was done.
  struct Result {
    /// The lists as they are now, sorted by id.
    var lists: [RepairedList]
    /// Lists that were derived, and are left out, because their definitions are lost.
    var lostDerivedLists: [ListID] = []
    /// How many rows that were found are left out, by table.
    var leftOutRowCounts: [String: Int]
  }

  /// A list before and after.
  struct RepairedList {
    var list: StoreRecovery.List
    /// The source of a derived list, of which it was made anew.
    var source: ListID?
    var step: Step
    /// `nil` if its row was not found.
    var before: Facts?
    var after: Facts
  }

  /// What the rows of a list count and say.
  struct Facts: Equatable {
    var revision: Int
    var digest: Int64
    /// The digest that the last commit says.
    var loggedDigest: Int64?
    var logFloor: Int
    /// The last line of a feed that it has taken.
    var feedSequence: Int
    var sectionCount: Int
    /// The items that its sections count.
    var itemCount: Int
    /// The rows that say where an item is.
    var placeCount: Int

    fileprivate init(_ row: Row) {
      revision = row["revision"]
      digest = row["digest"]
      loggedDigest = row["loggedDigest"]
      logFloor = row["logFloor"]
      feedSequence = row["feedSequence"]
      sectionCount = row["sectionCount"]
      itemCount = row["itemCount"]
      placeCount = row["placeCount"]
    }
  }

  func report(
    _ steps: [ListID: Step], _ results: [ListID: ListRebuilding.Result],
    _ sources: [ListID: ListID]
  ) throws -> Result {
    let (before, rowsBefore) = try Self.facts(of: source)
    let (after, rowsAfter) = try Self.facts(of: store)
    var lists: [RepairedList] = []
    for (name, after) in after.sorted(by: { $0.key < $1.key }) {
      let list = try ListID(name)
      let source = sources[list]
      lists.append(
        Self.repaired(
          name, source == nil ? before[name] : nil, after, steps[list] ?? .asFound, results[list]))
      lists[lists.count - 1].source = source
    }
    let leftOut = rowsBefore.merging(rowsAfter, uniquingKeysWith: -).filter { $0.value > 0 }
    return Result(lists: lists, leftOutRowCounts: leftOut)
  }

  /// Tables whose rows are not told of with the lists.
  private static let tables = [
    "content", "decoration", "feedLine", "listOwner", "measuredSize", "pendingEdit", "selectedItem",
    "supplementary", "viewState",
  ]

  private static func facts(of file: URL) throws -> (lists: [String: Facts], rows: [String: Int]) {
    try open(file) { queue in
      try queue.read { db in
        let rows = try Row.fetchAll(db, sql: factsSQL)
        let counts = try tables.map {
          ($0, try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0)
        }
        return (
          Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], Facts($0)) }),
          Dictionary(uniqueKeysWithValues: counts)
        )
      }
    }
  }

  private static let factsSQL = """
    SELECT name, revision, digest, logFloor, feedSequence, sectionCount,
      (SELECT digest FROM listCommit
        WHERE listCommit.list = list.id AND listCommit.revision = list.revision) AS loggedDigest,
      (SELECT coalesce(sum(itemCount), 0) FROM section WHERE list = list.id) AS itemCount,
      (SELECT count(*) FROM item WHERE list = list.id)
        + (SELECT count(*) FROM borrowedItem WHERE list = list.id) AS placeCount
    FROM list WHERE length(name) > 0 -- those of hidden lists begin with U+0000
    """

  private static func repaired(
    _ name: String, _ before: Facts?, _ after: Facts, _ step: Step,
    _ result: ListRebuilding.Result?
  ) -> RepairedList {
    let isComplete =
      before.map { $0.digest == after.digest || $0.loggedDigest == after.digest }
      ?? (step == .asFound && after.logFloor == 0)
    var losses: [String: Int] = [:]
    for (part, count) in result?.losses ?? [:] { losses[part.rawValue] = count }
    let withoutPlace = result?.itemsWithoutPlace ?? []
    if !withoutPlace.isEmpty { losses["place"] = withoutPlace.count }
    let lostItems = withoutPlace + (result?.incompleteItems ?? [])
    let expected = max(
      result?.expectedItemCount ?? 0, after.itemCount + losses.values.reduce(0, +))
    let unnamed = expected - after.itemCount - losses.values.reduce(0, +)
    if unnamed > 0, !isComplete { losses["name"] = unnamed + (losses["name"] ?? 0) }
    let list = StoreRecovery.List(
      list: name, isComplete: isComplete, revision: before?.revision,
      logFloor: step == .anew ? nil : after.logFloor, sectionCount: after.sectionCount,
      bareSectionCount: result?.bareSectionCount ?? 0, itemCount: after.itemCount,
      expectedItemCount: isComplete ? after.itemCount : expected, lostItemCounts: losses,
      lostItems: Array(lostItems.prefix(100)),
      unorderedItemCount: result?.unorderedItemCount ?? 0)
    return RepairedList(list: list, step: step, before: before, after: after)
  }
}
