import Foundation
import ListModel
import ListStore
import ListSync
import SuiteSupport
import TestSupport
import Testing

/// How edits get from the outbox to a server.
@Suite(.timeLimit) struct SendingTests {
  /// A server that notes what it gets.
  private actor Server {
    private(set) var ids: [String] = []
    private var answers: [Result<LiveList.EditAnswer, any Error>]
    private var waiting: CheckedContinuation<Void, Never>?
    private var wanted = 0

    struct Down: Error {}

    init(_ answers: [Result<LiveList.EditAnswer, any Error>] = []) { self.answers = answers }

    func take(_ edit: Repository.PendingEdit) throws -> LiveList.EditAnswer {
      ids.append(edit.id)
      if ids.count >= wanted {
        waiting?.resume()
        waiting = nil
      }
      return answers.isEmpty ? .accepted : try answers.removeFirst().get()
    }

    /// Waits until so many edits came.
    func receive(_ count: Int) async {
      if ids.count >= count { return }
      wanted = count
      await withCheckedContinuation { waiting = $0 }
    }
  }

  private let bench: FeedBench
  private var shelf: LiveList { bench.repository.liveList("l") }

  init() throws {
    bench = try FeedBench()
    try bench.apply([commit(1, insertSection("s"))])
  }

  private func insert(_ id: ItemID, into shelf: LiveList? = nil) throws -> Repository.PendingEdit {
    let list = shelf ?? self.shelf
    let edit = try list.editPending {
      try $0.insert(Item(id: id, cell: "C", content: .null), in: "s")
    }
    return try #require(edit.edit)
  }

  private func sending(
    _ shelf: LiveList, to server: Server, retryingAfter pauses: ClosedRange<Double> = 0.001...0.01
  ) -> Task<Void, any Error> {
    Task {
      try await shelf.sendPendingEdits(retryingAfter: pauses) { try await server.take($0) }
    }
  }

  private func states() throws -> [Repository.PendingEdit.State] {
    try shelf.pendingEdits().map(\.state)
  }

  @Test func editsAreSentInOrderAlsoThoseThatComeLater() async throws {
    let server = Server()
    var wanted = [try insert("a").id, try insert("b").id]
    let task = sending(shelf, to: server)
    await server.receive(2)
    wanted.append(try insert("c").id)
    await server.receive(3)
    task.cancel()
    try await task.value
    #expect(await server.ids == wanted)
  }

  @Test func pausesThatCanNotBeWaitedForAreReplaced() async throws {
    let server = Server(Array(repeating: .failure(Server.Down()), count: 3))
    let edit = try insert("a").id
    let impatient = sending(shelf, to: server, retryingAfter: -.infinity ... -1)
    await server.receive(4)
    impatient.cancel()
    try await impatient.value
    #expect(await server.ids == Array(repeating: edit, count: 4))

    let away = Server([.failure(Server.Down())])
    _ = try insert("b")
    let patient = sending(shelf, to: away, retryingAfter: 1e300 ... .infinity)
    await away.receive(1)
    try await Task.sleep(for: .milliseconds(20))
    patient.cancel()
    try await patient.value
  }

  @Test func anEditWithoutAnAnswerIsSentAgainUnderTheSameID() async throws {
    let server = Server([.failure(Server.Down()), .failure(Server.Down())])
    let first = try insert("a").id
    let second = try insert("b").id
    let task = sending(shelf, to: server)
    await server.receive(4)
    task.cancel()
    _ = await task.result
    #expect(await server.ids == [first, first, first, second])
  }

  /// The app went to the background while the server answered.
  @Test func anAnswerToASuspendedStoreIsAskedForAgain() async throws {
    let server = Server(Array(repeating: .success(.rejected(why: "no")), count: 2))
    let first = try insert("a").id
    let (shelf, repository) = (shelf, bench.repository)
    let task = Task {
      // Nobody waits for that long: it is sent when the app is back.
      try await shelf.sendPendingEdits(retryingAfter: 10_000...10_000) { edit in
        let answer = try await server.take(edit)
        if await server.ids.count == 1 { repository.suspend() }
        return answer
      }
    }
    defer { task.cancel() }
    await server.receive(1)
    // The answer may come later than this.
    for _ in 0..<1_000 where await server.ids.count < 2 {
      try await Task.sleep(for: .milliseconds(20))
      repository.resume()
    }
    try #require(await server.ids.count == 2)
    let second = try insert("b").id
    await server.receive(3)
    task.cancel()
    try await task.value
    #expect(await server.ids == [first, first, second])
    #expect(try states() == [.rejected(why: "no"), .accepted])
  }

  @Test func anAnswerIsKeptAcrossARelaunch() async throws {
    let server = Server([.success(.accepted), .success(.rejected(why: "no"))])
    let edits = [try insert("a"), try insert("b")]
    var task = sending(shelf, to: server)
    await server.receive(2)
    while try states() != [.accepted, .rejected(why: "no")] {
      try Task.checkCancellation()
      await Task.yield()
    }
    task.cancel()
    _ = await task.result
    #expect(try bench.ids()["s"] == ["a"])

    let again = try Repository(existing: bench.file).liveList("l")
    let third = try insert("c", into: again)
    let other = Server()
    task = sending(again, to: other)
    await other.receive(1)
    task.cancel()
    _ = await task.result
    #expect(await other.ids == [third.id])
    try bench.apply([edits[0].feedLine(sequence: 2)])
    #expect(try shelf.pendingEdits().map(\.id) == [edits[1].id, third.id])
  }

  @Test func anEditThatTheFeedHasBroughtIsNotSent() async throws {
    let edit = try insert("a")
    try bench.apply([edit.feedLine(sequence: 2)])
    let server = Server()
    let task = sending(shelf, to: server)
    let next = try insert("b")
    await server.receive(1)
    task.cancel()
    _ = await task.result
    #expect(await server.ids == [next.id])
  }
}
