import Foundation
import ListModel
import StoreFiles

/// A file that is written beside the one whose place it takes: `.NAME.new-…`.
///
/// Only the user can read it. It goes when the command ends, also by a signal; what a killed process
/// left goes when the next draft is made in the folder. A lock tells which are in use.
final class DraftFile {
  let file: SystemFile
  let path: String

  /// Makes a draft.
  ///
  /// - Parameters:
  ///   - target: The path whose place it takes; no link.
  ///   - name: What errors call it.
  /// - Throws: ``StoreError`` if the folder is not there, or can't be written.
  init(of target: String, named name: String) throws(StoreError) {
    let folder = NamedFile.folder(of: target)
    var status = stat()
    guard stat(folder, &status) == 0, status.kind == S_IFDIR else {
      throw StoreError(
        .notWritable, "\(name) can't be written: there is no folder \(folder); make it first")
    }
    let last = NamedFile.name(of: target)
    if last.isEmpty { throw StoreError(writing: name, failed: name.isEmpty ? ENOENT : EISDIR) }
    Self.removeAbandoned(in: folder)
    // Room for the rest of the name, within what file systems take.
    let prefix =
      "." + String(decoding: last.utf8.prefix(180), as: UTF8.self) + Self.infix
    while true {
      let path = folder + "/" + prefix + UUID().uuidString.lowercased()
      let descriptor = OwnedPaths.add(path) {
        open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      }
      guard descriptor >= 0 else { throw StoreError(writing: name, failed: errno) }
      // Held until the process ends, however it does. Where there are no locks, nobody removes
      // either.
      _ = flock(descriptor, LOCK_EX | LOCK_NB)
      // Another process may have taken it for abandoned before it was locked.
      if NamedFile(descriptor: descriptor) == NamedFile(path) {
        (file, self.path) = (SystemFile(descriptor: descriptor), path)
        return
      }
      OwnedPaths.remove(path)
      close(descriptor)
    }
  }

  deinit {
    // Unless it has its name.
    if NamedFile(descriptor: file.descriptor) == NamedFile(path) { unlink(path) }
    OwnedPaths.remove(path)
    close(file.descriptor)
  }

  private static let infix = ".new-"

  private static func removeAbandoned(in folder: String) {
    StoreDraft.removeAbandoned(in: URL(fileURLWithPath: folder, isDirectory: true))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(".") && name.dropLast(36).hasSuffix(infix) {
      let path = folder + "/" + name
      guard UUID(uuidString: String(name.suffix(36))) != nil,
        let status = FileStatus(of: path), status.kind == .file, status.isUsersOwn
      else { continue }
      let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(descriptor)
    }
  }
}
