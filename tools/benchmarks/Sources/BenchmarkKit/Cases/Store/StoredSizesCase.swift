import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// 1,000 scattered sizes written in one transaction, of items that have one: given by the items'
/// ids (`store sizes`), and kept by a Provider (`store sizes kept`), which knows the items' rows.
///
/// Beside C that updates a table of nothing but sizes, and C that writes the same rows of the same
/// store, sorted, sums included. Each has a store of its own: nobody else writes to it.
enum StoredSizesCase {
  private static let sizes = 1_000
  private static let key = SizeKey(fittingPixels: 375, environment: LayoutEnvironment())

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try storeWithSizes(size, lists)
      let (keptFile, sameFile) = (try lists.copy(of: file), try lists.copy(of: file))
      let floorFile = lists.newFile()
      defer { for file in [file, keptFile, sameFile, floorFile] { lists.remove(file) } }
      let (repository, kept) = (try Repository(existing: file), try Repository(existing: keptFile))
      let provider = try kept.liveList(SampleList.list).provider()
      provider.forEachSize(in: 0..<size, ofSection: 0, for: key) { _, _ in }
      // Pinned no more: or the write-ahead log could never begin anew.
      kept.suspend()
      kept.resume()
      let (floor, same) = (try FloorStore(floorFile), try FloorStore(sameFile))
      try floor.makeSizes(size)
      var generator = SeededGenerator(seed: settings.seed)
      func numbers() -> [Int] {
        (0..<sizes).map { _ in Int.random(in: 0..<size, using: &generator) }
      }
      let rounds = try Rounds(
        settings.rounds, warmUp: true,
        [
          { round in
            let some = try numbers().map { try measured($0, height: Double(round + 50)) }
            return try Stopwatch.once {
              try repository.liveList(SampleList.list).save(some, for: key)
              return sizes
            }
          },
          { round in
            // One less than what the Provider would have written on another thread.
            let items = numbers().dropLast()
            return Stopwatch.once {
              for item in items {
                provider.keep(
                  Size(width: 375, height: Double(round + 80)),
                  at: ItemPath(section: 0, item: item), for: key)
              }
              kept.flushSizes()
              return sizes
            }
          },
          { round in
            let ids = numbers().map { Int64($0 + 1) }
            return try Stopwatch.once {
              try floor.updateSizes(of: ids, height: Double(round + 50))
            }
          },
          { round in
            try same.chooseSizes(of: numbers().map { Int64($0 + 1) })
            return try Stopwatch.once { try same.writeSizes(height: Double(round + 50)) }
          },
        ])
      let references = [
        Measurement.Reference(name: "C, sizes alone", median: rounds[2]),
        Measurement.Reference(name: "C, same rows", median: rounds[3]),
      ]
      for (index, name) in ["store sizes", "store sizes kept"].enumerated() {
        for reference in references {
          report.add(
            Measurement(
              name: name, items: size, changes: sizes, ours: rounds[index],
              references: [reference], targets: [.within(4.5e6)]))
        }
      }
    }
  }

  /// A store with a size of each item, closed: all of it is in the file.
  private static func storeWithSizes(_ size: Int, _ lists: StoredLists) throws -> URL {
    let file = try lists.copy(of: lists.store(size, .aged))
    let repository = try Repository(existing: file)
    for start in stride(from: 0, to: size, by: 50_000) {
      try repository.liveList(SampleList.list).save(
        (start..<min(start + 50_000, size)).map { try measured($0, height: 44) }, for: key)
    }
    return file
  }

  private static func measured(_ number: Int, height: Double) throws -> MeasuredSize {
    MeasuredSize(
      item: try ItemID(StoredLists.key(number)), size: Size(width: 375, height: height),
      cell: "EpisodeCell", contentRevision: 0)
  }
}
