import Foundation
import GRDB
import ListModel
import ListStore
import Providers
import StoreFiles
import TestSupport
import Testing

/// A cell in memory does not wait for another thread's read.
@Suite struct CachedAnswerTests {
  /// Holds each statement while it is closed.
  private final class Gate: Sendable {
    private let isClosed = Guarded(false)
    private let arrival = DispatchSemaphore(value: 0)
    private let opening = DispatchSemaphore(value: 0)

    func pass() {
      if !isClosed.withValue({ $0 }) { return }
      arrival.signal()
      opening.wait()
    }

    func close() { isClosed.withValue { $0 = true } }

    func waitForStatement() -> Bool { arrival.wait(timeout: .now() + 30) == .success }

    func open() {
      isClosed.withValue { $0 = false }
      opening.signal()
    }
  }

  @Test func anItemInMemoryIsAnsweredWhileAnotherThreadReads() throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    var options = Repository.Options()
    options.prepareConnection = { db in db.trace { _ in gate.pass() } }
    let repository = try Repository(at: folder.file("store.sqlite"), options: options)
    let items = try (0..<2_000).map {
      Change.insertItem(Item(id: try ItemID("i\($0)"), cell: "c", content: .null), in: "s")
    }
    try repository.commit([.insertSection("s")] + items, to: "list")
    let provider = try repository.provider(for: "list")
    let first = try #require(provider.item(at: ItemPath(section: 0, item: 0)))

    gate.close()
    let (read, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ids = Guarded<[ItemID?]>([])
    Thread.detachNewThread {
      let id = provider.itemID(at: ItemPath(section: 0, item: 1_999))
      ids.withValue { $0.append(id) }
      read.signal()
    }
    try #require(gate.waitForStatement())
    Thread.detachNewThread {
      let id = provider.item(at: ItemPath(section: 0, item: 0))?.id
      ids.withValue { $0.append(id) }
      answered.signal()
    }
    #expect(answered.wait(timeout: .now() + 30) == .success)
    #expect(ids.withValue { $0 } == [first.id])
    gate.open()
    #expect(read.wait(timeout: .now() + 30) == .success)
    #expect(ids.withValue { $0 } == [first.id, "i1999"])
  }
}
