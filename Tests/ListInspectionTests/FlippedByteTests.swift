import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// A flipped byte is an error or a finding where it matters, and never another list.
///
/// `CELLAR_FLIPPED_BYTES=15000`: so many, instead of some.
@Suite struct FlippedByteTests {
  private let bench: InspectionBench

  init() throws { bench = try InspectionBench() }

  /// What a store says of each list, at its head and before.
  private func exports(of file: URL) throws -> [String: String] {
    let inspection = try Inspection(of: file)
    var exports: [String: String] = [:]
    for (list, revision) in [("first", 10), ("second", 12)] as [(ListID, Int)] {
      for revision in [nil, revision, 5] {
        do {
          exports["\(list) at \(revision ?? -1)"] = try inspection.export(list, at: revision)
        } catch {
          exports["\(list) at \(revision ?? -1)"] = "refused"
        }
      }
    }
    return exports
  }

  @Test func anExportIsTheListOrAnError() throws {
    do {
      let repository = try Repository(at: bench.file)
      try bench.fill(repository, seed: 7, commits: 12)
    }
    let original = try Data(contentsOf: bench.file)
    let expected = try exports(of: bench.file)
    #expect(!expected.values.contains("refused"))
    // Most of a small store is empty.
    let offsets = original.indices.filter { original[$0] != 0 }
    let environment = ProcessInfo.processInfo.environment["CELLAR_FLIPPED_BYTES"]
    let count = environment.flatMap { Int($0) } ?? 40
    var generator = SeededGenerator(seed: 15)
    var refused = 0
    for _ in 0..<count {
      let folder = try TemporaryFolder()
      let file = folder.file("store.sqlite")
      let offset = generator.element(of: offsets) ?? 0
      let flip = UInt8(1) << UInt8(generator.number(0..<8))
      var bytes = original
      bytes[offset] ^= flip
      try bytes.write(to: file)
      do {
        for (what, text) in try exports(of: file) where text != expected[what] {
          refused += 1
          #expect(text == "refused", "byte \(offset) ^ \(flip): \(what) is another one")
        }
      } catch is StoreError {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  /// Where a byte is, by what stands there, in rows of the list and not of the log.
  @Test(arguments: ["needle content", "needle action", "needle id", "needle cell", "needle meta"])
  func whatTheDigestCoversIsNotExportedAsAnotherThing(_ needle: String) throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.commit(
        [
          .insertSection("s", SectionAttributes(meta: "\"needle meta\"")),
          .insertItem(
            Item(
              id: "needle id", cell: "needle cell", content: "\"needle content\"",
              action: Action(url: "needle action")), in: "s"),
          .insertItem(Item(id: "other", cell: "C", content: "1"), in: "s"),
        ], to: "list")
      try repository.commit([.moveItem("other", to: .start)], to: "list")
    }
    let expected = try Inspection(of: bench.file).export("list")
    #expect(expected.contains(needle))
    let original = try Data(contentsOf: bench.file)
    var found = 0
    var refused = 0
    var start = original.startIndex
    while let range = original[start...].range(of: Data(needle.utf8)) {
      start = range.upperBound
      found += 1
      let folder = try TemporaryFolder()
      let file = folder.file("store.sqlite")
      var bytes = original
      bytes[range.upperBound - 1] ^= 1
      try bytes.write(to: file)
      do {
        let inspection = try Inspection(of: file)
        do {
          let export = try inspection.export("list")
          #expect(export == expected, "\(needle) at \(range.lowerBound)")
          // In the log, then.
          for revision in 0...1 {
            do {
              let earlier = try inspection.export("list", at: revision)
              #expect(try earlier == Inspection(of: bench.file).export("list", at: revision))
            } catch {
              #expect(error.code == .damagedStore)
            }
          }
        } catch {
          refused += 1
          #expect(error.code == .damagedStore)
        }
        #expect(inspection.summary().integrity != ["ok"])
      } catch {
        #expect(error.code == .damagedStore)
      }
    }
    #expect(found > 0)
    #expect(refused > 0)
  }

  @Test func aRepositoryReadsAListOrSaysThatItIsDamaged() throws {
    do {
      let repository = try Repository(at: bench.file)
      try repository.commit(
        [.insertSection("s"), .insertItem(Item(id: "a", cell: "C", content: "12345"), in: "s")],
        to: "list")
      try repository.commit([.updateItem("a", ItemUpdate(content: .set("67890")))], to: "list")
    }
    var bytes = try Data(contentsOf: bench.file)
    var start = bytes.startIndex
    while let range = bytes[start...].range(of: Data("67890".utf8)) {
      start = range.upperBound
      bytes[range.lowerBound] = UInt8(ascii: "7")
    }
    try bytes.write(to: bench.file)
    let repository = try Repository(at: bench.file)
    for revision in [nil, 2, 1, 0] {
      let failure = #expect(throws: StoreError.self) {
        try repository.tree(of: "list", at: revision)
      }
      #expect(failure?.code == .damagedStore)
      #expect(failure?.message.contains("list \"list\"") == true)
    }
    #expect(throws: StoreError.self) { try repository.undoCommit(2, of: "list") }
  }
}
