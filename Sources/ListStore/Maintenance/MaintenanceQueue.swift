import Dispatch
import ListModel
import StoreFiles

/// The work on a store that no caller waits for, on a thread of its own: truncating logs, copying the
/// write-ahead log into the file, writing sizes and the states of screens.
///
/// A Repository has one. Jobs run one after another, in order. While the Repository is suspended they
/// wait; closing it runs them all.
package final class MaintenanceQueue: Sendable {
  private let queue = DispatchQueue(label: "Cellar maintenance", qos: .utility)
  private let isInside = DispatchSpecificKey<Bool>()
  private let state = Guarded(State())
  private let events: StoreEvents

  private struct State {
    var jobs: [Job] = []
    var isSuspended = false
  }

  private struct Job: Sendable {
    var attempt: StaticString
    /// Whether a later launch can do it as well.
    var isDeferrable: Bool
    var work: @Sendable () throws -> Void
  }

  init(_ events: StoreEvents) {
    self.events = events
    queue.setSpecific(key: isInside, value: true)
  }

  /// Whether jobs wait for ``resume()``; a long job that is under way should then end early.
  package var isSuspended: Bool { state.withValue { $0.isSuspended } }

  /// Adds a job.
  ///
  /// What it throws is reported, see ``StoreEvents/report(_:_:)``. A job that is stopped by
  /// ``suspend()`` runs again afterwards, so it must be able to.
  ///
  /// - Parameters:
  ///   - attempt: What the job does, without names of lists and items.
  ///   - isDeferrable: Whether ``suspend()`` leaves it for later, because a later launch can do it as
  ///     well.
  ///   - delay: How long it may wait for others, in milliseconds.
  ///   - work: The job.
  package func add(
    _ attempt: StaticString, isDeferrable: Bool = false, after delay: Int = 0,
    _ work: @escaping @Sendable () throws -> Void
  ) {
    state.withValue {
      $0.jobs.append(Job(attempt: attempt, isDeferrable: isDeferrable, work: work))
    }
    if delay == 0 {
      queue.async { self.run() }
    } else {
      queue.asyncAfter(deadline: .now() + .milliseconds(delay)) { self.run() }
    }
  }

  /// Runs all jobs that wait, and returns when they have ended.
  ///
  /// It must not be called inside an edit of the same Repository, whose end jobs wait for.
  package func drain() {
    // A job may release the Repository, which drains the queue.
    if DispatchQueue.getSpecific(key: isInside) == true { run() } else { queue.sync { run() } }
  }

  /// Has jobs wait; those that no later launch can do run first.
  ///
  /// `waits`: Whether it returns when the job that goes on has ended. Not inside an edit, whose end
  /// jobs wait for.
  func suspend(waits: Bool) {
    state.withValue { $0.isSuspended = true }
    if waits { drain() }
  }

  /// Runs the jobs that have waited since ``suspend()``.
  func resume() {
    state.withValue { $0.isSuspended = false }
    queue.async { self.run() }
  }

  private func run() {
    var postponed: [Job] = []
    while let job = state.withValue({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      if job.isDeferrable, isSuspended {
        postponed.append(job)
        continue
      }
      do { try job.work() } catch let error as StoreError where error.code == .suspended {
        postponed.append(job)
      } catch {
        events.report(error, job.attempt)
      }
    }
    state.withValue { $0.jobs.insert(contentsOf: postponed, at: 0) }
  }
}
