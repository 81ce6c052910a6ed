import Foundation
import ListModel
import ListStore
import ListSync

/// Commits to another list every five milliseconds, on a thread of its own.
final class OtherWriter: Sendable {
  private final class State: @unchecked Sendable {
    // Each is read and written with the lock.
    let lock = NSLock()
    var isStopped = false
    var longest = 0.0
    var failure: (any Error)?
  }

  private let state = State()
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ file: URL) throws {
    let repository = try Repository(existing: file)
    Thread.detachNewThread { [self] in
      do { try run(repository) } catch { state.lock.withLock { state.failure = error } }
      hasEnded.signal()
    }
  }

  private func run(_ repository: Repository) throws {
    var number = 0
    while !state.lock.withLock({ state.isStopped }) {
      number += 1
      let time = try Stopwatch.once(on: .wall) {
        let meta = try JSON(parsing: "\(number)")
        return try repository.liveList("other").commit([.updateList(meta: meta)]).revision
      }
      state.lock.withLock { state.longest = max(state.longest, time) }
      Thread.sleep(forTimeInterval: 0.005)
    }
  }

  /// The longest time of a commit, in nanoseconds.
  func stop() throws -> Double {
    state.lock.withLock { state.isStopped = true }
    hasEnded.wait()
    return try state.lock.withLock {
      if let failure = state.failure { throw failure }
      return state.longest
    }
  }
}
