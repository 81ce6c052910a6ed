import Foundation
import GRDB
import ListModel
import ListStore
import StoreFiles
import StoreSchema

/// A store, opened to look at it as it is: a private copy, or the store itself in place.
///
/// Nothing in it is migrated or mended.
///
/// A store of an earlier version is migrated in a second copy, from which its lists are read; what
/// is checked and counted row by row is the first one. Such a store is not read in place. For a
/// ``MigrationTrial`` one copy is enough.
final class OpenedStore: Sendable {
  /// The copy; `nil` for a store that is read in place.
  let copy: PrivateCopy?
  let schema: SchemaInspection
  /// The database that is read: without the log if that is another store's.
  let file: URL
  let database: any DatabaseReader
  /// The lists; or why they can't be read.
  let lists: Result<Repository, StoreError>
  let findings: [Finding]
  /// Whether the copy itself was migrated: its file is as the store was, its log has the rest.
  let isTrial: Bool
  /// Holds the migrated database.
  private let migrated: PrivateCopy?

  /// Tables without which no list can be read.
  private static let listTables: Set<String> = [
    "list", "section", "supplementary", "decoration", "block", "item", "content", "cell", "author",
    "listCommit", "change", "store",
  ]

  /// The database that ``lists`` are read from: of the newest version.
  var listsFile: URL { migrated?.file ?? file }

  /// Opens a store or a copy of it.
  ///
  /// - Parameters:
  ///   - original: The store.
  ///   - name: Its name in errors.
  ///   - inPlace: Whether the store itself is read and not a copy.
  ///   - hasLog: Whether its write-ahead log has commits that count.
  ///   - hasPendingJournal: Whether a journal takes back a transaction that was cut off.
  ///   - logCommits: How many commits of the write-ahead log count, from its beginning.
  ///   - migrations: All migrations; tests pass others than the library's own.
  ///   - trial: How to try the migrations of a store of an earlier version; `nil`: on a second copy.
  /// - Throws: ``/ListModel/StoreError`` if SQLite can't open it, or it is another program's.
  init(
    _ original: URL, naming name: String, inPlace: Bool, hasLog: Bool,
    hasPendingJournal: Bool = false, logCommits: Int = .max,
    migrations: [Migration] = Migration.all, trial: MigrationTrial.Request? = nil
  ) throws(StoreError) {
    let (whole, alone): (URL, URL?)
    if inPlace {
      let place = try InPlaceStore(original, logCommits: logCommits)
      copy = nil
      (whole, alone) = (place.file, place.fileWithoutLog)
    } else {
      let copy = try PrivateCopy(copying: original, logCommits: logCommits)
      self.copy = copy
      (whole, alone) = (copy.file, hasLog ? copy.withoutLog() : nil)
    }
    var findings: [Finding] = []
    isTrial = trial != nil
    do {
      if hasPendingJournal { try Self.playBack(whole) }
      let database: DatabaseQueue
      (file, database) = try Self.open(whole, alone: hasLog ? alone : nil, name, &findings)
      let (application, schema) = try Self.read(database) { db in
        try SchemaStatus.requireReleased(db, file: name)
        return (
          try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
          try SchemaInspection(db, migrations: migrations)
        )
      }
      self.schema = schema
      if inPlace, let object = schema.foreignSQL.first(where: \.runsInChecks) {
        throw StoreError.needsCopy(
          name, because: "\(object.description), which would run, and is dropped from a copy")
      }
      guard application == StoreHeader.applicationID else {
        throw StoreError.notAStore(
          name, because: "an SQLite database of another program (application id \(application))")
      }
      findings += Self.findings(schema)
      let isBypassed = try? Self.read(database) { db in
        try Bool.fetchOne(db, sql: "SELECT isBypassed FROM store") ?? false
      }
      if isBypassed == true { findings.append(.bypassed) }
      let missing = schema.unusableTables.intersection(Self.listTables).sorted()
      if !missing.isEmpty {
        (self.database, migrated) = (database, nil)
        lists = .failure(.otherSchema(name, version: schema.version, missing))
      } else if schema.pending.isEmpty {
        (self.database, migrated) = (database, nil)
        lists = .success(try Repository(inspecting: file))
      } else if inPlace {
        throw StoreError.needsCopy(
          name,
          because:
            "it has schema version \(schema.version), and its lists are read after migrations")
      } else if let trial {
        try database.close()
        let trial = try MigrationTrial(file, naming: name, schema, migrations, trial)
        (self.database, migrated, lists) = (trial.before, nil, trial.lists)
      } else {
        self.database = database
        (migrated, lists) = Self.migrate(file, schema, migrations, naming: name)
      }
    } catch {
      throw .wrap(error, attempt: "open the store", file: name)
    }
    self.findings = findings
  }

  private static func open(
    _ whole: URL, alone: URL?, _ name: String, _ findings: inout [Finding]
  ) throws -> (URL, DatabaseQueue) {
    func storeID(_ file: URL) throws -> Data? {
      let database = try connect(to: file)
      defer { try? database.close() }
      return try read(database) { db in try Data.fetchOne(db, sql: "SELECT storeID FROM store") }
    }
    // A log of another store has valid sums, and SQLite would mix its pages with these. One after
    // the other, because to SQLite both names are one file.
    guard let alone, let own = try? storeID(alone) else { return (whole, try connect(to: whole)) }
    do {
      if try storeID(whole) == own { return (whole, try connect(to: whole)) }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
    {
      // Pages of two stores make no store. Any other failure says nothing of the log.
    }
    findings.append(
      .logForeign(name + "-wal", why: "it is the log of another store, or of another copy"))
    return (alone, try connect(to: alone))
  }

  /// Lets SQLite take back the transaction that was cut off, which a connection that only reads may
  /// not.
  private static func playBack(_ file: URL) throws {
    let queue = try DatabaseQueue(path: file.path, configuration: .store())
    try queue.write { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    try queue.close()
  }

  private static func connect(to file: URL) throws -> DatabaseQueue {
    var configuration = Configuration.store(timeLimit: TimeLimit.seconds(for: file))
    configuration.readonly = true
    return try DatabaseQueue(path: file.path, configuration: configuration)
  }

  private static func read<Value>(
    _ database: DatabaseQueue, _ body: (Database) throws -> Value
  ) throws -> Value {
    try database.read { db in try body(db) }
  }

  /// Migrates a second copy.
  private static func migrate(
    _ file: URL, _ schema: SchemaInspection, _ migrations: [Migration], naming name: String
  ) -> (PrivateCopy?, Result<Repository, StoreError>) {
    do {
      let second = try PrivateCopy(copying: file)
      try schema.mend(second.file)
      try SchemaRepair.dropAppObjects(in: second.file, migrations: migrations)
      _ = try Migrator.up(second.file, migrations: migrations, backsUp: false)
      return (second, .success(try Repository(inspecting: second.file)))
    } catch {
      var error = StoreError.wrap(error, attempt: "read an earlier version", file: name)
      error.file = name
      return (nil, .failure(error))
    }
  }

  /// Runs queries in a read transaction, with a time limit.
  func read<Value>(_ attempt: String, _ body: (Database) throws -> Value) throws(StoreError)
    -> Value
  {
    do {
      return try database.read { db in
        db.limitTime(to: TimeLimit.seconds(for: file))
        return try body(db)
      }
    } catch {
      throw .wrap(error, attempt: attempt, file: file.path)
    }
  }

  private static func findings(_ schema: SchemaInspection) -> [Finding] {
    var findings: [Finding] = []
    if schema.isNewer { findings.append(.newerSchema(schema)) }
    if !schema.pending.isEmpty { findings.append(.olderSchema(schema)) }
    findings += schema.modifiedMigrations.map(Finding.otherMigration)
    findings += schema.otherObjects.map { .otherSchema($0, schema) }
    if schema.isNewer { return findings }
    findings += schema.foreignSQL.filter { !schema.otherObjects.contains($0.name) }
      .map(Finding.foreignSQL)
    return findings
  }
}

extension SchemaInspection {
  /// Makes a private copy's schema such that migrations can be applied; the findings say what is
  /// wrong.
  func mend(_ copy: URL) throws(StoreError) {
    try SchemaRepair.run(
      copy, rebuilding: differences.filter(\.isRebuildable),
      dropping: foreignSQL.filter(\.runsWhenWritten), accepting: modifiedMigrations,
      migrations: migrations)
  }
}

extension Finding {
  fileprivate static func newerSchema(_ schema: SchemaInspection) -> Finding {
    Finding(
      severity: .warning, code: .newerSchema, place: nil,
      message:
        "schema version \(schema.version); this program knows version \(schema.latestVersion)",
      meaning: "The store is read as far as its tables are those that this program knows.",
      advice: "Use the newest `cellar`, and update the app before it opens the store.")
  }

  fileprivate static func olderSchema(_ schema: SchemaInspection) -> Finding {
    Finding(
      severity: .notice, code: .olderSchema, place: nil,
      message: "schema version \(schema.version), needs " + schema.pending.joined(separator: ", "),
      meaning: "Its lists are read from a private copy that was migrated.",
      advice: "None is needed: the app migrates it when it opens it, as does `cellar up FILE`.")
  }

  fileprivate static let bypassed = Finding(
    severity: .warning, code: .bypassed, place: nil,
    message: "another program than Cellar has written to it",
    meaning: "Lists that it changed no longer agree with their last commits; findings with the "
      + "code `digest` name them.",
    advice: "None is needed: the app takes such lists as they are when it opens the store, and "
      + "begins their logs anew.")

  fileprivate static func foreignSQL(_ object: ForeignSQL) -> Finding {
    let message = object.description + ", which no migration makes"
    guard object.runsWhenWritten else {
      return Finding(
        severity: .notice, code: .foreignSQL, place: object.name, message: message,
        meaning: "Other programs run it when they write. Nothing here has run it.",
        advice: "None is needed if the app made it.")
    }
    return Finding(
      severity: .warning, code: .foreignSQL, place: object.name, message: message,
      meaning:
        "It would run whenever Cellar writes, which opens the store only if the app allows it.",
      advice: "If the app made it, name it in `Repository.Options.allowedSchemaObjects`; if not, "
        + "drop it.")
  }

  fileprivate static func otherMigration(
    _ migration: SchemaInspection.ModifiedMigration
  ) -> Finding {
    Finding(
      severity: .warning, code: .otherMigration, place: migration.name,
      message: "it was applied with other SQL than this program has",
      meaning: "This version of Cellar refuses to open the store.",
      advice: "Use the Cellar that made the store; or take this one's SQL for it with "
        + "`cellar repair FILE --accept-checksum \(migration.version)`.")
  }

  fileprivate static func otherSchema(_ object: String, _ schema: SchemaInspection) -> Finding {
    let difference = schema.differences.first { $0.name == object }
    let kind = difference.map { "the \($0.kind) " } ?? "it "
    let isMissing = difference?.foundKind == nil && difference != nil
    let isRepairable = difference.map { $0.isRebuildable || $0.foundKind == nil } ?? false
    return Finding(
      severity: .error, code: .otherSchema, place: object,
      message: kind + (isMissing ? "is missing" : "is not as version \(schema.version) has it"),
      meaning: schema.unusableTables.contains(object)
        ? "It is not read, and the app refuses to open the store."
        : "The app refuses to open the store; its rows can be read here.",
      advice: isRepairable
        ? "Run `cellar repair FILE`: it makes it anew."
        : "Somebody changed the table by hand. Run `cellar repair FILE --to NEW`: it writes what fits "
          + "into another file.")
  }
}
