import Foundation
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// `cellar migrate new`, `lint` and `dump`: the files of `migrations/`.
@Suite struct MigrationFolderTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
    try FileManager.default.copyItem(
      at: PackageFiles.root.appendingPathComponent("migrations"),
      to: bench.folder.file("migrations"))
  }

  /// The problems that lint finds, as "file:line message".
  private func problems() throws -> [String] {
    let outcome = try bench.cellar("migrate", "lint", "--json")
    let found = try #require(outcome.output.object()["problems"] as? [[String: Any]])
    #expect(outcome.exitCode == (found.isEmpty ? 0 : 2))
    return found.map { problem in
      "\(problem["file"] ?? ""):\(problem["line"] ?? "") \(problem["message"] ?? "")"
    }
  }

  private var next: Int { Migration.latestVersion + 1 }
  private var newName: String { String(format: "v%04d_add_badges.sql", next) }

  @Test func dumpPrintsTheSchemaFile() throws {
    let schema = try String(
      contentsOf: bench.folder.file("migrations/schema.sql"), encoding: .utf8)
    #expect(try bench.cellar("migrate", "dump", expecting: 0).output == schema)
    let first = try bench.migrate("dump", "--version", "1", expecting: 0).output
    #expect(first.contains("CREATE TABLE item ("))
    #expect(!first.contains("CREATE TABLE badge ("))
    #expect(try bench.migrate("dump", expecting: 0).output.contains("CREATE TABLE badge ("))
    _ = try bench.cellar("migrate", "dump", "--version", "0", expecting: 64)
    _ = try bench.cellar("migrate", "dump", "--version", "\(next)", expecting: 64)
  }

  @Test func theFilesOfTheProjectHaveNoProblem() throws {
    #expect(try problems() == [])
    let outcome = try bench.cellar("migrate", "lint", expecting: 0)
    #expect(outcome.output == "\(Migration.latestVersion) migrations run\n")
  }

  @Test func theMigrationsOfTheTestsHaveNoProblem() throws {
    let outcome = try bench.cellar(
      "migrate", "lint", "--dir", bench.migrationFolder(), expecting: 0)
    #expect(outcome.output == "\(TestMigrations.all.count) migrations run\n")
  }

  /// The option is for tests: a folder that is none is refused, and no help tells of it.
  @Test func aFolderOfOtherMigrationsIsReadWhole() throws {
    let known = try bench.migrationFolder()
    let outcome = try bench.cellar("migrate", "dump", "--migrations", "none", expecting: 1)
    #expect(outcome.errors.contains("there is no folder of migrations"))
    let second = TestMigrations.all[1].name + ".sql"
    try FileManager.default.removeItem(atPath: known + "/" + second)
    let gap = try bench.cellar("migrate", "dump", "--migrations", known, expecting: 1)
    #expect(gap.errors.contains("its number is not 2"))
    for command in [["migrate", "up"], ["migrate", "dump"], ["inspect", "info"]] {
      let help = try bench.cellar(command + ["--help"], expecting: 0)
      #expect(!help.output.contains("--migrations"))
    }
  }

  @Test func newTakesTheNextNumberOnce() throws {
    let made = try bench.cellar("migrate", "new", "add_badges", expecting: 0)
    #expect(made.output.hasSuffix("/migrations/\(newName)\n"))
    #expect(
      try problems() == [
        "\(newName):1 has no statement",
        "\(newName): has no way down: write it behind --! down, or why there is none in --! one-way",
      ])
    let again = try bench.cellar("migrate", "new", "add_badges", expecting: 1)
    #expect(again.errors.contains("has this name already"))
    for name in ["Add", "add-badges", "add badges", "_add", "add__badges", "../add", ""] {
      let outcome = try bench.cellar("migrate", "new", name, expecting: 1)
      #expect(outcome.errors.contains("is no name of a migration"), "\(name)")
    }
    let elsewhere = try bench.cellar("migrate", "new", "add", "--dir", "none", expecting: 1)
    #expect(elsewhere.errors.contains("there is no folder of migrations"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: bench.folder.file("migrations").path)
    #expect(names.count == Migration.all.count + 2)
  }

  @Test(arguments: [
    ("CREATE TABLE badge (id);\n\nBEGIN;\n", ":3 BEGIN: each migration is one transaction"),
    ("-- one\nCREATE TABLE badge (id);\n-- two\nCOMMIT;", ":4 COMMIT: each"),
    ("/* a */ pragma foreign_keys = off;", ":1 PRAGMA foreign_keys has no effect"),
    ("CREATE TABLE badge (id);\nVACUUM;", ":2 VACUUM can't run"),
    ("CREATE TABLE badge (id);\n\n  CREATE TABEL b (c);", ":3 near \"TABEL\": syntax error"),
    ("CREATE TABLE badge (id);\nCREATE TABLE badge (id);", ":2 table badge already exists"),
    ("--! one-way\n", ":1 --! one-way is no directive"),
    ("CREATE TABLE badge (id);\n--! down\nDROP TABLE bagde;", ": its way down fails: no such"),
    ("CREATE TABLE badge (id);\n--! down\nSELECT 1;", ": its way down does not lead to"),
  ])
  func aStatementThatHasNoPlaceThereIsNamedByItsLine(_ sql: String, _ problem: String) throws {
    _ = try bench.folder.write(sql, to: "migrations/\(newName)")
    let found = try problems()
    #expect(found.first?.contains(newName + problem) == true, "\(found)")
  }

  @Test(arguments: [
    ("DELETE FROM item WHERE id = 1;", "deletes rows of item", "fewer-rows item"),
    ("DROP TABLE viewState;", "drops viewState", "fewer-rows viewState"),
    (
      "ALTER TABLE cell RENAME TO b;\nDROP TABLE IF EXISTS \"b\";", "drops cell",
      "fewer-rows cell"
    ),
    (
      "CREATE TABLE b (name TEXT);\nALTER TABLE cell RENAME TO c;\nDROP TABLE c;", "drops cell",
      "renames cell b"
    ),
    ("ALTER TABLE list DROP COLUMN meta;", "drops list.meta", "loses list meta"),
    (
      "ALTER TABLE list RENAME TO l;\nALTER TABLE l DROP meta;", "drops list.meta",
      "loses list meta"
    ),
    ("\n-- all\nUPDATE list SET meta = 1;", "writes over list.meta", "loses list meta"),
    ("INSERT OR REPLACE INTO cell VALUES (1, 'a');", "replaces rows of cell", "fewer-rows cell"),
    ("REPLACE INTO cell VALUES (1, 'a');", "replaces rows of cell", "fewer-rows cell"),
  ])
  func whatTakesDataHasToSaySo(_ sql: String, _ problem: String, _ directive: String) throws {
    let line = sql.dropLast().split(separator: "\n", omittingEmptySubsequences: false).count
    for name in [problem, directive] {
      let said = name == directive ? "--! \(directive)\n" : ""
      _ = try bench.folder.write(
        said + "--! one-way it is a test\n" + sql, to: "migrations/\(newName)")
      // What schema.sql has is another matter.
      let found = try problems().filter { $0.hasPrefix(newName) }
      if said.isEmpty {
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(newName):\(line + 1) \(problem)") == true, "\(found)")
      } else {
        #expect(found == [])
      }
    }
  }

  @Test func whatAMigrationMadeItselfIsItsOwn() throws {
    _ = try bench.folder.write(
      """
      --! one-way it is a test
      CREATE TABLE badge (id);
      INSERT OR REPLACE INTO badge VALUES (1);
      UPDATE badge SET id = 2;
      DELETE FROM badge;
      ALTER TABLE list ADD COLUMN badge TEXT;
      UPDATE list SET badge = 1;
      ALTER TABLE cell RENAME TO oldCell;
      CREATE TABLE cell (id, name);
      INSERT INTO cell SELECT id, name FROM oldCell;
      DROP TABLE oldCell;
      DROP TABLE badge;
      """, to: "migrations/\(newName)")
    #expect(try problems().filter { $0.hasPrefix(newName) } == [])
  }

  @Test func numbersCountWithoutGapsAndTwice() throws {
    let third = String(format: "v%04d_c.sql", next + 2)
    for name in [newName, String(format: "v%04d_twice.sql", next), third] {
      _ = try bench.folder.write(
        "--! one-way it is new\nCREATE TABLE \(name.dropLast(4)) (id);", to: "migrations/\(name)")
    }
    _ = try bench.folder.write("", to: "migrations/V0009_Upper.sql")
    let found = try problems()
    #expect(found.count == 4)
    #expect(found[0].hasPrefix("V0009_Upper.sql: is no migration"))
    #expect(found[1].contains("has the number of \(newName)"))
    #expect(found[2].hasPrefix("\(third): has number \(next + 2), and the one before has \(next)"))
    #expect(found[3].hasPrefix("schema.sql: is not what the migrations make"))
  }
}
