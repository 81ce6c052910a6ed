import Dispatch
public import Foundation
public import ListModel
import StoreFiles
import StoreSchema
import GRDB

extension Repository {
  /// Lets go of the file until ``resume()``: ends the read transactions that Providers hold, writes what
  /// waits to be written, and then neither writes nor listens to other processes.
  ///
  /// Call it when the app is about to be suspended: iOS ends a suspended app that holds a lock on a
  /// file in a shared container (`0xdead10cc`). Call it also if the write-ahead log must shrink
  /// although a Provider stays at its revision.
  ///
  /// When it returns, no write transaction of this Repository is open, and none begins until
  /// ``resume()``: a call that writes fails with ``/ListModel/StoreError/Code/suspended``, at once. It
  /// does not wait, because the thread that waits may be the one that has to call ``resume()``. What
  /// the Repository writes by itself waits: sizes, the states of screens, truncation. Inside an edit
  /// of this Repository, that edit can still commit. Only this Repository stops: GRDB's notification
  /// that suspends databases is not posted, because it would stop the app's own ones too.
  ///
  /// Providers still answer from memory. When one has to read and its list is unchanged, it begins
  /// a new read transaction. If its list has changed, reads answer `nil` until the Provider is
  /// advanced.
  public func suspend() {
    observers.pause(true)
    maintenance.suspend(waits: !writer.isInside)
    writer.suspend()
    snapshots.releaseAll()
  }

  /// Writes again after ``suspend()``, and observes commits of other processes again, first of all those
  /// made meanwhile.
  ///
  /// Call it when the app is active again.
  public func resume() {
    writer.resume()
    maintenance.resume()
    observers.pause(false)
  }

  /// Does what the maintenance queue still has to do, on this thread or its own; also while suspended.
  func finishMaintenance() {
    writer.resume()
    maintenance.resume()
    maintenance.drain()
    sizeQueue.flush()
    // While the Repository is deallocated, jobs do not find it any more.
    do {
      try saveScreens()
      try truncateDueLogs()
    } catch { events.report(error, "finish the maintenance of the store") }
  }

  /// Closes the store: for an app that moves or replaces its file.
  ///
  /// Waits for calls of other threads, writes what waits to be written, also while suspended, and ends
  /// the streams of revisions. Afterwards each call fails with ``/ListModel/StoreError/Code/closed``.
  /// Providers answer what they have in memory, and `nil` for the rest. Closing again does nothing.
  ///
  /// A Repository that is deallocated is closed, too; only Providers that outlive it still read.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/nestedEdit`` inside an
  ///   edit of this Repository; it then stays open.
  public func close() throws(StoreError) {
    if writer.isInside { throw .nestedEdit(file.path, attempt: "close the store") }
    do {
      if !writer.isClosed { finishMaintenance() }
      writer.end()
      endObservation()
      snapshots.close()
      try database.close()
    } catch {
      throw .wrap(error, attempt: "close the store", file: file.path)
    }
  }

  /// Copies the store into one file, as it is now.
  ///
  /// Readers and writers go on meanwhile, also those of other processes. The copy has its name only
  /// when it is whole and on the disk, and has passed SQLite's integrity check. To put it in the
  /// store's place, close all Repositories of the store, or use `cellar migrate restore`.
  ///
  /// It blocks the thread; on the main thread use the call that is `async`.
  ///
  /// - Parameter target: The copy's file, which must not exist; its folder must.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/notWritable`` if there is
  ///   a file already, and ``/ListModel/StoreError/Code/storeFull`` if there is no room. Nothing is
  ///   left behind then.
  /// - Complexity: O(*n*), *n* bytes of the store.
  public func backup(to target: URL) throws(StoreError) {
    if writer.isInside { throw .nestedEdit(file.path, attempt: "make a backup") }
    try requireFile()
    sizeQueue.flush()
    _ = try StoreBackup.make(of: file, at: target, isReadOnly: isReadOnly)
  }

  /// Copies the store into one file, on another thread: as the call that blocks.
  ///
  /// - Parameter target: The copy's file, which must not exist; its folder must.
  /// - Throws: ``/ListModel/StoreError``, or `CancellationError` if the task was cancelled before it
  ///   began.
  public func backup(to target: URL) async throws {
    try await DispatchQueue.global(qos: .utility).value { try self.backup(to: target) }
  }
}

extension DispatchQueue {
  /// Runs work that blocks its thread, for a task.
  ///
  /// The threads of tasks must not wait for locks and disks.
  ///
  /// - Returns: What the work returns.
  /// - Throws: What it throws; `CancellationError` if the task was cancelled before it began.
  func value<Value: Sendable>(
    of work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let isCancelled = Guarded(false)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        async {
          continuation.resume(
            with: Result {
              if isCancelled.withValue({ $0 }) { throw CancellationError() }
              return try work()
            })
        }
      }
    } onCancel: {
      isCancelled.withValue { $0 = true }
    }
  }
}
