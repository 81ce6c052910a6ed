import FaultVFS
import Foundation
import ListModel
import ListStore
import TestSupport
import Testing

/// How often small commits have the disk written for good.
@Suite struct LogSyncTests {
  /// Each copy of the write-ahead log into the file syncs both.
  @Test func manyCommitsSyncTheLogNowAndThen() throws {
    let folder = try TemporaryFolder()
    let scope = try FaultScope(folder.url)
    let repository = try Repository(at: folder.file("store.sqlite"))
    try repository.commit(
      [.insertSection("s"), .insertItem(Item(id: "i", cell: "Cell", content: "1"), in: "s")],
      to: "list")
    scope.count()
    // Each writes more than two pages.
    for _ in 0..<3_000 { try repository.commit([.touchItem("i")], to: "list") }
    repository.maintenance.drain()
    let syncs = scope.calls(of: Fault(name: "sync", kinds: .sync, codes: []))
    #expect(syncs > 2)
    #expect(syncs < 150)
  }
}
