import Cellar

/// From how many changes on a list had better be read anew from the store than brought up to date
/// from its log: both are what an app does, reading included.
enum BudgetCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    // To write as many changes as a longer list has items takes minutes.
    for size in settings.sizes where size <= 10_000 {
      var maker = try SampleList(items: size, seed: settings.seed)
      let store = try SampleStore(maker.provider.tree)
      let before = try store.repository.provider(for: SampleList.list)
      let step = max(1, size / 32)
      var last: (part: Double, ratio: Double)?
      var crossover: Double?
      for parts in [1, 2, 4, 8, 16, 32, 64] {
        let changes = max(1, size * parts / 32)
        let missing = changes - (last.map { Int(($0.part * Double(size)).rounded()) } ?? 0)
        try store.commit(try maker.changes(missing), at: min(step, 100))
        let rounds = try Rounds(
          min(5, settings.rounds),
          [
            { _ in
              var provider = before
              return try Stopwatch.once {
                try store.repository.advance(
                  &provider, policy: UpdatePolicy(budget: .unlimited)
                ).operationCount
              }
            },
            { _ in
              // Kept until the clock has stopped.
              var provider: Provider?
              return try Stopwatch.once {
                provider = try store.repository.provider(for: SampleList.list)
                return provider?.numberOfItems ?? 0
              }
            },
          ])
        let measurement = Measurement(
          name: "budget", items: size, changes: changes, ours: rounds[0],
          references: [.init(name: "read anew", median: rounds[1])])
        report.add(measurement)
        let point = (part: Double(changes) / Double(size), ratio: measurement.ratio ?? 0)
        if crossover == nil, point.ratio < 1 { crossover = Self.crossover(last, point) }
        last = point
      }
      if let crossover {
        report.add(
          Measurement(
            name: "budget crossover", items: size, changes: Int(crossover * Double(size)),
            unit: .changesPerItem, ours: crossover))
      }
    }
  }

  /// Where the ratio is 1 between two points; the later one if there is no earlier.
  private static func crossover(
    _ before: (part: Double, ratio: Double)?, _ after: (part: Double, ratio: Double)
  ) -> Double {
    guard let before else { return after.part }
    let share = (before.ratio - 1) / (before.ratio - after.ratio)
    return before.part + (after.part - before.part) * share
  }
}
