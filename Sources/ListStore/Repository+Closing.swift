import Foundation
import GRDB
public import ListModel
import StoreSchema

extension Repository {
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
    if writer.isInside { throw .nestedEdit(filePath, attempt: "close the store") }
    do {
      if !writer.isClosed { finishMaintenance() }
      writer.end()
      endObservation()
      readers.close()
      try writer.closeConnection()
      try connections.close()
    } catch {
      throw .wrap(error, attempt: "close the store", file: filePath)
    }
  }
}
