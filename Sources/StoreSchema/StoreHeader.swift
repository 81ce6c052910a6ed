package import Foundation

/// What the first bytes of a file say, read without SQLite: nothing is opened, locked or created.
///
/// - SeeAlso: [The database header](https://sqlite.org/fileformat2.html#the_database_header).
package struct StoreHeader: Sendable {
  /// "Cllr": what `PRAGMA application_id` is in every store.
  package static let applicationID = 0x436C_6C72

  package let applicationID: Int
  /// `PRAGMA user_version`: the schema version, as of the last commit.
  package let schemaVersion: Int
  package let pageSize: Int

  /// Reads the header of a file that should be a store.
  ///
  /// - Throws: ``StoreError`` where the file is none: missing, a folder, empty, something else,
  ///   another program's database, or cut off.
  package init(of file: URL) throws(StoreError) {
    let path = file.path
    let bytes: Data
    let size: Int
    do {
      // A link to a store is a store. What it leads to is looked at first: opening a pipe waits.
      let values = try FileManager.default.attributesOfItem(
        atPath: file.resolvingSymlinksInPath().path)
      let type = values[.type] as? FileAttributeType
      guard type != .typeDirectory else { throw StoreError.notAStore(path, because: "a folder") }
      // What is still a link leads nowhere.
      guard type != .typeSymbolicLink else { throw StoreError.fileNotFound(path) }
      guard type == .typeRegular else {
        throw StoreError.notAStore(path, because: "not a regular file")
      }
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      size = Int(clamping: try handle.seekToEnd())
      try handle.seek(toOffset: 0)
      bytes = try handle.read(upToCount: 100) ?? Data()
    } catch let error as StoreError {
      throw error
    } catch {
      throw Self.readFailure(error, path)
    }
    try self.init(bytes: [UInt8](bytes), fileSize: size, of: file)
  }

  private static func readFailure(_ error: any Error, _ path: String) -> StoreError {
    let number = StoreError.errorNumber(of: error)
    if number == ENOENT || number == nil && !FileManager.default.fileExists(atPath: path) {
      return .fileNotFound(path)
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return .notAStore(path, because: "a folder")
    }
    return StoreError(
      .notReadable, "the file can't be read: \(StoreError.reason(error))", file: path, cause: error)
  }

  private init(bytes: [UInt8], fileSize: Int, of file: URL) throws(StoreError) {
    let path = file.path
    guard !bytes.isEmpty else { throw .notAStore(path, because: "the file is empty") }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw .notAStore(path, because: "not an SQLite database")
    }
    guard bytes.count == 100 else {
      throw .damaged(path, because: "only \(fileSize) bytes of it are there")
    }
    func integer(at offset: Int) -> Int { bytes[offset..<(offset + 4)].bigEndianInteger }
    let storedPageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = storedPageSize == 1 ? 65_536 : storedPageSize
    applicationID = integer(at: 68)
    // What was committed last may be in the log alone, as after a crash.
    let newest = WriteAheadLog.newestHeader(
      besideDatabase: file.resolvingSymlinksInPath().path, byteCount: 100)
    schemaVersion = newest.map { $0[60..<64].bigEndianInteger } ?? integer(at: 60)
    // Set by a writer that also keeps the page count.
    let isPageCountKept = integer(at: 24) == integer(at: 92)
    let pageCount = integer(at: 28)
    // With a log or a journal beside it SQLite knows better, be it left over or being written. A
    // commit that ended since the header was read has taken its journal away and made the file whole.
    if isPageCountKept, fileSize < pageCount * pageSize,
      Self.size(of: file, suffix: "-wal") == 0, Self.size(of: file, suffix: "-journal") == 0,
      Self.size(of: file, suffix: "") < pageCount * pageSize
    {
      throw .damaged(
        path,
        because: "\(fileSize) bytes are there of \(pageCount) pages of \(pageSize) bytes; "
          + "the end was cut off")
    }
    guard applicationID == Self.applicationID else {
      throw .notAStore(
        path, because: "an SQLite database of another program (application id \(applicationID))")
    }
  }

  private static func size(of file: URL, suffix: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(
      atPath: file.resolvingSymlinksInPath().path + suffix)
    return attributes?[.size] as? Int ?? 0
  }
}
