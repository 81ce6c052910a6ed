import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A long list stored in one commit, log included, beside C that inserts whole rows and logs
/// nothing, and C that inserts the same rows as we do; all into new databases.
enum BulkInsertCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where (1_000...100_000).contains(size) {
      let section = try SampleList.sectionID(0)
      let changes = try (0..<size).map { number in
        Change.insertItem(try StoredLists.item(number), in: section)
      }
      let rows = StoredLists.flatItems(0..<size)
      let rounds = try Rounds(
        settings.rounds,
        [
          { _ in
            let file = lists.newFile()
            defer { lists.remove(file) }
            let repository = try Repository(at: file)
            try repository.liveList(SampleList.list).commit([.insertSection(section)])
            return try Stopwatch.once {
              try repository.liveList(SampleList.list).commit(changes).entries.count
            }
          },
          { _ in
            let file = lists.newFile()
            defer { lists.remove(file) }
            let floor = try FloorStore(file)
            try floor.makeItems()
            return try Stopwatch.once { try floor.insert(rows) }
          },
          { _ in
            let file = lists.newFile()
            defer { lists.remove(file) }
            _ = try Repository(at: file)
            let floor = try FloorStore(file)
            return try Stopwatch.once { try floor.insertLogged(rows) }
          },
        ])
      report.add(
        Measurement(
          name: "store insert", items: size, changes: size, ours: rounds[0],
          references: [.init(name: "C, no log", median: rounds[1])],
          targets: size >= 100_000 ? [.atMost(1.5)] : []))
      report.add(
        Measurement(
          name: "store insert", items: size, changes: size, ours: rounds[0],
          references: [.init(name: "C, same rows", median: rounds[2])]))
    }
  }
}
