import ListModel
import StoreFiles

/// What is lost or different in a store that was made from a damaged one, a sentence each.
struct RecoveryWords {
  /// What the new store lacks.
  private(set) var losses: [String] = []
  /// What is different in it, and no loss.
  private(set) var notes: [String] = []
  /// Whether the lists are those of their digests, with their logs.
  private var areListsWhole = true
  /// Whether no row of the table of lists is lost.
  private let areListsKnown: Bool

  /// `areListsKnown`: Whether no row of the table of lists is lost.
  init(areListsKnown: Bool) { self.areListsKnown = areListsKnown }

  // MARK: The file

  mutating func add(_ schema: SchemaPages, readAs version: Int, latest: Int) {
    if schema.isDamaged {
      losses.append(
        "the schema is damaged: what an app has added to the store can't be found, and the tables of "
          + "lists were looked for where a new store has them")
    }
    if schema.version == nil {
      notes.append("the schema version is lost; the file was read as version \(version)")
    } else if version < latest {
      notes.append("schema version \(version) becomes \(latest)")
    }
  }

  mutating func addTornLog(_ byteCount: Int) {
    if byteCount == 0 { return }
    losses.append(
      "the last \(Self.count(byteCount, "byte")) of the write-ahead log are damaged; commits in them "
        + "are lost")
  }

  // MARK: Lists

  mutating func add(_ repaired: StoreRepair.RepairedList) {
    let (list, before, after) = (repaired.list, repaired.before, repaired.after)
    if let source = repaired.source {
      notes.append(
        "\(Self.name(list)): it is derived anew from list \"\(source.rawValue.cut(to: 80))\"")
      return
    }
    var lost = Self.losses(of: list)
    if let before {
      if repaired.step == .anew {
        if before.revision > before.logFloor {
          lost.append(
            "its log is lost, revisions \(before.logFloor + 1) to \(before.revision); it is at "
              + "revision \(after.revision) now")
        }
        if before.feedSequence > 0 {
          lost.append("how far its feed was read is lost, line \(before.feedSequence)")
        }
      } else if after.logFloor > before.logFloor {
        lost.append(
          "its log up to revision \(after.logFloor) is lost; what it was before can't be read, nor "
            + "undone")
      }
    }
    areListsWhole = areListsWhole && lost.isEmpty && list.isComplete
    losses += lost.map { "\(Self.name(list)): \($0)" }
    var parts: [String] = []
    if repaired.step == .anew {
      parts.append(
        "it is made anew by commits of \"recovered\", with \(Self.count(list.itemCount, "item")) in "
          + Self.count(list.sectionCount, "section"))
    } else if let before, before != after || repaired.step != .asFound {
      parts = Self.differences(before, after, isComplete: list.isComplete)
      if parts.isEmpty { parts.append("references and counts are made anew") }
    }
    if let count = list.deletedItemCount, count > 0 {
      parts.append("\(Self.count(count, "deleted item")) added")
    }
    notes += parts.map { "\(Self.name(list)): \($0)" }
  }

  /// Adds a list that was derived from another, and whose definition is lost.
  mutating func add(lostDerivedList list: ListID) {
    losses.append(
      "list \"\(list.rawValue.cut(to: 80))\": it was derived from another list, and its definition is "
        + "lost; it is left out, and can be defined again")
  }

  private static func losses(of list: StoreRecovery.List) -> [String] {
    var losses: [String] = []
    let lostCount = list.lostItemCounts.values.reduce(0, +)
    if lostCount > 0 {
      let names = list.lostItems.map { $0.cut(to: 80) }
      losses.append(
        "\(lostCount) of \(count(list.expectedItemCount, "item")) \(lostCount == 1 ? "is" : "are") lost"
          + (names.isEmpty ? "" : ": " + Self.names(names, of: lostCount)))
    }
    if list.bareSectionCount > 0 {
      losses.append(
        "\(count(list.bareSectionCount, "section")) without layout, views and own data: they are "
          + "lost")
    }
    if list.unorderedItemCount > 0 {
      losses.append(
        "the order of \(count(list.unorderedItemCount, "item")) is lost; they may stand in another "
          + "one")
    }
    if losses.isEmpty, !list.isComplete {
      losses.append(
        "its items, their order or their contents are not those of its last commit; they are taken "
          + "as they are")
    }
    return losses
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
    if before.placeCount < after.placeCount {
      parts.append(
        "\(count(after.placeCount - before.placeCount, "item")) can be found by their ids again")
    }
    if before.digest != after.digest {
      parts.append(
        isComplete
          ? "its digest is that of its last commit"
          : "its rows are taken as they are, as revision \(after.revision)")
    }
    return parts
  }

  private static func name(_ list: StoreRecovery.List) -> String {
    "list \"\(list.list.cut(to: 80))\""
  }

  // MARK: Tables

  /// What rows are that no digest of a list covers: in the singular, in the plural.
  private static let words = [
    "derivedList": ("definition of a derived list", "definitions of derived lists"),
    "feedLine": ("line of a feed", "lines of feeds"),
    "layoutEnvironment": ("measured size", "measured sizes"),
    "list": ("list", "lists"),
    "listOwner": ("owner of a nested list", "owners of nested lists"),
    "measuredSize": ("measured size", "measured sizes"),
    "pendingEdit": ("edit that waits for a server", "edits that wait for a server"),
    "selectedItem": ("selected item of a screen", "selected items of screens"),
    "sizeKey": ("measured size", "measured sizes"),
    "store": ("row about the store", "rows about the store"),
    "viewState": ("saved state of a screen", "saved states of screens"),
  ]

  /// Tables of which every row belongs to a list, its order or its log.
  ///
  /// What they have lost is told
  /// with the lists, by digests, counts and hashes; what those don't need is no loss.
  private static let tablesOfLists: Set<String> = [
    "author", "block", "borrowedItem", "cell", "change", "content", "decoration", "derivedValue",
    "item",
    "keptContent", "listCommit", "section", "supplementary",
  ]

  private static func words(of table: String) -> (singular: String, plural: String) {
    words[table] ?? ("row of the table \(table)", "rows of the table \(table)")
  }

  private static func rows(_ count: Int, of table: String) -> String {
    let words = words(of: table)
    return "\(count) \(count == 1 ? words.singular : words.plural)"
  }

  /// Adds what the tables of the damaged file have lost, after the lists.
  ///
  /// `orphans`: How many rows are left out because they refer to others that are not there.
  mutating func add(_ tables: [String: StoreRecovery.Table], orphans: [String: Int]) {
    var (pageCount, contents): (Int, Set<String>) = (0, [])
    for (name, table) in tables.sorted(by: { $0.key < $1.key })
    where !areListsKnown || !Self.tablesOfLists.contains(name) {
      let damaged = table.refusedRowCount - (orphans[name] ?? 0)
      if damaged > 0 {
        losses.append(
          "\(Self.rows(damaged, of: name)) \(damaged == 1 ? "is" : "are") damaged, and left out")
      }
      pageCount += table.holeCount
      if table.holeCount > 0 { contents.insert(Self.words(of: name).plural) }
    }
    add(pageCount, "page", "lost that held " + contents.sorted().joined(separator: ", "))
  }

  /// Adds rows that were found and belong to nothing in the new store, after the lists.
  mutating func add(leftOut counts: [String: Int]) {
    for (table, count) in counts.sorted(by: { $0.key < $1.key }) {
      if areListsKnown, areListsWhole {
        notes.append(
          "\(Self.rows(count, of: table)) left out: nothing needs \(count == 1 ? "it" : "them")")
      } else if !Self.tablesOfLists.contains(table), table != "feedLine" {
        losses.append(
          "\(Self.rows(count, of: table)) lost with what \(count == 1 ? "it belongs" : "they belong") to"
        )
      }
    }
  }

  /// Adds the lists and sections whose own data is no JSON, after the lists: their digests tell
  /// whether it was anything.
  mutating func add(unsoundData count: Int) {
    let what = "\(Self.count(count, "list or section")) without own data: it is no JSON"
    if count > 0 { if areListsWhole { notes.append(what) } else { losses.append(what) } }
  }

  // MARK: Other things

  /// Adds what was found of a kind, if anything was.
  mutating func add(_ count: Int, _ noun: String, _ predicate: String) {
    if count > 0 { losses.append(Self.count(count, noun) + " " + predicate) }
  }

  mutating func add(_ objects: [StoreRecovery.AppObject]) {
    for object in objects {
      let name = "\(object.kind) \(object.name.cut(to: 80)) of the app"
      guard object.isKept else {
        losses.append("\(name) is left out: \((object.reason ?? "").cut(to: 400))")
        continue
      }
      add(object.lostRowCount ?? 0, "row", "of \(name) can't be read")
      add(object.lostPageCount ?? 0, "page", "of \(name) lost, with all rows there")
    }
    let kept = objects.filter(\.isKept).map { "\($0.kind) \($0.name.cut(to: 80))" }
    if !kept.isEmpty { notes.append("what the app has added is kept: " + Self.names(kept)) }
  }

  /// At most ten of some names.
  private static func names(_ names: [String], of count: Int? = nil) -> String {
    let others = (count ?? names.count) - min(names.count, 10)
    return (names.prefix(10) + (others > 0 ? ["\(others) more"] : [])).joined(separator: ", ")
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
