package import Foundation
package import ListModel
package import StoreSchema

/// What can be repaired in a store without losing anything.
package struct RepairPlan: Sendable {
  /// What is wrong with the store.
  package let verification: Verification
  /// The indexes and triggers that are made anew.
  package let rebuilt: [SchemaDifference]
  /// The migrations for which this library's checksum is taken.
  package let accepted: [SchemaInspection.ModifiedMigration]
  /// What stays as it is, a sentence each, with what to do.
  package let remaining: [String]

  /// What is done, a sentence each.
  package var steps: [String] {
    rebuilt.map { "\($0.kind) \($0.name) is made anew" }
      + accepted.map { migration in
        "\(migration.name.cut()): checksum \(migration.stored.cut()) becomes \(migration.known)"
      }
  }

  /// Checks a store; neither it nor any file beside it is changed.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - versions: The migrations for which this library's checksum may be taken.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, can't be copied, or is newer.
  package init(of file: URL, accepting versions: Set<Int>) throws(StoreError) {
    verification = try Verification(of: file)
    if let refusal = verification.refusal, refusal.code == .newerStore { throw refusal }
    rebuilt = verification.differences.filter(\.isRebuildable)
    accepted = verification.modifiedMigrations.filter { versions.contains($0.version) }
    var remaining = verification.differences.filter { !$0.isRebuildable }.map {
      "\($0.kind) \($0.name) is not as the version has it: restore a backup, or try "
        + "`cellar inspect recover`"
    }
    remaining += verification.modifiedMigrations.filter { !versions.contains($0.version) }.map {
      "\($0.name.cut()) was applied with checksum \($0.stored.cut()), and this program has "
        + "\($0.known): find the Cellar that made the store, or take this one's with "
        + "--accept-checksum \($0.version)"
    }
    if let finding = verification.findings.first {
      let others = verification.findings.count - 1
      remaining.append(
        finding.description + (others > 0 ? ", and \(others) more" : "")
          + ": restore a backup, or try `cellar inspect recover`")
    }
    self.remaining = remaining
  }

  /// Makes a backup, and does what ``steps`` say in one transaction.
  ///
  /// - Returns: The backup.
  /// - Throws: ``/ListModel/StoreError``; the store is then unchanged.
  package func apply(to file: URL) throws(StoreError) -> URL {
    let backup = try StoreBackup.make(of: file)
    try SchemaRepair.run(file, rebuilding: rebuilt, accepting: accepted)
    return backup.file
  }
}
