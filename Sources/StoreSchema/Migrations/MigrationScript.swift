import Foundation
package import ListModel

/// The parts of a migration's file: its SQL, its way down, and what it says of itself.
///
/// A line that begins with `--!` is a directive. To SQLite it is a comment, and it does not change
/// the checksum.
///
/// | directive | means |
/// |---|---|
/// | `--! fewer-rows TABLE` | the table may have fewer rows afterwards; of a new one: the way down puts them elsewhere |
/// | `--! loses TABLE COLUMN` | the values that the column had before are not kept |
/// | `--! renames TABLE OTHER` | the rows of the first table are in the second afterwards |
/// | `--! minimum-reader VERSION` | libraries from this schema version on can still read the store |
/// | `--! one-way REASON` | there is no way down, and why |
/// | `--! down` | the rest of the file is the way down, which loses nothing |
package struct MigrationScript: Sendable {
  /// The SQL of the migration.
  package private(set) var up = ""
  /// The SQL that undoes it; `nil` if there is no way down.
  package private(set) var down: String?
  /// Why there is no way down, as part of a sentence.
  package private(set) var oneWayReason: String?
  /// The tables that may have fewer rows afterwards.
  package private(set) var fewerRows: Set<String> = []
  /// The columns whose values are not kept, by table.
  package private(set) var lostColumns: [String: Set<String>] = [:]
  /// Where the rows of a table are afterwards, by the name before.
  package private(set) var renamedTables: [String: String] = [:]
  /// The oldest schema version whose library can read the store; `nil`: the migration's own.
  package private(set) var minimumReader: Int?

  /// Reads a migration's file.
  ///
  /// - Parameters:
  ///   - sql: The file's text.
  ///   - file: The file's name in errors.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/invalidValue`` for a
  ///   directive that is unknown, stands twice, or lacks a word; it names the line.
  package init(_ sql: String, file: String) throws(StoreError) {
    for (offset, line) in Self.lines(of: sql).enumerated() where line.hasPrefix("--!") {
      guard down == nil else {
        throw Self.refusal("\(line) stands in the way down", file, offset + 1)
      }
      let words = line.dropFirst(3).split(separator: " ").map(String.init)
      if words == ["down"], oneWayReason == nil {
        down = String(sql[line.endIndex...])
      } else if !read(words) {
        throw Self.refusal(
          "\(line) is no directive that fits there: see MigrationScript", file, offset + 1)
      }
    }
    up = String(Self.withoutWayDown(sql))
  }

  /// - Returns: `false` for a directive that can't be understood.
  private mutating func read(_ words: [String]) -> Bool {
    switch (words.first, words.count) {
    case ("fewer-rows", 2): return fewerRows.insert(words[1]).inserted
    case ("loses", 3): return lostColumns[words[1], default: []].insert(words[2]).inserted
    case ("renames", 3): return renamedTables.updateValue(words[2], forKey: words[1]) == nil
    case ("minimum-reader", 2):
      guard minimumReader == nil, let version = Int(words[1]), version > 0 else { return false }
      minimumReader = version
    case ("one-way", 2...):
      guard oneWayReason == nil else { return false }
      oneWayReason = words.dropFirst().joined(separator: " ")
    default: return false
    }
    return true
  }

  private static func refusal(_ message: String, _ file: String, _ line: Int) -> StoreError {
    StoreError(.invalidValue, message, file: file, line: line)
  }

  /// The part of a file before its way down.
  package static func withoutWayDown(_ sql: String) -> Substring {
    guard let down = lines(of: sql).first(where: { $0 == "--! down" }) else { return sql[...] }
    return sql[..<down.startIndex]
  }

  /// The lines of a text; each can end with a carriage return and a line feed.
  private static func lines(of text: String) -> [Substring] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  /// Whether the SQL of the migration has a statement that can take rows from a table.
  package var canLoseRows: Bool {
    let sql = Migration.canonicalSQL(of: up).uppercased()
    return ["DELETE", "DROP TABLE", "REPLACE", "RENAME"].contains { sql.contains($0) }
  }
}
