import ListModel
import StoreFiles
import StoreSchema

/// What is different in a store that was made from a damaged one, a sentence each.
struct RepairWords {
  private(set) var sentences: [String] = []

  /// - Parameters:
  ///   - result: The new store.
  ///   - verification: What is wrong with the damaged one.
  ///   - theirs: Objects of its schema that no version of a store has.
  init(_ result: Salvage.Result, _ verification: Verification, theirs: [String]) {
    sentences.append(
      "the store is made anew from its rows, with a new id: apps that follow its lists load them "
        + "anew, and measure its cells anew")
    let version = result.recovery.schemaVersion
    if version < result.latestVersion {
      sentences.append("schema version \(version) becomes \(result.latestVersion)")
    }
    sentences += verification.differences.map { "\($0.kind) \($0.name) is made anew" }
    sentences += verification.modifiedMigrations.map { migration in
      "\(migration.name.cut()): checksum \(migration.stored.cut()) becomes \(migration.known)"
    }
    for list in result.repair.lists { add(list) }
    for (name, table) in result.recovery.damagedTables.sorted(by: { $0.key < $1.key }) {
      add(name, table)
    }
    sentences += result.repair.smallerTables.map { table in
      "table \(table.name): \(table.rowsAfter) of \(Self.count(table.rowsBefore, "row")) are kept, "
        + "which belong to something"
    }
    sentences += result.recovery.notes
    sentences += theirs.map { "\($0.cut()), which no Cellar has made, is left out" }
  }

  private mutating func add(_ name: String, _ table: StoreRecovery.Table) {
    if table.refusedRowCount > 0 {
      sentences.append(
        "table \(name): \(Self.count(table.refusedRowCount, "row")) can't be used and "
          + "\(table.refusedRowCount == 1 ? "is" : "are") left out")
    }
    if table.holeCount > 0 {
      sentences.append("table \(name): \(Self.count(table.holeCount, "page")) lost")
    }
  }

  // MARK: Lists

  private mutating func add(_ repaired: StoreRepair.RepairedList) {
    let (list, after) = (repaired.list, repaired.after)
    var parts: [String] = []
    if repaired.step == .anew || repaired.before == nil {
      parts.append(
        "made anew, with \(list.itemCount) of \(Self.count(list.expectedItemCount, "item")) in "
          + "\(Self.count(list.sectionCount, "section")) and a new log by \"recovered\"")
    } else if let before = repaired.before, before != after || repaired.step != .asFound {
      parts += Self.differences(before, after, isComplete: list.isComplete)
      if parts.isEmpty { parts.append("references and counts are made anew") }
    }
    for (part, count) in list.lostItemCounts.sorted(by: { $0.key < $1.key }) {
      parts.append("\(Self.count(count, "item")) lost, without \(part)")
    }
    if !list.lostItems.isEmpty { parts.append("lost: " + Self.names(list.lostItems)) }
    if list.bareSectionCount > 0 {
      parts.append(
        "\(Self.count(list.bareSectionCount, "section")) without layout, views and meta")
    }
    if list.unorderedItemCount > 0 {
      parts.append("\(Self.count(list.unorderedItemCount, "item")) may stand in another order")
    }
    sentences += parts.map { "list \"\(list.list.cut(to: 80))\": \($0)" }
  }

  private static func differences(
    _ before: StoreRepair.Facts, _ after: StoreRepair.Facts, isComplete: Bool
  ) -> [String] {
    var parts: [String] = []
    if before.itemCount != after.itemCount {
      parts.append(
        "its sections count \(count(after.itemCount, "item")), not \(before.itemCount)")
    }
    if before.sectionCount != after.sectionCount {
      parts.append("it counts \(count(after.sectionCount, "section")), not \(before.sectionCount)")
    }
    if before.placeCount != after.placeCount {
      parts.append(
        "the places of \(count(after.placeCount, "item")) are known, not of \(before.placeCount)")
    }
    if before.digest != after.digest {
      parts.append(
        isComplete
          ? "its digest is that of its last commit"
          : "its rows are taken as they are, with a digest anew, as revision \(after.revision)")
    }
    if before.logFloor != after.logFloor {
      parts.append(
        "its log begins at revision \(after.logFloor), not \(before.logFloor)")
    }
    return parts
  }

  /// At most ten of some names.
  private static func names(_ names: [String]) -> String {
    let most = 10
    return names.prefix(most).map { $0.cut(to: 80) }.joined(separator: ", ")
      + (names.count > most ? " and \(names.count - most) more" : "")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
