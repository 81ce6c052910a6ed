#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#elseif canImport(Android)
  package import Android
#elseif canImport(Darwin)
  package import Darwin
#endif

/// What the system says of a file.
///
/// A path is looked up without opening the file, because closing a file that SQLite has open would
/// release SQLite's locks.
package struct FileStatus: Equatable, Sendable {
  /// What there is at a path.
  package enum Kind: Sendable {
    /// A regular file.
    case file
    case folder, link
    /// A pipe, a device or the like.
    case other
  }

  /// What it is.
  package let kind: Kind
  /// Which one it is, whatever its name.
  package let identity: FileIdentity
  /// Its size.
  package let byteCount: Int
  /// The room that it takes, in bytes: less than its size if it has holes.
  ///
  /// Some systems tell it late.
  package let allocatedByteCount: Int
  /// When it was changed last, in nanoseconds since 1970.
  package let modifiedAt: Int
  /// Who may read and write it.
  package let permissions: mode_t
  /// The user and the group that it belongs to.
  let owner, group: UInt32
  /// Whether it belongs to the user of this process.
  package var isUsersOwn: Bool { owner == geteuid() }
  /// How many names it has.
  let nameCount: Int

  /// The file at a path, or the link if it is one; `nil` if there is neither.
  package init?(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file at a path, with links followed; `nil` if there is none.
  package init?(following path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// An open file; `nil` if the descriptor is none.
  package init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    identity = FileIdentity(status)
    byteCount = Int(clamping: status.st_size)
    allocatedByteCount = Int(clamping: status.st_blocks) &* 512
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modifiedAt = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    permissions = status.st_mode & 0o7777
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    nameCount = Int(status.st_nlink)
  }
}

/// The identity of a file, whatever its name: its device and its inode.
package struct FileIdentity: Hashable, Sendable {
  /// The number of the device that it is on.
  package let device: UInt64
  /// Its number on the device.
  package let inode: UInt64

  /// The same text in every process, while the file exists: "DEVICE-INODE".
  package var name: String { "\(device)-\(inode)" }

  /// The file at a path, with links followed; `nil` if there is none.
  package init?(of path: String) {
    guard let status = FileStatus(following: path) else { return nil }
    self = status.identity
  }

  /// The file at a path, or the link if it is one; `nil` if there is neither.
  package init?(ofLinkOrFile path: String) {
    guard let status = FileStatus(of: path) else { return nil }
    self = status.identity
  }

  /// The file whose status the system gave.
  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
