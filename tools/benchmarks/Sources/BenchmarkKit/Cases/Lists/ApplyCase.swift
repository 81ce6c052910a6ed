import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// Commits applied to an open Provider of an aged list: compile, replay in place and proof.
///
/// Where somebody holds the Provider as it was, what a change touches is copied.
enum ApplyCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    var ofTenThousand: [String: Double] = [:]
    for size in settings.sizes {
      let series = [false, true].flatMap { isHeld in
        settings.changes.filter { $0 <= size }.map { Series(changes: $0, isHeld: isHeld) }
      }
      let medians = try measure(series, itemCount: size, settings)
      for (series, median) in zip(series, medians) {
        var line = Measurement(
          name: series.name, items: size, changes: series.changes, ours: median,
          targets: series.changes < 100 || series.isHeld ? [] : [.perChange(3_000)])
        let key = "\(series)"
        if size == 10_000 { ofTenThousand[key] = median }
        if size == 1_000_000, let small = ofTenThousand[key] {
          line.references = [.init(name: "n = 10k", median: small)]
          if series.changes >= 100 { line.targets.append(.atMost(10)) }
        }
        report.add(line)
      }
    }
  }

  /// Commits of so many changes.
  private struct Series {
    let changes: Int
    let isHeld: Bool

    var name: String { isHeld ? "apply, held" : "apply" }
    /// How many commits are one measurement.
    var commits: Int { max(1, 100 / changes) }
  }

  /// Each commit is another one and follows the one before, so none finds its way warmed up.
  ///
  /// - Returns: The median time of a commit, for each series.
  private static func measure(
    _ series: [Series], itemCount: Int, _ settings: Settings
  ) throws -> [Double] {
    let logs = try log(of: series, itemCount: itemCount, settings)
    var provider = try agedList(itemCount, settings).provider
    return try zip(series, logs).map { series, log in
      try Rounds(
        settings.rounds,
        [
          { round in
            var taken = 0.0
            for entries in log[(round * series.commits)...].prefix(series.commits) {
              let held = series.isHeld ? provider : nil
              let commit = Commit(
                list: provider.list, revision: provider.revision + 1, author: .app, time: nil,
                entries: entries)
              taken += try Stopwatch.once {
                try provider.apply(
                  CollectionOfOne(commit), policy: UpdatePolicy(budget: .unlimited)
                ).operationCount
              }
              Sink.take(held?.revision ?? 0)
            }
            return taken / Double(series.commits)
          }
        ])[0]
    }
  }

  /// The entries of all commits, for each series, made on a list of its own: nobody but the
  /// measurement may hold the Provider that is measured.
  private static func log(
    of series: [Series], itemCount: Int, _ settings: Settings
  ) throws -> [[[LogEntry]]] {
    var list = try agedList(itemCount, settings)
    return try series.map { series in
      try (0..<settings.rounds * series.commits).map {
        try list.changes(series.changes, startingWith: $0)
      }
    }
  }

  private static func agedList(_ itemCount: Int, _ settings: Settings) throws -> SampleList {
    var list = try SampleList(items: itemCount, seed: settings.seed)
    try list.age()
    return list
  }
}
