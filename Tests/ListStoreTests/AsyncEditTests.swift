import Dispatch
import ListItems
import ListModel
import ListStore
import ListSync
import SuiteSupport
import TestSupport
import Testing

/// Edits that tasks wait for run on another thread.
@Suite struct AsyncEditTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
    try repository.edit("list") { try $0.insertSection("s") }
  }

  @Test @MainActor func theMainThreadDoesNotWait() async throws {
    let semaphore = DispatchSemaphore(value: 0)
    /// Whether the main thread does something meanwhile.
    @Sendable func isMainThreadFree(within seconds: Double = 600) -> Bool {
      Task { @MainActor in semaphore.signal() }
      return semaphore.wait(timeout: .now() + seconds) == .success
    }
    let (isFree, commit) = try await repository.edit("list", by: "me") { list in
      try list.insertSection("t")
      return isMainThreadFree()
    }
    #expect(isFree)
    #expect(commit?.revision == 2)
    #expect(commit?.author.name == "me")
    let list = repository.liveList("list")
    #expect(try await list.edit { _ in isMainThreadFree() })
    #expect(try repository.revision(of: "list") == 2)
    // In a function that is not `async` it is the call that blocks.
    func edit() throws -> Bool { try list.edit { _ in isMainThreadFree(within: 0.05) } }
    #expect(try !edit())
  }

  @Test func replacingPendingEditsAndUndoHaveTheSameForm() async throws {
    let list = repository.liveList("list")
    let first = try await list.replace { ListSection("t") { FieldItem(id: "a", cell: "C") } }
    #expect(first?.revision == 2)
    #expect(try await list.replace(with: list.tree().sections) == nil)
    let edit = try await list.editPending { try $0.delete("a") }.edit
    #expect(try list.pendingEdits() == [#require(edit)])
    #expect(try await list.undo()?.revisions == [3])
    #expect(try await list.redo()?.commit.revision == 5)
    #expect(try await list.undo(by: "nobody") == nil)
    let group = try await list.undoGroup {
      try await list.edit { try $0.insertSection("u") }
      return try await list.replace { ListSection("v") }?.revision
    }
    #expect(group == 7)
    #expect(try await list.undo()?.revisions == [6, 7])
  }

  @Test func whatTheClosureThrowsArrivesAndNothingChanges() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await repository.edit("list") { list in
        try list.insertSection("t")
        throw Failure()
      }
    }
    let error = await #expect(throws: StoreError.self) {
      try await repository.liveList("list").edit { try $0.insertSection("s") }
    }
    #expect(error?.code == .duplicateID)
    #expect(try repository.revision(of: "list") == 1)
  }

  @Test func aTaskThatWasCancelledBeforeDoesNotEdit() async throws {
    let repository = repository
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await repository.edit("list") { try $0.insertSection("t") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try repository.revision(of: "list") == 1)
  }

  /// While they wait for the first one, other tasks run.
  @Test(.timeLimit) func manyAtOnceAreDoneOneAfterAnother() async throws {
    let repository = repository
    let semaphore = DispatchSemaphore(value: 0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let isSignalled = try await repository.edit("list") { _ in
          semaphore.wait(timeout: .now() + 600) == .success
        }.value
        #expect(isSignalled)
      }
      for number in 0..<200 {
        group.addTask {
          try await repository.edit("list") { list in
            try list.insertSection(SectionID(stringLiteral: "s\(number)"))
          }
        }
      }
      for _ in 0..<200 { group.addTask { await Task.yield() } }
      // After all tasks that can go on.
      group.addTask(priority: .background) { semaphore.signal() }
      try await group.waitForAll()
    }
    #expect(try repository.revision(of: "list") == 201)
    #expect(try repository.checkInvariants().isEmpty)
  }
}
