import Foundation
import GRDB
import TestSupport
import Testing

/// SQL that a file brings along gets no time and no memory of a command.
@Suite struct HostileSQLTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try bench.fill(commit(1, insertSection("s"), insertItem("a")))
  }

  /// One step of it takes hours.
  private static let slow =
    "instr(replace(hex(zeroblob(5000000)),'0','aaaa'),replace(hex(zeroblob(400000)),'0','aaaa')||'b')"
  /// It takes gigabytes.
  private static let large = "length(replace(hex(zeroblob(100000000)),'0','abcd'))"

  /// What somebody has put into a store; `runsWhenWritten`: whether it would run as soon as a command
  /// writes.
  struct Hostility: Sendable {
    let name: String
    let make: [String]
    /// The text that then stands for it: SQLite would run it while it makes it.
    let sql: String
    var runsWhenWritten = true
  }

  static let hostilities = [slow, large].flatMap { expression in
    [
      Hostility(
        name: "index", make: ["CREATE INDEX evil ON cell (length(name))"],
        sql: "CREATE INDEX evil ON cell (\(expression))"),
      Hostility(
        name: "condition", make: ["CREATE INDEX evil ON author (name) WHERE length(name) > 0"],
        sql: "CREATE INDEX evil ON author (name) WHERE \(expression) > 0"),
      Hostility(
        name: "table",
        make: [
          "CREATE TABLE evil (a UNIQUE, b AS (1), CHECK (a > 0))", "INSERT INTO evil VALUES (1)",
        ],
        sql: "CREATE TABLE evil (a UNIQUE, b AS (\(expression)), CHECK (\(expression) > 0))",
        runsWhenWritten: false),
    ]
  }

  private func plant(_ hostility: Hostility) throws {
    for sql in hostility.make { try bench.change(sql) }
    let queue = try DatabaseQueue(path: bench.store)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = 1")
      try db.execute(
        sql: "UPDATE sqlite_schema SET sql = ? WHERE name = 'evil'", arguments: [hostility.sql])
      try db.execute(sql: "UPDATE store SET isBypassed = 0")
    }
    try queue.close()
  }

  /// Runs a command within the time and the memory that a small store may take.
  private func run(_ arguments: [String]) throws -> BuiltProducts.Outcome {
    try BuiltProducts.run(
      "cellar", arguments, in: bench.folder.url, processorTime: 15, addressSpace: 2 << 30)
  }

  @Test(arguments: hostilities.indices) func noCommandRunsIt(_ number: Int) throws {
    let hostility = Self.hostilities[number]
    try plant(hostility)
    let found = "\(hostility.name == "table" ? "table evil" : "index evil on") "
    let looks: [([String], Int32)] = [
      (["inspect", "info", "store.sqlite"], 0),
      (["inspect", "check", "store.sqlite"], hostility.runsWhenWritten ? 2 : 0),
      (["inspect", "report", "store.sqlite", "--out", "page.html"], 0),
      (["inspect", "ls", "store.sqlite"], 0), (["inspect", "space", "store.sqlite"], 0),
      (["inspect", "export", "store.sqlite", "--list", "l"], 0),
      (["inspect", "query", "store.sqlite", "SELECT count(*) FROM cell, author"], 0),
      (["inspect", "recover", "store.sqlite", "new.sqlite"], hostility.name == "table" ? 0 : 2),
      (["migrate", "backup", "store.sqlite"], 0),
      (["migrate", "plan", "store.sqlite"], 0),
      (["migrate", "status", "store.sqlite"], hostility.runsWhenWritten ? 4 : 0),
      (["migrate", "verify", "store.sqlite"], hostility.runsWhenWritten ? 4 : 0),
      (["migrate", "repair", "store.sqlite", "--yes"], hostility.runsWhenWritten ? 4 : 0),
    ]
    for (arguments, code) in looks {
      let outcome = try run(arguments)
      let isRefusedPlan = arguments[1] == "plan" && hostility.runsWhenWritten
      #expect(outcome.exitCode == (isRefusedPlan ? 4 : code), "\(arguments): \(outcome)")
      if ["info", "check", "status", "verify"].contains(arguments[1]) {
        #expect(outcome.output.contains(found), "\(arguments): \(outcome)")
      }
    }
  }

  @Test(arguments: hostilities.indices) func noCommandWritesAStoreInWhichItWouldRun(
    _ number: Int
  ) throws {
    let hostility = Self.hostilities[number]
    try plant(hostility)
    try Data(commit(2, insertItem("b")).utf8).write(to: bench.folder.file("feed"))
    let writes = [
      ["replay", "feed", "--store", "store.sqlite"],
      ["migrate", "up", "store.sqlite"],
      ["migrate", "rename-cell", "C", "D", "store.sqlite"],
      ["migrate", "up", "store.sqlite", "--migrations", try bench.migrationFolder()],
    ]
    for arguments in writes {
      let before = try Data(contentsOf: bench.folder.file("store.sqlite"))
      let outcome = try run(arguments)
      #expect(
        outcome.exitCode == (hostility.runsWhenWritten ? 4 : 0), "\(arguments): \(outcome)")
      if hostility.runsWhenWritten {
        #expect(outcome.errors.contains("allowedSchemaObjects"), "\(arguments): \(outcome)")
        #expect(try Data(contentsOf: bench.folder.file("store.sqlite")) == before, "\(arguments)")
      }
    }
  }

  @Test func aQueryReadsNoColumnThatIsComputed() throws {
    try plant(Self.hostilities[2])
    for sql in ["SELECT * FROM evil", "SELECT B FROM main.EVIL", "SELECT count(b) FROM evil"] {
      let outcome = try run(["inspect", "query", "store.sqlite", sql])
      #expect(outcome.exitCode == 1, "\(outcome)")
      #expect(outcome.errors.contains("reading evil.b is not allowed"), "\(outcome)")
    }
    #expect(try run(["inspect", "query", "store.sqlite", "SELECT a FROM evil"]).output == "a\n1\n")
    let check = try run(["inspect", "query", "store.sqlite", "PRAGMA integrity_check"])
    #expect(check.exitCode == 1)
  }

  @Test func aQueryTakesNoMemoryWithoutEnd() throws {
    let large = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT count(DISTINCT i || zeroblob(30000000)) FROM n
      """
    let outcome = try BuiltProducts.run(
      "cellar", ["inspect", "query", "store.sqlite", large], in: bench.folder.url,
      addressSpace: 4 << 30)
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errors.contains("more memory than SQLite may have"), "\(outcome)")
  }

  /// Half a minute: the 20 seconds of a small store, and 10 more for a step to end by itself.
  @Test(.enabled(if: SeededGenerator.asksForMore))
  func aQueryWhoseStepDoesNotEndEndsTheCommand() throws {
    let scratch = try TemporaryFolder()
    let outcome = try bench.shell(
      """
      TMPDIR="\(scratch.url.path)" timeout 120 "$cellar" inspect query store.sqlite "SELECT \(Self.slow)"
      """)
    #expect(outcome.exitCode == 1, "\(outcome)")
    #expect(outcome.errors.hasPrefix("Error: ended, because one step"), "\(outcome)")
    #expect(try scratch.contents().isEmpty)
  }
}
