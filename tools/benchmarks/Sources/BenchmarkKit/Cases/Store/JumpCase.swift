import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// A screen of 20 items with their contents, at a random index of a stored list that nothing was
/// read of.
enum JumpCase {
  private static let screenSize = 20
  private static let jumps = 50

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let repositories = try [StoredLists.Age.fresh, .aged].map {
        try Repository(existing: lists.store(size, $0))
      }
      var generator = SeededGenerator(seed: settings.seed)
      let places = (0..<jumps).map { _ in
        Int.random(in: 0..<(size - screenSize), using: &generator)
      }
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        repositories.map { repository in
          { _ in
            var provider = try repository.liveList(SampleList.list).provider()
            var taken = 0.0
            for place in places {
              taken += Stopwatch.once { screen(of: provider, from: place) }
              provider = try repository.liveList(SampleList.list).provider()
            }
            return taken / Double(jumps)
          }
        })
      report.add(
        Measurement(
          name: "store jump fresh", items: size, changes: 1, ours: rounds[0],
          targets: [.within(2e6)]))
      report.add(
        Measurement(
          name: "store jump aged", items: size, changes: 1, ours: rounds[1],
          references: [.init(name: "fresh", median: rounds[0])],
          targets: [.within(2e6), .atMost(1.4)]))
    }
  }

  /// Asks for a screen as a data source does, and adds up the contents.
  ///
  /// `place`: An index in the first section; the screen goes on in those behind it.
  static func screen(of provider: Provider, from place: Int) -> Int {
    var (bytes, path) = (0, ItemPath(section: 0, item: place))
    for _ in 0..<screenSize {
      while path.section < provider.numberOfSections,
        path.item >= provider.numberOfItems(inSection: path.section)
      {
        path = ItemPath(section: path.section + 1, item: 0)
      }
      bytes += provider.item(at: path)?.state.content.text.utf8.count ?? 0
      path.item += 1
    }
    return bytes
  }
}
