import ArgumentParser
import FeedServing
import Foundation
import ListModel
import NIOCore

/// Devices that read and edit for a while, each at a node that it leaves now and then, and have in the end
/// what the relay has.
struct DevicesBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Thousands of devices that read and edit, to the same end.")

  @Argument(help: "The ports of nodes of one relay, on this machine.") var ports: [Int]
  @Option(help: "Devices.") var devices = 2_000
  @Option(help: "Lists, which the devices share evenly.") var lists = 200
  @Option(help: "Seconds.") var seconds = 600.0
  @Option(help: "Seconds from a device's edit to its next one, on average.") var pause = 30.0

  func run() async throws {
    let run = UUID().uuidString.prefix(8)
    let ids = try (0..<lists).map { try ListID("devices/\(run)/\($0)") }
    for (index, id) in ids.enumerated() {
      let made = try await exchange(
        "POST", "/append",
        #"{"list":"\#(id)","ops":[{"op":"insertSection","section":"s"}]}"#,
        ports[index % ports.count])
      guard made.hasPrefix("HTTP/1.1 200") else { throw Failure("no list was made: \(made)") }
    }
    // All have their lists before the first edit, and read its line.
    let begun = try await each((0..<devices).map { Device($0, list: ids[$0 % lists], at: ports) }) {
      try await $0.catchUp(isFirst: true)
    }
    let start = ContinuousClock.now
    let lived = try await each(begun) {
      try await $0.live(until: start + .seconds(seconds), pause: pause)
    }
    // After the last edit of all.
    let all = try await each(lived) { try await $0.catchUp() }
    let took = (ContinuousClock.now - start) / .seconds(1)
    try await require(all, ids)
    let (taken, refused) = (
      all.reduce(0) { $0 + $1.taken.count }, all.reduce(0) { $0 + $1.refusedCount }
    )
    let delays = all.flatMap(\.delays)
    print(
      "\(devices) devices, \(lists) lists, \(ports.count) nodes, \(took.shown()) s: \(taken) edits taken, "
        + "\(refused) refused, \(all.reduce(0) { $0 + $1.lineCount }) lines read, "
        + "\(all.count(where: \.hadSnapshot)) devices had a snapshot meanwhile; "
        + "\(all.reduce(0) { $0 + $1.breakCount }) requests failed and made again; an edit answered: "
        + "p50 \(delays.quantile(0.5).shown(1)) ms, p99 \(delays.quantile(0.99).shown(1)) ms. "
        + "All have the relay's lists, each edit once")
  }

  /// Has all devices do something at once.
  private func each(
    _ devices: [Device], _ body: @escaping @Sendable (inout Device) async throws -> Void
  ) async throws -> [Device] {
    try await withThrowingTaskGroup(of: Device.self) { group in
      for device in devices {
        group.addTask {
          var device = device
          try await body(&device)
          return device
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Every node has the same lists, every device has its list as they do, and each edit that was taken is
  /// in one line.
  private func require(_ devices: [Device], _ ids: [ListID]) async throws {
    let byList = Dictionary(grouping: devices) { $0.list.id }
    for id in ids {
      let ends = try await answers { port in
        let answer = try await exchange("GET", "/list?list=\(id)", nil, port)
        let tag = answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag") }
        return String(tag?.split(separator: "\"").dropFirst().first ?? "none")
      }
      guard let end = ends.first, ends.allSatisfy({ $0 == end }) else {
        throw Failure("\(id): the nodes end at \(ends)")
      }
      let own = byList[id] ?? []
      let edits = own.flatMap(\.taken)
      let first = own.first?.list.tree
      for device in own {
        guard device.list.position?.description == end, device.list.tree == first else {
          let found = device.list.position?.description ?? "nothing"
          throw Failure("\(id): device \(device.number) has \(found), and the relay \(end)")
        }
        // A snapshot names no edits.
        if device.hadSnapshot { continue }
        for edit in edits where device.edits[edit] != 1 {
          throw Failure(
            "\(id): device \(device.number) has read edit \(edit) \(device.edits[edit] ?? 0) times")
        }
      }
    }
  }

  private func answers(_ ask: (Int) async throws -> String) async throws -> [String] {
    var answers: [String] = []
    for port in ports { answers.append(try await ask(port)) }
    return answers
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }
}

/// A device that has a list in memory, reads its lines, and edits it now and then.
private struct Device: Sendable {
  let number: Int
  private let ports: [Int]
  private var port: Int
  private(set) var list: ServedList
  /// The edits that the relay has taken.
  private(set) var taken: [String] = []
  /// How many lines had an edit.
  private(set) var edits: [String: Int] = [:]
  private(set) var refusedCount = 0
  private(set) var lineCount = 0
  /// Whether it got the list as a whole once more, after it had fallen behind.
  private(set) var hadSnapshot = false
  private(set) var breakCount = 0
  /// The milliseconds from an edit to its answer.
  private(set) var delays: [Double] = []

  init(_ number: Int, list: ListID, at ports: [Int]) {
    self.number = number
    self.ports = ports
    port = ports[number % ports.count]
    self.list = ServedList(list)
  }

  mutating func live(until end: ContinuousClock.Instant, pause: Double) async throws {
    var next = ContinuousClock.now + .seconds(Double.random(in: 0...pause))
    while ContinuousClock.now < end {
      let left = (min(next, end) - .now) / .seconds(1)
      if left > 1 {
        try await read(wait: min(Int(left), 20))
        continue
      }
      if next >= end { return }
      if left > 0 { try await Task.sleep(for: .seconds(left)) }
      try await edit()
      next = .now + .seconds(Double.random(in: 0...2 * pause))
      if Int.random(in: 0..<20) == 0, let other = ports.randomElement() { port = other }
    }
  }

  /// Reads until there is no more.
  mutating func catchUp(isFirst: Bool = false) async throws {
    while true {
      let before = list.position
      try await read(wait: 0)
      if list.position == before { break }
    }
    if isFirst { hadSnapshot = false }
  }

  private mutating func read(wait: Int) async throws {
    let after = list.position.map { "&after=\($0)" } ?? ""
    let body = try await ask("GET", "/feed?list=\(list.id)&wait=\(wait)\(after)", nil).body
    for text in body.split(separator: "\n") where text.hasPrefix("{") {
      guard let line = try ServedLine(parsing: Array(text.utf8)) else {
        // A reset; no edit is refused by a line here.
        list = ServedList(list.id)
        hadSnapshot = true
        continue
      }
      try list.apply(line)
      lineCount += 1
      if line.isSnapshot { hadSnapshot = true }
      if let edit = line.edit { edits[edit, default: 0] += 1 }
    }
  }

  private mutating func edit() async throws {
    let id = "\(number)-\(UUID().uuidString)"
    let items = list.tree.sections.first?.items ?? []
    let operation: String
    switch Int.random(in: 0..<4) {
    case 0 where items.count > 20:
      operation = #"{"op":"deleteItem","item":"\#(items[.random(in: 0..<items.count)].id)"}"#
    case 1 where !items.isEmpty:
      let item = items[.random(in: 0..<items.count)].id
      operation = #"{"op":"updateItem","item":"\#(item)","content":{"by":\#(number)}}"#
    default:
      let index = Int.random(in: 0...items.count)
      operation =
        #"{"op":"insertItem","item":"\#(id)","section":"s","index":\#(index),"cell":"C","content":{"by":\#(number)}}"#
    }
    let start = ContinuousClock.now
    let answer = try await ask(
      "POST", "/feed", #"{"list":"\#(list.id)","edit":"\#(id)","ops":[\#(operation)]}"#)
    delays.append((ContinuousClock.now - start) / .milliseconds(1))
    if answer.status == 200 { taken.append(id) } else { refusedCount += 1 }
  }

  /// The answer to a request, which is made again, at another node, until there is one.
  private mutating func ask(
    _ method: String, _ target: String, _ body: String?
  ) async throws -> (status: Int, body: Substring) {
    for _ in 0..<100 {
      if let answer = try? await exchange(method, target, body, port),
        let status = Int(answer.dropFirst(9).prefix(3)), let head = answer.range(of: "\r\n\r\n"),
        [200, 204, 304, 409].contains(status)
      {
        return (status, answer[head.upperBound...])
      }
      breakCount += 1
      if let other = ports.randomElement() { port = other }
      try await Task.sleep(for: .seconds(1))
    }
    throw DevicesBench.Failure("device \(number) got no answer to \(target)")
  }
}
