public import Foundation
import GRDB
public import ListModel
import ListStore
import ListTables
import StoreFiles
package import StoreSchema

/// Reads a store file without changing a byte of it, or of the files beside it.
///
/// It reads the header and the write-ahead log by itself, then copies the database and its log to a
/// private folder and reads the copy. So it sees commits that are only in the log. Nothing is
/// migrated or mended in what it reads. Each question has a time limit.
///
/// A store that is too large to be copied can be read in place, if nobody has it open.
///
/// A store whose parts are damaged is opened all the same: what can be read is told, and
/// ``findings`` says what can't.
public struct Inspection: Sendable {
  /// The files as they lie in their folder.
  public let evidence: StoreEvidence
  let file: URL
  let opened: Result<OpenedStore, StoreError>
  let migrations: [Migration]

  init(_ file: URL, _ evidence: StoreEvidence, _ store: OpenedStore) {
    self.file = file
    migrations = store.schema.migrations
    self.evidence = evidence
    opened = .success(store)
  }

  /// Looks at the files of a store, copies them and opens the copy.
  ///
  /// In place, SQLite reads the store itself through a file layer that can't write. The file layer
  /// becomes the default of this process's SQLite and hands all other files on to the one before.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - inPlace: Whether the store itself is read instead of a copy. It has to be closed in every
  ///     process, of this library's schema version, and without a journal that takes back a
  ///     transaction.
  /// - Throws: ``/ListModel/StoreError`` if the file is no store or can't be read; in place, also
  ///   with ``/ListModel/StoreError/Code/busy`` if it is open, and with
  ///   ``/ListModel/StoreError/Code/notReadable`` if it takes a copy to read it. The error names the
  ///   original.
  /// - Complexity: O(*n*), *n* bytes of the store; in place, of its write-ahead log.
  public init(of file: URL, inPlace: Bool = false) throws(StoreError) {
    try self.init(of: file, inPlace: inPlace, migrations: Migration.all)
  }

  /// Looks at a store as a library with other migrations does.
  ///
  /// Otherwise as ``init(of:inPlace:)``.
  package init(
    of file: URL, inPlace: Bool = false, migrations: [Migration]
  ) throws(StoreError) {
    try self.init(of: file, inPlace: inPlace, migrations: migrations, trial: nil)
  }

  /// Looks at a store in place; `nil` if it is open, or takes a copy to be read.
  ///
  /// Nothing keeps others from opening it meanwhile: see ``isOutdated``.
  package static func ofStoreAtRest(
    _ file: URL, _ migrations: [Migration]
  ) throws(StoreError) -> Inspection? {
    do throws(StoreError) {
      return try Inspection(of: file, inPlace: true, migrations: migrations)
    } catch {
      guard [.busy, .notReadable].contains(error.code) else { throw error }
      return nil
    }
  }

  /// `trial`: How to try the migrations that the store needs.
  init(
    of file: URL, inPlace: Bool, migrations: [Migration], trial: MigrationTrial.Request?
  ) throws(StoreError) {
    self.file = file
    self.migrations = migrations
    evidence = try StoreEvidence(of: file)
    do throws(StoreError) {
      opened = .success(
        try OpenedStore(
          file, naming: file.path, inPlace: inPlace,
          hasLog: (evidence.log?.commitCount ?? 0) > 0,
          hasPendingJournal: evidence.journal?.isPending ?? false, migrations: migrations,
          trial: trial))
    } catch {
      var error = error
      error.file = file.path
      guard error.code == .damagedStore || evidence.header == nil else { throw error }
      opened = .failure(error)
    }
  }

  /// What was found before a row was read: by the files, the schema, and opening the copy.
  public var findings: [Finding] {
    let known = evidence.findings
    switch opened {
    case .success(let store): return known + store.findings
    case .failure(let error):
      // A cut off or overwritten file can't be opened, as was said already.
      if known.contains(where: { $0.severity == .error }) { return known }
      return known + [.unreadable("the store", error)]
    }
  }

  /// Why an app with this version of Cellar refuses to open the store, although it can be looked at:
  /// it is of a newer version, or a migration had other SQL; `nil` if neither is so.
  public var refusal: StoreError? {
    guard case .success(let store) = opened else { return nil }
    let schema = store.schema
    if schema.isNewer {
      return .newer(file.path, version: schema.version, known: schema.latestVersion)
    }
    guard let migration = schema.modifiedMigrations.first else { return nil }
    return .modifiedMigration(
      file.path, name: migration.name, stored: migration.stored, known: migration.known)
  }

  /// Whether somebody wrote into the store while it was read in place: then what was read may be of
  /// several moments.
  package var isOutdated: Bool {
    guard case .success(let store) = opened, store.copy == nil else { return false }
    return !evidence.changedFiles().isEmpty
  }

  /// Compares the files with how they were when they were looked at.
  ///
  /// The bytes are compared with those of the copy. For a store that is read in place, names, sizes,
  /// times and inodes are compared: reading all its bytes twice takes longer than to copy it.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/changedMeanwhile`` if one of them has
  ///   changed: an app writes, or whatever looks at it does.
  /// - Complexity: O(*n*), *n* bytes of the store; O(1) in place.
  public func requireUnchanged() throws(StoreError) {
    var changed = evidence.changedFiles()
    // A journal that was played back has changed the copy.
    if changed.isEmpty, case .success(let store) = opened, let copy = store.copy,
      evidence.journal?.isPending != true, try !copy.isLike(file)
    {
      changed = [file.path]
    }
    guard !changed.isEmpty else { return }
    throw StoreError(
      .changedMeanwhile,
      "it has changed since it was looked at: " + changed.joined(separator: ", ")
        + ". Somebody writes to it; what was told is how it was before",
      file: file.path)
  }

  /// Whether the files may have changed since they were looked at, by names, sizes, times and
  /// inodes.
  ///
  /// File systems count time in steps: a file that was written shortly before the look may have
  /// been written again in the same step, and counts as changed.
  ///
  /// `start`: When the look began.
  package func mayHaveChanged(since start: Date) -> Bool {
    let unsure = Int((start.timeIntervalSince1970 - 1) * 1e9)
    return evidence.files.contains { $0.modifiedAt > unsure && !$0.path.hasSuffix("-shm") }
      || !evidence.changedFiles().isEmpty
  }

  // MARK: Access

  /// The copy of the store, or the store itself in place.
  func store() throws(StoreError) -> OpenedStore { try opened.get() }

  /// The lists, for reading.
  func lists() throws(StoreError) -> Repository { try opened.get().lists.get() }

  /// The ids of the lists, in ascending order.
  ///
  /// `withNested`: Whether the lists that items own are among them.
  ///
  /// - Throws: `StoreError` if they can't be read.
  public func listIDs(withNested: Bool = true) throws(StoreError) -> [ListID] {
    try naming { () throws(StoreError) in
      try lists().lists().filter { withNested || !ListOwner.isNested($0) }
    }
  }

  /// Makes errors name the original file instead of the copy.
  func naming<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
    do throws(StoreError) { return try body() } catch {
      var error = error
      error.file = file.path
      throw error
    }
  }
}

extension Finding {
  /// Something that can't be read.
  static func unreadable(_ place: String, _ error: any Error) -> Finding {
    Finding(
      severity: .error, code: .unreadable, place: place,
      message: "it can't be read: " + reason(error),
      meaning: "The app can't read it either.",
      advice: "Run `cellar repair FILE`: it reads what is left, page by page.")
  }

  static func reason(_ error: any Error) -> String {
    guard let error = error as? StoreError else { return "\(error)" }
    return (error.cause as? DatabaseError)?.message ?? error.message
  }
}
