import Dispatch
import Foundation
import ListModel
import ListStore
import StoreFiles
import SuiteSupport
import TestSupport
import Testing

/// What every way of hearing commits must keep: none goes unheard, and signals that come early, twice
/// or for nothing do no harm.
@Suite struct CommitSignalTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.file("store.sqlite") }

  /// `CELLAR_SIGNALS` asks for another number of commits of each writer than 150.
  private static let count =
    ProcessInfo.processInfo.environment["CELLAR_SIGNALS"].flatMap(Int.init) ?? 150

  init() throws {
    folder = try TemporaryFolder()
    try Repository(at: file).commit(WriterScript.setUp, to: "list")
  }

  /// A way of hearing.
  enum Way: String, CaseIterable {
    /// Commits of the Repository itself.
    case own
    /// The signals of the system, and no clock.
    case system
    /// The clock, and no signal.
    case clock
    /// The signals of the system, twice each, and others for nothing.
    case restless

    func options(_ file: URL) -> Repository.Options {
      var options = Repository.Options()
      let path = file.path
      switch self {
      case .own: options.otherProcesses = .ignored
      case .system: options.otherProcesses = .observed(atLeastEvery: 3_600)
      case .clock:
        options.otherProcesses = .observed(atLeastEvery: 0.01)
        options.signals = { [] }
      case .restless:
        options.otherProcesses = .observed(atLeastEvery: 3_600)
        options.signals = { [RestlessSignal(path)] }
      }
      return options
    }
  }

  /// Each writer waits until its commit was observed: a single signal that is lost stops it.
  @Test(arguments: Way.allCases) func noCommitOfTwoWritersGoesUnheard(_ way: Way) async throws {
    let repository = try Repository(existing: file, options: way.options(file))
    let heard = HeardRevision()
    let revisions = repository.revisions(of: "list")
    let listener = Task {
      for await _ in revisions { heard.set(try repository.revision(of: "list")) }
    }
    defer { listener.cancel() }
    let writers: [@Sendable (Int) throws -> Int] = try ["A", "B"].map { name in
      if way == .own {
        let script = WriterScript(writer: name)
        return { try repository.commit(script.changes($0), to: "list").revision }
      }
      let process = try AnsweredProcess(file, name, count: Self.count)
      return { _ in try process.next() }
    }
    let waits = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for next in writers {
        group.addTask {
          try await onThread {
            try (1...Self.count).map { number in
              let revision = try next(number)
              return try #require(heard.wait(for: revision), "\(revision) of \(way)")
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
    #expect(waits.count == 2 * Self.count)
    let head = try repository.revision(of: "list")
    #expect(head == 1 + 2 * Self.count)
    if ProcessInfo.processInfo.environment["CELLAR_SIGNALS"] != nil {
      print("\(way): p50 \(waits[waits.count / 2]), p99 \(waits[waits.count * 99 / 100])")
    }
  }

  /// SQLite writes the pages of a commit before others can read it.
  @Test(.timeLimit) func aRingBeforeTheCommitIsEnough() async throws {
    let signal = ManualSignal()
    var options = Repository.Options()
    options.otherProcesses = .observed(atLeastEvery: 3_600)
    options.signals = { [signal] }
    let repository = try Repository(existing: file, options: options)
    let other = try Repository(existing: file)
    let heard = HeardRevision()
    let revisions = repository.revisions(of: "list")
    let listener = Task { for await revision in revisions { heard.set(revision) } }
    defer { listener.cancel() }
    // On a busy machine the commit may come too late for the last look.
    var count = 0
    repeat {
      count += 1
      signal.fire()
      usleep(2_000)
      try other.commit([.touchItem("anchor")], to: "list")
      for _ in 0..<200 where heard.revision < 1 + count {
        try await Task.sleep(nanoseconds: 500_000)
      }
    } while heard.revision < 1 + count && count < 50
    #expect(heard.revision == 1 + count)
  }

  @Test(.timeLimit) func signalsRunWhileSomebodyListens() async throws {
    let signal = ManualSignal()
    var options = Repository.Options()
    options.signals = { [signal] }
    let repository = try Repository(existing: file, options: options)
    #expect(signal.startCount == 0)
    let listeners = (0..<3).map { _ in
      let revisions = repository.revisions(of: "list")
      return Task { for await _ in revisions {} }
    }
    while signal.startCount == 0 { try await Task.sleep(nanoseconds: 500_000) }
    for listener in listeners {
      #expect(signal.stopCount == 0)
      listener.cancel()
      await listener.value
    }
    while signal.stopCount == 0 { try await Task.sleep(nanoseconds: 500_000) }
    #expect(signal.startCount == 1)
  }
}

// MARK: - Signals

/// Fires when a test says so.
final class ManualSignal: CommitSignal {
  private let state = Guarded(State())

  private struct State {
    var handler: (@Sendable () -> Void)?
    var starts = 0
    var stops = 0
  }

  var startCount: Int { state.withValue { $0.starts } }
  var stopCount: Int { state.withValue { $0.stops } }

  func start(handler: @escaping @Sendable () -> Void) {
    state.withValue { state in
      state.handler = handler
      state.starts += 1
    }
  }

  func stop() { state.withValue { $0.stops += 1 } }

  func fire() { state.withValue { $0.handler }?() }
}

/// Fires twice where the system does once, and for nothing in between.
private final class RestlessSignal: CommitSignal {
  private let signals: [any CommitSignal]
  private let state = Guarded(State())

  private struct State {
    var handler: (@Sendable () -> Void)?
  }

  init(_ path: String) { signals = SystemSignals.all(for: path) }

  var descriptor: Int32? { signals.lazy.compactMap(\.descriptor).first }

  func start(handler: @escaping @Sendable () -> Void) throws {
    state.withValue { $0.handler = handler }
    for signal in signals {
      try signal.start {
        handler()
        handler()
      }
    }
    fireForNothing()
  }

  func drain() -> Bool {
    let hasFired = signals.map { $0.drain() }.contains(true)
    if hasFired { state.withValue { $0.handler }?() }
    return hasFired
  }

  private func fireForNothing() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(.random(in: 0..<3_000))) {
      [weak self] in
      guard let self, let handler = state.withValue({ $0.handler }) else { return }
      handler()
      fireForNothing()
    }
  }

  func stop() {
    state.withValue { $0.handler = nil }
    for signal in signals { signal.stop() }
  }
}

/// The greatest revision that was heard.
final class HeardRevision: Sendable {
  private let heard = Guarded(0)

  var revision: Int { heard.withValue { $0 } }

  func set(_ revision: Int) { heard.withValue { $0 = max($0, revision) } }

  /// How long it took until a revision was heard; `nil` if it was not within ten minutes.
  func wait(for revision: Int) -> Duration? {
    let clock = ContinuousClock()
    let start = clock.now
    while self.revision < revision {
      let waited = clock.now - start
      if waited > .seconds(600) { return nil }
      // Exact to some percent, and no load for a machine that has much else to do.
      usleep(UInt32(min(max(waited / .microseconds(20), 50), 5_000)))
    }
    return clock.now - start
  }
}

/// Runs what blocks on a thread of its own.
private func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// A process that commits when it is told to.
private final class AnsweredProcess: @unchecked Sendable {
  // Sendable: one thread uses it.
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var isFirst = true

  init(_ file: URL, _ name: String, count: Int) throws {
    process.executableURL = BuiltProducts.program("CommitUntilKilled")
    process.arguments = [file.path, "answered", name, "\(count)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  deinit { process.terminate() }

  /// The revision of its next commit.
  func next() throws -> Int {
    if !isFirst { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }
    isFirst = false
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return try #require(Int(line.dropLast()), "\(line)")
  }
}
