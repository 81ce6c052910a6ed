package import ListModel

/// The items of a list in a store, at the revision of a Provider; an item is in memory once it was
/// asked for.
///
/// The methods answer the Provider's methods of the same names. Each gets the Provider that asks,
/// for its section ids and the order of its items, and only paths and indexes that the Provider
/// has. While the store holds a lock, it must not call methods of the Provider that ask for items.
/// If a read fails, the answer is `nil`, and ``failureCount`` grows.
package protocol StoredItems: AnyObject, Sendable {
  /// How many reads have failed, also at the earlier revisions of the same Provider.
  var failureCount: Int { get }

  // MARK: Questions

  /// Reads the block of the item, unless it was read before.
  func itemID(at path: ItemPath, in list: Provider) -> ItemID?
  /// Reads the block of the item, unless it was read before.
  func cell(at path: ItemPath, in list: Provider) -> (cell: CellName, contentRevision: Int)?
  /// Reads the block of the item, unless it was read before; the row of its content in the store, which
  /// no other content has.
  func contentRow(at path: ItemPath, in list: Provider) -> Int?
  /// Reads the block of the item and the contents near it, unless they are in memory.
  func item(at path: ItemPath, in list: Provider) -> Item?
  /// Reads the path from the store, unless the item's id was asked for lately.
  func path(of id: ItemID, in list: Provider) -> ItemPath?
  /// The attributes of a section that the Provider does not have itself.
  func attributes(of section: SectionID, in list: Provider) -> SectionAttributes?
  /// Reads the blocks of a range of a section's items, and their contents if wanted.
  func prefetch(
    _ range: Range<Int>, inSection index: Int, of list: Provider, withContents: Bool)

  /// The gaps, in no order.
  func gaps(in list: Provider) -> [ItemID]

  // MARK: Other revisions

  /// The hash of an item's id; `nil` if the item is not in memory.
  func loadedHash(of handle: Int32) -> UInt64?
  /// Whether an item has this id; `nil` if the item is not in memory.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool?
  /// The items at another revision, with what is in memory now, until ``begin(forgetting:)``.
  ///
  /// - Returns: `nil` if that is not the newest revision in the store.
  /// - Complexity: O(1); what neither side changes is shared.
  func pinned(at revision: Int, in list: Provider) -> (any StoredItems)?
  /// Forgets the items that have changed or are gone, because the Provider is at the revision now
  /// at which this object was made.
  func begin(forgetting handles: Set<Int32>)

  // MARK: Sizes

  /// Reads the sizes of the item's block for the key, unless they were read before.
  func size(
    at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer
  /// The closure may ask for anything, and keep sizes.
  func forEachSize(
    in range: Range<Int>, ofSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void)
  /// Keeps a size in memory at once, and in the store soon.
  func keep(
    _ size: Size, at path: ItemPath, in list: Provider, for key: SizeKey, measurerVersion: Int
  ) -> Bool
  /// Turns the item's sizes into estimates: in memory at once, in the store soon.
  func setNeedsLayout(at path: ItemPath, in list: Provider)
  /// Turns all sizes of the section into estimates: in memory at once, in the store soon.
  func setNeedsLayout(ofSection index: Int, of list: Provider)
  /// Reads the size of a section's view, unless it was read before.
  func size(
    of kind: Supplementary.Kind, inSection index: Int, of list: Provider, for key: SizeKey,
    measurerVersion: Int?
  ) -> SizeAnswer
  /// Keeps the size of a section's view in memory at once, and in the store soon.
  func keep(
    _ size: Size, of kind: Supplementary.Kind, inSection index: Int, of list: Provider,
    for key: SizeKey, measurerVersion: Int
  ) -> Bool
  /// Turns the sizes of a section's view into estimates: in memory at once, in the store soon.
  func setNeedsLayout(of kind: Supplementary.Kind, inSection index: Int, of list: Provider)
  /// Sums that the store keeps, with the sizes that were kept here since.
  func extent(ofSection index: Int, of list: Provider, for key: SizeKey) -> SectionExtent?
  /// `estimate`: At least 0. The section has items.
  func item(
    atOffset offset: Double, inSection index: Int, of list: Provider, for key: SizeKey,
    estimate: Double
  ) -> (path: ItemPath, offset: Double)?
}
