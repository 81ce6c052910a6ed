import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema
internal import _RopeModule

/// An item inserted at a random place of an aged list, and then asked for.
///
/// Ours is a whole commit of one change with its proven batch update, then the path by id. The
/// others hold nothing but numbers: an array, which shifts and searches, and a rope of chunks,
/// which has no way from an element to its place, so that it only looks at the place again.
enum InsertCase {
  private static let insertions = 500

  static func measure(
    _ list: SampleList, _ settings: Settings, _ report: inout Report
  ) throws {
    var maker = list
    let entries = try (0..<(settings.rounds * insertions)).map { _ in try maker.change(.insert) }
    var provider = list.provider
    var array = Array(0..<Int32(list.size))
    var rope = RopeOfNumbers(0..<Int32(list.size))
    for number in 0..<Int32(SampleList.agingChanges) {
      rope.insert(number, at: maker.randomPath().item % rope.count)
    }
    let rounds = try Rounds(
      settings.rounds,
      [
        { round in
          let part = entries[(round * insertions)...].prefix(insertions)
          return try Stopwatch.once { try insert(part, into: &provider, list) }
        },
        { round in
          let part = entries[(round * insertions)...].prefix(insertions)
          return Stopwatch.once { insert(part, into: &array) }
        },
        { round in
          let part = entries[(round * insertions)...].prefix(insertions)
          return Stopwatch.once { insert(part, into: &rope) }
        },
      ])
    for (name, contestant) in [("Array of Int32", 1), ("Rope of Int32", 2)] {
      report.add(
        Measurement(
          name: "insert+locate", items: list.nominalSize, changes: insertions, ours: rounds[0],
          references: [.init(name: name, median: rounds[contestant])]))
    }
  }

  private static func insert(
    _ entries: ArraySlice<LogEntry>, into provider: inout Provider, _ list: SampleList
  ) throws -> Int {
    var sum = 0
    for entry in entries {
      let update = try provider.apply(CollectionOfOne(list.commit([entry], after: provider)))
      guard case .insertItem(let item, let path) = entry, provider.path(of: item.id) == path else {
        throw BenchmarkError("an item is not where it was inserted")
      }
      sum &+= update.operationCount &+ path.item
    }
    return sum
  }

  private static func insert(_ entries: ArraySlice<LogEntry>, into array: inout [Int32]) -> Int {
    var sum = 0
    for case .insertItem(_, let path) in entries {
      let number = Int32(array.count)
      array.insert(number, at: path.item)
      sum &+= array.firstIndex(of: number) ?? 0
    }
    return sum
  }

  private static func insert(
    _ entries: ArraySlice<LogEntry>, into rope: inout RopeOfNumbers
  ) -> Int {
    var sum = 0
    for case .insertItem(_, let path) in entries {
      rope.insert(Int32(rope.count), at: path.item)
      sum &+= Int(rope[path.item])
    }
    return sum
  }
}
