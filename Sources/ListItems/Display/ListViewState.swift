public import ListModel

/// What a screen shows of a list besides the list: its selection, and where it was scrolled to.
///
/// By identity, so that it survives what happens to the list, and a relaunch.
public struct ListViewState: Hashable, Sendable, Codable {
  /// Which items are selected.
  public var selection: ItemSelection
  /// Where it was scrolled to; `nil`: nowhere yet.
  public var anchor: ScrollAnchor?

  /// A state; without arguments, that of a screen that was not shown yet.
  public init(selection: ItemSelection = ItemSelection(), anchor: ScrollAnchor? = nil) {
    self.selection = selection
    self.anchor = anchor
  }
}

/// Where a screen was scrolled to: an item, and where it was to be seen.
///
/// Unlike a content offset it holds when items before it come, go or change their size.
public struct ScrollAnchor: Hashable, Sendable, Codable {
  /// The item; usually the first that is to be seen.
  public var item: ItemID
  /// How far the item's leading edge is from the top of what is to be seen, along the direction of
  /// scrolling, in points; negative where it is scrolled past the top.
  public var offset: Double

  /// An anchor.
  public init(item: ItemID, offset: Double = 0) {
    self.item = item
    self.offset = offset
  }
}
