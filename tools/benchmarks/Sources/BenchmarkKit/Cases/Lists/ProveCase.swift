import BatchUpdates
import ListItems
import ListLayout
import ListModel
import ListStore
import ListSync
import Providers
import StoreSchema

/// The proof alone, beside what it proves: compiling without it.
enum ProveCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    for size in settings.sizes {
      for sections in [1, 20] {
        var list = try SampleList(items: size, sections: sections, seed: settings.seed)
        try list.age()
        for changes in settings.changes where changes <= size {
          report.add(try measure(changes, of: list, sections: sections, settings))
        }
      }
    }
  }

  private static func measure(
    _ changes: Int, of list: SampleList, sections: Int, _ settings: Settings
  ) throws -> Measurement {
    let logs = try Workload.logs(of: changes, on: list)
    let updates = logs.map { $0.compiled() }
    // The whole compiler proves, so the rest is what is left.
    let rounds = try Rounds(
      settings.rounds,
      [
        { round in
          Stopwatch.repeated { refusals(of: updates[round % logs.count], from: list.counts) }
        },
        { round in Stopwatch.repeated { logs[round % logs.count].compiled().operationCount } },
      ])
    return Measurement(
      name: sections > 1 ? "prove \(sections) sections" : "prove", items: list.nominalSize,
      changes: changes, ours: rounds[0],
      references: [.init(name: "compile", median: rounds[1] - rounds[0])],
      targets: [.atMost(1)])
  }

  private static func refusals(of update: BatchUpdate, from counts: SectionCounts) -> Int {
    var counts = counts
    var refusals = 0
    for stage in update.stages {
      if LegalityCheck.refusal(of: stage, before: counts, after: stage.counts) != nil {
        refusals += 1
      }
      counts = stage.counts
    }
    return refusals
  }
}
