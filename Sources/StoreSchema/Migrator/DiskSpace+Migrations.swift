import Foundation
package import ListModel
import StoreFiles

// Checks the free space before a migration.
extension DiskSpace {
  /// Refuses migrations for which the disk has no room, before they begin.
  ///
  /// A migration that drops a table copies its rows to another one first. Until it ends, the old
  /// rows, the new rows and the log of both take space.
  ///
  /// - Parameters:
  ///   - pending: The migrations to be applied.
  ///   - file: The store.
  ///   - backsUp: Whether a backup is made first, which takes as much room as the store.
  ///   - freeBytes: The free bytes of the store's volume; `nil` if the system does not say.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/storeFull``.
  package static func requireRoom(
    for pending: [Migration], of file: String, backsUp: Bool = false, freeBytes: Int?
  ) throws(StoreError) {
    guard !pending.isEmpty else { return }
    try require(
      neededBytes(for: pending, of: file, backsUp: backsUp) - slack,
      to: "migrate the store", in: URL(fileURLWithPath: file).deletingLastPathComponent().path,
      freeBytes: freeBytes, file: file)
  }

  /// The bytes that migrations may need on the store's volume for a while; 0 for none.
  ///
  /// `backsUp`: Whether a backup is made first, which takes as much room as the store.
  package static func neededBytes(
    for pending: [Migration], of file: String, backsUp: Bool
  ) -> Int {
    if pending.isEmpty { return 0 }
    let size = FileExtents.byteCount(ofStore: file)
    let isRewritten = pending.contains(where: \.rewritesTables)
    return (isRewritten ? 3 * size : 0) + (backsUp ? size : 0) + slack
  }
}
