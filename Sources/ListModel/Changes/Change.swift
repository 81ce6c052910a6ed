/// One mutation of a list; all mutations are changes.
///
/// A change names sections and items by their ids, and places by a ``Place``. The changes of a
/// commit apply one after another, each to the list after the change before it.
/// ``ListTree/apply(_:)-(Change)`` defines the effect and the errors of each.
public enum Change: Hashable, Sendable {
  /// Sets the app's own data about the list; `nil` or JSON's `null` removes it.
  case updateList(meta: JSON?)
  /// Inserts an empty section.
  case insertSection(SectionID, SectionAttributes = .init(), at: Place<SectionID> = .end)
  /// Deletes a section with all its items.
  case deleteSection(SectionID)
  /// Moves a section with all its items.
  case moveSection(SectionID, to: Place<SectionID>)
  /// Changes some of a section's attributes.
  case updateSection(SectionID, SectionUpdate)
  /// Inserts an item; its content revision becomes 0.
  case insertItem(Item, in: SectionID, at: Place<ItemID> = .end)
  /// Deletes an item.
  case deleteItem(ItemID)
  /// Moves an item to another place, in the given section or, if that is `nil`, in its own.
  case moveItem(ItemID, in: SectionID? = nil, to: Place<ItemID>)
  /// Changes some of an item's state.
  case updateItem(ItemID, ItemUpdate)
  /// Makes views draw an item again, although its content is the same.
  case touchItem(ItemID)
}

extension Change {
  /// The item and the section that it is about.
  package var names: (item: ItemID?, section: SectionID?) {
    switch self {
    case .updateList: (nil, nil)
    case .insertSection(let id, _, _), .deleteSection(let id), .moveSection(let id, _),
      .updateSection(let id, _):
      (nil, id)
    case .insertItem(let item, let section, _): (item.id, section)
    case .moveItem(let id, let section, _): (id, section)
    case .deleteItem(let id), .updateItem(let id, _), .touchItem(let id): (id, nil)
    }
  }
}

/// The place of a section in its list, or of an item in its section.
///
/// In a move, the moved section or item is not counted.
public enum Place<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Before all others.
  case start
  /// After all others.
  case end
  /// Right after another section or item.
  case after(ID)
  /// Right before another section or item.
  case before(ID)
  /// At an index in `0...count`.
  case index(Int)
}

/// A field of an update: either unchanged or set to a value.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The field stays as it is.
  case unchanged
  /// The field gets a value.
  case set(Value)

  package func apply(to value: inout Value) { if case .set(let new) = self { value = new } }
}

/// The section attributes that a change sets; `.set(nil)` removes one.
public struct SectionUpdate: Hashable, Sendable {
  /// The layout, as a whole; an empty one removes it.
  public var layout: FieldUpdate<SectionLayout?> {
    didSet { if layout == .set(SectionLayout()) { layout = .set(nil) } }
  }
  /// The header, as a whole.
  public var header: FieldUpdate<Supplementary?>
  /// The footer, as a whole.
  public var footer: FieldUpdate<Supplementary?>
  /// The app's own data; JSON's `null` removes it, too.
  public var meta: FieldUpdate<JSON?> {
    didSet { if meta == .set(JSON.null) { meta = .set(nil) } }
  }
  /// Whether views show the section.
  public var visibility: FieldUpdate<SectionAttributes.Visibility>
  /// All supplementary views besides header and footer.
  ///
  /// A header or a footer in the dictionary moves to its property; one that is not in it stays.
  public var supplementaries: FieldUpdate<[Supplementary.Kind: Supplementary]> {
    didSet { settleHeaderAndFooter() }
  }
  /// The decorations, all of them.
  public var decorations: FieldUpdate<[Decoration]>

  /// An update of the given fields; the others stay as they are.
  public init(
    layout: FieldUpdate<SectionLayout?> = .unchanged,
    header: FieldUpdate<Supplementary?> = .unchanged,
    footer: FieldUpdate<Supplementary?> = .unchanged, meta: FieldUpdate<JSON?> = .unchanged,
    visibility: FieldUpdate<SectionAttributes.Visibility> = .unchanged,
    supplementaries: FieldUpdate<[Supplementary.Kind: Supplementary]> = .unchanged,
    decorations: FieldUpdate<[Decoration]> = .unchanged
  ) {
    self.layout = layout == .set(SectionLayout()) ? .set(nil) : layout
    self.header = header
    self.footer = footer
    self.meta = meta == .set(JSON.null) ? .set(nil) : meta
    self.visibility = visibility
    self.supplementaries = supplementaries
    self.decorations = decorations
    settleHeaderAndFooter()
  }

  /// Moves a header and a footer out of ``supplementaries``; removing them calls this once more.
  private mutating func settleHeaderAndFooter() {
    guard case .set(var views) = supplementaries else { return }
    let (newHeader, newFooter) = (views[.header], views[.footer])
    if newHeader == nil, newFooter == nil { return }
    if let newHeader { header = .set(newHeader) }
    if let newFooter { footer = .set(newFooter) }
    views[.header] = nil
    views[.footer] = nil
    supplementaries = .set(views)
  }

  func applied(to old: SectionAttributes) -> SectionAttributes {
    var new = old
    layout.apply(to: &new.layout)
    header.apply(to: &new.header)
    footer.apply(to: &new.footer)
    meta.apply(to: &new.meta)
    visibility.apply(to: &new.visibility)
    supplementaries.apply(to: &new.supplementaries)
    decorations.apply(to: &new.decorations)
    return new
  }
}

/// The parts of an item's state that a change sets; `.set(nil)` removes one.
public struct ItemUpdate: Hashable, Sendable {
  /// The cell; a change makes views reload the item.
  public var cell: FieldUpdate<CellName>
  /// The content, as a whole.
  public var content: FieldUpdate<JSON>
  /// The type that the content decodes to.
  public var type: FieldUpdate<TypeName?>
  /// The action of a tap, as a whole.
  public var action: FieldUpdate<Action?>

  /// An update of the given fields; the others stay as they are.
  public init(
    cell: FieldUpdate<CellName> = .unchanged, content: FieldUpdate<JSON> = .unchanged,
    type: FieldUpdate<TypeName?> = .unchanged, action: FieldUpdate<Action?> = .unchanged
  ) {
    self.cell = cell
    self.content = content
    self.type = type
    self.action = action
  }

  func applied(to old: ItemState) -> ItemState {
    var new = old
    cell.apply(to: &new.cell)
    content.apply(to: &new.content)
    type.apply(to: &new.type)
    action.apply(to: &new.action)
    if !new.isEquivalent(to: old), old.contentRevision < .max { new.contentRevision += 1 }
    return new
  }
}
