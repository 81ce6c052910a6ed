import Cellar

/// When so much changed that making a new Provider is cheaper than applying the changes.
///
/// The tree to make it from is at hand here. Reading it from a store comes on top, and the view
/// that loads everything again.
enum BudgetCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes where size <= 100_000 {
      let list = try SampleList(items: size, seed: settings.seed)
      var maker = list
      let log = try maker.changes(size * 4)
      let tree = maker.provider.tree
      var last: (part: Double, ratio: Double)?
      var crossover: Double?
      for parts in [1, 2, 4, 8, 16, 32, 64, 128, 256] {
        let changes = max(1, size * parts / 64)
        let commit = list.commit(Array(log.prefix(changes)), after: list.provider)
        let rounds = try Rounds(
          min(5, settings.rounds),
          [
            { _ in
              var provider = list.provider
              return try Stopwatch.once {
                try provider.apply(CollectionOfOne(commit)).operationCount
              }
            },
            { _ in
              // Kept until the clock has stopped.
              var provider: Provider?
              return Stopwatch.once {
                provider = Provider(tree)
                return provider?.numberOfItems ?? 0
              }
            },
          ])
        let measurement = Measurement(
          name: "budget", items: size, changes: changes, ours: rounds[0],
          references: [.init(name: "new Provider", median: rounds[1])])
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
