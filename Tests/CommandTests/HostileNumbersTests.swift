import Foundation
import GRDB
import ListItems
import ListModel
import ListStore
import TestSupport
import Testing
import ListTables

/// Whatever number stands in a column of a store, a command answers, or fails with a documented exit
/// code, in time.
///
/// `CELLAR_HOSTILE_NUMBERS=all`: every column with every number, instead of one number for each
/// column.
@Suite struct HostileNumbersTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  // MARK: The numbers

  /// A number in a column: in the first row, in the last one, or in all of them.
  private struct Damage: CustomStringConvertible {
    var table: String
    var column: String
    var key: String
    var value: String
    var rows: Rows

    enum Rows: CaseIterable { case first, last, all }

    init(_ table: String, _ column: String, _ key: String, _ value: String, _ rows: Rows) {
      (self.table, self.column, self.key, self.value, self.rows) = (table, column, key, value, rows)
    }

    var description: String { "\(table).\(column) = \(value) (\(rows))" }

    var sql: String {
      let row = "SELECT \(key) FROM \(table) ORDER BY \(key) \(rows == .last ? "DESC" : "") LIMIT 1"
      return "UPDATE OR IGNORE \(table) SET \(column) = \(value)"
        + (rows == .all ? "" : " WHERE (\(key)) IN (\(row))")
    }
  }

  private static let integers = [
    "9223372036854775807", "-9223372036854775808", "4611686018427387904", "253402300800000", "-1",
    "0",
  ]
  private static let reals = ["1e308", "-1e308", "9e999", "5e-324", "-1.0", "1e18"]

  /// Every damage, those of a column together.
  private func damages() throws -> [[Damage]] {
    let queue = try DatabaseQueue(path: bench.store)
    defer { try? queue.close() }
    return try queue.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT s.name, c.name AS "column", c.type, (SELECT group_concat(name)
            FROM pragma_table_info(s.name) WHERE pk > 0) AS key
          FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
          WHERE s.type = 'table' AND c.type IN ('INTEGER', 'REAL') ORDER BY s.name, c.cid
          """
      ).map { row in
        (row["type"] == "REAL" ? Self.reals : Self.integers).flatMap { value in
          Damage.Rows.allCases.map { rows in
            Damage(row["name"], row["column"], row["key"], value, rows)
          }
        }
      }
    }
  }

  /// Makes a store of the sound one.
  ///
  /// - Returns: Whether it differs from that.
  private func make(_ store: String, with damage: Damage) throws -> Bool {
    try FileManager.default.copyItem(atPath: bench.store, toPath: store)
    let queue = try DatabaseQueue(path: store)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
      try db.execute(sql: damage.sql)
      let isChanged = db.changesCount > 0
      // Without the note that another program has written, so that digests are compared.
      if damage.column != "isBypassed" { try db.execute(sql: "UPDATE store SET isBypassed = 0") }
      return isChanged
    }
  }

  // MARK: The commands

  /// The commands that look at several stores one after another.
  private static let commands = [
    ["info"], ["check", "--json"], ["ls", "--long"], ["log", "--rates"], ["sizes", "--stale"],
    ["cells"], ["space"], ["wal"],
  ]

  private func commands(for store: String) -> [[String]] {
    [
      ["show", store, "item", "--list", "list"],
      ["show", store, "--section", "section", "--list", "list"],
      ["export", store, "--list", "list", "--at", "2"],
      ["export", store, "--list", "list", "--at", "2020-01-01T00:00:00Z"],
      ["diff", store + "@1", store, "--list", "list"],
      ["query", store, "SELECT * FROM itemInOrder"],
      ["query", store, "SELECT * FROM changeInOrder"],
      ["report", store, "--out", store + ".html"],
      ["recover", store, store + " recovered"], ["redact", store, store + " redacted"],
    ]
  }

  private static let exitCodes: Set<Int32> = [0, 1, 2, 4, 5]

  /// Runs a command on stores; where it ends in another way on several, on each of them alone.
  private func expectEnd(
    of command: [String], on stores: [(path: String, damage: Damage)], isNamed: Bool = false
  ) throws {
    let paths = isNamed ? [] : stores.map(\.path)
    // A processor's time, not a clock's: other tests run beside this one.
    let outcome = try BuiltProducts.run(
      "cellar", ["inspect"] + command + paths, processorTime: 20 * stores.count)
    if Self.exitCodes.contains(outcome.exitCode) { return }
    if stores.count > 1 {
      for store in stores { try expectEnd(of: command, on: [store]) }
    } else if let damage = stores.first?.damage {
      let why = outcome.errors.split(separator: "\n").first { $0.contains("Fatal") } ?? ""
      Issue.record("\(damage): \(command.joined(separator: " ")): \(outcome.exitCode) \(why)")
    }
  }

  /// Runs the commands on a store for each damage: all of those for several stores, and some of
  /// those for one.
  private func expectEnds(
    of damages: [Damage], percent: Int, _ generator: inout SeededGenerator
  ) throws {
    // In portions: so many copies take their room.
    for start in stride(from: 0, to: damages.count, by: 100) {
      var stores: [(path: String, damage: Damage)] = []
      let folder = try TemporaryFolder()
      for number in start..<min(start + 100, damages.count) {
        let path = folder.file("\(number).sqlite").path
        if try make(path, with: damages[number]) { stores.append((path, damages[number])) }
      }
      #expect(!stores.isEmpty)
      for command in Self.commands { try expectEnd(of: command, on: stores) }
      for store in stores {
        for command in commands(for: store.path) where generator.percent(percent) {
          try expectEnd(of: command, on: [store], isNamed: true)
        }
      }
    }
  }

  /// In parts that run side by side.
  @Test(arguments: 0..<4)
  func everyNumberInAnyColumnEndsInAnAnswerOrAnError(_ part: Int) throws {
    try makeStore()
    let isWhole = ProcessInfo.processInfo.environment["CELLAR_HOSTILE_NUMBERS"] == "all"
    var generator = SeededGenerator(seed: UInt64(part))
    let columns = try damages()
    #expect(columns.count > 80)
    let damages = stride(from: part, to: columns.count, by: 4).flatMap { column in
      isWhole ? columns[column] : generator.element(of: columns[column]).map { [$0] } ?? []
    }
    try expectEnds(of: damages, percent: isWhole ? 100 : 6, &generator)
  }

  /// Sums and absolute values of these numbers do not fit.
  @Test func theEndsOfNumbersThatAreCalculatedWithTrapNoCommand() throws {
    try makeStore()
    var generator = SeededGenerator(seed: 0)
    try expectEnds(
      of: [
        Damage("listCommit", "revision", "list, revision", Self.integers[0], .first),
        Damage("listCommit", "time", "list, revision", Self.integers[1], .all),
        Damage("blockExtent", "measured", "sizeKey, block", Self.integers[1], .all),
      ], percent: 100, &generator)
  }

  // MARK: The store

  /// A sound store with rows in every table.
  private func makeStore() throws {
    let repository = try Repository(at: URL(fileURLWithPath: bench.store))
    let view = Supplementary(view: "View", content: "{\"title\":\"a\"}")
    try repository.edit("list") { list in
      try list.insertSection(
        "section",
        SectionAttributes(
          layout: SectionLayout(
            kind: .flow, columns: 2, lineSpacing: 4, interitemSpacing: 4,
            insets: Insets(top: 1, left: 2, bottom: 3, right: 4)),
          header: view,
          decorations: [Decoration(view: "Card"), Decoration(view: "Card", element: .items)]))
      try list.insert(Item(id: "item", cell: "Cell", content: "{\"n\":1}"), in: "section")
      try list.insert(
        (0..<300).map { Item(id: try ItemID("item \($0)"), cell: "Cell", content: "{}") },
        in: "section")
      try list.insertSection("other")
    }
    for number in 0..<4 {
      try repository.edit("list", by: Author("writer \(number)")) { list in
        try list.apply(.updateItem("item", ItemUpdate(content: .set(JSON(parsing: "\(number)")))))
        try list.apply(.moveItem(ItemID("item \(number)"), in: "other", to: .start))
      }
    }
    _ = try bench.folder.write(
      #"{"derived":"grouped","of":"list","section":{"path":"/n"},"limit":200}"# + "\n", to: "lists")
    try bench.cellar("derive", bench.store, "--define", "lists", expecting: 0)
    try repository.edit("list") { list in
      try list.apply(.updateItem("item", ItemUpdate(content: .set(JSON(parsing: "3.0")))))
    }
    let owner = ListOwner(list: "list", item: "item", name: "nested")
    _ = try repository.edit(owner.nestedList, ownedBy: owner, by: .app) { list in
      try list.insertSection("section")
    }
    try repository.save(
      ListViewState(selection: ItemSelection(.single, ["item"])), of: "list")
    let key = SizeKey(fittingPixels: 320, environment: LayoutEnvironment())
    try repository.save(
      [
        MeasuredSize(
          item: "item", size: Size(width: 320, height: 44), cell: "Cell", contentRevision: 4)
      ]
        + (0..<100).map {
          MeasuredSize(
            item: try ItemID("item \($0)"), size: Size(width: 320, height: 50), cell: "Cell",
            contentRevision: 0)
        }, for: key, in: "list")
    try repository.save(
      [
        MeasuredSupplementarySize(
          section: "section", kind: .header, size: Size(width: 320, height: 30),
          supplementary: view)
      ], for: key, in: "list")
  }
}
