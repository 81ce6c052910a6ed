import ArgumentParser
import Cellar
import FeedClient
import Foundation
import NIOConcurrencyHelpers

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// From a commit at the relay to a device that shows it.
struct LatencyBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency", abstract: "The time from a commit to a device's batch update.")

  @Argument(help: "The relay's address, such as http://127.0.0.1:8080.") var relay: String
  @Option(help: "Commits a second.") var rate = 200
  @Option(help: "Seconds.") var seconds = 15.0
  @Option(help: "Devices that follow the list.") var devices = 1

  func run() async throws {
    guard let feed = URL(string: relay + "/feed"), let append = URL(string: relay + "/append")
    else {
      throw ValidationError("\(relay) is no address")
    }
    let list = "latency-\(UUID().uuidString)"
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent(list, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = URLSession(configuration: .ephemeral)
    try await Self.post(
      #"{"list":"\#(list)","ops":[{"op":"insertSection","section":"s"}]}"#, to: append, session)
    let sent = NIOLockedValueBox<[Int: ContinuousClock.Instant]>([:])
    let passed = NIOLockedValueBox<[Double]>([])
    var tasks: [Task<Void, any Error>] = []
    for device in 0..<devices {
      let repository = try Repository(at: folder.appendingPathComponent("\(device).sqlite"))
      let live = repository.liveList(try ListID(list))
      let client = FeedClient(feed)
      tasks.append(Task { try await client.follow(live) })
      tasks.append(
        Task {
          for try await update in live.updates(after: try live.provider()) {
            let now = ContinuousClock.now
            let count = update.provider.numberOfItems
            let times = sent.withLockedValue { $0.filter { $0.key <= count } }
            passed.withLockedValue { passed in
              for time in times.values { passed.append((now - time) / .milliseconds(1)) }
            }
            if devices == 1 { sent.withLockedValue { for key in times.keys { $0[key] = nil } } }
          }
        })
    }
    try await Task.sleep(for: .seconds(2))
    let start = ContinuousClock.now
    var number = 0
    var exchanges: [Double] = []
    while ContinuousClock.now < start + .seconds(seconds) {
      number += 1
      let item = number
      sent.withLockedValue { $0[item] = .now }
      let body =
        #"{"list":"\#(list)","ops":[{"op":"insertItem","item":"i\#(item)","section":"s","cell":"C","content":{"title":"\#(item)"}}]}"#
      let before = ContinuousClock.now
      try await Self.post(body, to: append, session)
      exchanges.append((ContinuousClock.now - before) / .milliseconds(1))
      let next = start + .seconds(Double(number) / Double(rate))
      if next > .now { try await Task.sleep(until: next, clock: .continuous) }
    }
    let rateReached = Double(number) / ((ContinuousClock.now - start) / .seconds(1))
    try await Task.sleep(for: .seconds(2))
    for task in tasks { task.cancel() }
    let all = passed.withLockedValue { $0 }
    print(
      "\(all.count) commits at \(rateReached.shown()) /s: p50 \(all.quantile(0.5).shown(1)) ms, "
        + "p99 \(all.quantile(0.99).shown(1)) ms; the exchange that commits: p50 "
        + "\(exchanges.quantile(0.5).shown(1)) ms, p99 \(exchanges.quantile(0.99).shown(1)) ms")
  }

  static func post(_ body: String, to url: URL, _ session: URLSession) async throws {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    let (_, response) = try await session.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw ExitCode(1) }
  }
}
