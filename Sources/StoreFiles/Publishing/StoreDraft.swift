package import Foundation
package import ListModel

/// A store that is made in a folder of its own, and gets its name when it is whole.
///
/// The folder is deleted with this object. That of a process that was killed is deleted when the next
/// draft is made there.
package final class StoreDraft: Sendable {
  /// The store in the folder.
  package let file: URL
  private let folder: OwnedFolder
  private let attempt: String
  private let privacy: FilePrivacy?
  private static let name = "store.sqlite"

  /// Makes the folder, and removes those of killed processes.
  ///
  /// - Parameters:
  ///   - store: The store that is to be made.
  ///   - source: What it is made from, than which it is never more open; `nil` for what is new.
  ///   - parent: Where the folder is made; `nil`: beside the store.
  ///   - attempt: What is attempted, as in "make the store".
  /// - Throws: ``/ListModel/StoreError``.
  package init(
    of store: URL, from source: URL? = nil, in parent: URL? = nil,
    attempt: String = "make the store"
  ) throws(StoreError) {
    let folder = parent ?? store.deletingLastPathComponent()
    Self.removeAbandoned(in: folder)
    do {
      self.folder = try OwnedFolder(named: Self.prefix(store), in: folder)
    } catch {
      let reason =
        error.code == ENOENT || error.code == ENOTDIR
        ? "there is no folder \(folder.path); make it first"
        : "the folder \(folder.path) can't be written: \(error)"
      throw StoreError(
        error.code == ENOSPC || error.code == EDQUOT ? .storeFull : .notWritable,
        "can't \(attempt): \(reason)", file: store.path, cause: error)
    }
    // What SQLite makes in it has the same class of protection.
    FilePrivacy(of: source ?? store).protect(self.folder.url.path)
    file = self.folder.url.appendingPathComponent(Self.name)
    self.attempt = attempt
    privacy = source.map(FilePrivacy.init)
  }

  private static func prefix(_ store: URL) -> String { ".\(store.lastPathComponent).new-" }

  /// Removes what killed processes have left in a folder of stores that they made.
  package static func removeAbandoned(in folder: URL) {
    OwnedFolder.removeAbandoned(
      named: ".", ".new-", in: folder, holding: Set(Sidecar.suffixes.map { name + $0 }))
  }

  // MARK: Publishing

  /// Gives the store a name, and the privacy of what it is made from; if it is new, only the user can
  /// read it.
  ///
  /// - Returns: `false` if a file has the name already; it stays.
  /// - Throws: ``/ListModel/StoreError``
  package func publish(as target: URL) throws(StoreError) -> Bool {
    try (privacy ?? .usersAlone).apply(to: file.path)
    do {
      do {
        try FileManager.default.linkItem(at: file, to: target)
      } catch {
        // Some file systems have no links. A move refuses an existing file too, though less
        // strictly.
        if FileManager.default.fileExists(atPath: target.path) { return false }
        try FileManager.default.moveItem(at: file, to: target)
      }
      return true
    } catch {
      if FileManager.default.fileExists(atPath: target.path) { return false }
      throw StoreError(
        .inputOutput, "can't \(attempt): \(StoreError.reason(error))", file: target.path,
        cause: error)
    }
  }

  /// Gives the store a name that no file has.
  ///
  /// - Throws: ``/ListModel/StoreError``, also if a file has the name.
  package func publish(asNew target: URL) throws(StoreError) {
    guard try publish(as: target) else { throw Self.nameIsTaken(target) }
  }

  /// Puts the store in the place of a file, at once, and gives it the file's privacy.
  ///
  /// - Parameter target: A file that nobody uses, or will use again; no link.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notWritable``. The file is
  ///   then as it was.
  package func replace(_ target: URL) throws(StoreError) {
    let former = FilePrivacy(of: target)
    try (privacy.map(former.narrowed(to:)) ?? former).apply(to: file.path, isReplacement: true)
    guard rename(file.path, target.path) == 0 else {
      throw StoreError(
        .notWritable,
        "the file can't be replaced: \(StoreError.reason(errorNumber: errno))", file: target.path)
    }
  }

  /// Gives the whole folder a name, with all that lies in it.
  ///
  /// - Returns: `false` if something has the name already; it stays.
  /// - Throws: ``/ListModel/StoreError``
  package func publishFolder(as target: URL) throws(StoreError) -> Bool {
    if FileStatus(of: target.path) != nil { return false }
    if rename(folder.url.path, target.path) == 0 { return true }
    let code = errno
    if [EEXIST, ENOTEMPTY, ENOTDIR].contains(code) { return false }
    throw StoreError(
      .notWritable,
      "can't \(attempt): it can't be named \(target.path): "
        + StoreError.reason(errorNumber: code),
      file: target.path)
  }

  /// Brings the names in the folder to the disk.
  package func synchronise() throws(StoreError) { try DurableFile.synchronise(folder.url.path) }

  /// Refuses a name for a new store that a file has, or one that SQLite would take for its log.
  ///
  /// A link counts as a file wherever it leads.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notWritable``.
  package static func requireFreeName(_ target: URL) throws(StoreError) {
    for suffix in ["", "-wal", "-journal"] where FileStatus(of: target.path + suffix) != nil {
      throw nameIsTaken(target)
    }
  }

  private static func nameIsTaken(_ target: URL) -> StoreError {
    StoreError(
      .notWritable,
      "there is a file already, or one that SQLite keeps beside a store; give a name that is free",
      file: target.path)
  }
}
