import Foundation
import ListModel

/// The files of an edit folder, as the app sees them.
struct LeftEditFiles {
  static let suffix = ".json"
  private static let rejected = "rejected"
  let folder: URL

  /// The most edits of one transaction.
  static let sliceCount = 1_000

  /// The names of edits, in the order in which they were left; none if there is no folder.
  func names() throws -> [String] {
    try Self.names(in: folder).filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }
  }

  /// Reads an edit.
  ///
  /// - Returns: A failure for a file that is no edit; `nil` for one that is gone: another process that
  ///   imports has put it aside, or somebody has deleted it.
  func edit(_ name: String) throws -> Result<LeftEdit, StoreError>? {
    let file = folder.appendingPathComponent(name)
    do { return try edit(in: file) } catch {
      guard Self.exists(file) else { return nil }
      throw error
    }
  }

  private func edit(in file: URL) throws -> Result<LeftEdit, StoreError> {
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    guard size <= Repository.EditFolder.maximumByteCount else {
      return .failure(
        StoreError(.feedLimit, "the edit takes \(size) bytes, which is too much", file: file.path))
    }
    let line = [UInt8](try Data(contentsOf: file))
    do throws(FormatError) { return .success(try LeftEdit(parsing: line)) } catch {
      return .failure(StoreError(.malformedFeed, "\(error)", file: file.path, cause: error))
    }
  }

  /// Deletes edits that were imported; those that can't be deleted stay noted in the store.
  func delete(_ names: [String]) {
    for name in names {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  /// Puts an edit aside that does not fit.
  ///
  /// - Returns: Where it is now; `nil` if it is gone.
  func reject(_ name: String) throws -> URL? {
    let rejected = folder.appendingPathComponent(Self.rejected)
    let (source, target) = (
      folder.appendingPathComponent(name), rejected.appendingPathComponent(name)
    )
    do {
      try FileManager.default.createDirectory(at: rejected, withIntermediateDirectories: true)
      try FileManager.default.moveItem(at: source, to: target)
      return target
    } catch {
      guard Self.exists(source) else { return nil }
      throw error
    }
  }

  /// The files that are no edits to import: those that were put aside, and those that are written.
  func othersFiles() throws -> [URL] {
    let rejected = folder.appendingPathComponent(Self.rejected)
    return try Self.names(in: folder).filter { $0.hasPrefix(".") }.map(
      folder.appendingPathComponent)
      + Self.names(in: rejected).map(rejected.appendingPathComponent)
  }

  private static func names(in folder: URL) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    } catch CocoaError.fileReadNoSuchFile { return [] } catch CocoaError.fileNoSuchFile {
      return []
    }
  }

  private static func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path)
  }

  /// Deletes what writers left that were killed more than an hour ago.
  func deleteTornFiles() {
    for name in (try? Self.names(in: folder)) ?? [] where name.hasPrefix(".") {
      let file = folder.appendingPathComponent(name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
      guard let time = attributes?[.modificationDate] as? Date, -time.timeIntervalSinceNow > 3_600
      else { continue }
      try? FileManager.default.removeItem(at: file)
    }
  }
}
