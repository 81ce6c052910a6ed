public import ListModel

/// Something that happens to an item, a header or a footer: what a user does to it, or that it
/// comes on display.
public struct ItemEvent: Hashable, Sendable {
  /// The event's name.
  public let name: String

  /// A tap that selects the item.
  public static let select = ItemEvent(name: "select")
  /// A tap that deselects the item.
  public static let deselect = ItemEvent(name: "deselect")
  /// The choice of an entry of the item's menu.
  public static func menu(_ name: String) -> ItemEvent { ItemEvent(name: "menu:" + name) }
  /// The use of a control inside the cell; see ``ListItem/bind(_:send:)``.
  public static func control(_ name: String) -> ItemEvent { ItemEvent(name: controlPrefix + name) }
  /// The cell comes on display, for instance to count impressions.
  ///
  /// An item whose content changes on display stays there. Costs nothing without a handler.
  public static let willDisplay = ItemEvent(name: "willDisplay")
  /// The cell left the display; the item may be deleted by then.
  public static let didEndDisplaying = ItemEvent(name: "didEndDisplaying")

  private static let controlPrefix = "control:"

  /// The name of the control that was used; `nil` for another event.
  var control: String? {
    name.hasPrefix(Self.controlPrefix) ? String(name.dropFirst(Self.controlPrefix.count)) : nil
  }
}

/// The item of an event, as it was when the event happened.
public struct ItemContext: Sendable {
  /// The list that has the item.
  public let list: ListID
  /// The item that owns the list, if it is a nested one; `nil` for other lists.
  ///
  /// For an event of a book, it is the book's shelf.
  public let owner: ListOwner?
  /// The item.
  public let id: ItemID
  /// The item's path in the list; `nil` if the item was deleted meanwhile.
  public let path: ItemPath?
  /// What the event does, as data: see ``ListItem/action(for:)``.
  ///
  /// For a tap on an item that can't be decoded, or whose value has no action, it is the action
  /// that is stored with the item.
  public let action: Action?
  /// The value of the control that the user used, as in ``ControlEvent``; `nil` for other events.
  public let value: (any Sendable)?

  /// The item of an event.
  package init(
    list: ListID, owner: ListOwner?, id: ItemID, path: ItemPath?, action: Action? = nil,
    value: (any Sendable)? = nil
  ) {
    self.list = list
    self.owner = owner
    self.id = id
    self.path = path
    self.action = action
    self.value = value
  }
}
