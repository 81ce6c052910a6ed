import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema

/// A sound store made from what a damaged one has, before it takes that one's place.
///
/// It lies beside the damaged store, in a folder that is deleted with this object.
final class RepairDraft: Sendable {
  /// What is different from the damaged store, a sentence each.
  let steps: [String]
  private let draft: StoreDraft
  private let source: PrivateCopy
  private let isLogForeign: Bool
  private let migrations: [Migration]

  /// Makes the store from a copy of the damaged one, which is only read.
  ///
  /// - Parameters:
  ///   - file: The damaged store.
  ///   - verification: What is wrong with it.
  ///   - migrations: All migrations.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notAStore`` or
  ///   ``/ListModel/StoreError/Code/damagedStore`` if nothing of a store is left in it.
  init(
    of file: URL, _ verification: Verification, _ migrations: [Migration]
  ) throws(StoreError) {
    self.migrations = migrations
    isLogForeign = verification.findings.contains { $0.code == .logForeign }
    source = try PrivateCopy(copying: file)
    // Its pages would be read as this store's.
    if isLogForeign { try? FileManager.default.removeItem(atPath: source.file.path + "-wal") }
    try DiskSpace.require(
      2 * source.byteCount, to: "repair the store", in: file.deletingLastPathComponent(),
      file: file.path)
    draft = try StoreDraft(of: file, attempt: "repair the store")
    do {
      let result = try Salvage(source.file, migrations: migrations).write(draft.file)
      let words = RepairWords(
        result, verification, theirs: try Self.othersObjects(in: source.file, migrations))
      steps = words.sentences
    } catch {
      var error = StoreError.wrap(error, attempt: "repair the store", file: file.path)
      error.file = file.path
      throw error
    }
  }

  /// Puts the store in the place of the damaged one.
  ///
  /// - Returns: The copy of the damaged store, and the older copies that were deleted for it.
  /// - Throws: ``/ListModel/StoreError``; nothing is changed then.
  func replace(_ file: URL) throws(StoreError) -> (backup: URL, removed: [URL]) {
    try StoreBackup.replace(
      file, by: draft, madeFrom: source, isLogForeign: isLogForeign, migrations: migrations)
  }

  /// The tables, indexes, triggers and views that no version of a store has; none if SQLite can't
  /// read the schema.
  private static func othersObjects(
    in file: URL, _ migrations: [Migration]
  ) throws -> [String] {
    do {
      var configuration = Configuration.store(timeLimit: TimeLimit.seconds(for: file))
      configuration.readonly = true
      let queue = try DatabaseQueue(path: file.path, configuration: configuration)
      defer { try? queue.close() }
      return try queue.read { db in
        try SchemaInspection.othersObjects(in: db, migrations: migrations)
      }
    } catch is DatabaseError {
      return []
    }
  }
}
