package import Foundation
package import ListModel

extension WriteAheadLog {
  /// A page that the database file has as a later commit of its log wrote it.
  ///
  /// SQLite copies pages from the log into the file at any time (a checkpoint). After that, the file
  /// with only a part of the log would be a mixture of two states.
  ///
  /// - Parameters:
  ///   - commits: The number of commits in that part, from the log's beginning.
  ///   - file: The database, which nobody writes: at rest, or a private copy.
  /// - Returns: The page's number; `nil` if the file and that part are the state after that part.
  /// - Throws: ``/ListModel/StoreError`` if the file can't be read.
  /// - Complexity: O(*n*), *n* bytes of the log.
  package static func pageOfLaterCommit(
    than commits: Int, in file: URL
  ) throws(StoreError) -> Int? {
    let name = file.path
    let database = try DatabaseFile(StorePath.resolved(file, naming: name), naming: name)
    guard let log = try SidecarFile(.log, of: database.path, naming: name) else { return nil }
    let whole = try WriteAheadLog(log, naming: name)
    let part = try WriteAheadLog(log, naming: name, upTo: commits)
    var later = whole.pages(log).filter { $0.offset < whole.committedByteCount }
    let kept = Set(later.prefix { $0.offset < part.committedByteCount }.map(\.page))
    later.removeAll { kept.contains($0.page) }
    for (page, offset) in later {
      let bytes = log.bytes(at: offset + WriteAheadLog.frameHeadSize, count: whole.pageSize)
      let found = try database.bytes(at: (page - 1) * whole.pageSize, count: whole.pageSize)
      if bytes == found { return page }
    }
    return nil
  }
}
