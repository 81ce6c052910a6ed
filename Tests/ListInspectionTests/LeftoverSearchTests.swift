import Foundation
import ListInspection
import TestSupport
import Testing

/// The search for leftovers misses none, however many runs it must look up.
@Suite struct LeftoverSearchTests {
  private let folder: TemporaryFolder
  private let originals = TextFilter(byteCount: 1_000)

  init() throws {
    folder = try TemporaryFolder()
    for word in Self.words { originals.insert(word.utf8) }
  }

  private static let words = (0..<50).map { "Wuthering\($0)Heights" } + ["100000", "2024-11-22"]

  private static func runs(of text: some Collection<UInt8>) -> Set<ByteRun> {
    let bytes = Array(text)
    return Set(
      (0..<max(0, bytes.count - 5)).map { start in
        bytes[start..<start + 6].reduce(0) { $0 << 8 | ByteRun($1) }
      })
  }

  private func search(capacity: Int) -> (search: LeftoverSearch, lookUps: Counter) {
    let all = Self.words.reduce(into: Set<ByteRun>()) { $0.formUnion(Self.runs(of: $1.utf8)) }
    let lookUps = Counter()
    return (
      LeftoverSearch(for: originals, keeping: [], capacity: capacity) { candidates in
        lookUps.count += 1
        #expect(candidates.count <= capacity)
        return candidates.intersection(all)
      }, lookUps
    )
  }

  private final class Counter { var count = 0 }

  @Test(arguments: [4, 1_000]) func allRunsAreFoundInSeveralLookUps(capacity: Int) throws {
    let file = folder.file("bytes")
    let text = Self.words.prefix(50).joined(separator: "\"")
    try Data(text.utf8).write(to: file)
    let (search, lookUps) = search(capacity: capacity)
    #expect(try search.search(file) == text.utf8.count)
    let found = try search.finish()
    let wanted = Self.words.prefix(50).reduce(into: Set<ByteRun>()) {
      $0.formUnion(Self.runs(of: $1.utf8))
    }
    #expect(found == wanted)
    #expect((lookUps.count > 10) == (capacity == 4))
  }

  @Test func digitsAreSearchedForInTexts() throws {
    let (search, _) = search(capacity: 10)
    // A row's own number, and filler.
    let file = folder.file("bytes")
    try Data("[[100000,\"bcdfgh\",1]]".utf8).write(to: file)
    _ = try search.search(file)
    try search.search(text: Array("111111 1111-11-11".utf8))
    #expect(try search.finish() == [])
    try search.search(text: Array("is 100000 or 2024-11-22".utf8))
    #expect(
      try search.finish() == Self.runs(of: "100000".utf8).union(Self.runs(of: "2024-11-22".utf8)))
  }
}
