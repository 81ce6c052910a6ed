public import BatchUpdates
public import ListItems
public import ListModel
public import ListStore
import ListTables

extension Repository {
  /// A list that belongs to an item of another list, for a screen: the chapters of a book, or the
  /// shelf inside a cell.
  ///
  /// ```swift
  /// let chapters = repository.liveList(
  ///   ownedBy: "emma", in: "shelf", "chapters", items: [Chapter.self])
  /// ```
  ///
  /// A nested list has its own revisions, log, sizes and view states. Its first commit makes it;
  /// the item must be there then. Moving or updating the item does not change it. When the item is
  /// deleted, the nested list stays as long as the deletion can be undone. It is deleted when the
  /// log is truncated beyond that: see ``LiveList/truncateLog(keeping:)``.
  ///
  /// To apply a feed to it, pass the feed's name for it to
  /// ``LiveList/follow(_:as:named:progress:)-(Lines,_,_,_)``.
  ///
  /// - Parameters:
  ///   - item: The item that owns it.
  ///   - list: The item's list, which may be a nested one itself.
  ///   - name: The list's name among the lists of the item.
  ///   - items: The types of its items, in a literal; or an `ItemTypes`, which can have earlier names.
  ///   - supplementaries: The types of its sections' headers, footers and other views, likewise.
  ///   - policy: The limits beyond which the list is reloaded, which items are drawn again, and
  ///     whether hidden sections are left out. By default they are.
  /// - Returns: The list; its id is `ListOwner.nestedList`.
  public func liveList(
    ownedBy item: ItemID, in list: ListID, _ name: NestedName, items: ItemTypes = [],
    supplementaries: SupplementaryTypes = [],
    policy: UpdatePolicy = UpdatePolicy(hidesSections: true)
  ) -> LiveList {
    let owner = ListOwner(list: list, item: item, name: name)
    return LiveList(
      repository: self, id: owner.nestedList, owner: owner, types: items,
      supplementaryTypes: supplementaries, policy: policy)
  }
}

extension LiveList {
  /// A list that belongs to an item of this one: see
  /// ``ListStore/Repository/liveList(ownedBy:in:_:items:supplementaries:policy:)``.
  ///
  /// The items of a derived list are its source's, and so own the same lists there and here.
  ///
  /// - Parameters:
  ///   - item: The item that owns it.
  ///   - name: The list's name among the lists of the item.
  ///   - items: The types of its items, in a literal; or an `ItemTypes`, which can have earlier names.
  ///   - supplementaries: The types of its sections' headers, footers and other views, likewise.
  /// - Returns: The list, with this one's policy and author.
  public func nested(
    in item: ItemID, _ name: NestedName, items: ItemTypes = [],
    supplementaries: SupplementaryTypes = []
  ) -> LiveList {
    repository.liveList(
      ownedBy: item, in: edited.id, name, items: items, supplementaries: supplementaries,
      policy: policy
    ).authored(by: author)
  }

  /// The lists that an item of this list owns, also if the item was deleted and can be brought back.
  ///
  /// A nested list exists from its first commit on.
  ///
  /// - Returns: The ids of the lists, by name; empty if the item owns none, or is not there.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  public func nestedLists(of item: ItemID) throws(StoreError) -> [NestedName: ListID] {
    try repository.nestedLists(of: item, in: edited.id)
  }
}

extension ListEditor {
  /// The editor of another list of the store, whose changes belong to the same transaction: of a list
  /// that an item owns, or of any other.
  ///
  /// ```swift
  /// try shelf.edit { list in
  ///   try list.insert(Book(id: "emma", title: "Emma"), in: "today")
  ///   let chapters = try list.editor(of: shelf.nested(in: "emma", "chapters"))
  ///   try chapters.insertSection(ListSection("all") { Chapter(id: "1", title: "I") })
  /// }
  /// ```
  ///
  /// All lists of the edit change together or not at all. Each gets a commit of its own, by the author
  /// of the edit; each is undone on its own.
  ///
  /// - Parameter list: A list of the same Repository. If an item is to own it, the item is there now.
  /// - Returns: Its editor, which ends with this one. The same for a list that was asked for before.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/itemNotFound`` if the owner
  ///   is not there.
  public func editor(of list: LiveList) throws(StoreError) -> ListEditor {
    try editor(of: list.target(by: nil), in: list.repository)
  }
}
