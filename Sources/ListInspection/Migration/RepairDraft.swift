import Foundation
import ListModel
import StoreFiles
import StoreSchema

/// A sound store made from what a damaged one has, before it takes that one's place.
///
/// It lies beside the damaged store, in a folder that is deleted with this object.
final class RepairDraft: Sendable {
  /// What is different from the damaged store, a sentence each.
  let steps: [String]
  /// What was saved of the damaged store.
  let recovery: StoreRecovery
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
      recovery = try Salvage(source.file, migrations: migrations).write(draft.file)
      steps =
        [
          "the store is made anew from its rows, with a new id: apps that follow its lists load them "
            + "anew"
        ] + verification.differences.map { "\($0.kind) \($0.name) is made anew" }
        + verification.modifiedMigrations.map(\.acceptance) + recovery.notes
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
}

extension SchemaInspection.ModifiedMigration {
  /// What becomes of its checksum if it is accepted.
  var acceptance: String { "\(name.cut()): checksum \(stored.cut()) becomes \(known)" }
}
