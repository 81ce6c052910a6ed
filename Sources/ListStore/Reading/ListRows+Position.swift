import ListModel
import Providers
import ListTables

extension ListRows {
  /// The list's position; `nil` before the list was sealed.
  func position() throws -> StorePosition? {
    guard let digest, let chain,
      let storeID = try statements("SELECT storeID FROM store")
        .first(read: { row in try row.withBytes(0) { [UInt8]($0) } })
    else { return nil }
    return StorePosition(storeID: storeID, chain: chain, digest: digest)
  }
}
