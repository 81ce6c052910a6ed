package import Foundation
package import ListModel

/// Who may read and write a file, and what the system asks for to decrypt it.
///
/// What is made from a store, lies beside it or takes its place is as private as the store. What has no
/// source is the user's alone.
package struct FilePrivacy: Sendable {
  /// What others may do; the user may always read and write.
  private var permissions: mode_t
  private var owner: UInt32?
  private var group: UInt32?
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// The class of data protection; `nil`: the app's own.
    private var protection: FileProtectionType?
  #endif

  /// The user alone may read and write.
  package static let usersAlone = FilePrivacy(permissions: 0)

  private init(permissions: mode_t) { self.permissions = permissions }

  /// The privacy of a file; of one that is not there, the user's alone.
  ///
  /// `file`: With links followed.
  package init(of file: URL) {
    guard let status = FileStatus(following: file.path) else {
      self = .usersAlone
      return
    }
    permissions = status.permissions & 0o066
    owner = status.owner
    group = status.group
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      protection =
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.protectionKey]
        as? FileProtectionType
    #endif
  }

  /// This privacy, without what others may not do with another file.
  package func narrowed(to other: FilePrivacy) -> FilePrivacy {
    var narrowed = self
    narrowed.permissions &= other.permissions
    if group != other.group { narrowed.permissions &= 0o006 }
    return narrowed
  }

  /// Gives a file this privacy.
  ///
  /// - Parameters:
  ///   - path: A file that nobody else can open yet.
  ///   - isReplacement: Whether it takes the place of the file whose privacy this is. Its owner stays
  ///     the owner then, where the process may decide that.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notWritable``.
  package func apply(to path: String, isReplacement: Bool = false) throws(StoreError) {
    let unchanged = uid_t.max
    var permissions = permissions
    if let owner, isReplacement, geteuid() == 0 { chown(path, owner, gid_t.max) }
    if let group, FileStatus(of: path)?.group != group, permissions & 0o060 != 0 || isReplacement,
      chown(path, unchanged, group) != 0
    {
      // The same permissions would let another group in.
      permissions &= 0o006
    }
    guard chmod(path, 0o600 | permissions) == 0 else {
      throw StoreError(
        .notWritable,
        "its permissions can't be set: \(StoreError.reason(errorNumber: errno))", file: path)
    }
    protect(path)
  }

  /// Gives a file or a folder the class of data protection alone, where the system has classes.
  package func protect(_ path: String) {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      guard let protection else { return }
      // A volume without classes refuses it, and has nothing to protect with.
      try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: path)
    #endif
  }
}
