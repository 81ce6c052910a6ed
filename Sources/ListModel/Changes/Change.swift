/// One mutation of a list.
///
/// A `Change` is the only way anything in a list changes.
///
/// It names what it changes by identity and says where things go by a ``Place``; the changes of one
/// commit apply one after another, each to the list that the one before left.
/// ``ListTree/apply(_:)-(Change)`` defines what each does and how it can be wrong.
public enum Change: Hashable, Sendable {
  /// Inserts an empty section.
  case insertSection(SectionID, SectionAttributes = .init(), at: Place<SectionID> = .end)
  /// Deletes a section with all its items.
  case deleteSection(SectionID)
  /// Moves a section with all its items.
  case moveSection(SectionID, to: Place<SectionID>)
  /// Changes some of a section's attributes.
  case updateSection(SectionID, SectionUpdate)
  /// Inserts an item; its content revision starts at 0, whatever the item says.
  case insertItem(Item, in: SectionID, at: Place<ItemID> = .end)
  /// Deletes an item.
  case deleteItem(ItemID)
  /// Moves an item to another place, in another section or, where `section` is `nil`, in its own.
  case moveItem(ItemID, in: SectionID? = nil, to: Place<ItemID>)
  /// Changes some of an item's state.
  case updateItem(ItemID, ItemUpdate)
  /// Draws an item again, its content unchanged.
  case touchItem(ItemID)
}

/// Where something goes, among the siblings that it will have.
///
/// For a move, the moved one is not counted.
public enum Place<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Before all.
  case start
  /// After all.
  case end
  /// Right after a sibling.
  case after(ID)
  /// Right before a sibling.
  case before(ID)
  /// At an index in `0...count`.
  case index(Int)
}

/// A field of an update: left as it is, or set.
public enum FieldUpdate<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The field stays as it is.
  case unchanged
  /// The field gets a value.
  case set(Value)

  package func apply(to value: inout Value) { if case .set(let new) = self { value = new } }
}

/// The attributes that a change sets; `nil` inside `.set` removes.
public struct SectionUpdate: Hashable, Sendable {
  /// The layout, as a whole.
  public var layout: FieldUpdate<SectionLayout?>
  /// The header, as a whole.
  public var header: FieldUpdate<Supplementary?>
  /// The footer, as a whole.
  public var footer: FieldUpdate<Supplementary?>
  /// The app's own data; `null` removes it too.
  public var meta: FieldUpdate<JSON?>
  /// Whether a view is shown it.
  public var visibility: FieldUpdate<SectionVisibility>
  /// The further supplementaries, all of them; a header or a footer among them is set too, and one
  /// that is not among them stays.
  public var supplementaries: FieldUpdate<[Supplementary.Kind: Supplementary]>
  /// The decorations, all of them.
  public var decorations: FieldUpdate<[Decoration]>

  /// An update of the given fields; the others stay as they are.
  public init(
    layout: FieldUpdate<SectionLayout?> = .unchanged,
    header: FieldUpdate<Supplementary?> = .unchanged,
    footer: FieldUpdate<Supplementary?> = .unchanged, meta: FieldUpdate<JSON?> = .unchanged,
    visibility: FieldUpdate<SectionVisibility> = .unchanged,
    supplementaries: FieldUpdate<[Supplementary.Kind: Supplementary]> = .unchanged,
    decorations: FieldUpdate<[Decoration]> = .unchanged
  ) {
    self.layout = layout
    self.header = header
    self.footer = footer
    self.meta = meta
    self.visibility = visibility
    self.supplementaries = supplementaries
    self.decorations = decorations
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

/// The parts of an item's state that a change sets; `nil` inside `.set` removes.
public struct ItemUpdate: Hashable, Sendable {
  /// The cell; another one makes the view load the item again.
  public var cell: FieldUpdate<CellName>
  /// The content, as a whole.
  public var content: FieldUpdate<JSON>
  /// The type that the content decodes to.
  public var type: FieldUpdate<TypeName?>
  /// What a tap does, as a whole.
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
