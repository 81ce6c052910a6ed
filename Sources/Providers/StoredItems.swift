package import ListModel
import ListOrder

/// The items of a Provider that are in a store; an item is in memory once it was asked for.
///
/// Items that were read are kept by handle, so a later revision of the list still has those that
/// did not change. Contents are dropped after a while. A replay changes no item in memory: it
/// collects the handles of changed items in a ``ReplayTrace``, and the store is read for them
/// later.
package protocol StoredItems: ItemSource {
  /// The hash of an item's id; `nil` if it is not in memory.
  func loadedHash(of handle: Int32) -> UInt64?
  /// Whether an item has this id; `nil` if it is not in memory.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool?
}

extension StoredItems {
  /// Always `true`.
  package var readsFromStore: Bool { true }

  /// The items of a section, read one by one; those that can't be read are missing.
  package func items(inSection index: Int, of list: Provider) -> [Item] {
    (0..<list.numberOfItems(inSection: index)).compactMap {
      list.item(at: ItemPath(section: index, item: $0))
    }
  }

  // MARK: Replay

  /// Whether an item has this id, or was not read.
  package func canBe(_ id: ItemID, _ handle: Int32) -> Bool { isLoaded(id, as: handle) ?? true }

  /// Whether the id of an item has this hash, or was not read.
  package func canHave(idHash: UInt64, _ handle: Int32) -> Bool {
    loadedHash(of: handle).map { $0 == idHash } ?? true
  }

  /// The handle of an item that was removed in the same replay and returns.
  ///
  /// Whether the list already has the item is not known here. The list's digest shows it when the
  /// commit is complete.
  package func handle(
    returning id: ItemID, to path: ItemPath, _ trace: inout ReplayTrace
  ) -> Int32? { trace.takeBackRemoval(of: id) }

  /// Notes that a returning item must be read again; a new item is read when it is asked for.
  package func insert(
    _ item: Item, _ handle: Int32, isReturning: Bool, _ trace: inout ReplayTrace
  ) {
    if isReturning { trace.changed.insert(handle) }
  }

  /// Notes that an item must be read again.
  package func update(_ handle: Int32, to state: ItemState, _ trace: inout ReplayTrace) {
    trace.changed.insert(handle)
  }

  /// Does nothing: ``ItemSource/read(from:at:forgetting:)`` gets the handles to forget.
  package func release(_ handle: Int32) {}
}
