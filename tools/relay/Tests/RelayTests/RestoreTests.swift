import Cellar
import Foundation
import Logging
import Relay
import RelayEngine
import RelaySupport
import Testing

/// An engine that is put back to an earlier time: devices never take another history under the same
/// numbers for theirs.
@Suite struct RestoreTests {
  private let folder: URL

  init() throws { folder = try TestFolder.make() }

  private var nodeFolder: URL { folder.appendingPathComponent("node", isDirectory: true) }

  /// A copy of an engine whose node is down, as the runbook makes it.
  private func copy(
    _ engine: RelayConfiguration.EngineAddress
  ) async throws -> RelayConfiguration.EngineAddress {
    switch engine {
    case .file(let file):
      let copy = folder.appendingPathComponent("\(UUID().uuidString).sqlite")
      try FileManager.default.copyItem(at: file, to: copy)
      return .file(copy)
    case .postgres(let addresses):
      return .postgres([try await TestPostgres.shared.get().database(like: addresses[0])])
    }
  }

  private func append(_ items: [String], _ relay: TestRelay) async throws {
    for item in items {
      let body =
        #"{"list":"shelf","ops":[{"op":"insertItem","item":"\#(item)","section":"s","cell":"C","content":{"title":"\#(item)"}}]}"#
      try #require(try await relay.send("POST", "/append", body).status == 200)
    }
  }

  private func end(_ relay: TestRelay) async throws -> String {
    let tag = try #require(try await relay.get("/list?list=shelf").headers["etag"])
    return tag.trimmingCharacters(in: ["\""])
  }

  @Test(arguments: TestEngine.available, [true, false])
  func devicesGetAResetAndTheListAsItIs(_ kind: TestEngine, keepsCopies: Bool) async throws {
    let engine = try await kind.address()
    var relay = try await TestRelay(engine, folder: nodeFolder)
    let port = relay.port
    func start(_ engine: RelayConfiguration.EngineAddress) async throws {
      relay = try await TestRelay(engine, folder: nodeFolder) { $0.port = port }
    }
    _ = try await relay.send(
      "POST", "/append", #"{"list":"shelf","ops":[{"op":"insertSection","section":"s"}]}"#)
    try await append(["b1", "b2", "b3"], relay)
    let common = try await end(relay)
    // One device is away from here on; two see what will be gone.
    let away = try TestDevice(relay.feed, list: "shelf", in: folder)
    #expect(try await away.waits { $0.itemCounts == [3] })
    await away.stop()
    try await relay.stop()
    let earlier = try await copy(engine)

    try await start(engine)
    try await append(["lost1", "lost2"], relay)
    let ahead = try TestDevice(relay.feed, list: "shelf", in: folder)
    let offline = try TestDevice(relay.feed, list: "shelf", in: folder)
    #expect(try await ahead.waits { $0.itemCounts == [5] })
    try ahead.insert("mine")
    #expect(try await offline.waits { $0.itemCounts == [6] })
    #expect(try await ahead.waits { _ in (try? ahead.list.pendingEdits().isEmpty) == true })
    await offline.stop()
    try offline.insert("late")
    let lost = try await end(relay)
    #expect(lost.hasPrefix("7:"))
    try await relay.stop()

    if !keepsCopies { try FileManager.default.removeItem(at: nodeFolder) }
    try await start(earlier)
    try await append(["new1", "new2", "new3", "new4"], relay)
    // What each kind of client is told: the number 7 is another line now.
    let answer = try await relay.get("/feed?list=shelf&after=\(lost)")
    #expect(answer.lines.first == #"{"t":"reset","list":"shelf"}"#)
    #expect(answer.lines[1].hasPrefix(#"{"t":"snapshot","list":"shelf","seq":""#))
    #expect(answer.text.contains("new4") && !answer.text.contains("lost"))
    #expect(try await relay.get("/feed?list=shelf&after=\(lost)&to=8").status == 410)
    let lines = try await relay.get("/feed?list=shelf&after=\(common)")
    #expect(lines.lines.count == 4 && lines.lines[0].contains("new1"))
    #expect(
      try await relay.send(
        "POST", "/append", #"{"list":"shelf","ops":[]}"#, headers: ["If-Match": "\"\(lost)\""]
      ).status == 412)

    let back = try TestDevice(relay.feed, list: "shelf", in: folder, file: away.file)
    let online = try TestDevice(relay.feed, list: "shelf", in: folder, file: offline.file)
    let items = ["b1", "b2", "b3", "new1", "new2", "new3", "new4", "late"]
    for device in [ahead, back, online] {
      #expect(try await device.waits { _ in (try? device.itemIDs) == items })
    }
    // Whether the late edit has left its outbox is not asked: if it was sent before the snapshot was
    // fetched, the snapshot stands for its line, and does not say so.
    try ahead.insert("after")
    for device in [ahead, back, online] {
      #expect(try await device.waits { _ in (try? device.itemIDs) == items + ["after"] })
    }
    for device in [ahead, back, online] { await device.stop() }
    try await relay.stop()
    let problems = Problems()
    let opened = try await RelayConfiguration(engine: earlier).openEngine()
    let checked = try await LogCheck(opened).run { problems.add($0) }
    #expect(problems.all == [] && checked.lines == 10)
    await opened.close()
  }
}
