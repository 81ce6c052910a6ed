package import ListModel
package import ListTables

extension Repository {
  /// Looks at a list, in one read transaction.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound``.
  package func look<Value>(
    at list: ListID, _ attempt: String, _ body: (StoredList) throws -> Value
  ) throws(StoreError) -> Value {
    try read(attempt) { db in try body(StoredList(rows: rows(db, list))) }
  }
}
