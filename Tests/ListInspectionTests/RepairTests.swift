import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A damaged store is made sound from what it has; what it had is kept, and what is lost is named.
@Suite struct RepairTests {
  private let store: FindingTests
  private var file: URL { store.bench.file }
  private var folder: TemporaryFolder { store.bench.folder }

  init() throws { store = try FindingTests() }

  /// What becomes of the damaged list, as `WhatIsFound.md` says it.
  private enum Outcome: String {
    case same = "the list as it was"
    case laterLog = "the list as it was; its log begins later"
    case rows = "the rows as they are; its log begins anew"
    case fewerItems = "the list without the item, which is named; its log begins anew"
  }

  /// What is done about a damage of ``FindingTests``.
  private struct Repair: CustomTestStringConvertible {
    var testDescription: String
    var outcome: Outcome

    init(_ what: String, _ outcome: Outcome) { (testDescription, self.outcome) = (what, outcome) }
  }

  private static let repairs = [
    Repair("the items of a section are in another order", .rows),
    Repair("the changes of a commit are gone", .laterLog),
    Repair("an item is gone", .same),
    Repair("a section counts more items than it has", .same),
    Repair("blocks count more than they have", .same),
    Repair("a content is no JSON", .fewerItems),
    Repair("a content is another one", .rows),
    Repair("a content is gone", .fewerItems),
    Repair("nothing names a content", .same),
    Repair("a size is negative", .same),
    Repair("the sums of sizes are gone", .same),
    Repair("a list has another digest", .same),
    Repair("a commit has another chain hash", .laterLog),
    Repair("a commit has another digest", .laterLog),
    Repair("a commit is gone", .laterLog),
    Repair("a list's own data is no JSON", .same),
    Repair("a screen's state is that of no list", .same),
    Repair("a page is ahead of no line", .same),
    Repair("an item owns a list that is no nested one", .same),
  ]

  /// What a store has.
  private struct State {
    var trees: [ListID: ListTree] = [:]
    var floor = 0
    var sizes = 0
    var id: Data?

    init(of file: URL) throws {
      trees = try RecoveryBench.trees(of: file)
      let queue = try DatabaseQueue(path: file.path)
      (floor, sizes, id) = try queue.read { db in
        (
          try Int.fetchOne(db, sql: "SELECT logFloor FROM list WHERE name = 'a'") ?? -1,
          try Int.fetchOne(db, sql: "SELECT count(*) FROM measuredSize") ?? -1,
          try Data.fetchOne(db, sql: "SELECT storeID FROM store")
        )
      }
      try queue.close()
    }
  }

  /// The names of the folder, without what SQLite may leave beside an open store.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
      .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
  }

  /// Repairs the store and checks what must be so after any repair.
  ///
  /// - Returns: What was said, what is lost, and the copy of the damaged store.
  private func repair(
    migrations: [Migration] = Migration.all, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (steps: [String], losses: [String], copy: URL) {
    let damaged = try Data(contentsOf: file)
    let plan = try RepairPlan(of: file, accepting: [], migrations: migrations)
    #expect(plan.remaining == [], sourceLocation: sourceLocation)
    #expect(try Data(contentsOf: file) == damaged, sourceLocation: sourceLocation)
    let copy = try plan.apply(to: file).backup
    #expect(try Data(contentsOf: copy) == damaged, sourceLocation: sourceLocation)
    let verification = try Verification(of: file, migrations: migrations)
    #expect(verification.verdict == .sound, "\(verification)", sourceLocation: sourceLocation)
    #expect(
      try Inspection(of: file, migrations: migrations).check().allSatisfy {
        $0.severity == .notice
      })
    return (plan.steps, plan.losses, copy)
  }

  // MARK: Rows

  @Test(arguments: zip(FindingTests.damages, repairs))
  private func whatFollowsFromTheRestIsMadeAnew(
    _ damage: FindingTests.Damage, _ repair: Repair
  ) throws {
    #expect(damage.testDescription == repair.testDescription)
    let before = try State(of: file)
    try store.change(damage.sql)
    let (steps, losses, copy) = try self.repair()
    #expect(
      copy.path.hasPrefix(folder.file(".backups").path + "/store.damaged.2"), "\(copy.path)")
    #expect(try names() == [".backups", "store.sqlite"])
    let after = try State(of: file)
    #expect(after.id != nil && after.id != before.id, "readers must begin anew")
    #expect(after.trees["b"] == before.trees["b"])
    let isSizeLost = repair.outcome == .fewerItems || damage.testDescription == "a size is negative"
    #expect(before.sizes == 1 && after.sizes == (isSizeLost ? 0 : 1), "\(losses)")
    #expect(losses.contains { $0.contains("1 measured size ") } == isSizeLost, "\(losses)")
    let (old, new) = (try #require(before.trees["a"]), try #require(after.trees["a"]))
    let said = (steps + losses).joined(separator: "\n")
    switch repair.outcome {
    case .same:
      #expect(new == old && after.floor == before.floor, "\(said)")
      #expect(losses.count == (isSizeLost ? 1 : 0), "\(said)")
    case .laterLog:
      #expect(new == old && after.floor > before.floor, "\(said)")
      #expect(
        losses == [
          "list \"a\": its log up to revision \(after.floor) is lost; what it was before can't be "
            + "read, nor undone"
        ])
    case .rows:
      #expect(new.sections != old.sections && new.revision == old.revision + 1, "\(said)")
      #expect(new.sections.map(\.id) == old.sections.map(\.id))
      #expect(said.contains("list \"a\": its rows are taken as they are, as revision 3"), "\(said)")
      #expect(losses.contains { $0.contains("its log up to revision 3 is lost") }, "\(said)")
    case .fewerItems:
      let kept = old.sections[0].items.filter { $0.id != "i1" }
      #expect(new.sections[0].items == kept, "\(said)")
      #expect(losses.contains("list \"a\": 1 of 6 items is lost: i1"), "\(said)")
      #expect(losses.contains { $0.contains("its log is lost, revisions 1 to 2;") }, "\(said)")
    }
    // An app goes on with it.
    try Repository(existing: file).commit([.deleteItem("i3")], to: "a")
  }

  @Test func ownDataOfAListThatIsNoJSONIsLost() throws {
    try Repository(existing: file).edit("a") { try $0.setMeta("{\"title\":1}") }
    let before = try State(of: file)
    try store.change("UPDATE list SET meta = '{' WHERE name = 'a'")
    let (_, losses, _) = try repair()
    let after = try State(of: file)
    #expect(after.trees["a"]?.sections == before.trees["a"]?.sections)
    #expect(after.trees["a"]?.meta == nil && after.sizes == before.sizes)
    #expect(losses.contains("1 list or section without own data: it is no JSON"), "\(losses)")
    #expect(losses.contains { $0.contains("its log up to revision 4 is lost") }, "\(losses)")
  }

  @Test func countsOfAllLevelsAreCalculated() throws {
    let bench = try RecoveryBench()
    try bench.makeStore(sections: 3, items: 600, edits: 5)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(at: bench.file, to: file)
    let before = try RecoveryBench.exports(of: file)
    try store.change(
      """
      UPDATE block SET memberCount = memberCount + 1;
      UPDATE block SET members = replace(members, ',1', ',2') WHERE level > 0 AND section = 1;
      UPDATE section SET itemCount = 7; UPDATE list SET sectionCount = 9;
      UPDATE item SET block = 1
      """)
    let (steps, losses, _) = try repair()
    #expect(losses == [])
    #expect(try RecoveryBench.exports(of: file) == before)
    #expect(try Repository(existing: file).commits(of: "shelf", after: 0).count == 6)
    #expect(steps.contains { $0.hasSuffix("its sections count 1800 items, not 21") }, "\(steps)")
    #expect(steps.contains { $0.hasSuffix("it counts 3 sections, not 9") }, "\(steps)")
  }

  // MARK: Files

  /// What is wrong with the files, and how many items are there afterwards.
  @Test(arguments: [
    ("a header of zeros", 1_200), ("a page of zeros", 1_199), ("a cut off end", 1_199),
    ("a torn log", 1_200), ("a log of another store", 1_200), ("a journal", 1_200),
    ("an earlier version", 0),
  ])
  func filesAreMadeWholeAndKept(_ damage: String, _ most: Int) throws {
    try FileManager.default.removeItem(at: file)
    let log = URL(fileURLWithPath: file.path + "-wal")
    if damage == "an earlier version" {
      try TestMigrations.makeStore(at: file)
      try store.change("UPDATE list SET digest = digest + 1")
    } else {
      let bench = try RecoveryBench()
      try bench.makeStore(sections: 3, items: 400, edits: 3)
      try FileManager.default.copyItem(at: bench.file, to: file)
      var bytes = try Data(contentsOf: file)
      switch damage {
      case "a header of zeros":
        bytes.replaceSubrange(0..<100, with: Data(count: 100))
        try Data("no log".utf8).write(to: log)
      case "a page of zeros":
        // One of the contents.
        let text = try #require(bytes.range(of: Data("some words about item 333".utf8)))
        let page = text.lowerBound / 4_096
        bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
      case "a cut off end": bytes = bytes.prefix(bytes.count * 6 / 10 / 4_096 * 4_096)
      case "a journal": try InspectionBench.cutOffTransaction(in: file)
      case "a log of another store":
        let other = try InspectionBench()
        _ = try other.makeStoreWithLog()
        try FileManager.default.copyItem(at: other.log, to: log)
      default: try Data(repeating: 1, count: 9_000).write(to: log)
      }
      if damage != "a journal" { try bytes.write(to: file) }
    }
    let suffixes = ["", "-wal", "-journal"]
    func files(_ file: URL) -> [Data?] {
      suffixes.map { try? Data(contentsOf: URL(fileURLWithPath: file.path + $0)) }
    }
    let before = files(file)
    let migrations = damage == "an earlier version" ? TestMigrations.all : Migration.all
    let (steps, losses, copy) = try repair(migrations: migrations)
    #expect(files(copy) == before, "each byte is kept")
    #expect(try names() == [".backups", "store.sqlite"])
    let trees = try RecoveryBench.trees(of: file, migrations: migrations)
    if damage == "an earlier version" {
      #expect(
        steps.contains(
          "schema version \(Migration.latestVersion) becomes \(migrations.latestVersion)"))
      #expect(trees.count == 2)
    } else {
      let count = trees["shelf"]?.placedItems.count ?? 0
      #expect(most == 1_200 ? count == most : (0...most).contains(count), "\(count): \(steps)")
      if count < 1_200 {
        let lost = "list \"shelf\": \(1_200 - count) of 1200 items "
        #expect(losses.contains { $0.hasPrefix(lost) && $0.contains("lost: item ") }, "\(losses)")
      }
    }
  }

  // MARK: What is not done

  @Test func whatIsBeyondRepairStays() throws {
    try FileManager.default.removeItem(at: file)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
    try queue.close()
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: file)
    let plan = try RepairPlan(of: file, accepting: [])
    #expect(plan.steps == [])
    #expect(plan.remaining.first?.contains("nothing can be made of it") == true)
    var generator = SeededGenerator(seed: 4)
    for bytes in [
      Data("a text".utf8), Data((0..<40_960).map { _ in UInt8(generator.number(0..<256)) }),
    ] {
      try bytes.write(to: file)
      let failure = #expect(throws: StoreError.self) { try RepairPlan(of: file, accepting: []) }
      #expect(failure?.code == .notAStore)
      #expect(try names() == ["store.sqlite"])
      #expect(try Data(contentsOf: file) == bytes)
    }
  }

  @Test func anotherSchemaOrMigrationComesFirst() throws {
    let migrations = TestMigrations.all
    _ = try Migrator.up(file, migrations: migrations, backsUp: false)
    try store.change("ALTER TABLE cell ADD COLUMN more TEXT; UPDATE list SET digest = 7")
    let table = try RepairPlan(of: file, accepting: [], migrations: migrations)
    #expect(table.steps == [] && table.remaining.count == 2)
    try store.change(
      "ALTER TABLE cell DROP COLUMN more; UPDATE schemaMigration SET checksum = '1:0' WHERE version = 3"
    )
    let migration = try RepairPlan(of: file, accepting: [], migrations: migrations)
    #expect(migration.steps == [] && migration.remaining.count == 2)
    let accepted = try RepairPlan(of: file, accepting: [3], migrations: migrations)
    #expect(accepted.remaining == [])
    #expect(accepted.steps.contains { $0.contains("checksum 1:0 becomes") }, "\(accepted.steps)")
    _ = try accepted.apply(to: file)
    #expect(try Verification(of: file, migrations: migrations).verdict == .sound)
  }

  @Test func aMissingTableIsMadeAnew() throws {
    try store.change("DROP TABLE measuredSize")
    let (steps, losses, _) = try repair()
    #expect(steps.contains("table measuredSize is made anew"), "\(steps)")
    #expect(losses == ["1 page lost that held measured sizes"])
    #expect(try Repository(existing: file).tree(of: "a").placedItems.count == 6)
  }

  @Test func aStoreThatIsOpenOrHasChangedIsNotReplaced() throws {
    try store.change("UPDATE list SET digest = 7 WHERE name = 'a'")
    let plan = try RepairPlan(of: file, accepting: [])
    var repository: Repository? = try Repository(existing: file)
    try repository?.commit([.insertSection("new")], to: "b")
    let busy = #expect(throws: StoreError.self) { try plan.apply(to: file) }
    #expect([.busy, .changedMeanwhile].contains(busy?.code))
    repository = nil
    let changed = #expect(throws: StoreError.self) { try plan.apply(to: file) }
    #expect(changed?.code == .changedMeanwhile)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(".backups").path) == [])
    _ = try repair()
    #expect(try Repository(existing: file).tree(of: "b").sections.map(\.id) == ["t", "new"])
  }

  /// The file has the same bytes then.
  @Test func aCommitInTheLogAloneIsAChangeToo() throws {
    let source = try InspectionBench()
    let repository = try Repository(at: source.file)
    try repository.commit([.insertSection("s")], to: "a")
    let queue = try DatabaseQueue(path: source.file.path)
    try queue.write { try $0.execute(sql: "UPDATE list SET digest = 7") }
    func copy() throws {
      for suffix in ["", "-wal"] {
        try? FileManager.default.removeItem(atPath: file.path + suffix)
        try FileManager.default.copyItem(
          atPath: source.file.path + suffix, toPath: file.path + suffix)
      }
    }
    try copy()
    let bytes = try Data(contentsOf: file)
    let plan = try RepairPlan(of: file, accepting: [])
    try repository.commit([.insertSection("t")], to: "b")
    try copy()
    #expect(try Data(contentsOf: file) == bytes)
    let failure = #expect(throws: StoreError.self) { try plan.apply(to: file) }
    #expect(failure?.code == .changedMeanwhile)
    try copy()
    _ = try RepairPlan(of: file, accepting: []).apply(to: file)
    #expect(try Repository(existing: file).tree(of: "b").sections.map(\.id) == ["t"])
    try queue.close()
  }

  @Test func theNewestThreeCopiesAreKept() throws {
    for number in 0..<5 {
      try store.change("UPDATE list SET digest = \(number) WHERE name = 'a'")
      _ = try repair()
    }
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.file(".backups").path)
    #expect(kept.count == StoreBackup.keptCount)
    #expect(StoreBackup.all(of: file).isEmpty)
  }

  @Test func theLastCopyIsKeptWhenTheClockWasPutBack() throws {
    let future = (1...3).map { folder.file(".backups/store.damaged.2099010\($0)T000000Z") }
    for copy in future {
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    }
    try store.change("UPDATE list SET digest = 7 WHERE name = 'a'")
    _ = try repair()
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.file(".backups").path)
    #expect(kept.count == StoreBackup.keptCount)
    #expect(kept.contains { !$0.contains("2099") })
  }
}
