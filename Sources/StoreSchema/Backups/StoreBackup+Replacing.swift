package import Foundation
package import ListModel
import StoreFiles

extension StoreBackup {
  /// The files that hold what a store had before: backups, copies of damaged files, and stores that
  /// were moved aside.
  ///
  /// A copy of damaged files is a folder.
  package static func formerFiles(of file: URL) -> [URL] {
    all(of: file).map(\.file) + copies(of: file).map(\.folder) + Quarantine.all(of: file)
  }

  /// Deletes all files that hold what a store had before; if there was a backup, one of the store as it
  /// is now is made first.
  ///
  /// What killed processes have left of drafts goes, too.
  ///
  /// - Parameter file: The store.
  /// - Returns: The new backup, and what was deleted.
  /// - Throws: ``/ListModel/StoreError``; what was deleted before stays so.
  package static func replaceAll(
    of file: URL
  ) throws(StoreError) -> (backup: URL?, deleted: [URL]) {
    for folder in [folder(of: file), file.deletingLastPathComponent()] {
      StoreDraft.removeAbandoned(in: folder)
    }
    let former = formerFiles(of: file)
    let made = all(of: file).isEmpty ? nil : try make(of: file)
    for file in former {
      do { try FileManager.default.removeItem(at: file) } catch {
        // Making a backup deletes some, and another process may do the same.
        if FileStatus(of: file.path) == nil { continue }
        throw StoreError(
          .notWritable, "it can't be deleted: \(StoreError.reason(error))", file: file.path,
          cause: error)
      }
    }
    return (made?.file, former)
  }
}
