import Cellar
import Foundation
import Relay
import RelayEngine
import RelaySupport
import Testing

/// Devices behind networks, proxies and caches of the worst kind: in the end each shows what the relay
/// has, and the log has each edit once.
@Suite(.timeLimit(.minutes(10)))
struct FaultyNetworkTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  /// `CELLAR_RELAY_SEEDS`: how many for each engine, for a soak.
  private static let seeds: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CELLAR_RELAY_SEEDS"].flatMap { UInt64($0) } ?? 2)

  @Test(arguments: TestEngine.available, seeds)
  func everyDeviceEndsAsTheRelayAndEachEditIsMadeOnce(
    _ kind: TestEngine, _ seed: UInt64
  ) async throws {
    var random = Numbers(state: seed)
    let address = try await kind.address()
    // A file has one node.
    let nodeCount = if case .file = address { 1 } else { 2 }
    var nodes: [TestRelay] = []
    for number in 0..<nodeCount {
      nodes.append(
        try await TestRelay(address, folder: folder.appendingPathComponent("\(seed).\(number)")) {
          $0.quota.editsPerSecond = 1e6
        })
    }
    let begin = #"{"list":"shelf","ops":[{"op":"insertSection","section":"s"}]}"#
    #expect(try await nodes[0].send("POST", "/append", begin).status == 200)
    let networks = (0..<3).map { FaultyNetwork(to: nodes.map(\.feed), seed: seed << 8 + $0) }
    let devices = try networks.map {
      try TestDevice(nodes[0].feed, list: "shelf", in: folder, over: $0)
    }
    for device in devices { #expect(try await device.waits { $0.sections.count == 1 }) }

    var acknowledged: Set<String> = []
    for number in 0..<60 {
      let device = devices[Int(random.next() % 3)]
      try edit(device, number, &random)
      acknowledged.formUnion(try device.list.pendingEdits().map(\.id))
      if random.next() % 4 == 0 {
        let server =
          #"{"list":"shelf","edit":"s\#(number)","ops":[{"op":"insertItem","item":"s\#(number)","section":"s","cell":"C","content":1}]}"#
        #expect(try await nodes[number % nodeCount].send("POST", "/append", server).status == 200)
      }
      try await Task.sleep(for: .milliseconds(random.next() % 40))
    }
    for network in networks { network.mend() }

    var refused: Set<String> = []
    for device in devices {
      let isDone = try await device.waits(60) { _ in
        (try? device.list.pendingEdits().allSatisfy {
          $0.state != .waiting && $0.state != .accepted
        })
          == true
      }
      let left = try device.list.pendingEdits()
      #expect(isDone, "\(left.map { "\($0.id) \($0.state)" })")
      refused.formUnion(try device.list.pendingEdits().map(\.id))
    }
    let tree = try await nodes[0].get("/list?list=shelf").text
    let expected = try ListTree(parsing: Array(tree.utf8))
    for device in devices {
      #expect(try await device.waits(30) { $0.sections == expected.sections })
      #expect(try device.repository.checkInvariants().map(\.message) == [])
      #expect(device.failures == [])
      await device.stop()
    }
    for node in nodes { try await node.stop() }
    let lines = try await lines(address)
    for edit in acknowledged {
      let count = lines.count { $0.contains(#""edit":"\#(edit)""#) }
      #expect(count == (refused.contains(edit) ? 0 : 1), "\(edit) is in \(count) lines")
    }
    let faults = networks.reduce(into: [String: Int]()) { all, network in
      all.merge(network.counts, uniquingKeysWith: +)
    }
    #expect(faults.count == 9, "\(faults)")
  }

  private func edit(_ device: TestDevice, _ number: Int, _ random: inout Numbers) throws {
    let ids = try device.tree.sections.flatMap(\.items).map(\.id)
    let one = ids.isEmpty ? nil : ids[Int(random.next() % UInt64(ids.count))]
    let choice = random.next() % 10
    try device.list.editPending(by: "mary") { list in
      if let one, choice < 2 {
        try list.delete(one)
      } else if let one, choice < 4 {
        try list.move(one, to: .start)
      } else {
        try list.insert(
          Item(id: try ItemID("e\(number)"), cell: "C", content: .null), in: "s",
          at: choice < 7 ? .end : .start)
      }
    }
  }

  /// All lines of the log.
  private func lines(_ address: RelayConfiguration.EngineAddress) async throws -> [String] {
    let engine: any Engine
    switch address {
    case .file(let file): engine = try SQLiteEngine(at: file)
    case .postgres(let addresses): engine = PostgresEngine(addresses)
    }
    var lines: [String] = []
    var last = 0
    while case let page = try await engine.lines(of: "shelf", after: last, byteCount: 1 << 20),
      let end = page.last
    {
      lines += page.map { String(decoding: $0.text, as: UTF8.self) }
      last = end.position.sequence
    }
    await engine.close()
    return lines
  }
}
