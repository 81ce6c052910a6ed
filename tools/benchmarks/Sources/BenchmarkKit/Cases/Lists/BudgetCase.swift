import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// From how many changes on a list had better be read anew from the store than brought up to date
/// from its log.
///
/// Both are what an app does until the view can draw: the one replays the log into a Provider that
/// has a screen in memory, the other opens the list; then both ask for the screen. What the view
/// itself takes is not in it: a reload has it make all cells of the screen anew.
enum BudgetCase {
  private static let numbers = [10, 30, 100, 300, 1_000, 3_000]
  /// How many changes a commit has at most.
  private static let commitSize = 10

  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 && size <= 100_000 {
      var maker = try SampleList(items: size, seed: settings.seed)
      let store = try SampleStore(maker.provider.tree)
      let before = try store.repository.liveList(SampleList.list).provider()
      let middle = size / 2
      Sink.take(JumpCase.screen(of: before, from: middle))
      var made = 0
      var last: (changes: Int, ratio: Double)?
      var crossover: Double?
      for changes in numbers where changes <= size {
        try store.commit(try maker.changes(changes - made), at: commitSize)
        made = changes
        let rounds = try Rounds(
          settings.rounds, warmUp: true,
          [
            { _ in
              var provider = before
              return try Stopwatch.once {
                let operations = try store.repository.liveList(
                  SampleList.list, policy: UpdatePolicy(budget: .unlimited)
                ).advance(&provider).operationCount
                return operations + JumpCase.screen(of: provider, from: middle)
              }
            },
            { _ in
              // Kept until the clock has stopped.
              var provider: Provider?
              return try Stopwatch.once {
                let opened = try store.repository.liveList(SampleList.list).provider()
                provider = opened
                return JumpCase.screen(of: opened, from: middle) + (provider?.numberOfItems ?? 0)
              }
            },
          ])
        let measurement = Measurement(
          name: "budget", items: size, changes: changes, ours: rounds[0],
          references: [.init(name: "read anew", median: rounds[1])])
        report.add(measurement)
        let point = (changes: changes, ratio: measurement.ratio ?? 0)
        if crossover == nil, point.ratio < 1 { crossover = Self.crossover(last, point) }
        last = point
      }
      if let crossover {
        report.add(
          Measurement(
            name: "budget crossover", items: size, changes: Int(crossover), unit: .changes,
            ours: crossover))
      }
    }
  }

  /// At how many changes the ratio is 1 between two points; the later one if there is no earlier.
  private static func crossover(
    _ before: (changes: Int, ratio: Double)?, _ after: (changes: Int, ratio: Double)
  ) -> Double {
    guard let before else { return Double(after.changes) }
    let share = (before.ratio - 1) / (before.ratio - after.ratio)
    return Double(before.changes) + Double(after.changes - before.changes) * share
  }
}
