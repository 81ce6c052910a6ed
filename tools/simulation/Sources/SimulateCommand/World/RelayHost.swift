import FeedClient
import Foundation
import Relay
import SimulatedSystem

/// The relay as the server of the list: nodes over one file, the command that compacts it, and the
/// server of an app, which writes the list.
@MainActor final class RelayHost: ListServer {
  let address = "https://relay.example/feed"

  /// A process that serves.
  private final class Node {
    /// For its copies of lists.
    let disk: SimulatedDisk
    /// `nil` while it does not run.
    var process: Int?
    /// `nil` until it has opened its files.
    var running: EmbeddedNode?
    /// Whether it has answered anything since it runs: until then it may say that it is not ready.
    var isReady = false
    /// The requests that are under way, and the process that waits for each.
    var connections: [Int: (client: Int, end: @Sendable () -> Void)] = [:]

    init(_ disk: SimulatedDisk) { self.disk = disk }
  }

  private let disk: SimulatedDisk
  private let nodes: [Node]
  private let relayLog: RelayLog
  private let newProcess: () -> Int
  /// The process of the app's server, which nothing happens to.
  private let writer: Int
  private var random: Randomness
  private var lastConnection = 0
  private var writeCount = 0
  /// Commits of the app's server that have no answer yet.
  private var unansweredWrites = 0
  /// Processes of commands that are under way.
  private var commands: Set<Int> = []
  /// Whether calls of the disk fail.
  private var isFailing = false
  /// Whether any have failed since the last rest.
  private var isTroubled = false
  private var hasRun = false
  private(set) var mayBeginAnew = false

  /// Nodes of processes that were ended: nothing of them may run any more, not even a `deinit`.
  private static var graveyard: [EmbeddedNode] = []

  init(
    nodeCount: Int, in folder: URL, seed: UInt64, powerMayFail: Bool,
    newProcess: @escaping () -> Int
  ) throws {
    var random = Randomness(seed: seed &* 0x9E37_79B9 &+ 5)
    func makeDisk(_ name: String) throws -> SimulatedDisk {
      try SimulatedDisk(name, in: folder, seed: powerMayFail ? random.next() : nil)
    }
    disk = try makeDisk("relay")
    nodes = try (1...nodeCount).map { Node(try makeDisk("node\($0)")) }
    self.random = random
    relayLog = RelayLog(at: disk.folder.appendingPathComponent("relay.sqlite"))
    self.newProcess = newProcess
    writer = newProcess()
    for node in nodes { start(node) }
    write(
      [.insertSection("s0", .end), .insertSection("s1", .end)]
        + (0..<12).map { number in
          .insertItem(
            .init(id: "b\(number)", title: "t", likes: number % 7, isWide: number % 5 == 4),
            section: "s0", .end)
        })
  }

  // MARK: What the checks know

  var model: ModelList {
    readLog()
    return relayLog.model
  }

  func mayHaveBeen(_ list: ModelList) -> Bool {
    readLog()
    return changesRead < 0 || relayLog.mayHaveBeen(list)
  }

  var taken: [String: Int] {
    readLog()
    return relayLog.taken
  }

  private var reported: Violation?

  var problem: Violation? {
    readLog()
    return reported ?? relayLog.problem
  }

  /// How often a file had changed when the log was read.
  private var changesRead: Int64 = -1

  func expect(_ edit: String, toMake list: ModelList) { relayLog.expect(edit, toMake: list) }

  /// Reads what nodes have appended; not where that could take a failure from them, or find the file as
  /// a node must find it that starts.
  private func readLog() {
    if isFailing || nodes.allSatisfy({ $0.running == nil }) {
      changesRead = -1
      return relayLog.close()
    }
    guard changesRead != simulated_disk_change_count() else { return }
    changesRead = simulated_disk_change_count()
    within(0) { relayLog.read() }
  }

  // MARK: Processes

  private func start(_ node: Node) {
    guard node.process == nil else { return }
    hasRun = true
    let process = newProcess()
    (node.process, node.isReady) = (process, false)
    let report: @Sendable (String) -> Void = { [weak self] text in
      MainActor.assumeIsolated { self?.report(text, from: process) }
    }
    within(process) {
      _ = Task {
        do {
          let running = try await EmbeddedNode(
            log: relayLog.file, folder: node.disk.folder, lookEvery: 2_000, report: report)
          node.running = running
          await running.run()
        } catch {
          report("can't start: \(error)")
          kill(node)
        }
      }
    }
  }

  private func report(_ text: String, from process: Int) {
    if isTroubled || simulated_disk_is_gone(Int32(process)) { return }
    if reported == nil { reported = Violation("report", "a node of the relay: \(text)") }
  }

  private func kill(_ node: Node) {
    guard let process = node.process else { return }
    simulation_kill(Int32(process))
    if let running = node.running { Self.graveyard.append(running) }
    (node.process, node.running) = (nil, nil)
    let broken = node.connections.values
    node.connections = [:]
    for (client, end) in broken { within(client) { end() } }
  }

  func endGoneProcesses() {
    for node in nodes {
      if let process = node.process, simulated_disk_is_gone(Int32(process)) { kill(node) }
    }
    for process in commands where simulated_disk_is_gone(Int32(process)) { end(command: process) }
  }

  private func end(command process: Int) {
    simulation_kill(Int32(process))
    commands.remove(process)
  }

  func mend() {
    heal()
    for node in nodes {
      if let process = node.process { simulated_disk_end_at(Int32(process), -1) }
      start(node)
    }
  }

  private func heal() {
    isFailing = false
    for disk in [disk] + nodes.map(\.disk) { disk.heal() }
  }

  func forgetTrouble() { isTroubled = false }

  var isBusy: Bool {
    unansweredWrites > 0 || !commands.isEmpty || nodes.contains { $0.running == nil }
  }

  func end() {
    for process in commands { end(command: process) }
    for node in nodes {
      kill(node)
      node.disk.end()
    }
    relayLog.close()
    disk.end()
  }

  // MARK: Steps

  func act(_ step: Schedule.Step, _ random: inout Randomness) throws {
    let node = nodes[random.below(nodes.count)]
    switch step.verb {
    case .change:
      // Several at once meet at different nodes, as the same that is sent twice does.
      for _ in 0..<(random.percent(40) ? 2 + random.below(3) : 1) {
        write(
          model.randomOperations("v\(writeCount)x", &random),
          timesAtOnce: random.percent(20) ? 2 : 1)
      }
    case .snapshot: replace(&random)
    case .compact:
      mayBeginAnew = true
      compact(endsAt: random.percent(40) ? 1 + random.below(20) : -1)
    case .kill: kill(node)
    case .crash:
      if let process = node.process {
        simulated_disk_end_at(Int32(process), Int64(1 + random.below(14)))
      }
    case .power: try failPower()
    case .launch: for node in nodes { start(node) }
    case .fail, .full:
      (isTroubled, isFailing) = (true, true)
      (random.percent(60) ? disk : node.disk).fail(step.number, isFull: step.verb == .full)
    case .heal: heal()
    default: break
    }
  }

  private func failPower() throws {
    guard hasRun else { return }
    for node in nodes { kill(node) }
    for process in commands { end(command: process) }
    relayLog.close()
    for disk in [disk] + nodes.map(\.disk) { try disk.failPower(nextSeed: random.next()) }
    hasRun = false
  }

  private func compact(endsAt call: Int) {
    let process = newProcess()
    commands.insert(process)
    simulated_disk_end_at(Int32(process), Int64(call))
    within(process) {
      _ = Task {
        readLog()
        // What fails is done by the next one.
        try? await EmbeddedNode.compact(FeedServer.list, of: relayLog.file)
        end(command: process)
      }
    }
  }

  func checkAtRest(_ pass: (Int) throws -> Void) throws {
    let process = newProcess()
    var outcome: Result<[String], any Error>?
    within(process) {
      _ = Task {
        do { outcome = .success(try await EmbeddedNode.problems(of: relayLog.file)) } catch {
          outcome = .failure(error)
        }
      }
    }
    for _ in 0..<100 where outcome == nil { try pass(100) }
    simulation_kill(Int32(process))
    switch outcome {
    case .success(let problems)?:
      if let problem = problems.first {
        throw Violation("log", "the relay's check finds: \(problem)")
      }
    case .failure(let error)?: throw Violation("log", "the relay's check fails: \(error)")
    case nil: throw Violation("log", "the relay's check does not end")
    }
  }

  // MARK: The server of an app

  /// Commits operations, again and again until there is an answer.
  private func write(_ operations: [ModelList.Operation], timesAtOnce count: Int = 1) {
    var after = model
    var members: [[String: Any]] = []
    for operation in operations {
      let written = operation.members(in: after)
      if (try? after.apply(operation)) != nil { members.append(written) }
    }
    writeCount += 1
    let edit = "write\(writeCount)"
    // Some insist on the list being as they know it.
    var headers: [String: String] = [:]
    if writeCount > 1, let end = relayLog.end, random.percent(30) {
      headers["if-match"] = "\"\(end)\""
    }
    let body = jsonText(["list": FeedServer.list, "edit": edit, "by": "server", "ops": members])
    for _ in 0..<count { send("POST", "/append", body, headers) }
  }

  /// Replaces the list with another one; what differs is found at the relay.
  private func replace(_ random: inout Randomness) {
    var other = model
    for operation in other.randomOperations("p\(writeCount)x", &random) {
      try? other.apply(operation)
    }
    writeCount += 1
    send("PUT", "/list?list=\(FeedServer.list)", jsonText(other.members), [:])
  }

  private func send(_ method: String, _ target: String, _ text: String, _ headers: [String: String])
  {
    unansweredWrites += 1
    within(writer) {
      _ = Task {
        defer { unansweredWrites -= 1 }
        while true {
          let answer = try? await exchange(
            method, target, headers: headers, body: Data(text.utf8), for: writer)
          switch answer?.status {
          case 200?, 409?, 412?: return
          case nil, 503?: try? await Task.sleep(for: .seconds(1))
          case let status?:
            reported = Violation(
              "report", "the relay answers \(status) to \(method) \(target): \(text)")
            return
          }
        }
      }
    }
  }

  // MARK: Requests

  func answer(
    _ request: FeedClient.Request, of device: Device, from process: Int
  ) async throws -> ServerAnswer {
    let target = request.url.path + (request.url.query.map { "?" + $0 } ?? "")
    let answer = try await exchange(
      request.method, target, headers: request.headers, body: request.body ?? Data(),
      for: process)
    if let body = request.body, [200, 409].contains(answer.status) {
      device.noteAnswer(to: body, process)
    }
    return answer
  }

  func takeLate(_ edit: Data, of device: Device) {
    within(writer) {
      _ = Task {
        try? await exchange(
          "POST", "/feed", headers: ["Content-Type": "application/json"], body: edit, for: writer)
      }
    }
  }

  /// A connection to one of the nodes: the request goes to the node's process, and the answer to the
  /// client's.
  ///
  /// - Throws: If no node is there, or it ends before it has answered.
  @discardableResult
  private func exchange(
    _ method: String, _ target: String, headers: [String: String], body: Data, for client: Int
  ) async throws -> ServerAnswer {
    let live = nodes.filter { $0.running != nil }
    guard !live.isEmpty else { throw NetworkTransport.Broken() }
    let node = live[random.below(live.count)]
    guard let process = node.process, let running = node.running else {
      throw NetworkTransport.Broken()
    }
    lastConnection += 1
    let number = lastConnection
    relayLog.noteQuestion(body)
    let (answers, answering) = AsyncThrowingStream<ServerAnswer, any Error>.makeStream()
    let end: @Sendable () -> Void = { answering.finish(throwing: NetworkTransport.Broken()) }
    node.connections[number] = (client, end)
    let task = within(process) {
      Task {
        let answer = await running.answer(method, target, headers: headers, body: Array(body))
        log(
          "\(client): \(method) \(target) \(String(decoding: body, as: UTF8.self)): \(answer.status)"
        )
        var failure: (any Error)?
        var whole: ServerAnswer?
        do {
          whole = try await self.whole(answer, to: body, number, on: node, process, for: client)
        } catch { failure = NetworkTransport.Broken() }
        // It was ended meanwhile.
        guard node.process == process else { return }
        within(client) {
          if let whole { answering.yield(whole) }
          answering.finish(throwing: failure)
        }
      }
    }
    answering.onTermination = { reason in
      // The node notices that the client has gone.
      if case .cancelled = reason { within(process) { task.cancel() } }
    }
    for try await answer in answers { return answer }
    throw CancellationError()
  }

  /// The answer with its body, but for that of an event stream, which goes on.
  private func whole(
    _ answer: EmbeddedNode.Answer, to body: Data, _ connection: Int, on node: Node, _ process: Int,
    for client: Int
  ) async throws -> ServerAnswer {
    let isLines = answer.headers["content-type"] == "application/x-ndjson"
    if answer.headers["content-type"] == "text/event-stream" {
      return ServerAnswer(
        status: answer.status, headers: answer.headers,
        body: .stream(stream(answer, connection, on: node, process, for: client)))
    }
    defer { node.connections[connection] = nil }
    var text = ""
    for try await part in answer.body { text += String(decoding: part, as: UTF8.self) }
    if answer.status < 500 {
      node.isReady = true
    } else if node.isReady {
      report("answers \(answer.status): \(text)", from: process)
    }
    relayLog.note(answer.status, text, to: body)
    readLog()
    return ServerAnswer(
      status: answer.status, headers: answer.headers,
      body: isLines
        ? .lines(text.components(separatedBy: "\n").dropLast().map { $0 + "\n" }) : .text(text))
  }

  private func stream(
    _ answer: EmbeddedNode.Answer, _ connection: Int, on node: Node, _ process: Int,
    for client: Int
  ) -> AsyncThrowingStream<String, any Error> {
    let (parts, writing) = AsyncThrowingStream<String, any Error>.makeStream()
    node.connections[connection] = (
      client, { writing.finish(throwing: NetworkTransport.Broken()) }
    )
    let task = Task {
      var failure: (any Error)?
      do {
        for try await part in answer.body {
          within(client) { _ = writing.yield(String(decoding: part, as: UTF8.self)) }
        }
      } catch { failure = error }
      guard node.process == process else { return }
      node.connections[connection] = nil
      within(client) { writing.finish(throwing: failure) }
    }
    writing.onTermination = { reason in
      if case .cancelled = reason { within(process) { task.cancel() } }
    }
    return parts
  }
}
