import Dispatch
import Foundation
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// `cellar migrate`: what stores have had, and what they need.
@Suite struct MigrateTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private func makeBareStore() throws {
    try bench.change("PRAGMA application_id = \(StoreHeader.applicationID)")
  }

  private func steps(_ outcome: BuiltProducts.Outcome) throws -> [[String: String]] {
    let result = try outcome.output.object()
    #expect(result["formatVersion"] as? Int == 1)
    #expect(result["latestVersion"] as? Int == TestMigrations.all.latestVersion)
    return try #require(result["migrations"] as? [[String: String]])
  }

  @Test func statusChangesNothingAndUpAppliesOnce() throws {
    try makeBareStore()
    let before = try FolderSnapshot(of: bench.folder.url)
    let pending = try bench.migrate("status", bench.store, "--json", expecting: 0)
    #expect(try steps(pending).map { $0["state"] } == TestMigrations.all.map { _ in "pending" })
    #expect(try pending.output.object()["schemaVersion"] as? Int == 0)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])

    let up = try bench.migrate("up", bench.store, "--json", expecting: 0)
    #expect(try steps(up).map { $0["state"] } == TestMigrations.all.map { _ in "applied now" })
    let again = try bench.migrate("up", bench.store, "--json", expecting: 0)
    #expect(try steps(again).map { $0["state"] } == TestMigrations.all.map { _ in "applied" })
    #expect(try steps(again).map { $0["name"] } == TestMigrations.all.map(\.name))
    let plain = try bench.migrate("status", bench.store, expecting: 0)
    #expect(plain.output.contains("schema version \(TestMigrations.all.latestVersion) of"))
    #expect(plain.output.contains(TestMigrations.all[0].name))
  }

  @Test func renameCellChangesItemsOnceAndSaysHowMany() throws {
    let feed =
      #"{"t":"commit","list":"home","seq":"1","ops":[{"op":"insertSection","section":"a"},"#
      + #"{"op":"insertItem","item":"x","section":"a","cell":"Old","content":1},"#
      + #"{"op":"insertItem","item":"y","section":"a","cell":"Other","content":1}]}"#
    _ = try bench.folder.write(feed + "\n", to: "feed.ndjson")
    _ = try bench.cellar("replay", "feed.ndjson", "--store", bench.store, expecting: 0)
    let renamed = try bench.cellar(
      "migrate", "rename-cell", "Old", "New", bench.store, "--json", expecting: 0)
    #expect(try renamed.output.object()["renamedItems"] as? [String: Int] == ["home": 1])
    let export = try bench.cellar("inspect", "export", bench.store, "--list", "home", expecting: 0)
    #expect(export.output.contains(#""cell":"New""#))
    #expect(!export.output.contains("Old"))
    let again = try bench.cellar("migrate", "rename-cell", "Old", "New", bench.store, expecting: 0)
    #expect(again.output.contains("nothing to rename"))
    let missing = try bench.cellar(
      "migrate", "rename-cell", "Old", "New", "gone.sqlite", expecting: 1)
    #expect(missing.errors.contains("gone.sqlite"))
    _ = try bench.cellar("migrate", "rename-cell", "", "New", bench.store, expecting: 64)
  }

  @Test func aMissingFileIsAFailureAndStaysMissing() throws {
    for command in ["status", "up"] {
      let outcome = try bench.cellar("migrate", command, "missing.sqlite", expecting: 1)
      #expect(outcome.errors.contains("missing.sqlite"))
      #expect(outcome.output == "")
    }
    #expect(try FolderSnapshot(of: bench.folder.url).names == [])
  }

  @Test func oneFileThatFailsDoesNotStopTheOthers() throws {
    try makeBareStore()
    _ = try bench.folder.write("", to: "empty")
    let outcome = try bench.cellar(
      "migrate", "up", "--json", "missing", "store.sqlite", "empty", expecting: 1)
    let results = try outcome.output.objects()
    #expect(results.map { $0["file"] as? String } == ["missing", "store.sqlite", "empty"])
    #expect(results.map { $0["error"] != nil } == [true, false, true])
    #expect(results[1]["schemaVersion"] as? Int == Migration.latestVersion)
    #expect(results[0]["schemaVersion"] == nil, "unknown is not 0")
    let plain = try bench.cellar("migrate", "status", "missing", "store.sqlite", expecting: 1)
    #expect(plain.output.hasPrefix("failed   missing: "), "the worst comes first")
    #expect(
      plain.output.contains(
        "current  store.sqlite: schema version \(Migration.latestVersion) of \(Migration.latestVersion)"
      ))
  }

  /// Runs several commands at once, each a process.
  ///
  /// One that says that the store is locked has changed nothing, and runs again: on a busy machine
  /// the others can take longer than a command waits.
  private func together(
    _ commands: [[String]], in bench: CommandBench
  ) throws -> [BuiltProducts.Outcome] {
    let results = Guarded<[Result<BuiltProducts.Outcome, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: commands.count) { index in
      let result = Result {
        var outcome = try BuiltProducts.run("cellar", commands[index], in: bench.folder.url)
        var attempts = 1
        while outcome.exitCode == 6, attempts < commands.count {
          outcome = try BuiltProducts.run("cellar", commands[index], in: bench.folder.url)
          attempts += 1
        }
        return outcome
      }
      results.withValue { $0.append(result) }
    }
    return try results.withValue { $0 }.map { try $0.get() }
  }

  @Test func manyProcessesAtOnceMigrateAStoreOnce() throws {
    for round in 0..<4 {
      let bench = try CommandBench()
      try bench.change("PRAGMA application_id = \(StoreHeader.applicationID)")
      let command = [
        "migrate", "up", "--json", "store.sqlite", "--migrations", try bench.migrationFolder(),
      ]
      let outcomes = try together(Array(repeating: command, count: 6), in: bench)
      #expect(outcomes.allSatisfy { $0.exitCode == 0 }, "round \(round): \(outcomes)")
      let applied = outcomes.reduce(0) {
        $0 + $1.output.components(separatedBy: "applied now").count - 1
      }
      #expect(applied == TestMigrations.all.count, "round \(round)")
      try bench.cellar(
        "inspect", "summary", "store.sqlite", "--migrations", bench.migrationFolder(), expecting: 0)
    }
  }

  @Test func manyProcessesAtOnceMakeOneStoreAndLoseNoCommit() throws {
    let lists = (0..<5).map { "list\($0)" }
    for list in lists {
      let lines = (1...10).map { commit($0, insertSection("s\($0)"), list: list) }
      _ = try bench.folder.write(lines.joined(), to: list)
    }
    let outcomes = try together(
      lists.map { ["replay", $0, "--store", "store.sqlite"] }, in: bench)
    #expect(outcomes.allSatisfy { $0.exitCode == 0 }, "\(outcomes)")
    for list in lists { #expect(try bench.export(list).contains(#""revision":"10""#)) }
    #expect(try FolderSnapshot(of: bench.folder.url).names.allSatisfy { !$0.hasPrefix(".") })
  }
}
