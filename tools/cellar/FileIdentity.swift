import Foundation

/// Which file a path leads to, whatever it is called: links, `..` and upper case make no difference.
///
/// Of a file that is not there yet: the folder that it would be in, and its name.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let name: String?

  /// `nil` for what is no regular file (a terminal is both input and output) or has no folder.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      self.init(status)
      return
    }
    let target = Self.target(of: path)
    guard stat(Self.folder(of: target), &status) == 0 else { return nil }
    self.init(status, name: Self.name(of: target))
  }

  /// The file behind a descriptor.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.kind == S_IFREG else { return nil }
    self.init(status, name: nil)
  }

  private init(_ status: stat, name: String?) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    self.name = name
  }

  /// Whether two names of files that are not there yet are one where case and composition of letters
  /// make no difference.
  func isEqualIgnoringCase(_ other: FileIdentity) -> Bool {
    guard let name, let otherName = other.name else { return self == other }
    return device == other.device && inode == other.inode
      && name.lowercased() == otherName.lowercased()
  }

  /// The path with the links followed that its last part is; also of a link that leads nowhere.
  static func target(of path: String) -> String {
    var path = path
    // More than the system follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      path = next.hasPrefix("/") ? next : folder(of: path) + "/" + next
    }
    return path
  }

  /// The folder that a path's last part is in; `.` if the path names none.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path; empty if it ends with a slash.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}
