package import Foundation
package import ListModel

/// A folder with people's data that stays beside a store: of its backups, or of edits.
package enum PrivateFolder {
  /// Makes a folder that only the user can enter, unless there is one.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - attempt: What it is for, as in "make a backup".
  ///   - store: The store that it lies beside.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notWritable`` if it can't be
  ///   made, or if what has its name is not such a folder: see ``refusal(of:)``.
  package static func make(
    _ folder: URL, to attempt: String, beside store: URL
  ) throws(StoreError) {
    if mkdir(folder.path, 0o700) == 0 {
      FilePrivacy(of: store).protect(folder.path)
      return
    }
    let code = errno
    if code == EEXIST { return try refuse(folder, to: attempt, beside: store) }
    throw failure(code, StoreError.reason(errorNumber: code), folder, attempt, store)
  }

  /// Refuses what has a folder's name and is not one for people's data; nothing is made.
  ///
  /// - Parameters:
  ///   - folder: The folder, which need not be there.
  ///   - attempt: What it is for, as in "make a backup".
  ///   - store: The store that it lies beside.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/notWritable``.
  package static func refuse(
    _ folder: URL, to attempt: String, beside store: URL
  ) throws(StoreError) {
    if let reason = refusal(of: folder) { throw failure(EEXIST, reason, folder, attempt, store) }
  }

  private static func failure(
    _ code: Int32, _ reason: String, _ folder: URL, _ attempt: String, _ store: URL
  ) -> StoreError {
    StoreError(
      code == ENOSPC || code == EDQUOT ? .storeFull : .notWritable,
      "can't \(attempt) in the folder \(folder.path): \(reason)", file: store.path)
  }

  /// Why what has a folder's name is not one for people's data; `nil` if it is one, or nothing is there.
  ///
  /// Whoever can write into the folder of a store can put a link there, or a folder of his own, and
  /// read what is then written into it.
  package static func refusal(of folder: URL) -> String? {
    guard let status = FileStatus(of: folder.path) else { return nil }
    let advice = "; nothing was written there. Move it away"
    switch status.kind {
    case .folder: break
    case .link: return "it is a link, which is not followed" + advice
    case .file, .other: return "it is no folder" + advice
    }
    if !status.isUsersOwn { return "it belongs to another user" + advice }
    return status.permissions & 0o022 == 0
      ? nil : "other users may write in it" + advice + ", or take that right from them"
  }
}
