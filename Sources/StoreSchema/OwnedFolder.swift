package import Foundation

/// A folder that is its process's as long as the process lives, and nobody's afterwards.
///
/// The process has a lock on it, which the system gives back however the process ends. Who finds a
/// folder of this kind without its owner removes it.
package final class OwnedFolder: Sendable {
  /// The folder.
  package let url: URL
  private let descriptor: Int32

  /// What the system refused.
  package struct Refusal: Error, CustomStringConvertible {
    /// An error number.
    package let code: Int32
    /// The system's words for it.
    package var description: String { String(cString: strerror(code)) }
  }

  /// Makes a folder that only the user can enter.
  ///
  /// - Parameters:
  ///   - prefix: What its name begins with; the rest is unique.
  ///   - parent: Where it goes.
  /// - Throws: ``Refusal``; nothing is left behind.
  package init(named prefix: String, in parent: URL) throws(Refusal) {
    while true {
      let url = parent.appendingPathComponent(prefix + UUID().uuidString, isDirectory: true)
      guard mkdir(url.path, 0o700) == 0 else { throw Refusal(code: errno) }
      // Until it is locked, another may take it for abandoned: then it is gone, and the next is tried.
      guard let descriptor = Self.open(url.path) else {
        let code = errno
        if code == ENOENT { continue }
        rmdir(url.path)
        throw Refusal(code: code)
      }
      let isLockable = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      // A file system without locks has none for those who look for abandoned ones either.
      if isLockable, FileIdentity(descriptor: descriptor) == FileIdentity(ofLinkOrFile: url.path) {
        self.url = url
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    close(descriptor)
  }

  /// Removes the folders of processes that were killed.
  ///
  /// None that is another user's, has an owner, or holds anything but the named files. No link is
  /// followed. What can't be removed stays.
  ///
  /// - Parameters:
  ///   - prefix: What their names begin with.
  ///   - parent: Where they lie.
  ///   - names: The files that they may hold.
  package static func removeAbandoned(
    named prefix: String, in parent: URL, holding names: Set<String>
  ) {
    for name in Self.names(in: parent, from: prefix) {
      remove(parent.appendingPathComponent(name, isDirectory: true).path, holding: names)
    }
  }

  /// The names that this type may have given, and others that begin so and end in a UUID.
  ///
  /// By the system's own calls: a launch waits for it.
  static func names(in parent: URL, from prefix: String) -> [String] {
    guard let folder = opendir(parent.path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        bytes.starts(with: prefix.utf8)
          ? String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) : ""
      }
      if UUID(uuidString: String(name.dropFirst(prefix.count))) != nil { names.append(name) }
    }
    return names
  }

  private static func remove(_ path: String, holding names: Set<String>) {
    guard let descriptor = open(path) else { return }
    defer { close(descriptor) }
    var values = stat()
    guard fstat(descriptor, &values) == 0, values.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(descriptor: descriptor) == FileIdentity(ofLinkOrFile: path),
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
