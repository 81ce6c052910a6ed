/// The owner of a nested list: an item of another list, which has a name for each list that it
/// owns.
public struct ListOwner: Hashable, Sendable {
  /// The list that has the item; it may be a nested one itself.
  public let list: ListID
  /// The item.
  public let item: ItemID
  /// The name of the nested list among the lists of the item.
  public let name: NestedName

  /// The owner of a nested list.
  public init(list: ListID, item: ItemID, name: NestedName) {
    self.list = list
    self.item = item
    self.name = name
  }
}
