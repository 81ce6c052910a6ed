import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// From log entries to proven stages, beside differs that compare the lists before and after.
enum CompileCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes {
      for sections in [1, 20] {
        var list = try SampleList(items: size, sections: sections, seed: settings.seed)
        try list.age()
        for changes in numbersOfChanges(settings, of: size) {
          report.add(try measure(changes, of: list, sections: sections, settings))
        }
      }
    }
  }

  /// As many as there are items, too, where the differs take seconds at most.
  private static func numbersOfChanges(_ settings: Settings, of size: Int) -> [Int] {
    let numbers = settings.changes.filter { $0 <= size } + (size <= 100_000 ? [size] : [])
    return Set(numbers).sorted()
  }

  private static func measure(
    _ changes: Int, of list: SampleList, sections: Int, _ settings: Settings
  ) throws -> Measurement {
    // Differs know no sections.
    let differs =
      sections > 1
      ? [] : settings.differs.filter { $0.handles(items: list.size, changes: changes) }
    let before = list.rows(fetchedAgain: false)
    let logs = try Workload.logs(of: changes, on: list, withRows: !differs.isEmpty)
    for log in logs { try log.check(from: before, by: differs) }

    var contestants: [(Int) throws -> Double] = [
      { round in Stopwatch.repeated { logs[round % logs.count].compiled().operationCount } }
    ]
    for differ in differs {
      contestants.append { round in
        let after = logs[round % logs.count].rows
        return Stopwatch.repeated { differ.changes(from: before, to: after) }
      }
    }
    let rounds = try Rounds(settings.rounds, contestants)
    var measurement = Measurement(
      name: sections > 1 ? "compile \(sections) sections" : "compile", items: list.nominalSize,
      changes: changes, ours: rounds[0])
    for (index, differ) in differs.enumerated() {
      measurement.references.append(.init(name: differ.name, median: rounds[index + 1]))
    }
    measurement.targets = targets(changes, of: list.nominalSize, isCompared: !differs.isEmpty)
    return measurement
  }

  private static func targets(
    _ changes: Int, of size: Int, isCompared: Bool
  ) -> [Measurement.Target] {
    var targets: [Measurement.Target] = []
    if changes >= 100 { targets.append(.perChange(1_000)) }
    if !isCompared { return targets }
    if changes == size { targets.append(.atMost(3)) }
    if changes <= 100, size >= 10_000 {
      targets.append(.faster(size >= 1_000_000 ? 500 : size >= 100_000 ? 100 : 20))
    }
    return targets
  }
}
