internal import ArgumentParser
import Foundation

/// The benchmarks, as a program that a package with differs of its own can be.
public enum Benchmarks {
  /// Reads the flags, measures, prints the report.
  ///
  /// - Parameter differs: Beside those that are measured anyway.
  public static func main(differs: [any Differ] = []) {
    let flags = Flags.parseOrExit()
    let settings = Settings(
      sizes: flags.sizes?.numbers ?? (flags.quick ? [1_000, 10_000] : Settings.sizes),
      changes: flags.changes?.numbers ?? (flags.quick ? [1, 100] : Settings.changes),
      rounds: max(1, flags.rounds ?? (flags.quick ? 3 : 7)), seed: flags.seed,
      filter: flags.filter, differs: [HeckelDiffer(), StandardLibraryDiffer()] + differs)
    do {
      if let path = flags.readStore { return try StoreMemoryCase.read(path) }
      if let path = flags.commitTo { return try LiveCase.commit(to: path, settings: settings) }
      var report = Report(json: flags.json)
      for (name, run) in cases where settings.runs(name) { try run(settings, &report) }
      try runStoreCases(settings, &report)
      try report.finish(settings: settings)
    } catch {
      Flags.exit(withError: error)
    }
  }

  private typealias Run = @Sendable (Settings, inout Report) throws -> Void

  /// Memory first: later, it would find room that others left.
  private static let cases: [(name: String, run: Run)] = [
    ("memory", MemoryCase.run), ("compile", CompileCase.run), ("prove", ProveCase.run),
    ("apply", ApplyCase.run), ("sequence", SequenceCase.run), ("placement", PlacementCase.run),
    ("budget", BudgetCase.run),
  ]

  private typealias StoreRun = @Sendable (Settings, StoredLists, inout Report) throws -> Void

  /// Those that share lists in files.
  private static let storeCases: [(name: String, run: StoreRun)] = [
    ("store insert", BulkInsertCase.run), ("store commit", CommitCase.run),
    ("store feed", FeedCase.run), ("store ingest", IngestCase.run), ("store undo", UndoCase.run),
    ("store upgrade", UpgradeCase.run),
    ("store rename", RenameCase.run),
    ("store open", OpenCase.run), ("store jump", JumpCase.run),
    ("store rebuild", RebuildCase.run), ("store sizes", StoredSizesCase.run),
    ("store size in order", CachedSizesCase.run),
    ("store memory", StoreMemoryCase.run), ("screen", ScreenCase.run), ("page", PageCase.run),
    ("derived build", DerivedCase.runBuild), ("derived commit", DerivedCase.runCommit),
    ("derived update", DerivedCase.runUpdate), ("derived screen", DerivedCase.runScreen),
    ("derived passing", PassingCase.run), ("derived keystroke", KeystrokeCase.run),
    ("bursts", BurstCase.run), ("live", LiveCase.run),
  ]

  private static func runStoreCases(_ settings: Settings, _ report: inout Report) throws {
    let chosen = storeCases.filter { settings.runs($0.name) }
    if chosen.isEmpty { return }
    let lists = try StoredLists(seed: settings.seed)
    for (_, run) in chosen { try run(settings, lists, &report) }
  }
}

/// What is measured, and how often.
struct Settings {
  var sizes: [Int]
  var changes: [Int]
  var rounds: Int
  var seed: UInt64
  /// Only cases whose name contains it.
  var filter: String?
  var differs: [any Differ]

  static let sizes = [1_000, 10_000, 100_000, 1_000_000]
  static let changes = [1, 10, 100, 1_000]

  func runs(_ name: String) -> Bool { filter.map { name.contains($0) } ?? true }
}

struct Flags: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar-benchmarks",
    abstract: "Measures Cellar beside whole-list differs, one line a case.",
    discussion: "Cases: memory, compile, prove, apply, sequence, placement, budget, store insert, "
      + "store commit, store feed, store ingest, store undo, store upgrade, store rename, store open, "
      + "store jump, store rebuild, store sizes, store size in order, store memory, screen, page, "
      + "derived build, derived commit, derived update, derived screen, derived passing, "
      + "derived keystroke, bursts, live. Run a release build."
  )

  @Option(help: "Lengths of lists, such as 1k,10k,100k,1M.")
  var sizes: NumberList?

  @Option(help: "Numbers of changes, such as 1,10,100,1000.")
  var changes: NumberList?

  @Option(help: "How often each contestant runs; medians are reported. 7 as it is.")
  var rounds: Int?

  @Option(help: "Run only cases whose name contains this.")
  var filter: String?

  @Option(help: "Of the random workloads.")
  var seed: UInt64 = 1

  @Flag(help: "Short lists, few changes and rounds: a check that it works, in seconds.")
  var quick = false

  @Option(help: .hidden)
  var readStore: String?

  @Option(help: .hidden)
  var commitTo: String?

  @Flag(help: "Print one JSON object instead of a table.")
  var json = false
}

/// Numbers between commas, each with `k` or `M` behind it or not.
struct NumberList: ExpressibleByArgument {
  let numbers: [Int]

  init?(argument: String) {
    var numbers: [Int] = []
    for part in argument.split(separator: ",") {
      let scale = part.hasSuffix("M") ? 1_000_000 : part.hasSuffix("k") ? 1_000 : 1
      guard let number = Int(scale == 1 ? part : part.dropLast()), number > 0,
        number <= 100_000_000 / scale
      else { return nil }
      numbers.append(number * scale)
    }
    if numbers.isEmpty { return nil }
    self.numbers = numbers
  }
}
