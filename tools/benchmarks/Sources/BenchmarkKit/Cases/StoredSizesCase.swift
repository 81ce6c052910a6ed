import Cellar

/// 1,000 scattered sizes kept in one transaction, of items that have one; beside C that updates a
/// table of nothing but sizes.
enum StoredSizesCase {
  private static let sizes = 1_000

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    for size in settings.sizes where size >= 1_000 {
      let file = try lists.copy(of: lists.store(size, .aged))
      let floorFile = lists.newFile()
      defer { for file in [file, floorFile] { lists.remove(file) } }
      let repository = try Repository(existing: file)
      let floor = try FloorStore(floorFile)
      try floor.makeSizes(size)
      let key = SizeKey(fittingPixels: 375, environment: LayoutEnvironment())
      for start in stride(from: 0, to: size, by: 50_000) {
        try repository.save(
          (start..<min(start + 50_000, size)).map { try measured($0, height: 44) }, for: key,
          in: SampleList.list)
      }
      var generator = SeededGenerator(seed: settings.seed)
      let contestants: [(Int) throws -> Double] = [
        { round in
          let some = try (0..<sizes).map { _ in
            try measured(Int.random(in: 0..<size, using: &generator), height: Double(round + 50))
          }
          return try Stopwatch.once {
            try repository.save(some, for: key, in: SampleList.list)
            return sizes
          }
        },
        { round in
          let ids = (0..<sizes).map { _ in Int64.random(in: 1...Int64(size), using: &generator) }
          return try Stopwatch.once {
            try floor.updateSizes(of: ids, height: Double(round + 50))
          }
        },
      ]
      let rounds = try Rounds(settings.rounds, warmUp: true, contestants)
      report.add(
        Measurement(
          name: "store sizes", items: size, changes: sizes, ours: rounds[0],
          references: [.init(name: "C, sizes alone", median: rounds[1])],
          targets: [.within(4.5e6)]))
    }
  }

  private static func measured(_ number: Int, height: Double) throws -> MeasuredSize {
    MeasuredSize(
      item: try ItemID(StoredLists.key(number)), size: Size(width: 375, height: height),
      cell: "EpisodeCell", contentRevision: 0)
  }
}
