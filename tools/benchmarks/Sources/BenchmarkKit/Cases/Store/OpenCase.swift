import BatchUpdates
import Foundation
internal import GRDB
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A store opened, up to the first 20 items with their contents; beside GRDB that opens the same
/// file and reads one row.
enum OpenCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    var ofTenThousand: Double?
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.store(size, .aged)
      let rounds = try Rounds(
        settings.rounds * 3, warmUp: true,
        [
          opening(file) { try $0.liveList(SampleList.list).provider() },
          openingByGRDB(file),
        ])
      report.add(
        Measurement(
          name: "store open", items: size, changes: 1, ours: rounds[0],
          references: [.init(name: "GRDB", median: rounds[1])], targets: [.beyond(1e6)]))
      if size == 10_000 { ofTenThousand = rounds[0] }
      if size == 1_000_000, let ofTenThousand {
        report.add(
          Measurement(
            name: "store open", items: size, changes: 1, ours: rounds[0],
            references: [.init(name: "n = 10k", median: ofTenThousand)], targets: [.atMost(1.5)]))
      }
    }
  }

  /// Opens a store and a list in it, and reads a screen.
  static func opening(
    _ file: URL, _ provider: @escaping (Repository) throws -> Provider
  ) -> (Int) throws -> Double {
    { _ in
      // Closed after the clock has stopped.
      var opened: (Repository, Provider)?
      let taken = try Stopwatch.once(on: .wall) {
        let repository = try Repository(existing: file)
        let provider = try provider(repository)
        opened = (repository, provider)
        return JumpCase.screen(of: provider, from: 0)
      }
      return withExtendedLifetime(opened) { taken }
    }
  }

  /// Opens a store by GRDB, and reads a number.
  static func openingByGRDB(_ file: URL) -> (Int) throws -> Double {
    { _ in
      var pool: DatabasePool?
      return try Stopwatch.once(on: .wall) {
        pool = try DatabasePool(path: file.path)
        return try pool?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM list") } ?? 0
      }
    }
  }
}
