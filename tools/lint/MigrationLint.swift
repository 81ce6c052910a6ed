import Foundation
import GRDB
package import ListModel
import StoreSchema

/// Checks a folder of migration files: their names, their numbers, their SQL, and that they lead
/// from an empty database to `schema.sql`.
package struct MigrationLint {
  /// Something that is wrong with a file.
  package struct Problem: Encodable, Sendable {
    /// The file's name in the folder.
    package let file: String
    /// The line, from 1; `nil` for the whole file.
    package let line: Int?
    /// What is wrong, and what to do.
    package let message: String
  }

  /// What was found, in the order of the files; empty if nothing is wrong.
  package private(set) var problems: [Problem] = []
  /// The migrations that were run.
  package private(set) var migrations: [String] = []
  private let folder: MigrationFolder

  /// Checks a folder; nothing in it is changed.
  ///
  /// - Throws: ``/ListModel/StoreError`` if a file can't be read.
  package init(_ folder: MigrationFolder) throws(StoreError) {
    self.folder = folder
    checkNames()
    do {
      try replay(try DatabaseQueue(configuration: .store()))
    } catch {
      throw .wrap(error, attempt: "check the migrations", file: folder.url.path)
    }
  }

  private mutating func report(_ file: String, line: Int? = nil, _ message: String) {
    problems.append(Problem(file: file, line: line, message: message))
  }

  // MARK: Names

  private mutating func checkNames() {
    for name in folder.otherNames {
      report(
        name, "is no migration: their names are v0001_words.sql, with a-z, 0-9 and _ in the words")
    }
    var before: MigrationFolder.File?
    for file in folder.files {
      let last = before?.version ?? 0
      if file.version == before?.version {
        report(file.name + ".sql", "has the number of \(before?.name ?? "").sql; take the next one")
      } else if file.version != last + 1 {
        report(
          file.name + ".sql",
          "has number \(file.version), and the one before has \(last); numbers "
            + "count from 1 without gaps")
      }
      before = file
    }
  }

  // MARK: SQL

  /// Runs the files one after another; ends at the first one that fails.
  private mutating func replay(_ database: DatabaseQueue) throws {
    for file in folder.files {
      let name = file.name + ".sql"
      let url = folder.url.appendingPathComponent(name)
      guard let sql = String(data: try Self.read(url), encoding: .utf8) else {
        return report(name, "is not UTF-8; the files after it were not run")
      }
      let migration = Migration(version: file.version, name: file.name, sql: sql)
      var problems: [Problem] = []
      let isRun = try database.write { db in
        try Self.run(migration, db) { line, message in
          problems.append(Problem(file: name, line: line, message: message))
        }
      }
      self.problems += problems
      guard isRun else { return }
      migrations.append(file.name)
    }
    try compareSchema(database)
  }

  private static func read(_ file: URL) throws(StoreError) -> Data {
    do { return try Data(contentsOf: file) } catch {
      throw StoreError(.notReadable, "can't be read", file: file.path, cause: error)
    }
  }

  /// Runs a migration statement by statement.
  ///
  /// - Returns: Whether all of it ran.
  private static func run(
    _ migration: Migration, _ db: Database, _ report: @escaping (Int?, String) -> Void
  ) throws -> Bool {
    let sql = String(MigrationScript.withoutWayDown(migration.sql))
    var position = StatementPosition(in: sql)
    var count = 0
    do {
      let script = try migration.script()
      let before = try schema(of: db)
      let losses = try LossLint(script, in: db, report)
      db.add(transactionObserver: losses)
      defer { db.remove(transactionObserver: losses) }
      let statements = try db.allStatements(sql: sql)
      while let statement = try statements.next() {
        position.move(to: statement.sql)
        count += 1
        if let problem = refusal(of: statement.sql) {
          report(position.line, problem)
        } else {
          try statement.execute()
          losses.note(statement.sql, line: position.line)
        }
      }
      try losses.finish(in: db)
      if count == 0 { report(1, "has no statement") }
      if let down = script.down {
        if let problem = try problem(of: down, to: before, db) { report(nil, problem) }
      } else if script.oneWayReason == nil {
        report(
          nil, "has no way down: write it behind --! down, or why there is none in --! one-way")
      }
      return true
    } catch let error as StoreError {
      report(error.line, "\(error.message); the files after it were not run")
      return false
    } catch let error as DatabaseError {
      report(
        position.lineOfNext,
        "\(error.message ?? "SQLite refuses it"); the files after it were not run")
      return false
    }
  }

  /// What is wrong with a way down; `nil` if it leads to the schema before.
  private static func problem(
    of down: String, to before: Set<[UInt8]>, _ db: Database
  ) throws -> String? {
    var problem: String?
    try db.inSavepoint {
      do {
        try db.execute(sql: down)
        if try schema(of: db) != before {
          problem = "its way down does not lead to the schema before it"
        }
      } catch let error as DatabaseError {
        problem = "its way down fails: \(error.message ?? "SQLite refuses it")"
      }
      return .rollback
    }
    return problem
  }

  private static func schema(of db: Database) throws -> Set<[UInt8]> {
    Set(
      try KnownSchema.statements(of: db).map { statement in
        KnownSchema.normalForm(of: Array(statement.sql.utf8))
      })
  }

  /// Why a statement may not stand in a migration; `nil` if it may.
  static func refusal(of sql: String) -> String? {
    let words = Migration.canonicalSQL(of: sql).uppercased()
      .split { !$0.isLetter && $0 != "_" }.map(String.init)
    return switch words.first {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
      "\(words[0]): each migration is one transaction already; leave it out"
    case "VACUUM", "ATTACH", "DETACH": "\(words[0]) can't run in the transaction of a migration"
    case "PRAGMA" where words.contains("FOREIGN_KEYS"):
      "PRAGMA foreign_keys has no effect in a transaction; the library switches it"
    default: nil
    }
  }

  // MARK: The result

  private mutating func compareSchema(_ database: DatabaseQueue) throws {
    let file = folder.url.appendingPathComponent("schema.sql")
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    let made = try database.read { db in try KnownSchema.statements(of: db).map(\.sql) }
    let text = String(decoding: try Self.read(file), as: UTF8.self)
    // A comment and an empty line come first.
    let kept = text.range(of: "\n\n").map { text[$0.upperBound...] }
    if kept ?? "" != made.map({ $0 + ";" }).joined(separator: "\n\n") + "\n" {
      report(
        "schema.sql",
        "is not what the migrations make; CONTRIBUTING.md says how it is written anew")
    }
  }
}

/// The lines at which the statements of a text begin.
private struct StatementPosition {
  private var lineCount = 0
  private var rest: Substring
  /// The line at which the last statement begins.
  private(set) var line = 1

  init(in sql: String) { rest = sql[...] }

  /// The line at which the statement behind the last one begins.
  var lineOfNext: Int { lineCount + 1 + Self.linesBeforeCode(rest) }

  mutating func move(to statement: String) {
    guard let range = rest.range(of: statement) else { return }
    lineCount += rest[..<range.lowerBound].count(where: \.isNewline)
    line = lineCount + 1 + Self.linesBeforeCode(rest[range])
    lineCount += rest[range].count(where: \.isNewline)
    rest = rest[range.upperBound...].drop { $0 == ";" }
  }

  /// Empty lines, and those with nothing but a comment.
  private static func linesBeforeCode(_ text: Substring) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).prefix { line in
      let code = line.drop(while: \.isWhitespace)
      return code.isEmpty || code.hasPrefix("--")
    }.count
  }
}
