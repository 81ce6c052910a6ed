package import Foundation
package import ListModel

/// The files of a store that can't be opened, kept under another name: `NAME.aside.TIME.sqlite`,
/// with the log and the journal beside it.
package struct Quarantine {
  private let file: URL
  private static let sidecars = [Sidecar.log, .journal].map(\.rawValue)

  /// The files of a store.
  package init(_ file: URL) { self.file = file }

  /// Moves a store away, with its log and its journal.
  ///
  /// All of it has its new name before the first old name goes, so a process that is killed leaves
  /// nothing without a name.
  ///
  /// - Parameters:
  ///   - file: The store.
  ///   - identity: The file that could not be opened; if another one has taken its place, nothing
  ///     is done.
  /// - Returns: Where the store is now; `nil` if there was nothing to move.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/busy`` if the store is
  ///   open elsewhere, or with the system's reason. The store is then where it was.
  package static func move(_ file: URL, ifStill identity: FileIdentity?) throws(StoreError) -> URL?
  {
    guard FileIdentity(ofLinkOrFile: file.path) == identity else { return nil }
    let store = Quarantine(file)
    guard identity != nil else {
      let aside = try store.keep()
      try store.removeSidecars()
      return aside
    }
    // It locks nothing, but other connections, and keeps out whoever would open the file now.
    let database = try DatabaseFile(file.path, naming: file.path, isLockable: true)
    if case .busy = database.lockForReplacement() { throw .openElsewhere(file) }
    guard FileIdentity(ofLinkOrFile: file.path) == identity else { return nil }
    let aside = try store.keep()
    try store.remove("")
    try store.removeSidecars()
    try DurableFile.synchronise(file.deletingLastPathComponent().path)
    return aside
  }

  /// Gives the files second names.
  ///
  /// - Returns: The store's second name; `nil` if it has neither a file nor a log.
  package func keep() throws(StoreError) -> URL? {
    let suffixes = ([""] + Self.sidecars).filter { FileStatus(of: file.path + $0)?.kind == .file }
    if suffixes.isEmpty { return nil }
    return try TimeStamp.take { stamp throws(StoreError) in
      let aside = place(stamp)
      if ([""] + Self.sidecars).contains(where: { FileStatus(of: aside.path + $0) != nil }) {
        return nil
      }
      for suffix in suffixes { try name(suffix, aside.path + suffix) }
      return aside
    }
  }

  private func place(_ stamp: TimeStamp) -> URL {
    file.deletingLastPathComponent().appendingPathComponent(prefix + stamp.text + type)
  }

  private var prefix: String { file.deletingPathExtension().lastPathComponent + ".aside." }
  private var type: String { file.pathExtension.isEmpty ? "" : "." + file.pathExtension }

  /// The files that were moved away from a store's place, with what lies beside them.
  package static func all(of file: URL) -> [URL] {
    let (store, folder) = (Quarantine(file), file.deletingLastPathComponent())
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { name in
      Sidecar.suffixes.contains { suffix in
        let rest = name.dropFirst(store.prefix.count).dropLast(store.type.count + suffix.count)
        return name.hasPrefix(store.prefix) && name.hasSuffix(store.type + suffix)
          && TimeStamp(rest) != nil
      }
    }.map(folder.appendingPathComponent)
  }

  private func name(_ suffix: String, _ target: String) throws(StoreError) {
    if link(file.path + suffix, target) == 0 { return }
    // Some file systems have no links.
    if rename(file.path + suffix, target) == 0 { return }
    throw refusal(errno)
  }

  /// Removes the names that SQLite would look for; the index of the log is made anew at need.
  package func removeSidecars() throws(StoreError) {
    for kind in Sidecar.allCases { try remove(kind.rawValue) }
  }

  private func remove(_ suffix: String) throws(StoreError) {
    guard unlink(file.path + suffix) == 0 || errno == ENOENT else { throw refusal(errno) }
  }

  private func refusal(_ code: Int32) -> StoreError {
    StoreError(
      .notWritable, "the store can't be moved aside: \(StoreError.reason(errorNumber: code))",
      file: file.path)
  }
}
