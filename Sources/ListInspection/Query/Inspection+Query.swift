import Foundation
public import ListModel
import ListStore
import StoreSchema

extension Inspection {
  /// Runs a query on the private copy.
  ///
  /// One statement that reads: `SELECT`, `WITH`, `EXPLAIN`, or a pragma that tells of the schema. It
  /// sees the tables of the store and two views, `itemInOrder` and `changeInOrder`: see "Looking into
  /// a store with SQLite" in ListStore. It can't write, attach a file, or load code. Views, triggers,
  /// virtual tables and computed columns that the file brings along do not run.
  ///
  /// A store of an earlier version is queried as the newest version has it.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - parameters: The values of its parameters: those without a name for `?`, in their order.
  ///   - limit: The most rows. Rows are in memory: after about 64 MB an answer is cut, too.
  /// - Returns: The rows, and whether there are more.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue`` if the query is refused
  ///   or wrong, and ``/ListModel/StoreError/Code/timeLimit`` if it takes too long.
  public func query(
    _ sql: String, parameters: [QueryParameter] = [], limit: Int = 1_000
  ) throws(StoreError) -> QueryResult {
    try query(sql, parameters: parameters, limit: limit, timeLimit: TimeLimit.seconds(for: file))
  }

  /// As ``query(_:parameters:limit:)``, with the seconds that the query may take.
  package func query(
    _ sql: String, parameters: [QueryParameter] = [], limit: Int, timeLimit: Int
  ) throws(StoreError) -> QueryResult {
    try naming { () throws(StoreError) in
      // Lists that can't be read are no reason not to look at the tables.
      let copy: URL
      if let repository = try? lists() { copy = repository.file } else { copy = try store().file }
      var result = QueryResult(file: file.path, columns: [])
      do {
        let connection = try QueryConnection(copy, naming: file.path, timeLimit: timeLimit)
        try connection.rows(of: sql, parameters, limit: limit, &result)
      } catch {
        throw .wrap(error, attempt: "run the query", file: file.path)
      }
      return result
    }
  }
}
