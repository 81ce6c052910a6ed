public import ListModel

/// What a screen keeps beside the list: the selection and the scroll position.
///
/// Both name items by id, so they survive changes of the list and a relaunch.
public struct ListViewState: Hashable, Sendable, Codable {
  /// The selected items.
  public var selection: ItemSelection
  /// The scroll position; `nil` before the screen was scrolled.
  public var anchor: ListViewState.Anchor?

  /// A state; without arguments, of a screen that was never shown.
  public init(selection: ItemSelection = ItemSelection(), anchor: ListViewState.Anchor? = nil) {
    self.selection = selection
    self.anchor = anchor
  }
}

extension ListViewState {
  /// A scroll position: an item, and where it stands on screen.
  ///
  /// Unlike a content offset, it stays right when items before it are inserted, deleted or resized.
  public struct Anchor: Hashable, Sendable, Codable {
    /// The item; usually the first one on screen.
    public var item: ItemID
    /// The distance from the top of the visible area to the item's leading edge, along the scroll
    /// direction, in points; negative if the edge is scrolled past the top.
    ///
    /// For a gap, it is in lines of the items that are missing.
    public var offset: Double

    /// An anchor.
    public init(item: ItemID, offset: Double = 0) {
      self.item = item
      self.offset = offset
    }
  }
}
