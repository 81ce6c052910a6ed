import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Commits of one insertion in a random place each, beside C that writes the same rows.
enum CommitCase {
  private static let commits = 200

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let original = try lists.store(size, .aged)
      let (ours, theirs) = (try lists.copy(of: original), try lists.copy(of: original))
      defer { for file in [ours, theirs] { lists.remove(file) } }
      let repository = try Repository(existing: ours)
      let floor = try FloorStore(theirs)
      try floor.prepareCommits()
      var generator = SeededGenerator(seed: settings.seed)
      let section = try SampleList.sectionID(0)
      let places = (0...settings.rounds).map { _ in
        (0..<commits).map { _ in Int.random(in: 0..<size, using: &generator) }
      }
      let contestants: [(Int) throws -> Double] = [
        { round in
          let changes = try places[round].enumerated().map { index, place in
            Change.insertItem(
              try StoredLists.item(size + round * commits + index), in: section,
              at: .index(place))
          }
          return try Stopwatch.once {
            let list = repository.liveList(SampleList.list)
            for change in changes { try list.commit([change]) }
            return changes.count
          }
        },
        { round in
          let paths = try places[round].map { try floor.path(ofItem: $0 + 1) }
          let items = (0..<commits).map { index in
            (
              key: StoredLists.key(size + round * commits + index),
              payload: StoredLists.payload(size + round * commits + index)
            )
          }
          return try Stopwatch.once {
            for (path, item) in zip(paths, items) {
              _ = try floor.commit(path, key: item.key, payload: item.payload)
            }
            return paths.count
          }
        },
      ]
      let rounds = try Rounds(settings.rounds, warmUp: true, contestants)
      report.add(
        Measurement(
          name: "store commit", items: size, changes: commits, ours: rounds[0],
          references: [.init(name: "C, same rows", median: rounds[1])], targets: [.atMost(1.3)]))
      if size == 100_000 { report.add(try longest(size, original, lists, settings)) }
    }
  }

  /// How long the longest commit of 1,000 takes where a user makes one after another: C's are those that copy
  /// the write-ahead log, at SQLite's default of 1,000 pages.
  private static func longest(
    _ size: Int, _ original: URL, _ lists: StoredLists, _ settings: Settings
  ) throws -> Measurement {
    let (ours, theirs) = (try lists.copy(of: original), try lists.copy(of: original))
    defer { for file in [ours, theirs] { lists.remove(file) } }
    let list = try Repository(existing: ours).liveList(SampleList.list)
    let floor = try FloorStore(theirs)
    try floor.prepareCommits()
    let section = try SampleList.sectionID(0)
    var generator = SeededGenerator(seed: settings.seed)
    var count = size
    func longestOfThousand(_ commit: (_ place: Int) throws -> Void) throws -> Double {
      try (0..<1_000).map { _ in
        count += 1
        let place = Int.random(in: 1..<size, using: &generator)
        usleep(1_000)
        return try Stopwatch.once(on: .wall) {
          try commit(place)
          return place
        }
      }.max() ?? 0
    }
    let rounds = try Rounds(
      settings.rounds, warmUp: true,
      [
        { _ in
          try longestOfThousand { place in
            try list.commit([
              .insertItem(try StoredLists.item(count), in: section, at: .index(place))
            ])
          }
        },
        { _ in
          try longestOfThousand { place in
            _ = try floor.commit(
              floor.path(ofItem: place), key: StoredLists.key(count),
              payload: StoredLists.payload(count))
          }
        },
      ])
    return Measurement(
      name: "store commit, longest", items: size, changes: 1, ours: rounds[0],
      references: [.init(name: "C, same rows", median: rounds[1])])
  }
}
