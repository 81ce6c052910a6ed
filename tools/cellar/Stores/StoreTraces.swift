import Foundation
import ListModel
import StoreFiles

/// What tells that a file in a folder is a store, also one that is hurt.
enum StoreTraces {
  /// Whether a regular file is a store.
  ///
  /// Its header has Cellar's mark. Or there is no header of a database any more, and the file has a
  /// store's name, SQLite's files beside it, or the names of a store's tables in its pages.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - byteCount: Its size.
  ///   - names: The names in its folder.
  /// - Returns: Whether it is one, also of another version.
  static func isStore(_ path: String, of byteCount: Int, beside names: Set<String>) -> Bool {
    let name = NamedFile.name(of: path)
    // What lies beside a store is told with it.
    if Sidecar.suffixes.contains(where: { !$0.isEmpty && name.hasSuffix($0) }) { return false }
    let bytes = (try? DatabaseFile.firstBytes(of: path, naming: path)) ?? []
    if let header = DatabaseHeader(bytes) {
      return header.applicationID == StoreHeader.applicationID
    }
    return ["sqlite", "sqlite3"].contains((name as NSString).pathExtension.lowercased())
      || ["-wal", "-shm"].contains { names.contains(name + $0) }
      || hasPages(path, of: byteCount)
  }

  /// Whether the first pages of a file have the names of a store's tables.
  ///
  /// Nearly all other files have another size than a number of pages.
  private static func hasPages(_ path: String, of byteCount: Int) -> Bool {
    let unit = 512
    guard byteCount >= 2 * unit, byteCount.isMultiple(of: unit),
      let file = try? DatabaseFile(path, naming: path)
    else { return false }
    var bytes = [UInt8](repeating: 0, count: min(byteCount, 1 << 18))
    let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0, at: 0)) ?? 0 }
    let text = bytes.prefix(count)
    return text.contains(0)
      && ["schemaMigration", "listCommit", "measuredSize"].allSatisfy {
        text.firstRange(of: Array($0.utf8)) != nil
      }
  }
}
