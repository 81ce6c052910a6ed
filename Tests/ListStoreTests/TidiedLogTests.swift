import Foundation
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

/// A Provider stays where it is, whatever happens to the write-ahead log below it.
@Suite struct TidiedLogTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  private func items(_ numbers: Range<Int>, content: JSON = "0") throws -> [Change] {
    try numbers.map {
      .insertItem(Item(id: try ItemID("i\($0)"), cell: "Cell", content: content), in: "s")
    }
  }

  private var logSize: Int {
    let log = folder.file("store.sqlite-wal").path
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    return attributes?[.size] as? Int ?? 0
  }

  /// Advances a Provider past commits that make the write-ahead log so long that it is to begin
  /// anew.
  private func follow() throws -> Provider {
    try repository.commit([.insertSection("s")] + items(0..<500), to: "list")
    var provider = try repository.provider(for: "list")
    let content = JSON(stringLiteral: "\"\(String(repeating: "x", count: 40_000))\"")
    for number in 0..<12 {
      let first = 1_000 + number * 20
      try repository.commit(items(first..<(first + 20), content: content), to: "list")
    }
    #expect(logSize > 8 << 20)
    // Only where nobody stands before the newest revision any more.
    try repository.advance(&provider)
    try repository.commit([.touchItem("i0")], to: "list")
    try repository.advance(&provider)
    repository.maintenance.drain()
    return provider
  }

  @Test func whatOthersCommitAfterwardsTakesNothingAway() throws {
    let provider = try follow()
    let expected = try repository.tree(of: "list")
    let other = try Repository(existing: folder.file("store.sqlite"))
    try other.commit([.moveItem("i0", to: .end), .deleteItem("i1")], to: "list")
    #expect(provider.tree == expected)
    #expect(provider.path(of: "i1") == ItemPath(section: 0, item: 1))
  }

  @Test func theLogBeginsAnewWhileAProviderIsPinned() throws {
    var provider = try follow()
    let size = logSize
    for number in 0..<20 {
      try repository.commit(items(5_000 + number..<5_001 + number), to: "list")
      try repository.advance(&provider)
    }
    // It is written from its beginning, and does not grow.
    #expect(logSize == size)
    #expect(try provider.tree == repository.tree(of: "list"))
  }
}
