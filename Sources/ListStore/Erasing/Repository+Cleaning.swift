import Foundation
import GRDB
import ListModel
import StoreFiles
import StoreSchema

/// A file beside a store that says that something was erased whose bytes may still be in the store's
/// files: `NAME-erasing`.
///
/// It is made before the transaction that erases is committed, and deleted when all is done.
struct ErasingMark {
  private let path: String

  init(of store: String) { path = store + "-erasing" }

  var exists: Bool { FileStatus(of: path) != nil }

  func make() throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        .notWritable,
        "can't note that something is erased: \(StoreError.reason(errorNumber: errno)). Nothing was "
          + "erased", file: path)
    }
    close(descriptor)
    try DurableFile.synchronise(path)
    try DurableFile.synchronise(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  func remove() throws(StoreError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw StoreError(
        .notWritable, "the file can't be deleted: \(StoreError.reason(errorNumber: errno))",
        file: path)
    }
  }
}

extension Repository {
  /// Finishes an erasing that the end of a process has interrupted, on the maintenance queue.
  func scheduleCleaning() {
    guard !isReadOnly, ErasingMark(of: filePath).exists else { return }
    maintenance.add("finish an erasing", isDeferrable: true) { [weak self] in
      guard let self else { return }
      var erased = Erased()
      clean(&erased, ifMarked: true)
      for error in erased.remaining { events.report(error, "finish an erasing") }
    }
  }

  /// Takes what no row holds any more out of the store's files.
  ///
  /// What fails is noted, and does not keep the rest from being done. One thread at a time does it.
  ///
  /// `ifMarked`: Whether nothing is to be done if another call has finished it.
  func clean(_ erased: inout Erased, ifMarked: Bool = false) {
    erased = cleaning.withValue { _ in
      var cleaned = erased
      if !ifMarked || ErasingMark(of: filePath).exists { cleanNow(&cleaned) }
      return cleaned
    }
  }

  private func cleanNow(_ erased: inout Erased) {
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { erased.remaining.append(failure(error, "erase")) }
    }
    PrivateCopy.removeAbandoned()
    attempt { try ErasingMark(of: filePath).make() }
    // They keep the words of what was deleted until FTS5 happens to merge them.
    attempt { try remakeSearchIndexes() }
    attempt { try rewriteFile() }
    attempt {
      let (backup, deleted) = try StoreBackup.replaceAll(of: file)
      erased.backup = backup
      erased.deletedFiles += deleted
    }
    attempt { if erased.remaining.isEmpty { try ErasingMark(of: filePath).remove() } }
  }

  /// Writes the file anew, and empties the write-ahead log.
  ///
  /// A read transaction keeps the log as it is. So those of this process end first, and once more when
  /// the file has all of the log: one that begins then does not read the log. Whoever observes a list
  /// in another process does the same, see ``ReaderPool/releaseIfErasing()``.
  private func rewriteFile() throws {
    readers.releaseAll()
    try writer.withConnection("erase") { db in
      try DiskSpace.require(
        2 * FileExtents.byteCount(ofStore: filePath), to: "write the store anew",
        in: file.deletingLastPathComponent(), file: filePath)
      try db.execute(sql: "VACUUM")
      do {
        _ = try db.checkpoint(.passive)
        readers.releaseAll()
        _ = try db.checkpoint(.truncate)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        throw StoreError(
          .busy,
          "it is erased, but another connection still reads the store as it was before, so the "
            + "write-ahead log can't be emptied. End that, and erase again without naming anything",
          file: filePath, cause: error)
      }
    }
  }
}
