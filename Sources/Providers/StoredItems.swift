package import ListModel
import ListOrder

/// The items of a Provider that are in a store, of which only those are in memory that were asked
/// for.
///
/// It reads the store at the Provider's revision. What it has read it keeps by the handles of the
/// Provider's outline, which stay with an item wherever it moves; so a later revision keeps what is
/// still true. Contents are kept for a while only.
///
/// Reading can fail: then the answer is `nil`, and ``failureCount`` grows.
package protocol StoredItems: AnyObject, Sendable {
  /// The id of an item.
  ///
  /// `handle`: The item's.
  /// `path`: Where it is.
  /// `section`: The section that it is in.
  /// `order`: The order, to tell which items a block of the store holds.
  func id(
    of handle: Int32, at path: ItemPath, in section: SectionID, _ order: ItemOrder
  ) -> ItemID?
  /// The cell and the content revision of an item; parameters as in ``id(of:at:in:_:)``.
  func cell(
    of handle: Int32, at path: ItemPath, in section: SectionID, _ order: ItemOrder
  ) -> (cell: CellName, contentRevision: Int)?
  /// An item with its content; parameters as in ``id(of:at:in:_:)``.
  func item(
    of handle: Int32, at path: ItemPath, in section: SectionID, _ order: ItemOrder
  ) -> Item?
  /// Where an item is at the revision that is read.
  func path(of id: ItemID) -> ItemPath?
  /// The attributes of a section at the revision that is read.
  func attributes(of section: SectionID) -> SectionAttributes?
  /// Reads the structure of many items at once, and their contents if wanted.
  func load(
    _ range: Range<Int>, of section: SectionID, at index: Int, withContents: Bool,
    _ order: ItemOrder)
  /// The hash of an item's id; `nil` if it is not in memory.
  func loadedHash(of handle: Int32) -> UInt64?
  /// Whether an item has this id; `nil` if it is not in memory.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool?

  /// The same items, to be changed apart from these.
  func copy() -> any StoredItems
  /// The same items, read at a revision that is the store's newest; `nil` if it is not.
  func advanced(to revision: Int) -> (any StoredSource)?
  /// Reads from another revision on, whose commits have a chain, and forgets what is known of some
  /// handles.
  func read(from source: any StoredSource, at chain: UInt64?, forgetting handles: Set<Int32>)
  /// How far a size can be trusted that an item has for a key; parameters as in ``id(of:at:in:_:)``.
  func size(
    of handle: Int32, at path: ItemPath, in section: SectionID, _ order: ItemOrder,
    for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer
  /// Calls a closure with the sizes of a range of a section's items, in order; it may ask for
  /// anything, and keep sizes.
  func forEachSize(
    _ range: Range<Int>, of section: SectionID, at index: Int, _ order: ItemOrder,
    for key: SizeKey, measurerVersion: Int?, _ body: (Int, SizeAnswer) -> Void)
  /// Keeps a size that was just measured: here at once, in the store soon.
  ///
  /// - Returns: Whether the size is one that a view can have.
  func keep(
    _ size: Size, of handle: Int32, at path: ItemPath, in section: SectionID,
    _ order: ItemOrder, for key: SizeKey, measurerVersion: Int
  ) -> Bool
  /// Makes all that is kept of an item's size estimates: here at once, in the store soon.
  func setNeedsLayout(
    of handle: Int32, at path: ItemPath, in section: SectionID, _ order: ItemOrder)
  /// Makes all that is kept of the size of a section's view estimates: here at once, in the store
  /// soon.
  func setNeedsLayout(of kind: Supplementary.Kind, in section: SectionID)
  /// How far a size can be trusted that a section's header, footer or other view has for a key.
  func size(
    of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey, measurerVersion: Int?
  ) -> SizeAnswer
  /// Keeps a size of a section's header, footer or other view that was just measured: here at once, in
  /// the store soon.
  ///
  /// - Returns: Whether the section has such a view.
  func keep(
    _ size: Size, of kind: Supplementary.Kind, in section: SectionID, for key: SizeKey,
    measurerVersion: Int
  ) -> Bool
  /// How long a section's items are together, from the store's sums.
  func extent(of section: SectionID, for key: SizeKey) -> SectionExtent?
  /// The item at a distance from the section's first item, by the store's sums.
  ///
  /// `offset`: In points, along the direction of scrolling.
  /// `estimate`: What an item without a size counts for, in points.
  func item(
    atOffset offset: Double, in section: SectionID, for key: SizeKey, estimate: Double
  ) -> (index: Int, offset: Double)?
  /// Reads that failed.
  var failureCount: Int { get }
}

/// A store at one revision, pinned.
package protocol StoredSource: AnyObject, Sendable {}

/// The order of a Provider's items, by their handles.
package struct ItemOrder: Sendable {
  private let outline: ListOutline

  init(_ outline: ListOutline) { self.outline = outline }

  /// The handle at each path; `nil` where there is no item.
  package func items(at paths: [ItemPath]) -> [Int32?] { outline.items(at: paths) }

  /// Calls a closure with the handles of a range of a section's items, in order: with runs of handles
  /// that follow one another.
  ///
  /// `range`: Indexes of items that are there.
  /// `index`: The section's.
  package func forEachRun(
    of range: Range<Int>, inSection index: Int, _ body: (Range<Int32>) -> Void
  ) {
    outline.forEachRun(of: range, inSection: index) { run in
      body(run.first..<run.first + Int32(run.count))
    }
  }
}
