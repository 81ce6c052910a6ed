public import ListModel
import ListStore

// Measured sizes, for code that measures otherwise than the adapters do.
extension LiveList {
  /// Keeps measured sizes of items; a size for the same item and key is replaced.
  ///
  /// One write transaction. Sizes are a cache: they are not logged and make no revision. Sizes of
  /// items that the list no longer has are ignored.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/invalidValue`` if a length
  ///   is not finite, negative or beyond 1,000,000 points, or if the key fits no pixel. No size is
  ///   kept then.
  public func save(_ sizes: [MeasuredSize], for key: SizeKey) throws(StoreError) {
    try repository.save(sizes, for: key, in: id)
  }

  /// Keeps measured sizes of headers, footers and other views of sections.
  ///
  /// Otherwise as for items. They are deleted with the view or its section.
  ///
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/invalidValue``, as for
  ///   items.
  public func save(_ sizes: [MeasuredSupplementarySize], for key: SizeKey) throws(StoreError) {
    try repository.save(sizes, for: key, in: id)
  }

  /// The stored size of each item for a key; items without a size are left out.
  ///
  /// - Parameters:
  ///   - key: The key that the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  /// - Returns: `exact` or `estimate` by item. An item that was measured only for other keys has
  ///   the size for the nearest key as an estimate.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*n*), *n* items.
  public func sizes(
    for key: SizeKey, measurerVersion: Int? = nil
  ) throws(StoreError) -> [ItemID: SizeAnswer] {
    try repository.sizes(of: id, for: key, measurerVersion: measurerVersion)
  }

  /// The stored size of each header, footer and other view of the sections for a key; views without a
  /// size are left out.
  ///
  /// - Parameters:
  ///   - key: The key that the sizes must hold for.
  ///   - measurerVersion: The version of the code that measures now; `nil` for any.
  /// - Returns: `exact` or `estimate` by section and kind, as for items.
  /// - Throws: ``/ListModel/StoreError`` with ``/ListModel/StoreError/Code/listNotFound``.
  /// - Complexity: O(*s*), *s* sections.
  public func supplementarySizes(
    for key: SizeKey, measurerVersion: Int? = nil
  ) throws(StoreError) -> [SectionID: [Supplementary.Kind: SizeAnswer]] {
    try repository.supplementarySizes(of: id, for: key, measurerVersion: measurerVersion)
  }
}
