public import Foundation
package import GRDB
import ListItems
public import ListModel
public import ListTables
package import Logging
package import StoreFiles
import StoreSchema

/// Reads and writes a store: an SQLite file that holds lists and the log of their changes.
///
/// Any number of threads can use one Repository. Reads run side by side; writes run one after
/// another, also those of other processes. Each call is one transaction.
public final class Repository: Sendable {
  /// The store's file.
  public let file: URL
  /// Its path, which a URL makes anew each time.
  let filePath: String
  /// The store that was in the place of this one and could not be opened; `nil` if there was none.
  ///
  /// See ``MigrationOptions/onUnopenable``.
  public let movedAside: MovedStore?
  let connections: StoreConnections
  let readers: ReaderPool
  /// Measured sizes that wait to be written.
  let sizeQueue: SizeQueue
  let logRetention: LogRetention?
  let maximumFeedLineCount: Int
  let writer: StoreWriter
  /// The seconds that a call may take; `nil` for the app's own store, which has no limit.
  private let timeLimit: Int?
  private let access: StoreAccess
  package let events: StoreEvents
  /// The work that nobody waits for.
  package let maintenance: MaintenanceQueue
  /// The names of feeds that this Repository has seen, by what the store remembers of them.
  let feedNames = Guarded<[[UInt8]: String]>([:])
  /// Held while files are rid of what was erased.
  let cleaning = Guarded(())
  /// The lists whose logs are to be truncated.
  let dueTruncations = Guarded<Set<ListID>>([])
  let pendingScreens = Guarded<[ScreenName: ListViewState]>([:])
  let observers: Observers
  /// Runs the edits that tasks wait for, one after another.
  let editQueue = DispatchQueue(label: "Cellar edits", qos: .userInitiated)
  let editObservers = Guarded<[UUID: EditObserver]>([:])
  package let outboxSignals = OutboxSignals()
  let recentCommits = RecentCommits()
  /// The name under which it loads pages, so that no other one does meanwhile.
  let pageLoaderName: [UInt8] = withUnsafeBytes(of: UUID().uuid) { Array($0) }
  /// What loads the pages of each list, while a screen shows it.
  package let pageLoading = Guarded<[ListID: WeakReference]>([:])

  /// An object, as long as somebody else keeps it.
  package struct WeakReference: Sendable {
    /// The object.
    package private(set) weak var object: (any AnyObject & Sendable)?

    /// Refers to an object.
    package init(_ object: any AnyObject & Sendable) { self.object = object }
  }

  /// How a store is opened.
  public struct Options: Sendable {
    /// How long to wait while another connection writes, in seconds.
    public var busyTimeout: Double = 5
    /// The largest size of the file, in bytes; `nil` for no limit but the disk's.
    ///
    /// A write that needs more room fails with ``/ListModel/StoreError/Code/storeFull``.
    public var maximumByteCount: Int?
    /// Whether a commit survives a power failure.
    public var durability = Durability.normal
    /// How much of a list's log is kept; `nil` for all of it.
    ///
    /// The older part of the log is deleted after every 256th commit of a list.
    public var logRetention: LogRetention? = .standard
    /// How a store of an earlier version is migrated, and what happens to one that can't be opened.
    public var migration = MigrationOptions()
    /// The app's own indexes and tables in the store whose SQL may run when Cellar writes, by name.
    ///
    /// SQLite runs the expressions and the condition of an index on one of Cellar's tables at each
    /// write, and follows foreign keys that lead to these tables. A store that has such an object, and
    /// that is not named here, is refused with ``/ListModel/StoreError/Code/foreignSQL``: somebody may
    /// have put it there to take time and memory. Tables without such a foreign key, indexes on plain
    /// columns, views and triggers need not be named.
    public var allowedSchemaObjects: Set<String> = []
    /// Whether lists observe commits of other processes.
    public var otherProcesses = OtherProcesses.observed()

    /// The seconds that opening the store, and each later read, may take.
    ///
    /// Set it for a file from an unknown source; its connections then have tighter limits too.
    package var timeLimit: Int?

    /// How many feed lines of a list the store remembers; of older lines, only the first and the
    /// last between two resets.
    package var maximumFeedLineCount = 100_000

    /// The signals that fire for commits; `nil` for those of the system.
    package var signals: (@Sendable () -> [any CommitSignal])?

    /// Gets the errors that no caller gets: see ``StoreEvents``.
    package var logger = Logger(label: "Cellar")

    /// Gets each connection before it is used, so that tests can count statements.
    package var prepareConnection: (@Sendable (Database) throws -> Void)?

    /// The defaults: wait up to 5 seconds for other writers, and no limit of size.
    public init() {}
  }

  /// Whether a commit survives a power failure, once the call that made it has returned.
  ///
  /// Either way, a commit survives the end of the process, however it ends. Either way, a power
  /// failure or a crash of the system leaves each list whole, as it was after some commit, with its
  /// log. No commit is left in part, and none is missing before one that is there.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power failure may undo the last commits: those since SQLite last copied its write-ahead
    /// log into the file, about every 1,000 pages (`synchronous = NORMAL`); every 4,000 while a feed
    /// is read from a file or a pipe, whose lines can then be applied again.
    case normal
    /// A power failure undoes no commit (`synchronous = FULL`).
    ///
    /// Each commit waits until the disk has it. That takes some hundred microseconds on a fast
    /// disk, and milliseconds on a slow one.
    case full
  }

  /// Opens a store; makes it if there is no file, and migrates it if an older library made it.
  ///
  /// A new store appears whole or not at all. It takes the place of an empty file, too, which to
  /// SQLite is a database without tables. A store of a newer library is refused and not
  /// changed. So is a store whose tables are not those of its version: see <doc:DamagedStores>.
  ///
  /// - Parameters:
  ///   - file: The file; beside it SQLite keeps `-wal` and `-shm`.
  ///   - options: Waiting times, sizes and durability.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store, is damaged or too new, or can't
  ///   be written.
  public convenience init(at file: URL, options: Options = Options()) throws(StoreError) {
    try self.init(file, Self.open(at: file, options), options)
  }

  /// Opens a store that must exist, and migrates it if an older library made it.
  ///
  /// It is never moved aside.
  ///
  /// - Throws: ``/ListModel/StoreError``, ``/ListModel/StoreError/Code/fileNotFound`` if there
  ///   is no file.
  public convenience init(existing file: URL, options: Options = Options()) throws(StoreError) {
    try self.init(file, Self.open(existing: file, options), options)
  }

  private init(_ file: URL, _ opening: Opening, _ options: Options) {
    self.file = file
    filePath = file.path
    access = opening.access
    movedAside = opening.movedAside
    logRetention = options.logRetention
    timeLimit = options.timeLimit
    maximumFeedLineCount = options.maximumFeedLineCount
    connections = StoreConnections(opening, path: filePath, options.durability)
    events = StoreEvents(file: filePath, options.logger)
    maintenance = MaintenanceQueue(events)
    writer = StoreWriter(connections, file: filePath, access)
    readers = ReaderPool(
      path: filePath, connections, writer: writer, access, maintenance, events)
    sizeQueue = SizeQueue(writer, maintenance, events)
    observers = Observers(watching: Self.watching(options, readers, filePath, events))
    scheduleCleaning()
  }

  /// Opens a store that must exist, for reading only: for a widget, an app extension, or a store of a
  /// newer library.
  ///
  /// ```swift
  /// let shelf = try Repository(readingOnly: file).liveList("shelf", items: [Book.self])
  /// ```
  ///
  /// Nothing is written: nothing is migrated, and sizes that a screen measures are kept in memory.
  /// Each call that writes fails with ``/ListModel/StoreError/Code/readOnly``. Other processes can
  /// write meanwhile. But as long as a Provider has a read transaction, their write-ahead log can't
  /// begin anew and grows: call ``suspend()`` when nothing is read for a while.
  ///
  /// The store must have this library's schema version, or a later one that says that this version
  /// can read it.
  ///
  /// SQLite needs the file `-shm` beside a store, and makes it and an empty `-wal` if they are not
  /// there. If the folder can't be written and no process has the store open, it can't be read.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - options: Only ``Options/busyTimeout`` counts.
  /// - Throws: ``/ListModel/StoreError``: with ``/ListModel/StoreError/Code/readOnly`` for a store of
  ///   an earlier version, which has to be opened for writing once; with
  ///   ``/ListModel/StoreError/Code/newerStore`` for a later version that this library can't read;
  ///   with ``/ListModel/StoreError/Code/notWritable`` if `-shm` is missing and can't be made; with
  ///   ``/ListModel/StoreError/Code/fileNotFound`` if there is no file.
  public convenience init(readingOnly file: URL, options: Options = Options()) throws(StoreError) {
    try self.init(file, Self.open(readingOnly: file, options), options)
  }

  /// Opens a store to look at it as it is: nothing is migrated, mended or written.
  ///
  /// The schema is not compared. The caller has made sure that the tables of the newest version are
  /// there, and are tables.
  ///
  /// - Parameter file: A file that nobody else uses, such as a private copy.
  /// - Throws: ``/ListModel/StoreError`` if SQLite can't open it.
  package init(inspecting file: URL) throws(StoreError) {
    self.file = file
    filePath = file.path
    movedAside = nil
    logRetention = nil
    let timeLimit = TimeLimit.seconds(for: file)
    self.timeLimit = timeLimit
    maximumFeedLineCount = Options().maximumFeedLineCount
    access = StoreAccess(mode: .inspecting)
    events = StoreEvents(file: filePath, nil)
    maintenance = MaintenanceQueue(events)
    do {
      var configuration = Configuration.store(timeLimit: timeLimit)
      configuration.readonly = true
      configuration.prepareDatabase { try $0.makeViews() }
      let identity = FileIdentity(of: filePath)
      let queue = try DatabaseQueue(path: filePath, configuration: configuration)
      connections = StoreConnections(
        Opening(database: queue, configuration: configuration, identity: identity), path: filePath)
      writer = StoreWriter(connections, file: filePath, access)
      readers = ReaderPool(
        path: filePath, connections, writer: writer, access, maintenance, events)
      sizeQueue = SizeQueue(writer, maintenance, events)
      observers = Observers(watching: nil)
    } catch {
      throw .wrap(error, attempt: "open the store", file: filePath)
    }
  }

  deinit {
    endObservation()
    finishMaintenance()
    readers.retire()
    writer.releaseStatements()
  }

  /// Whether the store was opened for reading only: see ``init(readingOnly:options:)``.
  public var isReadOnly: Bool { access.isReadOnly }

  /// Counts of rare events in this Repository, by name.
  ///
  /// `mismatch` counts replays that did not lead to the store's list. `missingSignal` counts how
  /// often the system refused to report commits, so that only the clock finds those of other
  /// processes. `failure` counts the errors that no call has thrown: see ``failures``. The other names
  /// are cases of `ReloadReason`: the reasons why a reader could not catch up by the log.
  public var diagnostics: [String: Int] { events.counts }

  /// The last 20 errors that no call has thrown, the newest last: of writing sizes, of truncating logs,
  /// and of reading an item for a screen.
  ///
  /// Each also goes to swift-log under the label `Cellar`, with the store's id and without anything
  /// that a list holds.
  public var failures: [StoreError] { events.failures }

  /// Counts an event.
  package func note(_ event: String) { events.note(event) }

  // MARK: Access

  /// Runs one write transaction; if it fails, the store is unchanged.
  func write<Value>(
    _ attempt: String, _ body: (WriteTransaction) throws -> Value
  ) throws(StoreError) -> Value {
    do { return try writer.write(attempt, body) } catch { throw failure(error, attempt) }
  }

  /// Runs one read transaction: everything it reads is from the same moment.
  package func read<Value>(
    _ attempt: String, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    do {
      try requireFile()
      return try readers.read { db in
        if let timeLimit { db.limitTime(to: timeLimit) }
        return try body(db)
      }
    } catch { throw failure(error, attempt) }
  }

  /// Refuses to read if the store is closed, or another file has taken its place.
  func requireFile() throws(StoreError) {
    if writer.isClosed { throw .closed(filePath) }
    try connections.requireFile()
  }

  func failure(_ error: any Error, _ attempt: String) -> StoreError {
    switch error {
    case let error as StoreError: error
    case _ where writer.isClosed: .closed(filePath)
    // Rows that no release of Cellar has written.
    case is FormatError, is ChangeError: .damaged(filePath, because: "\(error)", cause: error)
    default: .wrap(error, attempt: attempt, file: filePath)
    }
  }

  func rows(_ db: Database, _ list: ListID) throws -> ListRows {
    guard let rows = try ListRows(db, list) else { throw try listNotFound(list, db) }
    return rows
  }

  func rows(_ transaction: WriteTransaction, _ list: ListID) throws -> ListRows {
    guard let rows = try transaction.rows(list) else {
      throw try listNotFound(list, transaction.statements.db)
    }
    return rows
  }

  func listNotFound(_ list: ListID, _ db: Database) throws -> StoreError {
    StoreError(
      .listNotFound,
      "there is no list \"\(list)\" "
        + NearestNames.hint(
          for: list.rawValue, among: try Statements(db).listNames(near: list.rawValue),
          in: "the store"),
      file: filePath)
  }

  func lists(_ db: Database) throws -> [ListID] {
    var lists: [ListID] = []
    try StoreStatement(db, "SELECT name FROM list ORDER BY name").forEach {
      let list = try ListID(stored: $0.text(0))
      if !list.isHidden { lists.append(list) }
    }
    return lists
  }

  /// The ids of all lists in the store, in ascending order; nested lists are among them.
  public func lists() throws(StoreError) -> [ListID] {
    try read("read the lists") { db in try lists(db) }
  }
}
