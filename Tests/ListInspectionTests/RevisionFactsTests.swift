import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing
import ListTables

/// What the log tells of a single revision, and where an item is.
@Suite struct RevisionFactsTests {
  private let bench: InspectionBench
  private let repository: Repository

  init() throws {
    bench = try InspectionBench()
    repository = try Repository(at: bench.file)
    try repository.commit(
      [
        .insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "1"), in: "s"),
        .insertItem(Item(id: "b", cell: "C", content: "2"), in: "s"),
      ], to: "list", by: "server")
    try repository.commit([.moveItem("a", to: .end)], to: "list")
    try repository.commit([], to: "list")
  }

  private func facts(_ revision: Int?, entries: Int = 20) throws -> Inspection.RevisionFacts {
    try bench.unchanged {
      try Inspection(of: bench.file).facts(ofRevision: revision, in: "list", entries: entries)
    }
  }

  @Test func eachRevisionHasItsCommit() throws {
    let first = try facts(1, entries: 2)
    #expect(first.commit?.author == "server")
    #expect(first.commit?.changeCount == 3)
    #expect(first.commit?.counts == ["insertSection": 1, "insertItem": 2])
    #expect(first.commit?.entries.map(\.operation) == ["insertSection", "insertItem"])
    #expect((first.floor, first.newest, first.laterChangeCount) == (0, 3, 1))
    #expect(first.logChangeCount == 4)
    #expect(!first.isCut)
    let second = try facts(2)
    #expect(second.commit?.entries.first?.to?.path == [0, 1])
    let newest = try facts(nil)
    #expect(newest.revision == 3)
    #expect(newest.commit?.changeCount == 0)
    #expect(try facts(0).commit == nil)
  }

  @Test func ofALongCommitOnlyTheBeginningIsRead() throws {
    try repository.commit(
      (0..<3_000).map {
        .insertItem(
          Item(id: ItemID(stringLiteral: "n\($0)"), cell: "C", content: "1"), in: "s")
      }, to: "list")
    let facts = try facts(4, entries: 5)
    #expect(facts.isCut)
    #expect(facts.commit?.changeCount == 2_000)
    #expect(facts.commit?.entries.count == 5)
  }

  @Test func whatTheLogDoesNotHaveIsAnErrorThatSaysWhatItHas() throws {
    for revision in [-1, 4, .max] {
      let error = #expect(throws: StoreError.self) { _ = try facts(revision) }
      #expect(error?.code == .revisionNotFound)
      #expect(error?.message.contains("0 to 3") == true)
      #expect(error?.file == bench.file.path)
    }
    try repository.truncateLog(of: "list", keeping: LogRetention(changes: 1))
    let kept = try facts(nil)
    #expect(kept.floor > 0)
    #expect(throws: StoreError.self) { _ = try facts(kept.floor - 1) }
    #expect(try facts(kept.floor).commit == nil)
  }

  @Test func anItemIsFoundWithoutReadingTheLog() throws {
    let inspection = try Inspection(of: bench.file)
    let place = try inspection.place(of: "a", in: "list")
    #expect(place?.path == [0, 1])
    #expect(place?.section == "s")
    #expect(try inspection.place(of: "x", in: "list") == nil)
    let facts = try inspection.facts(ofItem: "a", in: "list", last: 0)
    #expect(facts.history == nil)
    #expect(facts.isThere)
  }
}
