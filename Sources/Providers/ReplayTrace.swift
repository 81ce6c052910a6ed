import ListModel

/// The items that a replay has removed or changed so far.
package struct ReplayTrace {
  /// The handles of removed items.
  ///
  /// A handle stays its item's until the replay ends: an item that returns gets its handle back,
  /// and no other item gets it meanwhile.
  var removed: Set<Int32> = []
  /// The handles of items in a store whose cell or content has changed.
  var changed: Set<Int32> = []
  /// The handles of removed items by id, if ids are kept.
  private var removedIDs: [ItemID: Int32] = [:]
  private let keepsIDs: Bool

  /// Begins the trace of a replay that has changed nothing yet.
  ///
  /// `keepsIDs`: Whether a removed item must be found by its id. Items in memory have a table for
  /// that.
  init(keepsIDs: Bool) { self.keepsIDs = keepsIDs }

  mutating func noteRemoval(of id: ItemID, _ handle: Int32) {
    removed.insert(handle)
    if keepsIDs { removedIDs[id] = handle }
  }

  /// Notes the removal of a section's items, whose handles are in the same order.
  mutating func noteRemoval(of items: [Item], _ handles: [Int32]) {
    removed.formUnion(handles)
    guard keepsIDs else { return }
    for (item, handle) in zip(items, handles) { removedIDs[item.id] = handle }
  }

  /// The handle of a removed item, which is no longer counted as removed; `nil` if it was not
  /// removed.
  mutating func takeBackRemoval(of id: ItemID) -> Int32? {
    guard let handle = removedIDs.removeValue(forKey: id) else { return nil }
    removed.remove(handle)
    return handle
  }
}
