import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import StoreFiles
import TestSupport
import Testing

/// A call to the file system fails while a store is repaired: the damaged store or the repaired one,
/// and a repair later succeeds.
///
/// A few calls of each kind fail; where `CELLAR_FAULTS` is `all` or `repair`, each does.
@Suite struct RepairFaultTests {
  private let template: TemporaryFolder
  private let tree: ListTree

  init() throws {
    template = try TemporaryFolder()
    let repository = try Repository(at: template.file("store.sqlite"))
    for number in 0..<4 {
      try repository.edit("list") { list in
        try list.insertSectionIfMissing("s")
        try list.insert(
          (0..<8).map {
            Item(id: ItemID(stringLiteral: "\(number)-\($0)"), cell: "Cell", content: "{}")
          }, in: "s")
      }
    }
    tree = try repository.tree(of: "list")
  }

  /// Some damage: what is mended in place, what SQLite can open, and what it can't.
  @Test(arguments: ["DROP INDEX index_section_on_visibility", "UPDATE list SET digest = 7", ""])
  func theStoreIsTheOneBeforeOrTheRepairedOne(_ sql: String) throws {
    let damaged = template.file("store.sqlite")
    if sql.isEmpty {
      var bytes = try Data(contentsOf: damaged)
      bytes.replaceSubrange(0..<100, with: Data(count: 100))
      try bytes.write(to: damaged)
    } else {
      let queue = try DatabaseQueue(path: damaged.path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
    var generator = SeededGenerator(seed: UInt64(sql.utf8.count))
    var hits = 0
    let counts = try run(Fault.all[0], at: nil, sql).calls
    for (fault, count) in zip(Fault.all, counts) {
      for call in FaultTests.calls(fault, of: count, in: "repair", using: &generator)
      where try run(fault, at: call, sql).isHit {
        hits += 1
      }
    }
    #expect(hits > 5 || FaultTests.wanted != nil, "the calls must fail")
  }

  /// Repairs a copy of the store while a call fails; `nil`: none does.
  ///
  /// Returns: How many calls each fault could fail, and whether one failed.
  private func run(
    _ fault: Fault, at call: Int?, _ sql: String
  ) throws -> (calls: [Int], isHit: Bool) {
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    try FileManager.default.copyItem(at: template.file("store.sqlite"), to: file)
    let before = try Data(contentsOf: file)
    let hint = "\(sql): \(fault), call \(call ?? 0)"
    let scope = try FaultScope(folder.url)
    if let call { scope.arm(fault, at: call) } else { scope.count() }
    var failure: StoreError?
    var isPlanned = false
    do {
      let plan = try RepairPlan(of: file, accepting: [])
      // What can't be read when the store is looked at is something that is wrong with it.
      isPlanned = !plan.steps.isEmpty
      if isPlanned { _ = try plan.apply(to: file) }
    } catch {
      failure = error
    }
    let (calls, isHit) = (Fault.all.map(scope.calls(of:)), scope.failures > 0)
    scope.disarm()
    if let failure {
      // A write that failed and was repeated can leave another change counter than the copy has:
      // then the store is taken for a changed one, and stays.
      let codes = fault.codes.union([.changedMeanwhile])
      #expect(isHit && codes.contains(failure.code), "\(hint): \(failure)")
    }
    let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))
    #expect(
      names.isSubset(of: [
        "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal", ".backups",
      ]), "\(hint): \(names)")
    if failure != nil, sql.isEmpty { #expect(try Data(contentsOf: file) == before, "\(hint)") }
    if failure != nil || !isPlanned {
      let plan = try RepairPlan(of: file, accepting: [])
      if !plan.steps.isEmpty { _ = try plan.apply(to: file) }
    }
    #expect(try Verification(of: file).verdict == .sound, "\(hint)")
    #expect(try Repository(existing: file).tree(of: "list").sections == tree.sections, "\(hint)")
    return (calls, isHit)
  }
}
