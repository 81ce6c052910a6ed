import DerivedLists
import Foundation
import GRDB
import ListInspection
import ListModel
import ListStore
import ListTables
import StoreSchema
import TestSupport
import Testing

/// A repaired store has its derived lists, made anew of what is left of their sources.
@Suite struct RecoveredDerivedListTests {
  private let bench: RecoveryBench

  init() throws {
    bench = try RecoveryBench()
    try bench.makeStore()
    let lines = [
      #"{"derived":"edited","of":"shelf","where":[{"path":"/edit","exists":true}],"section":{"path":"/edit"}}"#,
      #"{"derived":"first","of":"edited","limit":5}"#,
    ]
    try Repository(existing: bench.file).define(
      lines.enumerated().map { (try DerivedDefinition(parsing: Array($1.utf8)), $0 + 1) })
  }

  private func expectDerived(in file: URL) throws {
    let repository = try Repository(existing: file)
    #expect(try repository.derivedLists().map(\.list) == ["edited", "first"])
    let source = try repository.tree(of: "shelf").sections.flatMap(\.items)
    let edited = try repository.tree(of: "edited").sections.flatMap(\.items)
    let wanted = source.filter { $0.state.content.text.contains("edit") }
    let (found, expected) = (Set(edited.map(\.id)), Set(wanted.map(\.id)))
    #expect(found == expected)
    #expect(
      try repository.tree(of: "first").sections.flatMap(\.items).count == min(5, wanted.count))
    // They follow their source from here on.
    guard let gone = edited.first?.id else { return }
    try repository.commit([.deleteItem(gone)], to: "shelf")
    #expect(
      try !repository.tree(of: "edited").sections.flatMap(\.items).map(\.id).contains(gone))
    #expect(try repository.checkInvariants() == [])
  }

  @Test(arguments: [
    "UPDATE list SET digest = digest + 1",
    "DELETE FROM content WHERE id IN (SELECT id FROM content ORDER BY id DESC LIMIT 7)",
    "DELETE FROM borrowedItem WHERE list = (SELECT list FROM derivedList WHERE part = 'all')",
    "UPDATE block SET members = '[]' WHERE list IN (SELECT list FROM derivedList)",
    "DELETE FROM derivedValue", "DELETE FROM listCommit WHERE revision = 1",
  ])
  func whateverWasDamaged(_ sql: String) throws {
    // The repository that defined the lists may still be closing its connections.
    let queue = try DatabaseQueue(path: bench.file.path, configuration: .store())
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
    let (_, file) = try bench.recover(try Data(contentsOf: bench.file))
    try expectDerived(in: file)
    #expect(try !Repository(existing: file).tree(of: "edited").sections.isEmpty)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func pagesOfZeros(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = try Data(contentsOf: bench.file)
    let (report, file) = try bench.recover(
      RecoveryBench.zero(pages: 12, of: bytes, using: &generator))
    #expect(!report.isComplete)
    let repository = try Repository(existing: file)
    #expect(try repository.checkInvariants() == [])
    if try repository.derivedLists().count == 2 { try expectDerived(in: file) }
  }
}
