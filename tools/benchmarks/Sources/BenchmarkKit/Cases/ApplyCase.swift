import Cellar

/// Commits applied to an open Provider, replay and compile and proof, while somebody holds the
/// Provider as it was: what a change touches is copied.
enum ApplyCase {
  static func run(_ settings: Settings, _ report: inout Report) throws {
    var ofTenThousand: [Int: Double] = [:]
    for size in settings.sizes {
      var list = try SampleList(items: size, seed: settings.seed)
      try list.age()
      for changes in settings.changes where changes <= size {
        let median = try measure(changes, of: list, settings)
        report.add(
          Measurement(
            name: "apply", items: size, changes: changes, ours: median,
            targets: changes < 100 ? [] : [.perChange(size > 100_000 ? 3_000 : 1_000)]))
        if size == 10_000 { ofTenThousand[changes] = median }
        if size == 1_000_000, let small = ofTenThousand[changes] {
          report.add(
            Measurement(
              name: "apply growth", items: size, changes: changes, ours: median,
              references: [.init(name: "n = 10k", median: small)],
              targets: changes < 100 ? [] : [.atMost(10)]))
        }
      }
    }
  }

  /// Each commit is another one and follows the one before, so none finds its way warmed up.
  private static func measure(
    _ changes: Int, of list: SampleList, _ settings: Settings
  ) throws -> Double {
    let commitsOfRound = max(1, 100 / changes)
    var maker = list
    let log = try (0..<(settings.rounds * commitsOfRound)).map {
      try maker.changes(changes, startingWith: $0)
    }
    var provider = list.provider
    return try Rounds(
      settings.rounds,
      [
        { round in
          var taken = 0.0
          for entries in log[(round * commitsOfRound)...].prefix(commitsOfRound) {
            let held = provider
            let commit = list.commit(entries, after: provider)
            taken += try Stopwatch.once {
              try provider.apply(CollectionOfOne(commit)).operationCount
            }
            Sink.take(held.revision)
          }
          return taken / Double(commitsOfRound)
        }
      ])[0]
  }
}
