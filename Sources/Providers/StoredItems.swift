package import ListModel

/// The items of a Provider that are in a store; an item is in memory once it was asked for.
///
/// Items that were read are kept by handle, so a later revision of the list still has those that
/// did not change. Contents are dropped after a while. A replay changes no item in memory: it
/// collects the handles of changed items in a ``ReplayTrace``, and the store is read for them
/// later.
///
/// The store gets the Provider that asks, for its section ids and the order of its items. While it
/// holds a lock, it must not call methods of the Provider that ask for items.
package protocol StoredItems: AnyObject, Sendable {
  /// How many reads have failed.
  var failureCount: Int { get }

  // MARK: Questions

  /// The id of an item.
  ///
  /// `handle`: The item's handle.
  /// `path`: The item's path.
  /// `list`: The Provider that asks.
  func id(of handle: Int32, at path: ItemPath, in list: Provider) -> ItemID?
  /// The cell and the content revision of an item; parameters as in ``id(of:at:in:)``.
  func cell(
    of handle: Int32, at path: ItemPath, in list: Provider
  ) -> (cell: CellName, contentRevision: Int)?
  /// An item with its content; parameters as in ``id(of:at:in:)``.
  func item(of handle: Int32, at path: ItemPath, in list: Provider) -> Item?
  /// The path of an item; `nil` if the list does not have it.
  func path(of id: ItemID, in list: Provider) -> ItemPath?
  /// The attributes of a section, unless the Provider has them itself.
  func attributes(of section: SectionID) -> SectionAttributes?
  /// Reads the structure of a range of a section's items at once, and their contents if wanted.
  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool)

  // MARK: Replay

  /// The same items in another object, which a replay can change while this one stays as it is.
  ///
  /// - Complexity: O(1); what neither side changes is shared.
  func copy() -> any StoredItems
  /// The hash of an item's id; `nil` if the item is not in memory.
  func loadedHash(of handle: Int32) -> UInt64?
  /// Whether an item has this id; `nil` if the item is not in memory.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool?
  /// The store, pinned at a revision; `nil` if the list's revision in the store is another one by
  /// now.
  func pinned(at revision: Int) -> (any StoredSource)?
  /// Goes on to another revision of the store.
  ///
  /// `source`: The store at that revision.
  /// `chain`: The revision's chain hash.
  /// `handles`: The items that have changed or are gone.
  func read(from source: any StoredSource, at chain: UInt64?, forgetting handles: Set<Int32>)

  // MARK: Sizes

  /// The stored size of an item, and how far it can be trusted; parameters as in ``id(of:at:in:)``.
  func size(
    of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer
  /// Calls a closure with the sizes of a range of a section's items, in order.
  ///
  /// The closure may ask for anything, and keep sizes.
  func forEachSize(
    _ range: Range<Int>, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void)
  /// Keeps the measured size of an item: in memory at once, in the store soon.
  ///
  /// - Returns: Whether it is kept.
  func keep(
    _ size: Size, of handle: Int32, at path: ItemPath, in list: Provider, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool
  /// Turns the kept sizes of an item into estimates: in memory at once, in the store soon.
  func setNeedsLayout(of handle: Int32, at path: ItemPath, in list: Provider)
  /// Turns the kept sizes of a section's items and views into estimates: in memory at once, in the
  /// store soon.
  func setNeedsLayout(ofSection index: Int, of list: Provider)
  /// The stored size of a section's header, footer or other view, and how far it can be trusted.
  func size(
    of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer
  /// Keeps the measured size of a section's header, footer or other view: in memory at once, in the
  /// store soon.
  ///
  /// - Returns: `false` if the section has no such view.
  func keep(
    _ size: Size, of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool
  /// Turns the kept sizes of a section's view into estimates: in memory at once, in the store soon.
  func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID)
  /// How long the items of a section are together, as far as they were measured.
  func extent(ofSection index: Int, of list: Provider, for key: SizeKey) -> SectionExtent?
  /// The item at a distance from the first item of its section.
  ///
  /// `offset`: In points, along the direction of scrolling.
  /// `index`: Of a section that has items.
  /// `estimate`: The length of an item without a size, in points; at least 0.
  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (index: Int, offset: Double)?
}

/// A store at one revision, pinned.
package protocol StoredSource: AnyObject, Sendable {}
