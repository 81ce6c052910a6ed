import Foundation
import ListModel
import StoreSchema

extension StoreFile {
  /// - Throws: ``/ListModel/StoreError`` if there is a file with the name of a new store, or one
  ///   that SQLite would take for its log.
  static func requireAbsent(_ file: URL) throws(StoreError) {
    var values = stat()
    // A link counts as a file wherever it leads.
    for suffix in ["", "-wal", "-journal"] where lstat(file.path + suffix, &values) == 0 {
      throw alreadyThere(file)
    }
  }

  static func alreadyThere(_ file: URL) -> StoreError {
    StoreError(
      .notWritable,
      "there is a file already, or one that SQLite keeps beside a store; give a name that is free",
      file: file.path)
  }
}
