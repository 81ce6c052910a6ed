import ListItems
import ListModel
import ListStore

/// The contents of a whole list upgraded, one member renamed, beside C that replaces as many payloads
/// in one transaction and logs nothing.
enum UpgradeCase {
  private final class EpisodeCell {}

  private struct Episode: ListItem {
    var id: String, name: String, subtitle: String, image: String, on: Int

    static var contentVersion: Int { 2 }
    static func upgrade(_ content: inout JSON, from version: Int) throws {
      try content.rename("title", to: "name")
    }

    func configure(_ cell: EpisodeCell) {}
  }

  /// So many commits upgrade a list; each has to let others write soon.
  private static let longest = 50e6

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 10_000 {
      var waits: [Double] = []
      let items = StoredLists.flatItems(0..<size)
      let rounds = try Rounds(
        settings.rounds,
        [
          { _ in
            let file = try lists.copy(of: lists.store(size, .fresh))
            defer { lists.remove(file) }
            let repository = try Repository(existing: file)
            return try Stopwatch.once(on: .wall) {
              let (count, wait) = try upgrade(repository)
              waits.append(wait)
              return count
            }
          },
          { _ in
            let file = try lists.copy(of: lists.floor(size))
            defer { lists.remove(file) }
            let floor = try FloorStore(file)
            return try Stopwatch.once(on: .wall) { try floor.update(items) }
          },
        ])
      report.add(
        Measurement(
          name: "store upgrade", items: size, changes: size, ours: rounds[0],
          references: [.init(name: "C, no log", median: rounds[1])], targets: [.perChange(5_000)]))
      report.add(
        Measurement(
          name: "store upgrade, longest", items: size, changes: 1,
          ours: waits.sorted()[waits.count / 2], targets: [.within(longest)]))
    }
  }

  /// - Returns: How many items were upgraded, and the longest time from one commit to the next, which
  ///   is no less than what another writer waits.
  private static func upgrade(_ repository: Repository) throws -> (Int, Double) {
    let clock = ContinuousClock()
    var last = clock.now
    var longest = Duration.zero
    let upgrade = try repository.upgradeContents(of: [Episode.self]) { _ in
      let now = clock.now
      longest = max(longest, last.duration(to: now))
      last = now
    }
    let nanoseconds = Double(longest.components.attoseconds) / 1e9
    return (
      upgrade.upgraded.values.reduce(0, +), Double(longest.components.seconds) * 1e9 + nanoseconds
    )
  }
}
