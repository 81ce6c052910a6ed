import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// The whole structure of a stored list read into a Provider: ids, cells and content revisions of
/// all items, from an open Repository; beside C that opens its database and steps whole rows.
enum RebuildCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let repositories = try [StoredLists.Age.fresh, .aged].map {
        try Repository(existing: lists.store(size, $0))
      }
      let floor = try lists.floor(size)
      let ours = repositories.map { repository in
        { (_: Int) throws -> Double in try rebuild(repository, size) }
      }
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        ours + [
          { _ in try Stopwatch.once { try FloorStore(floor).stepItems() } }
        ])
      report.add(
        Measurement(
          name: "store rebuild fresh", items: size, changes: size, ours: rounds[0],
          references: [.init(name: "C, whole rows", median: rounds[2])],
          targets: size >= 100_000 ? [.atMost(0.55)] : []))
      report.add(
        Measurement(
          name: "store rebuild aged", items: size, changes: size, ours: rounds[1],
          references: [.init(name: "fresh", median: rounds[0])], targets: [.atMost(1.4)]))
    }
  }

  private static func rebuild(_ repository: Repository, _ size: Int) throws -> Double {
    // Kept until the clock has stopped.
    var provider: Provider?
    let taken = try Stopwatch.once {
      let opened = try repository.liveList(SampleList.list).provider()
      opened.prefetch(0..<size, inSection: 0, withContents: false)
      provider = opened
      return opened.numberOfItems
    }
    let last = ItemPath(section: 0, item: size - 1)
    guard provider?.itemID(at: last) != nil else {
      throw BenchmarkError("the last item is missing")
    }
    return taken
  }
}
