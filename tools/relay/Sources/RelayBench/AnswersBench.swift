import ArgumentParser
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How long one user's edits take, alone or beside what others ask of the node.
struct AnswersBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "answers", abstract: "The time in which one user's edits are answered.")

  @Argument(help: "The relay's address, such as http://127.0.0.1:8080.") var relay: String
  @Option(help: "The user's token.") var token: String
  @Option(help: "The user's list.") var list: String
  @Option(help: "Edits a second.") var rate = 50
  @Option(help: "Seconds.") var seconds = 10.0

  func run() async throws {
    guard let feed = URL(string: relay + "/feed") else {
      throw ValidationError("\(relay) is no address")
    }
    let session = URLSession(configuration: .ephemeral)
    let start = ContinuousClock.now
    var times: [Double] = []
    while ContinuousClock.now < start + .seconds(seconds) {
      var request = URLRequest(url: feed)
      request.httpMethod = "POST"
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
      request.httpBody = Data(
        #"{"list":"\#(list)","edit":"\#(UUID())","ops":[{"op":"updateList","meta":\#(times.count)}]}"#
          .utf8)
      let sent = ContinuousClock.now
      let (answer, response) = try await session.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        throw ValidationError("an edit was answered \(String(decoding: answer, as: UTF8.self))")
      }
      times.append((ContinuousClock.now - sent) / .milliseconds(1))
      let next = start + .seconds(Double(times.count) / Double(rate))
      if next > .now { try await Task.sleep(until: next, clock: .continuous) }
    }
    let all = times
    print(
      "\(all.count) edits: p50 \(all.quantile(0.5).shown(1)) ms, p99 \(all.quantile(0.99).shown(1)) ms, "
        + "longest \((all.max() ?? .nan).shown(1)) ms")
  }
}
