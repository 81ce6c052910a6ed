import Foundation
import GRDB
import SchemaSupport
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// `cellar migrate` with many stores: files, folders, failures, the closing line and the exit code.
@Suite struct MigrateManyTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  /// Makes a store of a version.
  private func copy(_ version: Int, to path: String) throws {
    let file = bench.folder.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try TestMigrations.makeStore(at: file, version: version)
  }

  private static let oldest = Migration.latestVersion
  private static let latest = TestMigrations.all.latestVersion

  private func path(_ name: String) -> String { bench.folder.file(name).path }

  /// Flips bytes of a file.
  private func flip(_ name: String, at offset: Int, count: Int) throws {
    var bytes = try Data(contentsOf: bench.folder.file(name))
    for index in offset..<(offset + count) { bytes[index] ^= 0xFF }
    try bytes.write(to: bench.folder.file(name))
  }

  /// 12 stores, of which three are hurt.
  private func makeStores() throws {
    for index in 0..<12 {
      try copy(
        Self.oldest + index % (Self.latest - Self.oldest),
        to: "stores/\(["a", "b/c", "d"][index % 3])/\(index).sqlite")
    }
    try flip("stores/a/3.sqlite", at: 16, count: 2)
    try bench.change("PRAGMA application_id = 7", in: path("stores/b/c/4.sqlite"))
    try bench.change(
      "UPDATE schemaMigration SET checksum = '1:00' WHERE version = 1",
      in: path("stores/d/8.sqlite"))
  }

  @Test(arguments: [nil, 1, 4])
  func threeHurtStoresOfTwelveDoNotStopTheOthers(_ jobs: Int?) throws {
    try makeStores()
    let hurt = ["stores/a/3.sqlite", "stores/b/c/4.sqlite", "stores/d/8.sqlite"]
    let before = try hurt.map { try Data(contentsOf: bench.folder.file($0)) }
    // Another program's file is none of a folder's stores, so it is named.
    let arguments = ["up", "--json", hurt[1], "stores"]
    let outcome = try bench.migrate(
      arguments + (jobs.map { ["--jobs", "\($0)"] } ?? []), expecting: 1)

    let results = try outcome.output.objects()
    #expect(results.count == 12)
    let files = results.compactMap { $0["file"] as? String }
    #expect(files == [hurt[1]] + files.dropFirst().sorted())
    for result in results {
      let file = try #require(result["file"] as? String)
      let isHurt = hurt.contains(file)
      #expect(result["outcome"] as? String == (isHurt ? "failed" : "migrated"))
      #expect((result["error"] != nil) == isHurt)
      if !isHurt { #expect(result["schemaVersion"] as? Int == Self.latest) }
    }
    func failure(_ file: String) -> (code: Int?, error: String?) {
      let result = results.first { $0["file"] as? String == file }
      return (result?["exitCode"] as? Int, result?["error"] as? String)
    }
    #expect(failure(hurt[0]).code == 1)
    #expect(failure(hurt[1]).code == 1)
    #expect(failure(hurt[1]).error?.contains("application id 7") == true)
    #expect(failure(hurt[2]).code == 4)
    #expect(failure(hurt[2]).error?.contains("1:00") == true)
    #expect(
      outcome.errors.hasSuffix(
        "9 migrated, 3 failed: \(hurt[1]), \(hurt[0]), \(hurt[2])\n"), "\(outcome.errors)")
    #expect(try hurt.map { try Data(contentsOf: bench.folder.file($0)) } == before)

    let again = try bench.migrate(arguments, expecting: 1)
    #expect(again.errors.contains("9 current, 3 failed: "))
    let alike = try bench.migrate("up", hurt[2], "stores/a/0.sqlite", expecting: 4)
    #expect(alike.errors == "Error: 1 of 2 failed: \(hurt[2])\n")
    let lines = alike.output.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("failed   \(hurt[2]): ") == true, "the worst comes first")
    #expect(lines.contains("2 stores: 1 current, 1 failed"))
  }

  @Test func aFolderIsItsStoresAndNothingElse() throws {
    try copy(Self.oldest, to: "stores/one.sqlite")
    try copy(Self.oldest, to: "stores/below/two.db")
    try copy(Self.oldest, to: "stores/.backups/three.sqlite")
    try copy(Self.oldest, to: "elsewhere/four.sqlite")
    try FileManager.default.createSymbolicLink(
      at: bench.folder.file("stores/link.sqlite"),
      withDestinationURL: bench.folder.file("elsewhere/four.sqlite"))
    try FileManager.default.createSymbolicLink(
      at: bench.folder.file("stores/linked"),
      withDestinationURL: bench.folder.file("elsewhere"))
    _ = try bench.folder.write("no store", to: "stores/notes.txt")
    try bench.change("CREATE TABLE other (a)", in: path("stores/other.sqlite"))
    let outcome = try bench.migrate("status", "--json", "stores", "stores/one.sqlite", expecting: 0)
    #expect(
      try outcome.output.objects().map { $0["file"] as? String }
        == ["stores/below/two.db", "stores/one.sqlite"])
    let linked = try bench.migrate("status", "--json", "stores/linked/", expecting: 0)
    #expect(
      try linked.output.objects().map { $0["file"] as? String } == ["stores/linked/four.sqlite"])
  }

  @Test func aFolderWithoutStoresIsAFailure() throws {
    try FileManager.default.createDirectory(
      at: bench.folder.file("empty"), withIntermediateDirectories: true)
    let outcome = try bench.migrate("up", "empty", expecting: 1)
    #expect(outcome.errors.contains("it is a folder, and no store is in it"))
  }

  @Test func statusSaysWhatIsPendingAndChangesNothing() throws {
    for number in 1...6 {
      try copy(number == 1 ? Self.oldest : Self.latest - 1, to: "v\(number).sqlite")
    }
    try bench.change("PRAGMA user_version = 99", in: path("v6.sqlite"))
    let before = try FolderSnapshot(of: bench.folder.url)
    let files = (1...5).map { "v\($0).sqlite" }
    let outcome = try bench.migrate(["status"] + files, expecting: 0)
    #expect(outcome.output.contains("\n5 stores: 5 pending\n"))
    let checked = try bench.migrate(["status", "--check", "--json"] + files, expecting: 3)
    #expect(try checked.output.objects().map { $0["exitCode"] as? Int } == [3, 3, 3, 3, 3])
    let newer = try bench.migrate("status", "v6.sqlite", expecting: 5)
    #expect(newer.output.contains("schema version 99 of \(Self.latest)"))
    // What fails comes before what is pending.
    _ = try bench.migrate(["status", "--check", "v6.sqlite"] + files, expecting: 5)
    _ = try bench.migrate("plan", "v1.sqlite", expecting: 0)
    _ = try bench.migrate("verify", "v1.sqlite", expecting: 0)
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])

    _ = try bench.migrate("up", "v1.sqlite", "--to", "\(Self.oldest + 1)", expecting: 0)
    let partly = try bench.migrate("status", "--check", "--json", "v1.sqlite", expecting: 3)
    #expect(try partly.output.object()["schemaVersion"] as? Int == Self.oldest + 1)
    _ = try bench.migrate("up", "v1.sqlite", expecting: 0)
    let lower = try bench.migrate("up", "v1.sqlite", "--to", "\(Self.oldest + 1)", expecting: 0)
    #expect(lower.output.contains("schema version \(Self.latest) of"))
    _ = try bench.migrate("status", "--check", "v1.sqlite", expecting: 0)
  }

  @Test func aDamagedStoreIsRefusedBeforeItIsTouched() throws {
    try copy(Self.oldest, to: "pages.sqlite")
    try flip("pages.sqlite", at: 4096 * 3, count: 4096)
    try copy(Self.oldest, to: "rows.sqlite")
    try bench.change("UPDATE section SET itemCount = 99", in: path("rows.sqlite"))
    let before = try FolderSnapshot(of: bench.folder.url)
    for command in ["up", "plan"] {
      for store in ["pages.sqlite", "rows.sqlite"] {
        let outcome = try bench.migrate(command, store, expecting: 1)
        #expect(outcome.errors.contains("the store is damaged"), "\(outcome.errors)")
      }
    }
    #expect(before.changes(to: try FolderSnapshot(of: bench.folder.url)) == [])
  }
}
