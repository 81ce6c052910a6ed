import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// The last commit undone, one insertion in a random place of an aged list, beside the commit itself.
enum UndoCase {
  private static let commits = 100

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .aged))
      defer { lists.remove(file) }
      let repository = try Repository(existing: file)
      var generator = SeededGenerator(seed: settings.seed)
      let section = try SampleList.sectionID(0)
      func change() throws -> Change {
        .insertItem(
          try StoredLists.item(size), in: section,
          at: .index(Int.random(in: 0..<size, using: &generator)))
      }
      // Ours and theirs of one commit each, one after another.
      func times() throws -> (commit: Double, undo: Double) {
        var (commit, undo) = (0.0, 0.0)
        for _ in 0..<commits {
          let change = try change()
          var revision = 0
          commit += try Stopwatch.once {
            revision = try repository.liveList(SampleList.list).commit([change]).revision
            return 1
          }
          undo += try Stopwatch.once {
            try repository.liveList(SampleList.list).undoCommit(revision).entries.count
          }
        }
        return (commit, undo)
      }
      _ = try times()
      let rounds = try (0..<settings.rounds).map { _ in try times() }
      func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
      report.add(
        Measurement(
          name: "store undo", items: size, changes: commits, ours: median(rounds.map(\.undo)),
          references: [.init(name: "the commit", median: median(rounds.map(\.commit)))]))
    }
  }
}
