import Foundation
import ListModel
import StoreFiles

extension StoreBackup {
  /// Copies the files of a store that SQLite may not be able to read: byte for byte, with its log
  /// and its journal.
  ///
  /// The copies are `store.sqlite` and what lies beside it, in a folder of their own:
  /// `.backups/NAME.damaged.20261122T140300Z`. The folder has its name only when all of it is on the
  /// disk.
  ///
  /// - Parameter file: The store; no connection may write to it.
  /// - Returns: The copy of the database file.
  /// - Throws: ``/ListModel/StoreError``; nothing is left behind.
  /// - Complexity: O(*n*), *n* bytes of the files.
  static func copyFiles(of file: URL) throws(StoreError) -> URL {
    let name = file.path
    let path = try StorePath.resolved(file, naming: name)
    let parent = folder(of: file)
    try PrivateFolder.make(parent, to: "copy the damaged store", beside: file)
    try DiskSpace.require(
      FileExtents.byteCount(ofStore: name), to: "copy the damaged store", in: parent, file: name)
    let draft = try StoreDraft(
      of: file, from: file, in: parent, attempt: "copy the damaged store")
    let copy = draft.file
    let database = try DatabaseFile(path, naming: name)
    let size = try database.size
    let extents = FileExtents(of: path, upTo: size)
    try PrivateCopy.write(copy.path, size, name, extents) { buffer, offset throws(StoreError) in
      try database.read(into: buffer, at: offset)
    }
    try DurableFile.synchronise(copy.path)
    for kind in [Sidecar.log, .journal] {
      guard let sidecar = try SidecarFile(kind, of: path, naming: name) else { continue }
      let target = copy.path + kind.rawValue
      try PrivateCopy.write(target, sidecar.size, name) { buffer, offset throws(StoreError) in
        sidecar.read(into: buffer, at: offset)
      }
      try DurableFile.synchronise(target)
    }
    try draft.synchronise()
    let place = try publish(draft, of: file)
    try DurableFile.synchronise(parent.path)
    return place.appendingPathComponent(copy.lastPathComponent)
  }

  /// The folders with copies of a store's files, the newest first.
  static func copies(of file: URL) -> [(folder: URL, stamp: TimeStamp)] {
    let (folder, prefix) = (folder(of: file), prefix(of: file))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(prefix), let stamp = TimeStamp(name.dropFirst(prefix.count)) else {
        return nil
      }
      return (folder.appendingPathComponent(name, isDirectory: true), stamp)
    }
    .sorted { $0.stamp > $1.stamp }
  }

  private static func prefix(of file: URL) -> String { name(of: file) + ".damaged." }

  private static func publish(_ draft: StoreDraft, of file: URL) throws(StoreError) -> URL {
    try TimeStamp.take(after: copies(of: file).first?.stamp) { stamp throws(StoreError) in
      let place = folder(of: file).appendingPathComponent(
        prefix(of: file) + stamp.text, isDirectory: true)
      return try draft.publishFolder(as: place) ? place : nil
    }
  }

  /// Deletes all but the newest copies of a store's files, as many as there are backups.
  ///
  /// `newest`: The one that was made last, which stays; by the clock another one may seem newer.
  ///
  /// - Returns: The folders of those that were deleted.
  static func pruneCopies(of file: URL, keeping newest: URL? = nil) -> [URL] {
    if PrivateFolder.refusal(of: folder(of: file)) != nil { return [] }
    let newest = newest?.deletingLastPathComponent().lastPathComponent
    let copies = copies(of: file)
    let others = copies.filter { $0.folder.lastPathComponent != newest }
    return others.dropFirst(keptCount - (copies.count - others.count)).map(\.folder).filter {
      (try? FileManager.default.removeItem(at: $0)) != nil
    }
  }

  /// Deletes a copy that ``copyFiles(of:)`` has made.
  static func deleteCopy(_ copy: URL) {
    try? FileManager.default.removeItem(at: copy.deletingLastPathComponent())
  }
}
