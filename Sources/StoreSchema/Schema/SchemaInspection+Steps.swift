package import Foundation
import GRDB
package import ListModel
import StoreFiles

extension SchemaInspection {
  /// A migration, as a store has it.
  package struct Step: Sendable {
    package let version: Int
    /// Its name: the store's where it lists it.
    package let name: String
    package let state: State
  }

  /// What a migration is to a store.
  package enum State: String, Sendable {
    /// The store has had it.
    case applied
    /// The store needs it.
    case pending
    /// The store has had it with other SQL than this library has.
    case modified
    /// The store's version says that it was applied, and its list of migrations does not.
    case missing
    /// The store has had it, and this library does not know it: a newer one made it.
    case unknown
  }

  /// A migration that the store has had with other SQL than this library has.
  package struct ModifiedMigration: Equatable, Sendable {
    package let version: Int
    package let name: String
    /// The checksum that the store lists.
    package let stored: String
    /// The checksum of this library's SQL.
    package let known: String
  }

  /// The migrations that the store has had with other SQL, by version.
  package var modifiedMigrations: [ModifiedMigration] {
    (applied ?? []).compactMap { step in
      guard let known = migrations.first(where: { $0.version == step.version }),
        known.checksum != step.checksum
      else { return nil }
      return ModifiedMigration(
        version: step.version, name: step.name, stored: step.checksum, known: known.checksum)
    }
  }

  /// Every migration that the store or this library knows, by version.
  package var steps: [Step] {
    let listed = Dictionary(
      (applied ?? []).map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
    let versions = Set(listed.keys).union(migrations.map(\.version)).sorted()
    return versions.map { number in
      let known = migrations.first { $0.version == number }
      let state: State =
        switch (listed[number], known) {
        case (let step?, let known?): step.checksum == known.checksum ? .applied : .modified
        case (.some, nil): .unknown
        case (nil, _): number <= version ? .missing : .pending
        }
      return Step(
        version: number, name: listed[number]?.name ?? known?.name ?? "", state: state)
    }
  }

  /// Reads the schema of a store where it lies; neither the store nor any file beside it is
  /// changed.
  ///
  /// - Returns: The schema, and why this library refuses to open or to migrate the store; `nil` if it
  ///   does not.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, is one of an unreleased schema, or
  ///   can't be read.
  package static func read(
    _ file: URL, migrations: [Migration] = Migration.all
  ) throws(StoreError) -> (schema: SchemaInspection, refusal: StoreError?) {
    try SchemaReading.read(file, attempt: "read the schema") { db in
      try SchemaStatus.requireReleased(db, file: file.path)
      let schema = try SchemaInspection(db, migrations: migrations)
      do {
        _ = try SchemaStatus(db, file: file.path, migrations: migrations)
        return (schema, ForeignSQL.refusal(of: schema.foreignSQL, file: file.path))
      } catch {
        return (schema, .wrap(error, attempt: "read the schema version", file: file.path))
      }
    }
  }
}
