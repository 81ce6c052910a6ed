/// What a cell shows.
public struct Item: Hashable, Sendable, Identifiable {
  /// Unique among all items of the list.
  public let id: ItemID
  /// What the cell shows, and which cell it is.
  public var state: ItemState

  /// An item with a state, as it is.
  public init(id: ItemID, state: ItemState) {
    self.id = id
    self.state = state
  }

  /// An item that was not changed yet.
  public init(
    id: ItemID, cell: CellName, content: JSON, type: TypeName? = nil, action: Action? = nil
  ) {
    self.init(
      id: id, state: ItemState(cell: cell, content: content, type: type, action: action))
  }
}

/// What an item is besides its identity and its place.
public struct ItemState: Hashable, Sendable {
  /// The cell that shows it.
  public var cell: CellName
  /// The item's own data.
  public var content: JSON
  /// The Swift type that the content decodes to, where the cell does not tell.
  public var type: TypeName?
  /// What a tap does.
  public var action: Action?
  /// How often the state changed since the item was inserted; a size measured at another content
  /// revision is an estimate.
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

  /// Whether a view shows both alike: contents are compared by meaning, see ``JSON``, and the
  /// content revision does not count.
  public func isEquivalent(to other: ItemState) -> Bool {
    cell == other.cell && type == other.type
      && content.isEquivalent(to: other.content)
      && action.isEquivalent(to: other.action)
  }
}

/// What a tap on an item does, as data that survives a relaunch.
public struct Action: Hashable, Sendable {
  /// Where the tap leads.
  public var url: String?
  /// What analytics call it.
  public var event: String?
  /// Anything else that goes with it.
  public var attrs: JSON?

  /// An action of the parts that it has.
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
