import Foundation
import ListInspection
import ListModel
import ListStore
import SchemaSupport
import StoreSchema
import TestSupport
import Testing

/// A flipped byte beside a store, or in a store of an earlier version, gives another list only where
/// a finding says so.
///
/// `CELLAR_FLIPPED_BYTES=2000`: so many in each file, instead of 8.
@Suite struct FlippedFileTests {
  private let bench: InspectionBench

  init() throws { bench = try InspectionBench() }

  private static let count =
    ProcessInfo.processInfo.environment["CELLAR_FLIPPED_BYTES"].flatMap { Int($0) } ?? 8

  /// What a store says of its lists, at their heads and before; what it can't say is left out.
  private struct Answers {
    var exports: [String: String] = [:]
    /// Whether an error or a warning says that something is wrong.
    var isWarned: Bool
    var isRefused = false

    init(_ file: URL, _ expected: [String]) throws {
      let inspection = try Inspection(of: file, migrations: TestMigrations.all)
      isWarned = inspection.check().contains { $0.severity > .notice }
      for list in inspection.summary().lists {
        for revision in [nil, 3] {
          let name = "\(list.list) at \(revision ?? -1)"
          exports[name] = try? inspection.export(ListID(list.list), at: revision)
        }
      }
      isRefused = expected.contains { exports[$0] == nil }
    }
  }

  /// Flips bytes of a store or of a file beside it, one at a time; gives the number of cases in which
  /// something was said.
  @discardableResult
  private func flip(_ flipped: URL, of store: URL, seed: UInt64) throws -> Int {
    let original = try Data(contentsOf: flipped)
    defer { try? original.write(to: flipped) }
    let expected = try Answers(store, [])
    #expect(!expected.exports.isEmpty)
    let names = expected.exports.keys.sorted()
    let offsets = original.indices.filter { original[$0] != 0 }
    var generator = SeededGenerator(seed: seed)
    var saidCount = 0
    for _ in 0..<Self.count {
      let offset = generator.element(of: offsets) ?? 0
      let bit = UInt8(1) << UInt8(generator.number(0..<8))
      var bytes = original
      bytes[offset] ^= bit
      try bytes.write(to: flipped)
      do {
        let found = try Answers(store, names)
        if found.isWarned || found.isRefused { saidCount += 1 }
        for (name, text) in found.exports where text != expected.exports[name] {
          #expect(
            found.isWarned, "\(flipped.lastPathComponent), byte \(offset) ^ \(bit): \(name)")
        }
        #expect(
          found.isWarned || !found.isRefused,
          "\(flipped.lastPathComponent), byte \(offset) ^ \(bit): refused without a finding")
      } catch is StoreError { saidCount += 1 }
    }
    return saidCount
  }

  @Test func aLogEndsAtTheByteOrIsWhole() throws {
    _ = try bench.makeStoreWithLog()
    let count = try flip(bench.log, of: bench.file, seed: 1)
    #expect(count * 10 > Self.count * 9, "almost every byte has a checksum")
  }

  @Test func aJournalTakesBackOrTheDamageIsFound() throws {
    try bench.makeStore()
    try InspectionBench.cutOffTransaction(in: bench.file)
    try flip(bench.journal, of: bench.file, seed: 2)
  }

  @Test(arguments: Migration.latestVersion..<TestMigrations.all.latestVersion)
  func aStoreOfAnEarlierVersionIsReadRight(version: Int) throws {
    try TestMigrations.makeStore(at: bench.file, version: version)
    #expect(try flip(bench.file, of: bench.file, seed: UInt64(version)) > 0)
  }
}
