import Foundation
import ListInspection
import ListModel
import ListStore
import TestSupport
import Testing

/// A file that is made to trap or to stall a reader of pages ends in a report or a typed error.
@Suite struct HostileRecoveryTests {
  private let bench: RecoveryBench
  private static let pageSize = 4_096

  init() throws { bench = try RecoveryBench() }

  /// A store with pages of all kinds: inner ones, and some that continue a long record.
  private func makeStore() throws -> Data {
    try bench.makeStore(sections: 2, items: 800, edits: 3)
    let text = String(repeating: "long ", count: 4_000)
    try Repository(existing: bench.file).edit("shelf") { shelf in
      try shelf.insert(
        Item(id: "long", cell: "Cell", content: JSON(parsing: "\"\(text)\"")), in: "section 0")
    }
    return try Data(contentsOf: bench.file)
  }

  /// The pages with a type, and the place of each in the file.
  private func pages(_ type: UInt8, of bytes: Data) -> [(number: Int, start: Int)] {
    (1..<bytes.count / Self.pageSize).filter { bytes[$0 * Self.pageSize] == type }
      .map { ($0 + 1, $0 * Self.pageSize) }
  }

  private func set(_ number: Int, _ offset: Int, of bytes: inout Data) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) {
      bytes.replaceSubrange(offset..<offset + 4, with: $0)
    }
  }

  /// Recovers what it can; a typed error is fine, and so is a store with less in it.
  private func expectEnd(of bytes: Data, _ sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    do {
      let (report, _) = try bench.recover(bytes)
      #expect(!report.damagedTables.isEmpty, sourceLocation: sourceLocation)
    } catch is StoreError {}
  }

  @Test func innerPagesThatLeadToThemselves() throws {
    var bytes = try makeStore()
    let inner = pages(5, of: bytes)
    try #require(!inner.isEmpty)
    for (number, start) in inner {
      set(number, start + 8, of: &bytes)
      for cell in 0..<Int(bytes[start + 3]) * 256 + Int(bytes[start + 4]) {
        let pointer = start + 12 + 2 * cell
        let place = start + Int(bytes[pointer]) * 256 + Int(bytes[pointer + 1])
        set(number, place, of: &bytes)
      }
    }
    try expectEnd(of: bytes)
  }

  @Test func innerPagesThatLeadToTheRootOrBeyondTheFile() throws {
    let original = try makeStore()
    for target in [1, 2, 3, Int(UInt32.max), 1 << 30, 0] {
      var bytes = original
      for (_, start) in pages(5, of: bytes) + pages(2, of: bytes) {
        set(target, start + 8, of: &bytes)
      }
      try expectEnd(of: bytes)
    }
  }

  @Test func recordsThatContinueInACircle() throws {
    let original = try makeStore()
    let text = Data("long long long ".utf8)
    let chain = (1..<original.count / Self.pageSize).filter { page in
      let start = page * Self.pageSize
      return original[start] == 0 && original[start..<start + Self.pageSize].range(of: text) != nil
    }
    try #require(chain.count > 3)
    for target in [chain[0] + 1, chain[2] + 1, 1, 0, Int(UInt32.max)] {
      var bytes = original
      for page in chain { set(target, page * Self.pageSize, of: &bytes) }
      try expectEnd(of: bytes)
    }
  }

  @Test func cellsBeyondTheirPageAndLengthsWithoutEnd() throws {
    let original = try makeStore()
    for type in [2, 5, 10, 13] as [UInt8] {
      for change in 0..<4 {
        var bytes = original
        for (_, start) in pages(type, of: original) {
          let head = start + (type < 8 ? 12 : 8)
          let first = start + Int(bytes[head]) * 256 + Int(bytes[head + 1])
          switch change {
          case 0: bytes.replaceSubrange(start + 3..<start + 5, with: [0xFF, 0xFF])
          case 1: bytes.replaceSubrange(head..<head + 2, with: [0x0F, 0xFF])
          case 2: bytes.replaceSubrange(head..<head + 2, with: [0, 0])
          default:
            // A length of 2^62, or a page with that number.
            guard first + 9 <= bytes.count else { continue }
            bytes.replaceSubrange(
              first..<first + 9, with: [0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
          }
        }
        try expectEnd(of: bytes)
      }
    }
  }

  @Test func freePagesInACircle() throws {
    var bytes = try makeStore()
    // A hole in a table makes the reader look at the list of free pages.
    let leaf = try #require(pages(13, of: bytes).last)
    bytes.replaceSubrange(
      leaf.start..<leaf.start + Self.pageSize, with: Data(count: Self.pageSize))
    set(leaf.number, 32, of: &bytes)
    set(leaf.number, leaf.start, of: &bytes)
    set(Int(UInt32.max), leaf.start + 4, of: &bytes)
    try expectEnd(of: bytes)
  }

  @Test(arguments: 0..<24)
  func valuesAndBlocksOfMaliceEndInASoundStore(number: Int) throws {
    try bench.makeStore(sections: 2, items: 100, edits: 3)
    let originals =
      [bench.file]
      + ["unreleased.sqlite", "v0001.sqlite", "v0001.sqlite"].map(PackageFiles.fixture)
    let file = bench.folder.file("malice.sqlite")
    try FileManager.default.copyItem(at: originals[number % originals.count], to: file)
    var mutation = StoreMutation(generator: SeededGenerator(seed: UInt64(900 + number)))
    let told = try mutation.apply(to: file)
    do { _ = try bench.recover(file) } catch let error as StoreError {
      // A table with a foreign key to one of Cellar's is kept as the app's, which then allows it.
      if error.code == .foreignSQL { return }
      #expect(error.file == file.path, "\(told): \(error)")
    }
  }
}
