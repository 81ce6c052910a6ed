public import BatchUpdates
public import ListModel
public import ListStore
public import ListItems

extension Repository {
  /// A list that belongs to an item of another list, as a screen uses it: the chapters of a book, the
  /// shelf inside of a cell.
  ///
  /// ```swift
  /// let chapters = repository.liveList(ownedBy: "emma", in: "shelf", "chapters", items: [Chapter.self])
  /// ```
  ///
  /// A list of its own in all: revisions, log, sizes, what screens showed of it. It is read when it
  /// is asked for, and made by its first commit, for which the item has to be there. Moving or
  /// updating the item leaves it alone. When the item is deleted, it stays as long as that can be
  /// undone, and goes when the log does not reach back so far any more: see
  /// ``/ListStore/Repository/truncateLog(of:keeping:)``.
  ///
  /// A feed follows it under the name that the feed has for it:
  /// ``LiveList/follow(_:as:named:progress:)-(Lines,_,_,_)``.
  ///
  /// - Parameters:
  ///   - item: The item that owns it.
  ///   - list: The item's list, which may be a nested one itself.
  ///   - name: What the item calls it.
  ///   - items: The types of its items.
  ///   - supplementaries: The types of its sections' headers, footers and the like.
  ///   - policy: When a batch update is not worth it, what else it draws again, and whether it leaves out
  ///     hidden sections: as it is, it does.
  /// - Returns: The list; its id is ``/ListStore/ListOwner/nestedList``.
  public func liveList(
    ownedBy item: ItemID, in list: ListID, _ name: NestedName, items: [any ListItem.Type] = [],
    supplementaries: [any ListSupplementary.Type] = [],
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    let owner = ListOwner(list: list, item: item, name: name)
    return LiveList(
      repository: self, id: owner.nestedList, owner: owner, types: ItemTypes(items),
      supplementaryTypes: SupplementaryTypes(supplementaries), policy: policy)
  }
}

extension LiveList {
  /// A list that belongs to an item of this one: see
  /// ``ListStore/Repository/liveList(ownedBy:in:_:items:supplementaries:policy:)``.
  ///
  /// - Parameters:
  ///   - item: The item that owns it.
  ///   - name: What the item calls it.
  ///   - items: The types of its items.
  ///   - supplementaries: The types of its sections' headers, footers and the like.
  /// - Returns: The list, with this one's policy.
  public func nested(
    in item: ItemID, _ name: NestedName, items: [any ListItem.Type] = [],
    supplementaries: [any ListSupplementary.Type] = []
  ) -> LiveList {
    repository.liveList(
      ownedBy: item, in: id, name, items: items, supplementaries: supplementaries, policy: policy)
  }
}
