import DerivedLists
public import ListModel
import ListTables
import StoreFiles

extension Repository {
  /// Checks that the rows of the store agree: counts, order, references, sums of sizes, the log's
  /// chain and the digests; that contents are JSON, and sizes and saved states possible; and that each
  /// derived list is what its definition makes of its source.
  ///
  /// One read transaction. A part that can't be read is a fault, and the others are checked. It
  /// does not replace SQLite's `PRAGMA integrity_check`, which checks the file's pages. A damaged
  /// store takes several times as long as a sound one.
  ///
  /// - Returns: At most 100 problems; none for a sound store.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  /// - Complexity: O(*n* + *k*), *n* rows, *k* changes in the logs; and a derivation of each derived
  ///   list, which takes O(*n* log *n*) for *n* items of its source that it sorts.
  public func checkInvariants() throws(StoreError) -> [StoreProblem] {
    try read("check the store") { db in
      let closures = writer.closures.withValue { $0 }
      if StoreProof.holds(for: db, closures) { return [] }
      let check = StoreCheck(db, closures)
      try check.run()
      return check.problems
    }
  }
}
