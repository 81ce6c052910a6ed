import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import Providers

/// Commits that come faster than frames, while a screen shows their list: one update a frame, beside
/// one for each commit.
enum BurstCase {
  /// Commits in a second.
  private static let rate = 1_000.0

  static func run(_ settings: Settings, _ lists: StoredLists, _ report: inout Report) throws {
    // Only the commits are made on another thread.
    nonisolated(unsafe) let lists = lists
    try MainActor.assumeIsolated {
      guard let size = settings.sizes.min(), let count = settings.changes.max() else { return }
      let paced = try burst(of: count, every: LiveList.updateInterval, size, lists)
      let each = try burst(of: count, every: .zero, size, lists)
      func add(
        _ what: String, of changes: Int, in unit: Measurement.Unit = .nanoseconds,
        _ cost: KeyPath<Cost, Double>
      ) {
        report.add(
          Measurement(
            name: "bursts, \(what)", items: size, changes: changes, unit: unit,
            ours: paced[keyPath: cost],
            references: [.init(name: "each commit", median: each[keyPath: cost])]))
      }
      add("updates", of: count, in: .updates, \.updates)
      add("main thread", of: count, \.time)
      add("last on screen", of: 1, \.delay)
    }
  }

  /// What a burst costs.
  private struct Cost {
    /// How many updates the view performed.
    var updates: Double
    /// How many nanoseconds the main thread ran.
    var time: Double
    /// How many nanoseconds after the return of the last commit it was shown.
    var delay: Double
  }

  @MainActor private static func burst(
    of count: Int, every interval: Duration, _ size: Int, _ lists: StoredLists
  ) throws -> Cost {
    let file = try lists.copy(of: lists.store(size, .aged))
    defer { lists.remove(file) }
    let repository = try Repository(existing: file)
    let screen = try LiveScreen(repository, every: interval)
    let last = screen.revision + count
    let author = Author()
    let start = Stopwatch.now(.thread)
    author.begin(count, in: repository)
    while author.end == nil { LiveCase.runLoop(forSeconds: 0.05) }
    let returned = try author.end?.get() ?? 0
    let limit = returned + 5e9
    while screen.revision < last, Stopwatch.now(.wall) < limit {
      LiveCase.runLoop(forSeconds: 0.01)
    }
    guard let shown = screen.shown.last, shown.revision == last else {
      throw BenchmarkError("the last commit was not shown within 5 seconds")
    }
    return Cost(
      updates: Double(screen.shown.count), time: Stopwatch.now(.thread) - start,
      delay: max(0, shown.time - returned))
  }

  /// Commits insertions in sight, on a thread of its own.
  private final class Author: @unchecked Sendable {
    // Sendable: read and written with the lock.
    private var result: Result<Double, any Error>?
    private let lock = NSLock()

    /// When the last commit returned; `nil` while there are more.
    var end: Result<Double, any Error>? { lock.withLock { result } }

    func begin(_ count: Int, in repository: Repository) {
      Thread.detachNewThread { [self] in
        let result = Result { try Self.commit(count, to: repository) }
        lock.withLock { self.result = result }
      }
    }

    private static func commit(_ count: Int, to repository: Repository) throws -> Double {
      let section = try SampleList.sectionID(0)
      let start = Date()
      for number in 0..<count {
        Thread.sleep(until: start.addingTimeInterval(Double(number) / rate))
        let item = try Item(ScreenCase.Episode(id: "burst \(number)", title: "Episode"))
        try repository.liveList(SampleList.list).commit([
          .insertItem(item, in: section, at: .start)
        ])
      }
      return Stopwatch.now(.wall)
    }
  }
}
