package import ListItems
package import ListModel

/// A list that is to be edited: whose it is, who edits it, and which types it was told of.
package struct EditTarget: Sendable {
  let list: ListID
  /// The item that owns the list; `nil` unless it is a nested one.
  let owner: ListOwner?
  /// The author of the commit.
  let author: Author
  private let types: ItemTypes
  private let supplementaryTypes: SupplementaryTypes

  /// A list; with types, what its screens can't show is refused.
  package init(
    _ list: ListID, ownedBy owner: ListOwner? = nil, by author: Author = .app,
    types: ItemTypes = [], supplementaryTypes: SupplementaryTypes = []
  ) {
    self.list = list
    self.owner = owner
    self.author = author
    self.types = types
    self.supplementaryTypes = supplementaryTypes
  }

  /// Refuses types that can't be told apart in a store.
  ///
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/invalidValue``; its `cause` is an
  ///   ``/ListItems/ItemTypeError`` or a ``/ListItems/SupplementaryTypeError``.
  package func requireDistinctTypes() throws(StoreError) {
    let cause: (any Error)? = types.ambiguity ?? supplementaryTypes.ambiguity
    guard let cause else { return }
    throw StoreError(.invalidValue, "list \"\(list)\": \(cause)", cause: cause)
  }

  /// Refuses a value of a type that the list was not told of.
  func requireKnown(_ value: any ListItem, item: ItemID) throws(ItemTypeError) {
    try types.requireKnown(value, item: item)
  }

  /// Refuses a header or another view that the list was not told of, unless the section has it
  /// already.
  func requireKnown(
    _ attributes: SectionAttributes, besides before: SectionAttributes?
  ) throws(SupplementaryTypeError) {
    if types.isEmpty, supplementaryTypes.isEmpty { return }
    let kinds = [.header, .footer] + attributes.supplementaries.keys.sorted()
    for kind in kinds {
      guard let view = attributes[kind]?.view, view != before?[kind]?.view,
        supplementaryTypes[view] == nil
      else { continue }
      throw .unknownView(view)
    }
  }
}
