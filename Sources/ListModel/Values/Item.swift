/// An item of a list: the data of one cell.
public struct Item: Hashable, Sendable, Identifiable {
  /// Unique among all items of the list.
  public let id: ItemID
  /// The content and the cell.
  public var state: ItemState

  /// An item with a state.
  public init(id: ItemID, state: ItemState) {
    self.id = id
    self.state = state
  }

  /// A new item, with content revision 0.
  public init(
    id: ItemID, cell: CellName, content: JSON, type: TypeName? = nil, action: Action? = nil
  ) {
    self.init(
      id: id, state: ItemState(cell: cell, content: content, type: type, action: action))
  }
}

/// The data of an item besides its id and its place.
public struct ItemState: Hashable, Sendable {
  /// The name of the cell that shows the item.
  public var cell: CellName
  /// The item's own data.
  public var content: JSON
  /// The name of the Swift type that the content decodes to; `nil` if the cell determines it.
  public var type: TypeName?
  /// The action of a tap.
  public var action: Action?
  /// How often the state has changed since the item was inserted.
  ///
  /// A size that was measured at another content revision is an estimate.
  public var contentRevision: Int

  /// A state; a new item has content revision 0.
  public init(
    cell: CellName, content: JSON, type: TypeName? = nil, action: Action? = nil,
    contentRevision: Int = 0
  ) {
    self.cell = cell
    self.content = content
    self.type = type
    self.action = action
    self.contentRevision = contentRevision
  }

  /// Whether both look the same.
  ///
  /// Contents are compared by meaning, see ``JSON``. The content revision is ignored.
  public func isEquivalent(to other: ItemState) -> Bool {
    cell == other.cell && type == other.type
      && content.isEquivalent(to: other.content)
      && action.isEquivalent(to: other.action)
  }
}

/// What a tap or another event leads to, as data that a store keeps.
///
/// An item's value can have any number of them: an action is Codable.
public struct Action: Hashable, Sendable, Codable {
  /// The destination.
  public var url: String?
  /// The name of the event for analytics.
  public var event: String?
  /// Other data of the action.
  public var attrs: JSON?

  /// An action of the given parts.
  public init(url: String? = nil, event: String? = nil, attrs: JSON? = nil) {
    self.url = url
    self.event = event
    self.attrs = attrs
  }

  /// Compares texts by their bytes.
  public static func == (lhs: Action, rhs: Action) -> Bool {
    lhs.url.hasSameBytes(as: rhs.url) && lhs.event.hasSameBytes(as: rhs.event)
      && lhs.attrs == rhs.attrs
  }

  /// Hashes texts by their bytes.
  public func hash(into hasher: inout Hasher) {
    for text in [url, event] {
      hasher.combine(text != nil)
      hasher.combine(bytesOf: text ?? "")
    }
    hasher.combine(attrs)
  }
}

extension Optional<Action> {
  fileprivate func isEquivalent(to other: Action?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.url.hasSameBytes(as: other.url) && self.event.hasSameBytes(as: other.event)
      && self.attrs.isEquivalent(to: other.attrs)
  }
}

extension Optional<String> {
  fileprivate func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.hasSameBytes(as: other)
  }
}
