import GRDB
import ListModel
import ListTables
import Providers

extension ListRows {
  /// The list's position.
  func position() throws -> StorePosition {
    let storeID = try statements("SELECT storeID FROM store")
      .first(read: { row in try row.withBytes(0) { [UInt8]($0) } })
    guard let storeID else { throw DatabaseError.corrupt("the store has no id") }
    return StorePosition(storeID: storeID, chain: chain, digest: digest)
  }
}
