import BatchUpdates
import Foundation
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// The cell of every item renamed, and the longest time that a commit to another list takes
/// meanwhile.
enum RenameCase {
  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .fresh))
      defer { lists.remove(file) }
      let repository = try Repository(existing: file)
      var cells = Array(try repository.storedNames().cells.keys)
      guard let cell = cells.popLast(), cells.isEmpty else { throw BenchmarkError("one cell") }
      var names: [CellName] = [cell, "Renamed"]
      var (totals, longest): ([Double], [Double]) = ([], [])
      for _ in 0..<settings.rounds {
        let other = try OtherWriter(file)
        totals.append(
          try Stopwatch.once(on: .wall) {
            try repository.renameCell(names[0], to: names[1]).values.reduce(0, +)
          })
        longest.append(try other.stop())
        names.reverse()
      }
      func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
      report.add(
        Measurement(name: "store rename", items: size, changes: size, ours: median(totals)))
      report.add(
        Measurement(
          name: "store rename, others wait", items: size, changes: 1, ours: median(longest),
          targets: [.within(50e6)]))
    }
  }
}
