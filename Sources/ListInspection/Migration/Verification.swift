package import Foundation
package import ListModel
package import StoreFiles
package import StoreSchema

/// What is wrong with a store: its contents, and its schema.
package struct Verification: Sendable {
  /// The store's schema version; `nil` if it can't be read.
  package let schemaVersion: Int?
  /// Everything that was found, the worst first, with what only explains what is seen.
  package let allFindings: [Finding]
  /// What the check of pages, references, counts, digests and logs has found, the worst first.
  ///
  /// What is wrong with the schema is in ``differences`` and ``refusal``.
  package var findings: [Finding] {
    allFindings.filter { finding in
      finding.severity > .notice
        && ![.otherSchema, .otherMigration, .newerSchema, .foreignSQL].contains(finding.code)
    }
  }
  /// Tables, indexes and triggers that are not as the store's version has them.
  package let differences: [SchemaDifference]
  /// Tables and indexes that no migration makes, with SQL that runs by itself.
  package let foreignSQL: [ForeignSQL]
  /// Migrations that the store has had with other SQL.
  package let modifiedMigrations: [SchemaInspection.ModifiedMigration]
  /// Why this library refuses the store: it is newer, or a migration had other SQL; `nil` if neither
  /// is so.
  package let refusal: StoreError?
  /// Why a migration that the store needs was taken back on a copy; `nil` if none was.
  private let failedMigration: StoreError?

  /// What follows from it.
  package enum Verdict: String, Sendable {
    case sound, damaged, drifted, modified, newer
  }

  /// The worst that was found.
  package var verdict: Verdict {
    if refusal?.code == .newerStore { return .newer }
    if !findings.isEmpty { return .damaged }
    if !modifiedMigrations.isEmpty { return .modified }
    return differences.isEmpty && !foreignSQL.contains(where: \.runsWhenWritten)
      ? .sound : .drifted
  }

  /// Checks a store; neither it nor any file beside it is changed.
  ///
  /// A store that others write meanwhile is told as it was at one moment.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - registry: The names of the cells that the app knows; others are warned of.
  ///   - inPlace: Whether the store itself is read whatever it takes; if not, a copy is read of one
  ///     that is open.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Throws: ``/ListModel/StoreError`` if it is no store or can't be copied.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs.
  package init(
    of file: URL, registry: Set<String>? = nil, inPlace: Bool = false,
    migrations: [Migration] = Migration.all
  ) throws(StoreError) {
    if inPlace {
      let inspection = try Inspection(of: file, inPlace: true, migrations: migrations)
      self.init(inspection, registry: registry)
      try inspection.requireUnchanged()
      return
    }
    let inspection = try Self.look(at: file, migrations)
    self.init(inspection, registry: registry)
    if inspection.isOutdated {
      self.init(
        try Inspection(of: file, inPlace: false, migrations: migrations), registry: registry)
    }
  }

  /// What an inspection finds.
  init(_ inspection: Inspection, registry: Set<String>? = nil) {
    let schema = try? inspection.store().schema
    schemaVersion = schema?.version ?? inspection.evidence.header?.schemaVersion
    allFindings = inspection.check(registry: registry)
    differences = schema?.differences ?? []
    foreignSQL = schema?.isNewer == false ? schema?.foreignSQL ?? [] : []
    modifiedMigrations = schema?.modifiedMigrations ?? []
    refusal = inspection.refusal
    if case .failure(let error)? = (try? inspection.store())?.lists,
      error.code == .verificationFailed
    {
      failedMigration = error
    } else {
      failedMigration = nil
    }
  }

  /// Looks at the store in place, or at a copy of one that is open or takes a copy to be read.
  ///
  /// `trial`: How to try the migrations that the store needs.
  static func look(
    at file: URL, _ migrations: [Migration],
    _ trial: MigrationTrial.Request = MigrationTrial.Request()
  ) throws(StoreError) -> Inspection {
    if let found = try Inspection.ofStoreAtRest(file, migrations) { return found }
    return try Inspection(of: file, inPlace: false, migrations: migrations, trial: trial)
  }

  /// Checks a store that is to be migrated; neither it nor any file beside it is changed.
  ///
  /// - Returns: What is wrong with it, and its copy, whose file is as the store was; `nil` if there
  ///   is none, because the store has the newest version.
  /// - Throws: ``/ListModel/StoreError`` if it is no store or can't be copied.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs.
  package static func beforeMigration(
    of file: URL, migrations: [Migration]
  ) throws(StoreError) -> (verification: Verification, copy: PrivateCopy?) {
    let inspection = try look(at: file, migrations)
    guard let store = try? inspection.store(), !store.schema.pending.isEmpty else {
      return (Verification(inspection), nil)
    }
    return (Verification(inspection), store.copy)
  }

  /// Why the store must not be migrated to a version; `nil` if it may be.
  ///
  /// A damaged store that has the version already is not refused: nothing is done to it.
  ///
  /// `file`: The store's name in the error.
  package func refusal(toMigrate file: URL, to version: Int) -> StoreError? {
    schemaRefusal(of: file) ?? ((schemaVersion ?? 0) < version ? damage(of: file) : nil)
  }

  /// Why the store must not be opened: it is newer, or a migration had other SQL, or its schema is
  /// another one or has SQL of others that would run; `nil` if it may be.
  ///
  /// `file`: The store's name in the error.
  private func schemaRefusal(of file: URL) -> StoreError? {
    if let refusal { return refusal }
    guard let schemaVersion, !differences.isEmpty else {
      return ForeignSQL.refusal(of: foreignSQL, file: file.path)
    }
    return .otherSchema(file.path, version: schemaVersion, differences.map(\.name))
  }

  /// Why the store must not be migrated: pages can't be read, or rows contradict each other; `nil` if
  /// it may be.
  ///
  /// A list that only disagrees with its digest or its log is migrated: the app takes the rows as
  /// they are.
  ///
  /// `file`: The store's name in the error.
  private func damage(of file: URL) -> StoreError? {
    let damage: Set<StoreProblem.Code> = [.header, .truncated, .pages, .unreadable, .rows, .order]
    guard let found = findings.first(where: { damage.contains($0.code) }) else { return nil }
    // The lists of an earlier version are read after its migrations.
    if let failedMigration, !findings.contains(where: { damage.contains($0.code) && $0 != found }) {
      return failedMigration
    }
    let place = found.place.map { $0 == file.path ? "" : "\($0): " } ?? ""
    return .damaged(file.path, because: place + found.message + "; it was not migrated")
  }
}
