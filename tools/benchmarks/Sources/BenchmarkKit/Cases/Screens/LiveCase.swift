import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Providers

/// A list on a screen that follows another process, which commits 50 times a second: the time from
/// the return of each commit until the view has performed the batch update; how many commits never
/// came; and what listening costs while nobody commits.
enum LiveCase {
  /// Seconds between two commits.
  private static let pause = 0.02
  /// Only signals tell of commits: the clock would hide one that was lost.
  private static let signalsOnly = Repository.OtherProcesses.observed(atLeastEvery: 3_600)

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    // Everything runs on the main thread: nothing is handed to another.
    nonisolated(unsafe) let lists = lists
    try MainActor.assumeIsolated { try runOnMain(settings, lists, &report) }
  }

  @MainActor private static func runOnMain(
    _ settings: Settings, _ lists: StoredLists, _ report: inout Report
  ) throws {
    guard let size = settings.sizes.min(), let count = settings.changes.max() else { return }
    let file = try lists.copy(of: lists.store(size, .aged))
    defer { lists.remove(file) }
    let share = try idleShare(of: LiveScreen(open(file, .observed())), seconds: count < 500 ? 1 : 5)
    report.add(
      Measurement(
        name: "live, idle", items: size, changes: 0, unit: .percent, ours: share,
        targets: [.within(0.1)]))
    let (delays, lost) = try follow(file, count: count, output: lists.newFile())
    for (name, part, target) in [("p50", 0.5, 3e6), ("p99", 0.99, 20e6)] where !delays.isEmpty {
      report.add(
        Measurement(
          name: "live, on screen, \(name)", items: size, changes: 1,
          ours: delays[min(delays.count - 1, Int(Double(delays.count) * part))],
          targets: [.within(target)]))
    }
    report.add(
      Measurement(
        name: "live, lost", items: size, changes: count, unit: .changes, ours: Double(lost),
        targets: [.within(0)]))
  }

  /// The processor time of this process while nobody commits, in percent of a core.
  @MainActor private static func idleShare(of screen: LiveScreen, seconds: Double) -> Double {
    // The looks after the signals began.
    runLoop(forSeconds: 0.5)
    let (start, begin) = (Stopwatch.now(.process), Stopwatch.now(.wall))
    runLoop(forSeconds: seconds)
    return withExtendedLifetime(screen) {
      (Stopwatch.now(.process) - start) / (Stopwatch.now(.wall) - begin) * 100
    }
  }

  /// Follows another process to its last commit.
  ///
  /// - Returns: How many nanoseconds after the return of a commit its revision, or a later one, was
  ///   shown, sorted; and how many commits were not shown within 5 seconds after the last one.
  @MainActor private static func follow(
    _ file: URL, count: Int, output: URL
  ) throws -> (delays: [Double], lost: Int) {
    let screen = try LiveScreen(open(file, signalsOnly))
    runLoop(forSeconds: 0.1)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--commit-to", file.path, "--changes", "\(count)"]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    while process.isRunning { runLoop(forSeconds: 0.1) }
    let commits = try String(decoding: Data(contentsOf: output), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    let end = Stopwatch.now(.wall) + 5e9
    while Double(screen.revision) < commits.last?.first ?? 0, Stopwatch.now(.wall) < end {
      runLoop(forSeconds: 0.01)
    }
    var shown = screen.shown[...]
    let delays = commits.compactMap { commit in
      shown = shown.drop { Double($0.revision) < commit[0] }
      return shown.first.map { max(0, $0.time - commit[1]) }
    }
    return (delays.sorted(), count - delays.count)
  }

  private static func open(
    _ file: URL, _ otherProcesses: Repository.OtherProcesses
  ) throws -> Repository {
    var options = Repository.Options()
    options.otherProcesses = otherProcesses
    return try Repository(existing: file, options: options)
  }

  /// Lets the main actor work.
  @MainActor static func runLoop(forSeconds seconds: Double) {
    RunLoop.main.run(until: Date(timeIntervalSinceNow: seconds))
  }

  /// The work of the other process: "REVISION NANOSECONDS" for each commit, when it has returned.
  static func commit(to path: String, settings: Settings) throws {
    let repository = try Repository(existing: URL(fileURLWithPath: path))
    let section = try SampleList.sectionID(0)
    var generator = SeededGenerator(seed: settings.seed)
    let start = Stopwatch.now(.wall)
    for number in 1...(settings.changes.max() ?? 1) {
      let early = start + Double(number) * pause * 1e9 - Stopwatch.now(.wall)
      if early > 0 { Thread.sleep(forTimeInterval: early / 1e9) }
      let item = try Item(ScreenCase.Episode(id: "live \(number)", title: "Episode"))
      // In sight.
      var changes: [Change] = [
        .insertItem(item, in: section, at: .index(Int.random(in: 0..<8, using: &generator)))
      ]
      if number > 20 { changes.append(.deleteItem(try ItemID("live \(number - 20)"))) }
      let revision = try repository.liveList(SampleList.list).commit(changes).revision
      let line = "\(revision) \(Int(Stopwatch.now(.wall)))\n"
      FileHandle.standardOutput.write(Data(line.utf8))
    }
  }
}
