public import BatchUpdates
import DerivedLists
public import ListItems
public import ListModel
public import ListStore
public import Providers

/// A list that is a function of another one: filtered, sorted, grouped, cut off.
///
/// ```swift
/// let unread = try inbox.derived("unread", of: Message.self) {
///   $0.where(\.isUnread).sorted(by: \.date, .reverse)
/// }
/// let adapter = try CollectionAdapter(unread, in: collectionView)
/// badge.value = try unread.count()
/// ```
///
/// The store has it, and keeps it up to date in each transaction that changes the source, whatever
/// process makes it. It has revisions and a log of its own, so screens animate what changed. An item
/// has the id, the content and the measured sizes that it has in the source. Nothing can be inserted
/// or moved: the list is what its definition says. What changes an item changes it in the source.
public struct DerivedList: ShowableList {
  /// The list as adapters read it; its edits throw.
  public let shown: LiveList
  /// The list whose items it shows, and to which their edits go; also of a list that is derived from a
  /// derived one.
  public var source: LiveList { shown.edited }

  init(_ shown: LiveList) { self.shown = shown }

  /// The list's id.
  public var id: ListID { shown.id }
  /// The store that has the list.
  public var repository: Repository { shown.repository }

  // MARK: What it has

  /// The list at its newest revision.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func provider() throws(StoreError) -> Provider { try shown.provider() }

  /// The list's newest revision, which is not that of its source.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func revision() throws(StoreError) -> Int { try shown.revision() }

  /// The whole list, at its newest revision or at an earlier one: see ``LiveList/tree(at:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func tree(at revision: Int? = nil) throws(StoreError) -> ListTree {
    try shown.tree(at: revision)
  }

  /// Brings a Provider to a later revision of the list: see ``LiveList/advance(_:to:)``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  @discardableResult
  public func advance(
    _ provider: inout Provider, to revision: Int? = nil
  ) throws(StoreError) -> BatchUpdate {
    try shown.advance(&provider, to: revision)
  }

  /// The changes of the list, as they are committed: see ``LiveList/updates(after:)``.
  public func updates(
    after provider: Provider? = nil
  ) -> AsyncThrowingStream<LiveList.Update, any Error> {
    shown.updates(after: provider)
  }

  // MARK: Editing through it

  /// Changes the value of an item, in the source: the list follows in the same transaction.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - type: The type of its value.
  ///   - change: Changes the value, but not its id.
  /// - Throws: As ``/ListStore/ListEditor/update(_:as:_:)``.
  public func update<Value: ListItem>(
    _ item: ItemID, as type: Value.Type, _ change: (inout Value) throws -> Void
  ) throws {
    try source.edit { _ = try $0.update(item, as: type, change) }
  }

  /// Sets a property of an item, in the source.
  ///
  /// - Throws: As ``/ListStore/ListEditor/update(_:as:_:)``.
  public func update<Value: ListItem, Property>(
    _ item: ItemID, _ property: WritableKeyPath<Value, Property>, to value: Property
  ) throws {
    try update(item, as: Value.self) { $0[keyPath: property] = value }
  }

  /// Deletes items from the source.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  public func delete(_ items: ItemID...) throws {
    try source.edit { _ = try $0.delete(items) }
  }

  /// Takes back the newest edit of the source: see ``LiveList/undo(by:pending:)-2pxgn``.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  @discardableResult
  public func undo() throws(StoreError) -> Repository.UndoneStep? { try source.undo() }

  /// Takes back the newest undo of the source.
  ///
  /// - Throws: ``/ListModel/StoreError``.
  @discardableResult
  public func redo() throws(StoreError) -> Repository.UndoneStep? { try source.redo() }

  /// The same list, in which a user may drop an item into another section: the closure sets what
  /// makes it an item of that section.
  ///
  /// ```swift
  /// let byFolder = try inbox.derived("byFolder", of: Message.self) { $0.sections(by: \.folder) }
  ///   .settingOnMove(of: Message.self) { $0.folder = $1.rawValue }
  /// adapter.canMove = { _ in true }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - set: Gets the item, and the section that it was dropped into.
  /// - Returns: The list, for adapters.
  public func settingOnMove<Value: ListItem>(
    of type: Value.Type, _ set: @escaping @Sendable (inout Value, SectionID) throws -> Void
  ) -> DerivedList {
    var list = shown
    list.onMove = { [source] item, section in
      try source.edit { _ = try $0.update(item, as: type) { try set(&$0, section) } }
    }
    return DerivedList(list)
  }

  // MARK: The definition

  /// Deletes the list, and those that are derived from it; its source stays.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound`` if it is
  ///   deleted already.
  public func drop() throws(StoreError) { try repository.dropDerived(id) }
}

extension ShowableList {
  /// A list that is derived from this one, as the store keeps it.
  ///
  /// ```swift
  /// let unread = try inbox.derived("unread", of: Message.self) {
  ///   $0.where(\.isUnread).sorted(by: \.date, .reverse).sections(by: \.day)
  /// }
  /// ```
  ///
  /// One write transaction, if the store does not have the list, or has another definition of it:
  /// then one commit brings it from what it was to what it is to be, which screens animate. Else it
  /// costs a read.
  ///
  /// - Parameters:
  ///   - list: The id of the derived list.
  ///   - type: The type of its items; those of other types are left out.
  ///   - version: For closures, and properties that the type does not encode: another version is another
  ///     definition. A process that changes the source and has not called this takes out of the list what
  ///     it deletes; everything else follows when one that has called it hears of it.
  ///   - query: What it shows.
  /// - Returns: The derived list.
  /// - Throws: ``/ListModel/StoreError``: with ``/ListModel/StoreError/Code/invalidValue`` for a
  ///   property that the type does not encode, or a closure, without a version; with ``/ListModel/StoreError/Code/duplicateID`` for
  ///   the id of a list that is not derived.
  /// - Complexity: O(*n* log *n*), *n* items of this list, if it is defined anew.
  @discardableResult
  public func derived<Item: ListItem>(
    _ list: ListID, of type: Item.Type, version: Int? = nil,
    _ query: (DerivedQuery<Item>) -> DerivedQuery<Item> = { $0 }
  ) throws -> DerivedList {
    let query = query(DerivedQuery())
    let (definition, closures) = try query.definition(
      list, of: shown.id, types: shown.types, version: version)
    try shown.repository.define([(definition, 1)], closures: closures, by: shown.author)
    return derived(list, query, isComputed: !closures.isEmpty)
  }

  /// A list that is derived from this one, made off the calling thread: see
  /// ``derived(_:of:version:_:)``.
  ///
  /// A list over some thousands of items is made in slices of some milliseconds, between which others read
  /// and write. Until it is whole, nobody sees it, or everybody what it was. What is made when the
  /// process ends is gone on with by the next call.
  ///
  /// - Parameters:
  ///   - list: The id of the derived list.
  ///   - type: The type of its items.
  ///   - version: That of its closures.
  ///   - progress: Is told how much is made, from 0 to 1, on another thread; not at all for a list that is
  ///     there, or is short.
  ///   - query: What it shows.
  /// - Returns: The derived list.
  /// - Throws: As ``derived(_:of:version:_:)``.
  @discardableResult
  public func derived<Item: ListItem>(
    _ list: ListID, of type: Item.Type, version: Int? = nil,
    progress: @escaping @Sendable (Double) -> Void,
    _ query: (DerivedQuery<Item>) -> DerivedQuery<Item> = { $0 }
  ) async throws -> DerivedList {
    let query = query(DerivedQuery())
    let (definition, closures) = try query.definition(
      list, of: shown.id, types: shown.types, version: version)
    try await shown.repository.define(
      definition, closures: closures, by: shown.author, progress: progress)
    return derived(list, query, isComputed: !closures.isEmpty)
  }

  private func derived<Item: ListItem>(
    _ list: ListID, _ query: DerivedQuery<Item>, isComputed: Bool
  ) -> DerivedList {
    DerivedList(
      shown.derivedList(
        list, types: shown.types.adding(Item.self),
        supplementaryTypes: query.showsSourceSections
          ? shown.supplementaryTypes : SupplementaryTypes(query.supplementaryTypes),
        isComputed: isComputed))
  }

  /// A list that is derived from this one by a definition in the store's format, such as a server's.
  ///
  /// - Parameters:
  ///   - definition: The definition, as the feed format describes it: with `derived`, the list's id,
  ///     and `of`, the id of this list.
  ///   - items: The types of its items; `nil`: those of this list.
  ///   - supplementaries: The types of its headers.
  /// - Returns: The derived list.
  /// - Throws: ``/ListModel/StoreError``, with ``/ListModel/StoreError/Code/invalidValue`` for what is
  ///   no definition, or one of another source.
  @discardableResult
  public func derived(
    by definition: JSON, items: ItemTypes? = nil,
    supplementaries: [any ListSupplementary.Type] = []
  ) throws -> DerivedList {
    let parsed = try shown.definition(definition)
    try shown.repository.define([(parsed, 1)], by: shown.author)
    return DerivedList(
      shown.derivedList(
        parsed.list, types: items ?? shown.types,
        supplementaryTypes: SupplementaryTypes(shown.supplementaryTypes.all + supplementaries)))
  }
}
