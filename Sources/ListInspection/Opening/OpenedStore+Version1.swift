import GRDB
import ListModel
import ListStore
import StoreFiles

// Version 1 keeps no digests. Its logs are complete, so each list can be replayed and compared.
extension OpenedStore {
  /// The lists of a store of version 1 whose logs do not lead to their rows.
  ///
  /// The copy that is read has another revision for them: there the log begins anew.
  ///
  /// `database`: the store as it is.
  static func unprovenLists(
    of database: DatabaseQueue, sealedIn copy: Repository
  ) throws -> [Finding] {
    let lists = try database.read { db in
      try Row.fetchAll(db, sql: "SELECT name, revision FROM list ORDER BY name").map { row in
        (name: row["name"] as String, revision: row["revision"] as Int)
      }
    }
    return lists.compactMap { name, revision in
      guard let list = try? ListID(name), let sealed = try? copy.revision(of: list),
        sealed != revision
      else { return nil }
      return .unproven(name, revision: revision, shownAs: sealed)
    }
  }
}

extension Finding {
  fileprivate static func unproven(_ list: String, revision: Int, shownAs sealed: Int) -> Finding {
    Finding(
      severity: .error, code: .digest, place: "list \"\(list)\"",
      message: "its log does not lead to the rows of revision \(revision)",
      meaning: "Something other than Cellar changed the rows or the log, or they are damaged. The "
        + "rows are shown as revision \(sealed), by \"unknown\"; no earlier one can be read.",
      advice: "Keep the file: an app with this version of Cellar takes the rows as they are.")
  }
}
