import ListItems
import ListModel
import ListStore

/// The contents of a whole list upgraded, one member renamed, beside C that replaces as many payloads
/// in one transaction and logs nothing; and how long others are kept from writing meanwhile.
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

  /// The longest that another writer has to wait.
  private static let longest = 50e6
  /// Of long contents so many are enough.
  private static let maximumLongCount = 20_000

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    try LockTime.begin()
    for size in settings.sizes where size >= 10_000 {
      let items = StoredLists.flatItems(0..<size)
      let rounds = try Rounds(
        settings.rounds,
        [
          { _ in try upgrade(size, .fresh, lists).total },
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
      try addLocks(.fresh, "", size, settings, lists, &report)
      try addLocks(.aged, "aged, ", size, settings, lists, &report)
      try addLocks(.long, "4 KB, ", min(size, maximumLongCount), settings, lists, &report)
    }
  }

  /// Adds the longest lock, and the longest commit of another writer; of all rounds.
  private static func addLocks(
    _ age: StoredLists.Age, _ name: String, _ size: Int, _ settings: Settings, _ lists: StoredLists,
    _ report: inout Report
  ) throws {
    var (lock, wait) = (0.0, 0.0)
    for _ in 0..<settings.rounds {
      let times = try upgrade(size, age, lists, besideAnother: true)
      (lock, wait) = (max(lock, times.lock), max(wait, times.wait))
    }
    for (part, time) in [("lock", lock), ("others wait", wait)] {
      report.add(
        Measurement(
          name: "store upgrade, \(name)\(part)", items: size, changes: 1, ours: time,
          targets: [.within(longest)]))
    }
  }

  /// Upgrades a list, and takes the times in nanoseconds.
  private static func upgrade(
    _ size: Int, _ age: StoredLists.Age, _ lists: StoredLists, besideAnother: Bool = false
  ) throws -> (total: Double, lock: Double, wait: Double) {
    let file = try lists.copy(of: lists.store(size, age))
    defer { lists.remove(file) }
    let repository = try Repository(existing: file)
    let other = besideAnother ? try OtherWriter(file) : nil
    _ = LockTime.takeLongest()
    let total = try Stopwatch.once(on: .wall) {
      try repository.upgradeContents(of: [Episode.self]).upgraded.values.reduce(0, +)
    }
    return (total, LockTime.takeLongest(), try other?.stop() ?? 0)
  }
}
