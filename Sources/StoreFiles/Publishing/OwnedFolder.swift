package import Foundation

/// A folder that belongs to its process as long as the process lives.
///
/// The process holds a lock on the folder, which the system releases however the process ends. Any
/// process that finds such a folder without a lock removes it.
package final class OwnedFolder: Sendable {
  /// The folder.
  package let url: URL
  private let descriptor: Int32

  /// The error of a folder that the system refused to make.
  package struct Refusal: Error, CustomStringConvertible {
    /// An error number.
    package let code: Int32
    /// The system's words for it.
    package var description: String { String(cString: strerror(code)) }
  }

  /// Makes a folder that only the user can enter.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of its name; the rest is unique.
  ///   - parent: The folder to make it in.
  /// - Throws: ``Refusal``; nothing is left behind.
  package init(named prefix: String, in parent: URL) throws(Refusal) {
    while true {
      let url = parent.appendingPathComponent(prefix + UUID().uuidString, isDirectory: true)
      guard OwnedPaths.add(url.path, making: { mkdir(url.path, 0o700) }) == 0 else {
        throw Refusal(code: errno)
      }
      // Until it is locked, another process may take it for abandoned and remove it. Then try the
      // next name.
      guard let descriptor = Self.open(url.path) else {
        let code = errno
        OwnedPaths.remove(url.path)
        if code == ENOENT { continue }
        rmdir(url.path)
        throw Refusal(code: code)
      }
      let isLockable = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      // On a file system without locks, no process removes folders either.
      if isLockable,
        FileStatus(descriptor: descriptor)?.identity == FileIdentity(ofLinkOrFile: url.path)
      {
        self.url = url
        self.descriptor = descriptor
        return
      }
      OwnedPaths.remove(url.path)
      close(descriptor)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    OwnedPaths.remove(url.path)
    close(descriptor)
  }

  /// Removes the folders of processes that were killed.
  ///
  /// A folder stays if it belongs to another user, is locked, or holds anything but the named
  /// files. Links are not followed. If a folder can't be removed, it stays.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of their names.
  ///   - infix: What their names have between that and what makes them unique, after anything.
  ///   - parent: The folder that has them.
  ///   - names: The files that they may hold.
  package static func removeAbandoned(
    named prefix: String, _ infix: String = "", in parent: URL, holding names: Set<String>
  ) {
    for name in Self.names(in: parent, from: prefix, infix) {
      remove(parent.appendingPathComponent(name, isDirectory: true).path, holding: names)
    }
  }

  /// The names in a folder that begin with a prefix and end in a UUID.
  ///
  /// It uses the system's own calls, which are fast, because a launch waits for it.
  private static func names(in parent: URL, from prefix: String, _ infix: String) -> [String] {
    guard let folder = opendir(parent.path) else { return [] }
    defer { closedir(folder) }
    let uuidLength = 36
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        bytes.starts(with: prefix.utf8)
          ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : ""
      }
      let head = name.dropLast(uuidLength)
      if infix.isEmpty ? head == prefix : head.hasSuffix(infix),
        UUID(uuidString: String(name.suffix(uuidLength))) != nil
      {
        names.append(name)
      }
    }
    return names
  }

  private static func remove(_ path: String, holding names: Set<String>) {
    guard let descriptor = open(path) else { return }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor), status.owner == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      status.identity == FileIdentity(ofLinkOrFile: path),
      let held = try? FileManager.default.contentsOfDirectory(atPath: path),
      names.isSuperset(of: held)
    else { return }
    for name in held { unlinkat(descriptor, name, 0) }
    rmdir(path)
  }

  private static func open(_ path: String) -> Int32? {
    let descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }
}
