import Dispatch
public import Foundation
import GRDB
public import ListModel
import StoreFiles
import StoreSchema

extension Repository {
  /// Closes the store: for an app that moves or replaces its file.
  ///
  /// Waits for calls of other threads, writes the sizes that wait, and ends the streams of
  /// ``revisions(of:)``. Afterwards each call fails with ``/ListModel/StoreError/Code/closed``.
  /// Providers answer what they have in memory, and `nil` for the rest. Closing again does nothing.
  ///
  /// A Repository that is deallocated is closed, too; only Providers that outlive it still read.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/nestedEdit`` inside an
  ///   edit of this Repository; it then stays open.
  public func close() throws(StoreError) {
    if writer.isInside { throw .nestedEdit(file.path, attempt: "close the store") }
    do {
      sizeQueue.flush()
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
