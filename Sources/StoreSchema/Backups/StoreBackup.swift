package import Foundation
import GRDB
package import ListModel
import StoreFiles

/// A whole copy of a store in one file, as it was at one moment.
///
/// Backups that Cellar makes by itself are in the folder `.backups` beside the store, named
/// `NAME.v1.20261122T140300Z.sqlite`: the schema version and the time in UTC. The newest
/// ``keptCount`` are kept.
package struct StoreBackup: Sendable {
  /// The backup.
  package let file: URL
  /// Its schema version.
  package let version: Int
  /// When it was made, in whole seconds.
  package let madeAt: Date
  /// Its size in bytes.
  package let byteCount: Int

  /// The older ones that were deleted for it.
  package fileprivate(set) var removed: [URL] = []

  /// How many backups of a store are kept.
  ///
  /// Besides, the newest one stays from before each migration that has no way down: no other way leads
  /// back past it.
  package static let keptCount = 3

  /// Makes a backup of a store, and deletes all but the newest ones.
  ///
  /// The store can be in use; writers in WAL mode do not wait. The backup has its name only when it
  /// is whole, on the disk, and has passed SQLite's integrity check. What a killed process has left
  /// is removed by the next call.
  ///
  /// - Parameters:
  ///   - file: The store, of any version; it may be from an unknown source.
  ///   - target: The backup's file, which must not exist; `nil`: one in `.backups`.
  ///   - isReadOnly: Whether nothing of the store may be written, not even its log into its file.
  ///   - migrations: All migrations; tests pass others than the library's own.
  /// - Returns: The backup.
  /// - Throws: ``/ListModel/StoreError``; nothing is left behind.
  /// - Complexity: O(*n*), *n* bytes of the store.
  package static func make(
    of file: URL, at target: URL? = nil, isReadOnly: Bool = false,
    migrations: [Migration] = Migration.all
  ) throws(StoreError) -> StoreBackup {
    while true {
      if let backup = try make(
        of: file, at: target, isReadOnly: isReadOnly, ifVersion: nil, migrations)
      {
        return backup
      }
    }
  }

  /// Makes a backup unless the store has got another version meanwhile.
  ///
  /// `copy`: A copy of the store that becomes the backup; `nil`: the store is copied.
  static func make(
    of file: URL, from copy: PrivateCopy? = nil, at target: URL? = nil, isReadOnly: Bool = false,
    ifVersion version: Int?, _ migrations: [Migration]
  ) throws(StoreError) -> StoreBackup? {
    _ = try StoreHeader(of: file)
    try SchemaStatus.requireReleased(file)
    var backup = try make(of: file, at: target, ifVersion: version, migrations) { draft in
      if let copy {
        try take(copy, as: draft)
      } else {
        try vacuum(file, into: draft, isReadOnly: isReadOnly)
      }
    }
    if let newest = backup?.file, target == nil {
      backup?.removed = prune(of: file, keeping: newest, migrations)
    }
    return backup
  }

  /// Makes a backup through the connection that has the store for itself.
  static func make(
    of file: URL, through db: Database, _ migrations: [Migration]
  ) throws(StoreError) -> StoreBackup? {
    var backup = try make(of: file, migrations) { try vacuum(db, into: $0) }
    if let newest = backup?.file {
      backup?.removed = prune(of: file, keeping: newest, migrations)
    }
    return backup
  }

  /// Makes a backup of a store that a closure copies; no other one is deleted.
  static func make(
    of file: URL, at target: URL? = nil, ifVersion version: Int? = nil,
    _ migrations: [Migration], copying: (URL) throws -> Void
  ) throws(StoreError) -> StoreBackup? {
    do {
      if let target, FileManager.default.fileExists(atPath: target.path) {
        throw nameIsTaken(target)
      }
      let parent = target?.deletingLastPathComponent() ?? folder(of: file)
      if target == nil { try PrivateFolder.make(parent, to: "make a backup", beside: file) }
      try DiskSpace.require(
        FileExtents.byteCount(ofStore: file.path), to: "make a backup", in: parent,
        file: file.path)
      let draft = try StoreDraft(of: file, from: file, in: parent, attempt: "make a backup")
      try copying(draft.file)
      let found = try check(draft.file, of: file, migrations)
      if let version, found != version { return nil }
      try DurableFile.synchronise(draft.file.path)
      let published = try publish(draft, of: file, version: found, as: target)
      try DurableFile.synchronise(parent.path)
      return published
    } catch {
      throw .wrap(error, attempt: "make a backup", file: file.path)
    }
  }

  /// The backups of a store in `.backups`, the newest first.
  ///
  /// - Complexity: O(*n*), *n* files in the folder.
  package static func all(of file: URL) -> [StoreBackup] {
    let folder = folder(of: file)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name -> (StoreBackup, TimeStamp)? in
      guard let (version, stamp) = parts(of: name, store: file),
        let status = FileStatus(of: folder.appendingPathComponent(name).path), status.kind == .file
      else { return nil }
      let backup = StoreBackup(
        file: folder.appendingPathComponent(name), version: version, madeAt: stamp.date,
        byteCount: status.byteCount)
      return (backup, stamp)
    }
    .sorted { $0.1 > $1.1 }.map(\.0)
  }

  // MARK: Names

  static func folder(of file: URL) -> URL {
    file.deletingLastPathComponent().appendingPathComponent(".backups", isDirectory: true)
  }

  /// The store's name, without `.sqlite`.
  static func name(of file: URL) -> String {
    let name = file.lastPathComponent
    return name.hasSuffix(".sqlite") ? String(name.dropLast(7)) : name
  }

  private static func parts(of name: String, store: URL) -> (version: Int, TimeStamp)? {
    let prefix = Self.name(of: store) + ".v"
    guard name.hasPrefix(prefix), name.hasSuffix(".sqlite") else { return nil }
    let words = name.dropFirst(prefix.count).dropLast(7).split(separator: ".")
    guard words.count == 2, let version = Int(words[0]), let stamp = TimeStamp(words[1]) else {
      return nil
    }
    return (version, stamp)
  }

  // MARK: Making

  /// Moves a copy's file, which is all of it: what is in its log does not count.
  private static func take(_ copy: PrivateCopy, as draft: URL) throws {
    try FileManager.default.moveItem(at: copy.file, to: draft)
    // A backup is read without files beside it.
    try DatabaseQueue.withStore(draft) { queue in
      try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    }
  }

  private static func vacuum(_ file: URL, into copy: URL, isReadOnly: Bool) throws {
    try DatabaseQueue.withStore(file, isReadOnly: isReadOnly) { queue in
      try queue.inDatabase { try vacuum($0, into: copy) }
    }
  }

  /// Copies a store through a connection.
  static func vacuum(_ db: Database, into copy: URL) throws {
    do {
      try db.execute(sql: "VACUUM INTO ?", arguments: [copy.path])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The folder is empty: where SQLite says that the file exists, it could not look.
      throw DatabaseError(resultCode: .SQLITE_IOERR, message: error.message)
    } catch {
      throw DiskSpace.explaining(error, by: db)
    }
  }

  /// Checks a copy.
  ///
  /// - Returns: Its schema version.
  private static func check(
    _ copy: URL, of file: URL, _ migrations: [Migration]
  ) throws -> Int {
    try PageCheck.require(copy, naming: file.path, migrations)
    return try StoreHeader(of: copy, naming: file.path).schemaVersion
  }

  private static func publish(
    _ draft: StoreDraft, of file: URL, version: Int, as target: URL?
  ) throws(StoreError) -> StoreBackup {
    let newest = all(of: file).first.flatMap { newest in
      parts(of: newest.file.lastPathComponent, store: file)?.1
    }
    return try TimeStamp.take(after: newest) { stamp throws(StoreError) in
      let place =
        target
        ?? folder(of: file).appendingPathComponent(
          "\(name(of: file)).v\(version).\(stamp.text).sqlite")
      if try draft.publish(as: place) {
        return StoreBackup(
          file: place, version: version, madeAt: stamp.date,
          byteCount: FileStatus(following: place.path)?.byteCount ?? 0)
      }
      if target != nil { throw nameIsTaken(place) }
      return nil
    }
  }

  private static func nameIsTaken(_ target: URL) -> StoreError {
    StoreError(
      .notWritable, "there is a file already; name another one for the backup", file: target.path)
  }

  /// Deletes backups, see ``keptCount``.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - newest: The one that was made last, which stays; by the clock another one may seem newer.
  ///   - spared: One that stays as well.
  ///   - migrations: All migrations.
  /// - Returns: Those that were deleted.
  static func prune(
    of file: URL, keeping newest: URL, sparing spared: URL? = nil, _ migrations: [Migration]
  ) -> [URL] {
    let identity = spared.flatMap { FileIdentity(of: $0.path) }
    let backups = all(of: file)
    // From before each migration without a way down, the newest.
    let oneWay = migrations.filter { (try? $0.script().down) == nil }.map(\.version)
    let kept = Set(
      oneWay.compactMap { version in backups.first { $0.version < version }?.file.path })
    let others = backups.filter { $0.file.lastPathComponent != newest.lastPathComponent }
    return others.dropFirst(keptCount - (backups.count - others.count)).map(\.file).filter {
      backup in
      !kept.contains(backup.path)
        && (identity == nil || FileIdentity(of: backup.path) != identity)
        && unlink(backup.path) == 0
    }
  }
}
