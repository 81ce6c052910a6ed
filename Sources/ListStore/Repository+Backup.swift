import Dispatch
public import Foundation
public import ListModel
import StoreSchema

extension Repository {
  /// Copies the store into one file, as it is now.
  ///
  /// Readers and writers go on meanwhile, also those of other processes. The copy has its name only
  /// when it is whole and on the disk, and has passed SQLite's integrity check. To put it in the
  /// store's place, close all Repositories of the store, or use `cellar restore`.
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
