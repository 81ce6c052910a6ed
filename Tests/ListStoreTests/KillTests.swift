import Foundation
import GRDB
import ListModel
import ListStore
import TestSupport
import Testing

/// A process that commits and acknowledges is killed at random moments.
@Suite struct KillTests {
  /// `CELLAR_KILLS` asks for another number than each test's own.
  private static let kills = ProcessInfo.processInfo.environment["CELLAR_KILLS"].flatMap(Int.init)

  /// 80 kills, in parts that run side by side.
  @Test(arguments: 0..<4) func noAcknowledgedCommitIsLost(_ part: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    var generator = SeededGenerator(seed: UInt64(part))
    var kills = 0
    var acknowledged = 0
    var allAcknowledged = 0
    var notAcknowledged = 0
    while kills < (Self.kills ?? 24) / 4 {
      // Every tenth begins with no store, so that making one is killed as well.
      if kills % 10 == 0 {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
          try FileManager.default.removeItem(at: folder.file(name))
        }
        acknowledged = 0
      }
      let process = try StoreProcess(file, output: folder.file("output-\(kills)"))
      // Most die while they commit, some while they start, open or make the store.
      if generator.percent(80) { process.waitForOutput() }
      usleep(UInt32(generator.number(0..<40_000)))
      let lines = try process.killAndRead()
      kills += 1

      acknowledged = lines.last.flatMap { Int($0) } ?? acknowledged
      allAcknowledged += lines.count
      let hint = "part \(part), kill \(kills)"
      guard FileManager.default.fileExists(atPath: file.path) else {
        #expect(acknowledged == 0, "\(hint)")
        continue
      }
      let repository = try Repository(at: file)
      let revision = try repository.lists().isEmpty ? 0 : repository.revision(of: "list")
      // One commit may have been stored without its acknowledgement getting out.
      #expect((acknowledged...(acknowledged + 1)).contains(revision), "\(hint)")
      notAcknowledged += revision - acknowledged
      acknowledged = revision
      if revision > 0 { try checkLogAgreesWithRows(of: "list", in: repository, hint) }
      try checkInvariants(of: file, hint)
    }
    #expect(allAcknowledged > kills, "the kills must hit a process at work")
    if Self.kills != nil {
      print(
        "kills, part \(part): \(kills) processes, which acknowledged \(allAcknowledged) commits and stored "
          + "\(notAcknowledged) more")
    }
  }

  /// Kills, in parts that run side by side.
  ///
  /// Blocks split and join in every commit, orders grow higher and lower, the log is truncated.
  @Test(arguments: GrowAndShrink.all, 0..<2)
  func aListThatGrowsAndShrinksIsWholeAndItsLogLeadsToIt(
    _ script: GrowAndShrink, _ part: Int
  ) throws {
    let isLong = script.name == GrowAndShrink.long.name
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    var generator = SeededGenerator(seed: UInt64(part))
    var acknowledged = 0
    var acknowledgedFloor = 0
    var floors: Set<Int> = []
    var levels: Set<Int> = []
    let wanted = max(1, (Self.kills ?? 8) / 4)
    var number = 0
    // A slow machine needs more until it has been everywhere.
    while number < wanted
      || number < wanted + 40 && (floors.count < 2 || levels.count < 2)
    {
      number += 1
      let output = folder.file("output")
      let process = try StoreProcess(
        file, ["grow-and-shrink", script.name], output: output)
      if generator.percent(90) { process.waitForOutput() }
      usleep(UInt32(generator.number(0..<(isLong ? 600_000 : 100_000))))
      for line in try process.killAndRead() {
        if line.hasPrefix("floor ") {
          acknowledgedFloor = try #require(Int(line.dropFirst(6)))
        } else {
          #expect(Int(line) == acknowledged + 1)
          acknowledged += 1
        }
      }

      let hint = "\(script.name), part \(part), kill \(number)"
      guard FileManager.default.fileExists(atPath: file.path) else {
        #expect(acknowledged == 0, "\(hint)")
        continue
      }
      let repository = try Repository(existing: file)
      let revision = try repository.lists().isEmpty ? 0 : repository.revision(of: "list")
      #expect((acknowledged...(acknowledged + 1)).contains(revision), "\(hint)")
      acknowledged = revision
      try checkInvariants(of: file, hint)
      guard revision > 0 else { continue }
      let floor = try checkEveryRevision(of: repository, script, hint)
      // A truncation may have begun without its acknowledgement getting out.
      #expect(floor >= acknowledgedFloor, "\(hint)")
      acknowledgedFloor = floor
      floors.insert(floor)
      levels.insert(try greatestLevel(file))
    }
    #expect(floors.count > 1, "the log must be truncated between the kills")
    #expect(levels == (isLong ? [1, 2] : [0, 1]), "the kills must meet low and high orders")
  }

  /// Checks the list, and each revision that the log leads to.
  ///
  /// - Returns: The first revision from which the log leads on.
  private func checkEveryRevision(
    of repository: Repository, _ script: GrowAndShrink, _ hint: String
  ) throws -> Int {
    let head = try repository.tree(of: "list")
    #expect(head == script.tree("list", atRevision: head.revision), "\(hint)")
    let commits = try repository.commits(of: "list")
    let floor = head.revision - commits.count
    var tree = try repository.tree(of: "list", at: floor)
    for commit in commits {
      #expect(
        tree == script.tree("list", atRevision: commit.revision - 1),
        "\(hint) @\(commit.revision - 1)")
      try tree.apply(commit)
    }
    #expect(tree == head, "\(hint)")
    if floor > 0 {
      let failure = #expect(throws: StoreError.self) {
        try repository.tree(of: "list", at: floor - 1)
      }
      #expect(failure?.code == .revisionNotFound, "\(hint)")
    }
    return floor
  }

  /// How many blocks are above those with items, at most.
  private func greatestLevel(_ file: URL) throws -> Int {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    let level = try queue.read { db in
      try Int.fetchOne(db, sql: "SELECT max(level) FROM block WHERE section IS NOT NULL")
    }
    return try #require(level)
  }
}
