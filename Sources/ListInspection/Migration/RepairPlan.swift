package import Foundation
package import ListModel
import StoreFiles
package import StoreSchema

/// What can be repaired in a store, and what becomes of it.
///
/// Indexes, triggers and checksums are mended in place. If rows, counts, sums, digests or pages are
/// wrong, a sound store is made from what is there, beside the damaged one: one way for every
/// damage, which is checked as a whole before it takes the other's place.
package struct RepairPlan: Sendable {
  /// What is wrong with the store.
  package let verification: Verification
  /// The indexes and triggers that are made anew.
  package let rebuilt: [SchemaDifference]
  /// The migrations for which this library's checksum is taken.
  package let accepted: [SchemaInspection.ModifiedMigration]
  /// What stays as it is, a sentence each, with what to do.
  package let remaining: [String]
  private let draft: RepairDraft?
  private let migrations: [Migration]

  /// What is done, a sentence each.
  package var steps: [String] {
    draft?.steps ?? rebuilt.map { "\($0.kind) \($0.name) is made anew" }
      + accepted.map(\.acceptance)
  }

  /// What is lost by it, a sentence each; empty if nothing is.
  package var losses: [String] { draft?.recovery.losses ?? [] }

  /// Checks a store and makes the new one that it may need; the store itself is not changed.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - versions: The migrations for which this library's checksum may be taken.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, can't be copied, or is newer; or if
  ///   there is no room for a new store.
  package init(
    of file: URL, accepting versions: Set<Int>, migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    let verification = try Verification(of: file, migrations: migrations)
    self.migrations = migrations
    self.verification = verification
    if let refusal = verification.refusal, refusal.code == .newerStore { throw refusal }
    rebuilt = verification.differences.filter(\.isRebuildable)
    accepted = verification.modifiedMigrations.filter { versions.contains($0.version) }
    let tables = verification.differences.filter { !$0.isRebuildable }
    var remaining = tables.filter { $0.found != nil }.map {
      "\($0.kind) \($0.name) is not as the version has it: run `cellar repair FILE --to NEW`, or "
        + "`cellar restore BACKUP FILE`"
    }
    remaining += verification.modifiedMigrations.filter { !versions.contains($0.version) }.map {
      "\($0.name.cut()) was applied with checksum \($0.stored.cut()), and this program has "
        + "\($0.known): find the Cellar that made the store, or take this one's with "
        + "--accept-checksum \($0.version)"
    }
    // What a missing log has, nothing here can make.
    let missing = verification.findings.filter { $0.code == .logMissing }
    guard
      verification.findings.count > missing.count || tables.contains(where: { $0.found == nil })
    else {
      remaining += missing.map { "\($0.message). \($0.advice)" }
      let foreign = verification.foreignSQL.filter(\.runsWhenWritten).map {
        "\($0.description), which no migration makes: if the app made it, name it in "
          + "`Repository.Options.allowedSchemaObjects`; if not, drop it"
      }
      (draft, self.remaining) = (nil, remaining + foreign)
      return
    }
    // What has another schema may have been made by another program.
    guard remaining.isEmpty else {
      (draft, self.remaining) = (nil, remaining + Self.damage(verification, "repair it after that"))
      return
    }
    do {
      draft = try RepairDraft(of: file, verification, migrations)
    } catch {
      guard [.notAStore, .damagedStore].contains(error.code) else { throw error }
      draft = nil
      remaining = Self.damage(verification, "nothing can be made of it: \(error.message)")
    }
    self.remaining = remaining
  }

  /// The worst that was found, and why it stays.
  private static func damage(_ verification: Verification, _ reason: String) -> [String] {
    guard let finding = verification.findings.first else { return [reason] }
    let others = verification.findings.count - 1
    return [
      finding.description + (others > 0 ? ", and \(others) more" : "") + ": " + reason
    ]
  }

  /// Makes a backup, and does what ``steps`` say: all of it, or nothing.
  ///
  /// - Returns: The backup; of a store that is damaged, a copy of its files. And the older ones that
  ///   were deleted for it.
  /// - Throws: ``/ListModel/StoreError``; the store is then unchanged.
  package func apply(to file: URL) throws(StoreError) -> (backup: URL, removed: [URL]) {
    if let draft { return try draft.replace(file) }
    let backup = try StoreBackup.make(of: file, migrations: migrations)
    try SchemaRepair.run(
      file, rebuilding: rebuilt, accepting: accepted, migrations: migrations)
    return (backup.file, backup.removed)
  }
}
