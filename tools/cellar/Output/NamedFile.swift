import Foundation
import StoreFiles

/// The regular file that a path names, whatever it is called: links, `..` and upper case make no
/// difference.
///
/// Of a file that is not there yet: the folder that it would be in, and its name.
struct NamedFile: Equatable {
  private let identity: FileIdentity
  private let name: String?

  /// `nil` for what is no regular file (a terminal is both input and output) or has no folder.
  init?(_ path: String) {
    var status = stat()
    if stat(path, &status) == 0 {
      self.init(status)
      return
    }
    let target = Self.target(of: path)
    guard let folder = FileIdentity(of: Self.folder(of: target)) else { return nil }
    self.init(identity: folder, name: Self.name(of: target))
  }

  /// The file behind a descriptor.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init?(_ status: stat) {
    guard status.kind == S_IFREG else { return nil }
    self.init(identity: FileIdentity(status), name: nil)
  }

  private init(identity: FileIdentity, name: String?) {
    self.identity = identity
    self.name = name
  }

  /// Whether two names of files that are not there yet are one where case and composition of
  /// letters make no difference.
  func isEqualIgnoringCase(_ other: NamedFile) -> Bool {
    guard let name, let otherName = other.name else { return self == other }
    return identity == other.identity && name.lowercased() == otherName.lowercased()
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
