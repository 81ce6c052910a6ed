import FeedClient
import Foundation
import ListModel
import ListStore
import ListSync
import StoreFiles
import TestSupport
import Testing

/// Two clients and a server edit one list, whatever the network does.
@Suite struct EditingChaosTests {
  private static let schedules = SeededGenerator.count(12)

  /// A client with a store of its own.
  private struct Editor {
    let file: URL
    var repository: Repository
    let transport: ChaosEditTransport
    let client: FeedClient
    let id: ListID
    var made: [String] = []

    var list: LiveList { repository.liveList(id) }

    /// Changes the list by one edit.
    mutating func edit(_ source: RandomChanges, _ generator: inout SeededGenerator) throws {
      let isKnown = try repository.lists().contains(id)
      var tree = try isKnown ? repository.tree(of: id) : ListTree(list: id)
      var changes: [Change] = []
      for _ in 0..<generator.number(1..<4) {
        let change = source.change(for: tree, using: &generator)
        try tree.apply(change)
        changes.append(change)
      }
      let edit = try list.editPending { editor in
        for change in changes { try editor.apply(change) }
      }.edit
      if let edit { made.append(edit.id) }
    }

    func catchUp() async throws { try await client.catchUp(list) }

    /// Sends until no edit waits, or until the process ends.
    func send() async throws {
      let sending = Task<Void, any Error> { [client, list] in
        try await client.sendPendingEdits(of: list) { state in
          if case .upToDate = state { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      try await sending.value
    }

    /// Whether no edit waits for anything.
    var isSettled: Bool {
      get throws {
        try list.pendingEdits().allSatisfy { $0.state != .waiting && $0.state != .accepted }
      }
    }
  }

  @Test func everyEditIsInTheFeedOnceOrRefused() async throws {
    let folder = try TemporaryFolder()
    let files = ["server", "a", "b"].map { folder.file("\($0).sqlite") }
    var repositories = try files.map { try Repository(at: $0) }
    var (taken, refused) = (0, 0)
    for seed in 0..<Self.schedules {
      do {
        let server = try await play(UInt64(seed), files, &repositories)
        taken += server.taken.count
        refused += server.refused.count
      } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
    }
    #expect(taken > 4 * Self.schedules)
    #expect(refused > Self.schedules)
    for repository in repositories { #expect(try repository.checkInvariants().isEmpty) }
  }

  private func play(
    _ seed: UInt64, _ files: [URL], _ repositories: inout [Repository]
  ) async throws -> EditServer {
    var generator = SeededGenerator(seed: seed)
    let clock = VirtualClock()
    let source = RandomChanges(sections: 4, items: 12, hasSectionParts: true)
    let id = try ListID("l\(seed)")
    let server = Guarded(EditServer(list: id, in: repositories[0]))
    try server.withValue { try $0.commit("\(section("s0")),\(section("s1"))") }
    var editors: [Editor] = []
    for (file, repository) in zip(files, repositories).dropFirst() {
      let transport = ChaosEditTransport(
        server, clock: clock, generator: SeededGenerator(seed: generator.next()))
      var client = FeedClient(
        try #require(URL(string: "https://chaos.example/feed")), transport: transport)
      client.pace = clock.pace()
      editors.append(
        Editor(
          file: file, repository: repository, transport: transport, client: client, id: id))
    }
    for step in 0..<40 {
      let index = generator.number(0..<2)
      let (client, list) = (editors[index].client, editors[index].list)
      editors[index].transport.meanwhile { try await client.catchUp(list) }
      switch generator.number(0..<100) {
      case _ where step < 3, 0..<38: try editors[index].edit(source, &generator)
      case 38..<60: try await editors[index].send()
      case 60..<82: try await editors[index].catchUp()
      case 82..<92:
        try server.withValue { server in
          let change = source.change(for: try server.tree, using: &generator)
          try server.commit(JSONWriter.object { change.writeOperation(to: &$0) })
        }
      default:
        editors[index].repository = try Repository(at: editors[index].file)
      }
    }
    try await settle(editors)
    for (index, editor) in editors.enumerated() {
      repositories[index + 1] = editor.repository
      // What it does meanwhile holds the client, and with that itself: its store would stay open.
      editor.transport.meanwhile {}
    }
    try check(editors, server.withValue { $0 }, seed)
    return server.withValue { $0 }
  }

  /// Goes on until no edit waits and no request is on its way.
  private func settle(_ editors: [Editor]) async throws {
    for editor in editors {
      while true {
        try await editor.send()
        try await editor.catchUp()
        #expect(editor.transport.requestCount < 5_000)
        if try editor.isSettled || editor.transport.requestCount >= 5_000 { break }
      }
      try editor.transport.deliverLateCopies()
    }
    // An answer may be cut where it looks like its end.
    for editor in editors { for _ in 0..<20 { try await editor.catchUp() } }
  }

  private func check(_ editors: [Editor], _ server: EditServer, _ seed: UInt64) throws {
    #expect(Set(server.taken).count == server.taken.count, "seed \(seed)")
    let lines = server.feed.lines.map(\.text)
    for editor in editors {
      let tree = try editor.repository.tree(of: editor.id)
      #expect(tree.withoutRevisions == (try server.tree.withoutRevisions), "seed \(seed)")
      #expect(try editor.isSettled, "seed \(seed)")
      let ended = try editor.list.pendingEdits().map(\.id)
      for edit in editor.made {
        let count = lines.count { $0.contains("\"edit\":\"\(edit)\"") }
        #expect(count == (ended.contains(edit) ? 0 : 1), "seed \(seed), edit \(edit)")
      }
    }
  }
}
