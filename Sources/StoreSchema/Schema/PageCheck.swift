package import Foundation
package import GRDB
import ListModel
import StoreFiles

/// SQLite's check of a database's pages, in which nothing runs that others have put into its schema.
///
/// The check evaluates indexes on expressions and with conditions, generated columns and checks, row
/// by row. One of them can take hours in a single step, which no time limit ends.
package struct PageCheck {
  /// What it found, in SQLite's words; none for a sound database.
  package private(set) var problems: [String] = []
  /// Why it ended early, as on a page that it can't read; `nil` if it did not.
  package private(set) var failure: (any Error)?

  /// Checks a database.
  ///
  /// - Parameters:
  ///   - file: The database, which nobody writes meanwhile: a private copy, or a store that is read in
  ///     place.
  ///   - foreign: What of its schema must not run. If the check would run it, a private copy without
  ///     it is checked.
  ///   - logCommits: How many commits of its write-ahead log count; 0 for the file alone.
  ///   - most: The most problems to find.
  ///   - read: Gives its argument the database; not called where a copy is checked.
  package init(
    on file: URL, without foreign: [ForeignSQL], logCommits: Int = .max, atMost most: Int,
    through read: ((Database) throws -> Void) throws -> Void
  ) {
    do {
      let running = foreign.filter(\.runsInChecks)
      if running.isEmpty {
        try read { db in try run(db, foreign, most) }
        return
      }
      let copy = try PrivateCopy(copying: file, logCommits: logCommits)
      try DatabaseQueue.withStore(copy.file) { queue in
        try queue.inDatabase { db in
          try ForeignSQL.drop(running, from: db)
          db.limitTime(to: TimeLimit.seconds(for: copy.file))
          try run(db, foreign.filter { !$0.runsInChecks }, most)
        }
      }
    } catch {
      failure = error
    }
  }

  private mutating func run(_ db: Database, _ foreign: [ForeignSQL], _ most: Int) throws {
    // Later versions of SQLite have virtual tables check themselves.
    db.dropModules()
    guard foreign.contains(where: { $0.parts.contains(.check) }) else {
      return try run(db, "\(most)")
    }
    try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
    try run(db, "\(most)")
    try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
    // The checks of those that are left in.
    let others = Set(foreign.map(\.name))
    for table in try KnownSchema.statements(of: db)
    where table.kind == "table" && !others.contains(table.name) && ForeignSQL.hasCheck(table.sql) {
      try run(db, table.name.quotedDatabaseIdentifier)
    }
  }

  /// `argument`: The most problems, or a table.
  private mutating func run(_ db: Database, _ argument: String) throws {
    let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(\(argument))")
    while let problem = try rows.next() {
      if problem != "ok", !problems.contains(problem) { problems.append(problem) }
    }
  }

  /// Refuses a database with which the check finds fault.
  ///
  /// - Parameters:
  ///   - file: The database, which nobody writes meanwhile.
  ///   - name: Its name in the error.
  ///   - migrations: All migrations.
  /// - Throws: As ``requireSound(naming:)``.
  static func require(_ file: URL, naming name: String, _ migrations: [Migration]) throws {
    let check = try DatabaseQueue.withStore(file) { queue in
      let foreign = try queue.read { try ForeignSQL.all(in: $0, migrations: migrations) }
      return PageCheck(on: file, without: foreign, atMost: 3) { try queue.read($0) }
    }
    try check.requireSound(naming: name)
  }

  /// Refuses the database if the check has found fault with it.
  ///
  /// `name`: Its name in the error.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/damagedStore``; or why the
  ///   check ended early.
  package func requireSound(naming name: String) throws {
    if let failure { throw failure }
    if problems.isEmpty { return }
    // It reports a page that the system does not give like one that is damaged.
    if let code = problems.lazy.compactMap(Self.systemError).first {
      throw DatabaseError(resultCode: code, message: "a page can't be read")
    }
    throw StoreError.damaged(
      name, because: "the integrity check says: " + problems.joined(separator: "; ").cut())
  }

  /// The code in a line such as "Page 37: unable to get the page: error code=266"; `nil` if it is
  /// that of a damaged page.
  private static func systemError(in line: String) -> ResultCode? {
    // Of a page in the list of free pages it says no more.
    if line.contains("failed to get page") { return .SQLITE_IOERR_READ }
    guard let mark = line.range(of: "error code="), line.contains("unable to get the page"),
      let number = Int32(line[mark.upperBound...].prefix { $0.isNumber })
    else { return nil }
    let code = ResultCode(rawValue: number)
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(code.primaryResultCode) ? nil : code
  }
}
