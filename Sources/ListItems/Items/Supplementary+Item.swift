public import ListModel

extension Supplementary {
  /// An item type as a type of headers and footers, whose views are the item's cells.
  ///
  /// ```swift
  /// let shelf = repository.liveList(
  ///   "shelf", items: [Book.self], supplementaries: [Supplementary.Of<Book>.self])
  /// try shelf.edit { list in
  ///   try list.updateSection("today") { $0.header = try Supplementary(book) }
  /// }
  /// ```
  ///
  /// In a collection view any cell class can show a section's header. A table shows cells in rows
  /// only: register a `UITableViewHeaderFooterView` for its headers. A type with several cells has
  /// the first of them by name.
  public struct Of<Value: ListItem>: ListSupplementary {
    /// The item.
    public var value: Value

    /// A header or footer that shows an item.
    public init(_ value: Value) { self.value = value }

    /// Decodes the item.
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    /// Encodes the item.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    /// The name of the item's cell.
    public static var viewName: ViewName {
      ViewName(stringLiteral: Value.cells.keys.min()?.rawValue ?? Value.typeName.rawValue)
    }

    /// The source of the item's cell.
    public static var source: ViewSource? { Value.cells.keys.min().flatMap { Value.cells[$0] } }

    /// The item's.
    public static var contentDefaults: JSON.Members { Value.contentDefaults }

    /// Shows the item.
    @MainActor public func configure(_ view: Value.Cell) { value.configure(view) }

    /// As the item connects its cell.
    @MainActor public func bind(
      _ view: Value.Cell, send: @escaping @MainActor (ControlEvent) -> Void
    ) { value.bind(view, send: send) }

    /// As the item disconnects its cell.
    @MainActor public func unbind(_ view: Value.Cell) { value.unbind(view) }

    /// The item's size; its path is that of the section's first item.
    public func size(fitting room: Supplementary.Room) -> Size? {
      value.size(
        fitting: Item.Room(
          length: room.length, axis: room.axis, environment: room.environment,
          section: room.section, path: ItemPath(section: room.sectionIndex, item: 0)))
    }

    /// As the item's.
    public static var sizeDependsOnPlace: Bool { Value.sizeDependsOnPlace }

    /// As the item's cells.
    public static var measuring: ViewMeasuring { Value.measuring }

    /// The item's.
    public static var measurerVersion: Int { Value.measurerVersion }
  }

  /// An item's value as a header or footer.
  ///
  /// The list's supplementaries need the type ``Of``.
  ///
  /// - Throws: What encoding throws.
  public init(_ value: some ListItem) throws { try self.init(Of(value)) }
}
