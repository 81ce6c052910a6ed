import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import StoreFiles
import StoreSchema
import TestSupport
import Testing
import ListTables

/// The power fails while a store is made, written, closed, opened or migrated.
///
/// `FaultVFS` says what the disk has then. 100 power failures, or as many as
/// `CELLAR_POWER_FAILURES` asks for.
@Suite struct PowerFailureTests {
  private static let count =
    ProcessInfo.processInfo.environment["CELLAR_POWER_FAILURES"].flatMap(Int.init) ?? 100

  /// What is done until the power fails, again and again.
  private struct Life {
    let file: URL
    let scope: FaultScope
    let durability: Repository.Durability
    /// After how many pages a log begins anew.
    let pages: Int
    var generator: SeededGenerator
    /// By revision.
    var trees: [ListTree] = [ListTree(list: "list")]

    private func open() throws -> Repository {
      var options = Repository.Options()
      options.durability = durability
      let pages = pages
      options.prepareConnection = { db in
        try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
      }
      return try Repository(at: file, options: options)
    }

    mutating func live(commits: Int) throws {
      var repository = try open()
      let source = RandomChanges(hasSectionParts: true)
      for number in 1...commits {
        var tree = trees[trees.count - 1]
        var changes: [Change] = []
        for _ in 0..<generator.number(1..<8) {
          let change = source.change(for: tree, using: &generator)
          try tree.apply(change)
          changes.append(change)
        }
        if number % 10 == 5, let section = tree.sections.first?.id {
          // Some pages at once.
          let ids = (0..<120).map { ItemID(stringLiteral: "\(number)-\($0)") }
          let many: [Change] =
            ids.map { .insertItem(Item(id: $0, cell: "Cell", content: "{}"), in: section) }
            + ids.dropFirst(3).map { .deleteItem($0) }
          for change in many { try tree.apply(change) }
          changes += many
        }
        tree.revision += 1
        trees.append(tree)
        try repository.commit(changes, to: "list")
        scope.note(tree.revision)
        if generator.percent(8) {
          try repository.truncateLog(
            of: "list", keeping: LogRetention(changes: generator.number(0..<60)))
        }
        if generator.percent(5) { repository = try open() }
      }
    }
  }

  @Test(arguments: Repository.Durability.allCases, 0..<2)
  func aStoreIsWholeAfterAPowerFailure(
    _ durability: Repository.Durability, _ part: Int
  ) throws {
    var checked = 0
    var number = 0
    var lost = 0
    var revisions: Set<Int> = []
    // Where much is synced, a few power failures may lose nothing.
    while checked < max(1, Self.count / 4) || (durability == .normal && lost == 0 && number < 30) {
      number += 1
      let seed = part * 100_000 + number
      let folder = try TemporaryFolder()
      let cuts = try TemporaryFolder()
      let scope = try FaultScope(folder.url)
      scope.recordPowerFailures(in: cuts.url, every: 60, seed: seed)
      var life = Life(
        file: folder.file("store-\(number).sqlite"), scope: scope, durability: durability,
        pages: [1_000, 8, 100, 2][number % 4], generator: SeededGenerator(seed: UInt64(seed)))
      try life.live(commits: 30)
      for (cut, note) in scope.notesAtPowerFailures.enumerated() {
        let hint = "\(durability), seed \(seed), power failure \(cut), acknowledged \(note)"
        let file = cuts.file("\(cut)").appendingPathComponent(life.file.lastPathComponent)
        let revision = try check(file, against: life.trees, hint)
        let least = durability == .full ? note : 0
        #expect((least...(note + 1)).contains(revision), "\(hint)")
        if revision < note { lost += 1 }
        revisions.insert(revision)
        checked += 1
      }
    }
    #expect(revisions.count > 5, "the power must fail in many places")
    // Else nothing was remembered: the disk then has all that was written.
    #expect((lost > 0) == (durability == .normal), "\(lost) of \(checked)")
    if Self.count > 100 {
      print(
        "durability \(durability), part \(part): \(checked) power failures, of which \(lost) took back "
          + "commits that had been acknowledged")
    }
  }

  /// - Returns: The revision of the list that is left.
  private func check(_ file: URL, against trees: [ListTree], _ hint: String) throws -> Int {
    guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
    do {
      // Looking comes first: it sees what is there, and changes nothing.
      let seen = try Inspection(of: file).summary().lists.first?.revision ?? 0
      let repository = try Repository(at: file)
      let revision = try repository.lists().isEmpty ? 0 : repository.revision(of: "list")
      #expect(seen == revision, "\(hint)")
      if revision > 0 {
        #expect(try repository.tree(of: "list") == trees[revision], "\(hint)")
      }
      let problems = try repository.checkInvariants()
      #expect(problems.isEmpty, "\(hint)")
      try repository.commit([.insertSection("after")], to: "list")
      return revision
    } catch {
      Issue.record("\(hint): \(error)")
      return 0
    }
  }

  @Test(arguments: FaultyOperation.all.filter { $0.testDescription.hasPrefix("migrate") })
  func aPowerFailureInAMigrationLeavesOneVersionOrTheNext(_ operation: FaultyOperation) throws {
    let original = try TemporaryFolder()
    let name = "store.sqlite"
    try operation.prepare(original.file(name))
    var expected: StoreState?
    var versions: Set<Int> = []
    var checked = 0
    var seed = 0
    // Where one migration is left, few power failures come after it.
    while checked < max(1, Self.count / 20) || (versions.count < 2 && seed < 50) {
      seed += 1
      let folder = try TemporaryFolder()
      let file = folder.file(name)
      try FileManager.default.copyItem(at: original.file(name), to: file)
      let cuts = try TemporaryFolder()
      let scope = try FaultScope(folder.url)
      scope.recordPowerFailures(in: cuts.url, every: 60, seed: seed)
      let state = try StoreState(of: operation.open(file))
      #expect(expected == nil || state == expected)
      expected = state
      for cut in scope.notesAtPowerFailures.indices {
        let hint = "\(operation.testDescription), seed \(seed), power failure \(cut)"
        let image = cuts.file("\(cut)").appendingPathComponent(name)
        do {
          versions.insert(
            try SchemaStatus(of: image, migrations: operation.migrations).version)
          let repository = try operation.reopen(image)
          #expect(try StoreState(of: repository) == state, "\(hint)")
          let problems = try repository.checkInvariants()
          #expect(problems.isEmpty, "\(hint)")
        } catch {
          Issue.record("\(hint): \(error)")
        }
        checked += 1
      }
    }
    #expect(versions.count > 1, "some must come before a migration, some after")
  }
}
