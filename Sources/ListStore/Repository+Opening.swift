public import Foundation
import GRDB
public import ListModel
import StoreFiles
package import StoreSchema

extension Repository {
  /// How a store of an earlier version is brought up to date, and what happens to one that can't be
  /// opened.
  public struct MigrationOptions: Sendable {
    /// Called while the store is migrated, on the thread that opens it, so that a launch screen can
    /// show it.
    ///
    /// It gets the fraction of the work that is done, from 0 to 1 and never less than before, and
    /// the name of the migration that runs. It is not called for a store that is up to date.
    public var progress: (@Sendable (_ fraction: Double, _ migration: String) -> Void)?
    /// Whether the store is copied to the folder `.backups` beside it before it is migrated.
    public var backup = Backup.automatic
    /// What happens to a store that can't be opened.
    public var onUnopenable = UnopenableStore.fail
    /// All migrations; tests open stores with others than the library's own.
    package var migrations = Migration.all

    /// The defaults: no progress, a backup where it is worth its time, and an error for a store that
    /// can't be opened.
    public init() {}
  }

  /// When a store is copied before it is migrated; the newest 3 copies are kept.
  public enum Backup: String, Sendable, CaseIterable {
    /// Before more than one migration, and before one that rewrites tables.
    case automatic
    /// Before every migration.
    case always
    /// Never.
    case never

    var isMade: Bool? {
      switch self {
      case .automatic: nil
      case .always: true
      case .never: false
      }
    }
  }

  /// What ``Repository/init(at:options:)`` does with a store that is damaged, newer than this
  /// library, or no store at all.
  public enum UnopenableStore: String, Sendable, CaseIterable {
    /// The error is thrown, and the file stays.
    case fail
    /// The file is moved aside with its log, and a new, empty store takes its place:
    /// ``Repository/movedAside`` says why, and where the file is.
    ///
    /// Use it where a server has all that the store holds. A store that is busy, a full disk, and a
    /// file that must not be read or written are errors all the same: they pass.
    case moveAside
  }

  /// A store that could not be opened, and was moved aside.
  public struct MovedStore: Sendable {
    /// Where it is now, with its log beside it.
    ///
    /// It is in the same folder: `NAME.aside.20261122T140300Z.sqlite`, the time in UTC.
    public let file: URL
    /// Why it could not be opened.
    public let reason: StoreError
  }

  /// An open store.
  struct Opening {
    /// The connection that opened it.
    let database: DatabaseQueue
    /// What each connection has.
    let configuration: Configuration
    let identity: FileIdentity?
    var access = StoreAccess(mode: .readingAndWriting)
    var movedAside: MovedStore?
  }

  /// Opens a store, and makes it if there is none; moves one aside that can't be opened if the
  /// options say so.
  static func open(at file: URL, _ options: Options) throws(StoreError) -> Opening {
    var moved: MovedStore?
    // Another process may move the store aside at the same time, or make the new one.
    for attempt in 0..<5 {
      let identity = FileIdentity(ofLinkOrFile: file.path)
      do {
        _ = try StoreFile.createIfAbsent(
          file, migrations: options.migration.migrations, busyTimeout: options.busyTimeout)
        var opening = try open(existing: file, options)
        opening.movedAside = moved
        return opening
      } catch {
        guard options.migration.onUnopenable == .moveAside, attempt < 4, error.isOfItsContents,
          [nil, .file].contains(FileStatus(of: file.path)?.kind)
        else { throw error }
        if let aside = try Quarantine.move(file, ifStill: identity) {
          moved = MovedStore(file: aside, reason: error)
        }
      }
    }
    throw StoreError(.changedMeanwhile, "other processes replace the store", file: file.path)
  }

  /// Opens a store that must exist, and migrates it.
  static func open(existing file: URL, _ options: Options) throws(StoreError) -> Opening {
    let header = try StoreHeader(of: file)
    let migrations = options.migration.migrations
    try SchemaStatus.requireKnown(header, of: file, migrations)
    let access = StoreAccess(mode: .readingAndWriting, latestVersion: migrations.latestVersion)
    do {
      var configuration = Configuration.store(
        busyTimeout: options.busyTimeout,
        maximumPageCount: options.maximumByteCount.map { max(1, $0 / max(1, header.pageSize)) },
        timeLimit: options.timeLimit)
      // StoreWriter copies the log.
      configuration.prepareDatabase { $0.noteLogPages() }
      // The first connection checks the schema before the journal mode is set, because that may write: a
      // store that is refused must not be changed. Only once, because a launch waits for it.
      let status = Guarded<SchemaStatus?>(nil)
      configuration.prepareDatabase { db in
        if status.withValue({ $0 }) != nil { return }
        do {
          try db.inTransaction(.deferred) {
            let found = try SchemaStatus(db, file: file.path, migrations: migrations)
            try options.refuseForeignSQL(found, file)
            status.withValue { $0 = found }
            return .commit
          }
        } catch { throw DiskSpace.explaining(error, by: db) }
      }
      if let prepare = options.prepareConnection { configuration.prepareDatabase(prepare) }
      let identity = FileIdentity(of: file.path)
      let database = try StoreConnections.writing(file.path, configuration, options.durability)
      if status.withValue({ $0 })?.pending.isEmpty != true {
        _ = try Migrator.migrate(
          database, file: file.path, migrations: migrations,
          backsUp: options.migration.backup.isMade,
          progress: { options.migration.progress?($0, $1) })
        // Else the first commit would have to; if it fails, that tries again.
        database.writeWithoutTransaction { db in
          _ = try? db.checkpoint(.passive)
          _ = Database.takeLogPages()
        }
        // A table of others may refer to one that was made just now.
        let found = try database.read { db in
          try SchemaStatus(db, file: file.path, migrations: migrations)
        }
        try options.refuseForeignSQL(found, file)
      }
      try checkBypassedLists(database, access, file)
      return Opening(
        database: database, configuration: configuration, identity: identity, access: access)
    } catch {
      throw .wrap(error, attempt: "open the store", file: file.path)
    }
  }
}

extension Repository.Options {
  /// Refuses SQL of others that would run and that is not allowed.
  fileprivate func refuseForeignSQL(_ schema: SchemaStatus, _ file: URL) throws(StoreError) {
    let refusal = ForeignSQL.refusal(
      of: schema.foreignSQL, file: file.path, allowing: allowedSchemaObjects)
    if let refusal { throw refusal }
  }
}

// MARK: - Reading only

extension Repository {
  /// Opens a store that must exist, without writing to it.
  static func open(readingOnly file: URL, _ options: Options) throws(StoreError) -> Opening {
    _ = try StoreHeader(of: file)
    do {
      var configuration = Configuration.store(
        busyTimeout: options.busyTimeout, timeLimit: options.timeLimit)
      configuration.readonly = true
      if let prepare = options.prepareConnection { configuration.prepareDatabase(prepare) }
      let identity = FileIdentity(of: file.path)
      let database = try DatabaseQueue(path: file.path, configuration: configuration)
      let migrations = options.migration.migrations
      try database.read { db in
        try SchemaStatus.requireReadable(db, file: file.path, migrations: migrations)
      }
      return Opening(
        database: database, configuration: configuration, identity: identity,
        access: StoreAccess(mode: .reading, latestVersion: migrations.latestVersion))
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN
      && !FileManager.default.fileExists(atPath: file.path + "-shm")
    {
      throw .needsIndex(file.path, cause: error)
    } catch {
      throw .wrap(error, attempt: "open the store", file: file.path)
    }
  }
}

extension StoreError {
  /// Whether what the file holds is in the way, which no later attempt changes.
  fileprivate var isOfItsContents: Bool {
    [.damagedStore, .notAStore, .newerStore, .modifiedMigration].contains(code)
  }
}
