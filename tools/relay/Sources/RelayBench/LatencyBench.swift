import ArgumentParser
import Cellar
import FeedClient
import Foundation
import NIOConcurrencyHelpers

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// From a commit at the relay to the screens of other devices.
struct LatencyBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency", abstract: "The time from a commit to a cell that is in sight.")

  @Argument(help: "The relay's address, such as http://127.0.0.1:8080.") var relay: String
  @Option(help: "Commits a second.") var rate = 200
  @Option(help: "Seconds.") var seconds = 15.0
  @Option(help: "Devices that follow the list.") var devices = 1
  @Option(
    help: "Milliseconds between two updates of a screen; 0 for none. A frame if it is not given.")
  var interval: Int?

  func run() async throws {
    guard let feed = URL(string: relay + "/feed"), let append = URL(string: relay + "/append")
    else {
      throw ValidationError("\(relay) is no address")
    }
    let list = try ListID("latency-\(UUID().uuidString)")
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(list.rawValue, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = URLSession(configuration: .ephemeral)
    try await Self.post(
      #"{"list":"\#(list)","ops":[{"op":"insertSection","section":"s"}]}"#, to: append, session)
    let clock = CommitClock()
    var screens: [LatencyScreen] = []
    var following: [Task<Void, any Error>] = []
    for device in 0..<devices {
      let repository = try Repository(at: folder.appendingPathComponent("\(device).sqlite"))
      let live = repository.liveList(list, items: [Commit.self])
      let client = FeedClient(feed)
      let pause = interval.map { Duration.milliseconds($0) }
      screens.append(try await LatencyScreen(live, every: pause) { clock.stop($0) })
      following.append(Task { _ = try await client.follow(live) })
    }
    try await Task.sleep(for: .seconds(2))
    let start = ContinuousClock.now
    var number = 0
    var exchanges: [Double] = []
    while ContinuousClock.now < start + .seconds(seconds) {
      number += 1
      let body =
        #"{"list":"\#(list)","ops":[{"op":"insertItem","item":"i\#(number)","section":"s","index":0,"cell":"CommitCell","type":"Commit","content":{"number":\#(number)}}]}"#
      let before = clock.start()
      try await Self.post(body, to: append, session)
      exchanges.append((ContinuousClock.now - before) / .milliseconds(1))
      let next = start + .seconds(Double(number) / Double(rate))
      if next > .now { try await Task.sleep(until: next, clock: .continuous) }
    }
    let rateReached = Double(number) / ((ContinuousClock.now - start) / .seconds(1))
    let updates = try await updates(of: screens, upTo: number)
    for task in following { task.cancel() }
    let all = clock.passed
    print(
      "\(number) commits at \(rateReached.shown()) /s, on \(devices) screens in \(updates) updates: p50 "
        + "\(all.quantile(0.5).shown(1)) ms, p99 \(all.quantile(0.99).shown(1)) ms; the exchange that commits: "
        + "p50 \(exchanges.quantile(0.5).shown(1)) ms, p99 \(exchanges.quantile(0.99).shown(1)) ms")
  }

  /// Waits until all screens show the last commit.
  ///
  /// - Returns: How many updates all of them needed.
  /// - Throws: If one does not show it.
  private func updates(of screens: [LatencyScreen], upTo number: Int) async throws -> Int {
    let end = ContinuousClock.now + .seconds(10)
    var updates = 0
    for screen in screens {
      while await screen.newest < number {
        guard .now < end else {
          throw ValidationError("the last commit is not on a screen after ten seconds")
        }
        try await Task.sleep(for: .milliseconds(20))
      }
      updates += await screen.updateCount
    }
    return updates
  }

  static func post(_ body: String, to url: URL, _ session: URLSession) async throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    let (_, response) = try await session.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw ExitCode(1) }
  }
}

/// When commits were sent, and how long it took until they were in sight.
private final class CommitClock: Sendable {
  private let state = NIOLockedValueBox(State())

  private struct State {
    /// By the commits' numbers, which count from 1.
    var sent: [ContinuousClock.Instant] = []
    var passed: [Double] = []
  }

  /// Milliseconds, one for each commit and screen.
  var passed: [Double] { state.withLockedValue { $0.passed } }

  /// Notes that the next commit is sent now.
  func start() -> ContinuousClock.Instant {
    let now = ContinuousClock.now
    state.withLockedValue { $0.sent.append(now) }
    return now
  }

  /// Notes that commits are on a screen now.
  func stop(_ numbers: ClosedRange<Int>) {
    let now = ContinuousClock.now
    state.withLockedValue { state in
      for number in numbers {
        state.passed.append((now - state.sent[number - 1]) / .milliseconds(1))
      }
    }
  }
}
