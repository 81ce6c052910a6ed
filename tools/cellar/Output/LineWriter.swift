import Foundation
import ListModel

/// Writes lines to a file, a pipe or a device.
///
/// A file gets its name when all is written, in one step: until then the lines are in a draft
/// beside it, and what was there stays. Pipes and devices are written directly.
final class LineWriter {
  /// Lines that are written, whole; those after it wait in memory or were lost to a failure.
  private(set) var lineCount = 0

  private let path: String
  private let file: SystemFile
  private let draft: (file: DraftFile, target: String)?
  /// Whether it is a pipe or a device that was opened here.
  private let isOwned: Bool
  private var buffer: [UInt8] = []
  private var byteCount = 0
  /// After a failure nothing more is written: there would be a hole.
  private var failure: StoreError?
  private var isFinished = false

  /// Opens what a path names; `-` is standard output.
  ///
  /// - Throws: ``StoreError`` if it can't be written; nothing was changed then.
  init(_ path: String) throws(StoreError) {
    self.path = path
    if let descriptor = Self.openDescriptor(path) {
      (file, draft, isOwned) = (SystemFile(descriptor: descriptor), nil, false)
      return
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    if !isThere, errno != ENOENT { throw StoreError(writing: path, failed: errno) }
    if isThere, status.kind == S_IFDIR { throw StoreError(writing: path, failed: EISDIR) }
    if isThere, status.kind != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw StoreError(writing: path, failed: errno) }
      (file, draft, isOwned) = (SystemFile(descriptor: descriptor), nil, true)
      return
    }
    if isThere, access(path, W_OK) != 0 { throw StoreError(writing: path, failed: errno) }
    let target = NamedFile.target(of: path)
    let made = try DraftFile(of: target, named: path)
    // What may read the file may read the next one.
    if isThere { fchmod(made.file.descriptor, status.st_mode & 0o777) }
    (file, draft, isOwned) = (made.file, (made, target), false)
  }

  deinit {
    if isOwned { close(file.descriptor) }
  }

  /// The descriptor that a path names, if the process has it already.
  private static func openDescriptor(_ path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return 1
    case "/dev/stderr": return 2
    default: break
    }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      if let number = Int32(path.dropFirst(folder.count)), fcntl(number, F_GETFD) >= 0 {
        return number
      }
    }
    return nil
  }

  /// Whether a path is standard output under one of its names.
  static func isStandardOutput(_ path: String) -> Bool { openDescriptor(path) == 1 }

  // MARK: Lines

  /// Adds a line; it is written now or later.
  func write(_ line: String) throws(StoreError) {
    if let failure { throw failure }
    buffer.append(contentsOf: line.utf8)
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Writes what waits, and gives the file its name.
  ///
  /// After a failure the file holds the lines before it, and the failure is thrown again.
  func finish() throws(StoreError) {
    if !isFinished {
      do throws(StoreError) { try flush() } catch { failure = error }
      try publish()
      isFinished = true
    }
    if let failure { throw failure }
  }

  private func flush() throws(StoreError) {
    if let failure { throw failure }
    if buffer.isEmpty { return }
    let (count, number) = file.put(buffer)
    let newline = UInt8(ascii: "\n")
    let end = buffer[..<count].lastIndex(of: newline).map { $0 + 1 } ?? 0
    lineCount += buffer[..<end].count { $0 == newline }
    byteCount += end
    buffer.removeAll(keepingCapacity: true)
    guard let number else { return }
    let error = StoreError(writing: path, failed: number)
    failure = error
    // Of a line that was begun, nothing stays.
    if draft != nil { ftruncate(file.descriptor, off_t(byteCount)) }
    throw error
  }

  private func publish() throws(StoreError) {
    guard let draft else { return }
    // Before the name leads to it: a power failure must not leave an empty file there.
    if fsync(file.descriptor) != 0, failure == nil {
      throw StoreError(writing: path, failed: errno)
    }
    guard rename(draft.file.path, draft.target) == 0 else {
      throw StoreError(writing: path, failed: errno)
    }
  }

  // MARK: Drafts

  /// Whether the folder of the file takes upper and lower case for the same.
  var isCaseIgnored: Bool {
    guard let draft else { return false }
    let other = NamedFile.name(of: draft.file.path).uppercased()
    let path = NamedFile.folder(of: draft.file.path) + "/" + other
    return NamedFile(path) == NamedFile(draft.file.path)
  }
}
