import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import StoreSchema
import TestSupport
import Testing

/// What was erased stays so in whatever is made of a store, and its log is read like any other.
@Suite struct ErasedStoreTests {
  private let bench: InspectionBench
  private var file: URL { bench.file }
  private var other: URL { bench.folder.file("other.sqlite") }

  init() throws {
    bench = try InspectionBench()
    let repository = try Repository(at: bench.file)
    try repository.edit("people") { list in
      try list.insertSection("friends")
      for name in ["ann", "bob", "cid"] {
        let content = try JSON(parsing: "{\"text\":\"the secret of \(name)\"}")
        try list.insert(Item(id: try ItemID(name), cell: "Card", content: content), in: "friends")
      }
    }
    try repository.edit("people") { try $0.move("bob", to: .start) }
    #expect(try repository.erase([.item("bob", of: "people")]).isComplete)
    try repository.close()
  }

  private func expectSound(_ file: URL, contents: Bool = true) throws {
    #expect(try Inspection(of: file).check() == [])
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data("secret of bob".utf8)) == nil)
    #expect((bytes.range(of: Data("secret of ann".utf8)) != nil) == contents)
  }

  /// The state before, in which the erased item has a place and nothing else.
  private func expectEarlierState(_ file: URL, _ list: ListID = "people") throws {
    let tree = try Repository(existing: file).tree(of: list, at: 2)
    #expect(tree.sections.map(\.items.count) == [3])
    let erased = try #require(tree.sections[0].items.first)
    #expect(erased.id.isErased)
    #expect(erased.state.content == "null")
  }

  @Test func itIsReadAndToldAsErased() throws {
    try expectSound(file)
    try expectEarlierState(file)
    let timeline = try Inspection(of: file).timeline(of: "people")
    #expect(timeline.lists.map(\.commits.count) == [3])
    #expect(try Inspection(of: file).report().html.contains("ann"))
  }

  @Test func aRedactedStoreHasItsLog() throws {
    let redaction = try Inspection(of: file).redact(to: other)
    #expect(redaction.commitCount == 3 && redaction.itemCount == 2)
    try expectSound(other, contents: false)
    try expectEarlierState(other, try #require(try Repository(existing: other).lists().first))
  }

  @Test(arguments: [false, true]) func aRecoveredStoreHasItsLog(hasHeader: Bool) throws {
    let before = try Repository(existing: file).tree(of: "people")
    if !hasHeader {
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data(count: 100))
      try handle.close()
    }
    let recovery = try StoreRecovery.recover(file, to: other)
    #expect(recovery.losses == [])
    try expectSound(other)
    #expect(try Repository(existing: other).tree(of: "people") == before)
    try expectEarlierState(other)
  }

  @Test func aRepairedStoreHasItsLog() throws {
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(sql: "UPDATE section SET itemCount = 99; UPDATE store SET isBypassed = 0")
    }
    try queue.close()
    let plan = try RepairPlan(of: file, accepting: [])
    #expect(plan.losses == [])
    _ = try plan.apply(to: file)
    try expectSound(file)
    try expectEarlierState(file)
  }
}
