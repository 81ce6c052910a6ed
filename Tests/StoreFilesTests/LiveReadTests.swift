import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema
import TestSupport
import Testing

/// A store that others write is read in place as it was at one moment, or not at all.
@Suite struct LiveReadTests {
  /// Reads in place; `nil` if it is written so often that only a copy would be of one moment.
  private func read(_ store: CountingStore) throws -> Int? {
    do {
      return try InPlaceStore.read(store.file) { name in
        var configuration = Configuration.store()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: name.path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
          let first = try Int.fetchOne(db, sql: "SELECT number FROM first") ?? -1
          let last = try Int.fetchOne(db, sql: "SELECT number FROM last")
          let sum = try Int.fetchOne(db, sql: "SELECT sum(number) FROM line")
          // What others changed meanwhile is read again.
          return first == last && sum == first * store.lines / 40 ? first : -1
        }
      }
    } catch let error as StoreError where error.code == .notReadable {
      return nil
    }
  }

  @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
  func whatIsReadIsOfOneMoment(_ journalMode: String) throws {
    let store = try CountingStore(journalMode: journalMode)
    for mode in ["count", "count-and-close"] {
      let writer = try KilledProcess(store.file, mode, in: TemporaryFolder())
      var last = 0
      for _ in 0..<3 {
        guard let number = try read(store) else { continue }
        #expect(number >= last, "\(mode)")
        last = number
      }
      writer.kill()
    }
  }

  @Test func anOpenStoreIsReadAndLeftAlone() throws {
    let store = try CountingStore()
    let pool = try DatabasePool(path: store.file.path)
    try pool.write { try $0.execute(sql: "UPDATE last SET number = 0") }
    let before = try FolderSnapshot(of: store.folder.url)
    #expect(try read(store) == 0)
    #expect(before.changes(to: try FolderSnapshot(of: store.folder.url)) == [])
    try pool.close()
  }
}
