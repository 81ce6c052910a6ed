package import Foundation

/// A copy of a store that can be opened like any database, while SQLite never sees the original.
///
/// Opening a database, even read-only, can create, change or delete the log beside it; looking must
/// not. The copy lies in a folder of its own that only the user can enter, and goes away with this
/// object.
package final class PrivateCopy: Sendable {
  /// The copied database.
  package let file: URL
  private let folder: URL

  /// Copies a database with its write-ahead log or rollback journal.
  ///
  /// - Throws: ``StoreError`` if the file is no store, can't be read, or keeps changing under a
  ///   writer.
  package init(of original: URL) throws(StoreError) {
    _ = try StoreHeader(of: original)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cellar-\(UUID().uuidString)", isDirectory: true)
    self.folder = folder
    file = folder.appendingPathComponent("store.sqlite")
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .notWritable, "can't make a private copy: \(StoreError.reason(error))",
        file: folder.path, cause: error)
    }
    do {
      // As SQLite does: a log lies beside the file itself, not beside a link to it.
      try Self.copyWhole(original.resolvingSymlinksInPath(), to: file)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Never `-shm`: it is only the index of the log, and SQLite makes it anew.
  private static let suffixes = ["", "-wal", "-journal"]

  /// Copies all parts as of one moment: again where a writer changed one meanwhile.
  private static func copyWhole(_ original: URL, to copy: URL) throws(StoreError) {
    for _ in 0..<5 {
      let before = suffixes.map { Fingerprint(of: original.path + $0) }
      do {
        for suffix in suffixes where Fingerprint(of: original.path + suffix) != nil {
          let target = copy.path + suffix
          try? FileManager.default.removeItem(atPath: target)
          try FileManager.default.copyItem(
            atPath: original.path + suffix, toPath: target)
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: target)
        }
      } catch {
        // A log that went away between two steps is a change like any other.
        guard suffixes.map({ Fingerprint(of: original.path + $0) }) != before else {
          throw StoreError(
            .notReadable, "can't be copied: \(StoreError.reason(error))",
            file: original.path, cause: error)
        }
        continue
      }
      if suffixes.map({ Fingerprint(of: original.path + $0) }) == before { return }
    }
    throw StoreError(
      .busy, "the store is being written all the time; try again when it is at rest",
      file: original.path)
  }

  /// Tells whether a file changed.
  private struct Fingerprint: Equatable {
    var size: Int?
    var modified: Date?

    init?(of path: String) {
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
        return nil
      }
      size = attributes[.size] as? Int
      modified = attributes[.modificationDate] as? Date
    }
  }
}
