import ArgumentParser
import Foundation

/// What devices that wait cost the node, and how soon all of them have the next line.
struct WaitingBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waiting", abstract: "Thousands of long polls at one list.")

  @Argument(help: "The relay's port, or that of a cache before it, on this machine.") var port: Int
  @Argument(help: "The relay's port.") var relay: Int
  @Option(help: "The process of the node.") var pid: Int32
  @Option(help: "Devices.") var devices = 5_000

  func run() async throws {
    let list = "waiting"
    _ = try await exchange(
      "POST", "/append", #"{"list":"waiting","ops":[{"op":"updateList","meta":0}]}"#, relay)
    let before = try memory()
    let head = try await exchange("GET", "/list?list=\(list)", nil, relay)
    guard
      let tag = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("etag") }),
      let end = tag.split(separator: "\"").dropFirst().first
    else { throw ExitCode(1) }
    let requestsBefore = try await requests()
    let start = ContinuousClock.now
    let times = try await withThrowingTaskGroup(of: ContinuousClock.Instant?.self) { group in
      for _ in 0..<devices {
        group.addTask {
          let answer = try await exchange(
            "GET", "/feed?list=\(list)&after=\(end)&wait=55", nil, port)
          return answer.hasPrefix("HTTP/1.1 200") ? .now : nil
        }
      }
      try await Task.sleep(for: .seconds(15))
      let waiting = try memory()
      print("\(devices) waiting: \(((waiting - before) / Double(devices)).shown(1)) KB each")
      let sent = ContinuousClock.now
      _ = try await exchange(
        "POST", "/append", #"{"list":"waiting","ops":[{"op":"updateList","meta":1}]}"#, relay)
      var times: [Double] = []
      for try await time in group {
        if let time { times.append((time - sent) / .milliseconds(1)) }
      }
      return times
    }
    let asked = try await requests() - requestsBefore
    print(
      "\(times.count) of \(devices) had the line: p50 \(times.quantile(0.5).shown()) ms, "
        + "p99 \(times.quantile(0.99).shown()) ms; \(asked.shown()) requests for lines at the relay, in "
        + "\(((ContinuousClock.now - start) / .seconds(1)).shown()) s")
  }

  /// The node's resident memory, in KB.
  private func memory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return line?.split(separator: " ").compactMap { Double($0) }.first ?? .nan
  }

  private func requests() async throws -> Double {
    try await exchange("GET", "/metrics", nil, relay).split(separator: "\n")
      .filter { $0.hasPrefix("relay_requests_total{address=\"feed\"") }
      .compactMap {
        $0.split(separator: " ").last.flatMap {
          Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
      }
      .reduce(0, +)
  }
}
