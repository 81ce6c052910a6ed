package import GRDB

/// A table, an index, a trigger or a view that a store's schema version has and the store has not, or has
/// with other SQL.
package struct SchemaDifference: Codable, Equatable, Sendable {
  /// The object's name.
  package let name: String
  /// What the version has under this name: `table`, `index`, `trigger` or `view`.
  package let kind: String
  /// The SQL that the version has.
  package let expected: String
  /// The SQL that the store has; `nil` if nothing has the name.
  package let found: String?
  /// What the store has under this name; `nil` if nothing has it.
  package let foundKind: String?

  private enum CodingKeys: String, CodingKey {
    case name, kind, expected, found, foundKind
  }

  /// Whether the object holds nothing that is not in tables too, so that it can be made anew.
  package var isRebuildable: Bool {
    kind != "table" && foundKind != "table"
  }

  /// The two texts as lines: `-` before those that only the version has, `+` before those that only
  /// the store has, a space before those of both.
  package var lines: [String] {
    let old = Self.lines(of: expected)
    let new = found.map(Self.lines) ?? []
    let changes = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [String] = []
    var next = 0
    for (offset, line) in old.enumerated() {
      if removed.contains(offset) {
        lines.append("-" + line)
        continue
      }
      while inserted.contains(next) {
        lines.append("+" + new[next])
        next += 1
      }
      lines.append(" " + line)
      next += 1
    }
    return lines + new[next...].map { "+" + $0 }
  }

  private static func lines(of sql: String) -> [String] {
    sql.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The differences of a store's schema from that of its version.
  ///
  /// - Parameters:
  ///   - db: A connection to the store; nothing but `sqlite_schema` is read.
  ///   - version: The version whose schema the store should have, from 0 to the newest.
  ///   - migrations: The migrations that lead to it.
  /// - Returns: One difference for each object, by name; none for a sound store. Objects with names
  ///   that the version does not use are no difference.
  /// - Throws: SQLite's error if the schema can't be read.
  package static func all(
    in db: Database, version: Int, migrations: [Migration] = Migration.all
  ) throws -> [SchemaDifference] {
    if version == 0 { return [] }
    let names = try KnownSchema.problems(in: db, version: version, migrations: migrations)
    if names.isEmpty { return [] }
    let known = try KnownSchema.of(version, migrations).statements
    return try names.compactMap { name in
      guard let object = known.first(where: { $0.name == name }) else { return nil }
      let row = try Row.fetchOne(
        db, sql: "SELECT type, sql FROM sqlite_schema WHERE name = ? AND sql IS NOT NULL",
        arguments: [name])
      return SchemaDifference(
        name: name, kind: object.kind, expected: object.sql, found: try row?.text(1),
        foundKind: try row?.text(0))
    }
  }
}
