public import ListModel

/// A section in a ``ListBuilder``: its id, attributes and items.
///
/// ```swift
/// ListSection("today", header: try Supplementary(Title("Today"))) {
///   Book(id: "emma", title: "Emma")
///   for book in more { book }
///   if showsAd { Ad(id: "ad") }
/// }
/// ```
///
/// Its items are encoded when it is stored.
public struct ListSection: Sendable {
  /// Unique among the sections of the list.
  public var id: SectionID
  /// Its layout, header, footer and meta.
  public var attributes: SectionAttributes
  /// In the order in which the view shows them.
  public var items: [ListElement]

  /// A section of items.
  ///
  /// - Parameters:
  ///   - id: Unique among the sections of the list.
  ///   - attributes: Its layout, header, footer and meta.
  ///   - items: Its items, in their order.
  public init(
    _ id: SectionID, _ attributes: SectionAttributes,
    @ItemBuilder items: () throws -> [ListElement]
  ) rethrows {
    self.id = id
    self.attributes = attributes
    self.items = try items()
  }

  /// A section of items.
  ///
  /// - Parameters:
  ///   - id: Unique among the sections of the list.
  ///   - layout: How its items are laid out.
  ///   - header: The view before the items.
  ///   - footer: The view after the items.
  ///   - meta: The app's own data about the section.
  ///   - items: Its items, in their order.
  public init(
    _ id: SectionID, layout: SectionLayout? = nil, header: Supplementary? = nil,
    footer: Supplementary? = nil, meta: JSON? = nil,
    @ItemBuilder items: () throws -> [ListElement]
  ) rethrows {
    let attributes = SectionAttributes(layout: layout, header: header, footer: footer, meta: meta)
    try self.init(id, attributes, items: items)
  }

  /// A section without items.
  public init(_ id: SectionID, _ attributes: SectionAttributes = .init()) {
    self.init(id, attributes) {}
  }

  /// A stored section, as it is.
  public init(_ section: ListTree.Section) {
    id = section.id
    attributes = section.attributes
    items = section.items.map(ListElement.init)
  }
}

/// An item in an ``ItemBuilder``: a value of the app, or a stored item.
public struct ListElement: Sendable {
  private enum Form: Sendable {
    case value(any ListItem)
    case stored(Item)
  }

  private let form: Form

  /// Refuses a value that a list can't show.
  package typealias RequireKnown = (any ListItem, ItemID) throws(ItemTypeError) -> Void

  /// A value of the app.
  public init(_ value: some ListItem) { form = .value(value) }

  /// A stored item.
  public init(_ item: Item) { form = .stored(item) }

  /// The item in its stored form.
  ///
  /// `requireKnown`: Refuses a value that the list can't show.
  ///
  /// - Throws: ``ListBuildError/invalidItem(_:section:why:)``.
  package func item(
    in section: SectionID, _ requireKnown: RequireKnown
  ) throws(ListBuildError) -> Item {
    switch form {
    case .stored(let item): return item
    case .value(let value):
      do {
        let item = try Item(value)
        try requireKnown(value, item.id)
        return item
      } catch {
        throw .invalidItem("\(value.id)", section: section, why: "\(error)")
      }
    }
  }
}
