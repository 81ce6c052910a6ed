public import ListModel

/// The item types of an app, by their stored names.
///
/// They decode stored items.
///
/// An item of an unknown type, or with content that can't be decoded, is an error for this item
/// alone; the rest of the list works.
public struct ItemTypes: Sendable, ExpressibleByArrayLiteral {
  private var types: [TypeName: any ListItem.Type] = [:]
  /// The item type of each cell that shows only one type.
  private var typesOfCells: [CellName: any ListItem.Type] = [:]
  private var ambiguousCells: Set<CellName> = []
  private var measurerVersions: [CellName: Int] = [:]
  private var aliases: [TypeName: TypeName] = [:]
  /// Whether the sizes of a type depend on the item's place.
  package private(set) var hasSizesByPlace = false
  /// Whether the cells of a type size themselves on display.
  package private(set) var hasSizesOnDisplay = false
  /// Whether items of a type have decorations.
  package private(set) var haveDecorations = false
  /// Why these types can't be told apart in a store; `nil` if they can.
  ///
  /// A list with such types throws it whenever it is read or edited.
  public private(set) var ambiguity: ItemTypeError?

  /// Item types.
  ///
  /// Two of them must not have one ``ListItem/typeName``: see ``ambiguity``.
  public init(_ types: [any ListItem.Type] = []) {
    for type in types {
      if let other = self.types[type.typeName], other != type {
        ambiguity = ambiguity ?? .ambiguousName(type.typeName, other, type)
      }
      add(type)
    }
  }

  /// Item types.
  ///
  /// Two of them must not have one ``ListItem/typeName``: see ``ambiguity``.
  public init(arrayLiteral types: any ListItem.Type...) { self.init(types) }

  /// Adds a type, or replaces the one with its name.
  public mutating func add(_ type: any ListItem.Type) {
    types[type.typeName] = type
    for alias in type.aliases { aliases[alias] = type.typeName }
    hasSizesByPlace = types.values.contains { $0.sizeDependsOnPlace }
    hasSizesOnDisplay = types.values.contains { $0.measuring == .onDisplay }
    haveDecorations = types.values.contains { !$0.decorationViews.isEmpty }
    for cell in type.cells.keys {
      if let other = typesOfCells[cell], other != type { ambiguousCells.insert(cell) }
      typesOfCells[cell] = type
      measurerVersions[cell] = types.values.reduce(0) {
        $0 &+ ($1.cells[cell] == nil ? 0 : $1.measurerVersion &+ max(1, $1.sizesHoldSince) &- 1)
      }
    }
  }

  /// These types, and another one if none has its name.
  package func adding(_ type: any ListItem.Type) -> ItemTypes {
    if self.type(named: type.typeName) != nil { return self }
    var types = self
    types.add(type)
    return types
  }

  /// Whether there are none.
  package var isEmpty: Bool { types.isEmpty }

  /// All types, sorted by name.
  public var all: [any ListItem.Type] { types.sorted { $0.key < $1.key }.map(\.value) }

  /// The type of a stored item: the one that it names.
  ///
  /// If it names none, the type of its cell, provided that the cell shows only one.
  public func type(of item: Item) -> (any ListItem.Type)? {
    if let name = item.state.type { return type(named: name) }
    let cell = item.state.cell
    return ambiguousCells.contains(cell) ? nil : typesOfCells[cell]
  }

  /// The type with a stored name, which may be an earlier one, or end in a version.
  package func type(named name: TypeName) -> (any ListItem.Type)? {
    func exactly(_ name: TypeName) -> (any ListItem.Type)? {
      types[name] ?? aliases[name].flatMap { types[$0] }
    }
    return exactly(name) ?? name.nameAndVersion.flatMap { exactly($0.name) }
  }

  /// The cells that show items of one type alone.
  package func cells(ofOnly type: any ListItem.Type) -> Set<CellName> {
    Set(type.cells.keys).subtracting(ambiguousCells)
  }

  /// Checks that a list with these types can show a value; without any types it shows what it has.
  ///
  /// - Throws: ``ItemTypeError``.
  package func requireKnown(_ value: any ListItem, item: ItemID) throws(ItemTypeError) {
    let type = Swift.type(of: value)
    if types.isEmpty || types[type.typeName] == type { return }
    if let other = types[type.typeName] { throw .ambiguousName(type.typeName, other, type) }
    throw .unknownType(type.typeName, cell: value.cellName, item: item)
  }

  /// The version of the code that measures a cell: the sum of the versions of all types that the
  /// cell shows, ``ListItem/sizesHoldSince`` included.
  ///
  /// If one of them changes, sizes that were measured with the cell become estimates. 1 for a cell
  /// that shows no type.
  ///
  /// `cell`: The name under which the cell is registered. An adapter finds it for items that are
  /// stored with an alias, or whose cell is that of their type.
  public func measurerVersion(of cell: CellName) -> Int { measurerVersions[cell] ?? 1 }

  /// The value of a stored item.
  ///
  /// - Throws: ``ItemTypeError``.
  public func value(of item: Item) throws(ItemTypeError) -> any ListItem {
    guard let type = type(of: item) else {
      throw .unknownType(item.state.type, cell: item.state.cell, item: item.id)
    }
    do { return try item.value(as: type) } catch let error as ItemTypeError { throw error } catch {
      throw .unreadable(type.typeName, item: item.id, why: "\(error)")
    }
  }
}

extension ItemTypes {
  /// The decorations of a stored item, of each view the first; none of an item that can't be decoded.
  package func decorations(of item: Item) -> [Decoration] {
    guard haveDecorations, let type = type(of: item), !type.decorationViews.isEmpty,
      let value = try? value(of: item)
    else { return [] }
    var views: Set<ViewName> = []
    return value.decorations.filter { views.insert($0.view).inserted }
  }
}

extension ViewRegistry {
  /// Registers the cells and the decorations of item types.
  public mutating func register(_ types: [any ListItem.Type]) {
    for type in types {
      for (cell, source) in type.cells { register(cell, source) }
      for (view, source) in type.decorationViews {
        register(view, kind: Self.itemDecorationKind, source)
      }
      if let only = type.cells.keys.first, type.cells.count == 1 {
        for name in [type.typeName] + type.aliases { map(name, to: only) }
      }
    }
  }
}

extension ListItem {
  /// Shows the item in a cell of any class.
  ///
  /// - Throws: ``ItemTypeError/wrongCell(_:item:cell:)`` if the cell is not a `Cell` of this type.
  @MainActor public func configure(anyCell cell: AnyObject) throws(ItemTypeError) {
    guard let cell = cell as? Cell else {
      throw .wrongCell(Self.typeName, item: "\(id)", cell: "\(type(of: cell))")
    }
    configure(cell)
  }

  /// Shows a state of the item in a cell that shows the item.
  @MainActor package func configure(anyCell cell: AnyObject, with state: any Sendable) {
    if let cell = cell as? Cell { configure(cell, with: state) }
  }

  /// Binds a cell of any class; nothing for one that is not a `Cell` of this type.
  @MainActor package func bind(
    anyCell cell: AnyObject, send: @escaping @MainActor (ControlEvent) -> Void
  ) {
    if let cell = cell as? Cell { bind(cell, send: send) }
  }

  /// Unbinds a cell that ``bind(anyCell:send:)`` bound.
  @MainActor package func unbind(anyCell cell: AnyObject) {
    if let cell = cell as? Cell { unbind(cell) }
  }
}

/// The reason why a stored item can't be decoded or shown.
public enum ItemTypeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The app has no type with the stored name; or the item names no type, and its cell shows not
  /// exactly one.
  case unknownType(TypeName?, cell: CellName, item: ItemID)
  /// The content can't be decoded as the type.
  case unreadable(TypeName, item: ItemID, why: String)
  /// The content is of a later version than the app knows.
  case newerContent(TypeName, version: Int, item: ItemID, known: Int)
  /// ``ListItem/upgrade(_:from:)`` threw.
  case upgradeFailed(TypeName, from: Int, item: ItemID, why: String)
  /// The cell that was dequeued can't show items of the type.
  case wrongCell(TypeName, item: String, cell: String)
  /// Two Swift types have one name in stores, so that each would decode items of the other.
  case sameName(TypeName, types: [String])

  /// The error for two types of one name.
  static func ambiguousName(
    _ name: TypeName, _ one: any ListItem.Type, _ other: any ListItem.Type
  ) -> ItemTypeError {
    .sameName(name, types: [String(reflecting: one), String(reflecting: other)])
  }

  /// The type whose value can't be had from the content; `nil` for other errors.
  var unreadableType: TypeName? {
    switch self {
    case .unreadable(let type, _, _), .newerContent(let type, _, _, _),
      .upgradeFailed(let type, _, _, _):
      type
    case .unknownType, .wrongCell, .sameName: nil
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unknownType(let type?, _, let item):
      "item \"\(item)\" is of type \"\(type)\", which the app does not name among its item types; add "
        + "it, or name it in the `aliases` of the type that it is now"
    case .unknownType(nil, let cell, let item):
      "item \"\(item)\" names no type, and no single type of the app is shown by cell \"\(cell)\""
    case .unreadable(let type, let item, let why):
      "the content of item \"\(item)\" is not that of a \"\(type)\": \(why)"
    case .newerContent(let type, let version, let item, let known):
      "the content of item \"\(item)\" is version \(version) of \"\(type)\", and the app knows "
        + "version \(known); a newer version of the app can show it"
    case .upgradeFailed(let type, let version, let item, let why):
      "the content of item \"\(item)\" can't be upgraded from version \(version) of \"\(type)\": "
        + "\(why); the item stays as it is until `upgrade` takes it"
    case .wrongCell(let type, let item, let cell):
      "item \"\(item)\" of type \"\(type)\" can't be shown by a \(cell); register the class that the "
        + "type's `Cell` is"
    case .sameName(let name, let types):
      "\(types.joined(separator: " and ")) are both stored as type \"\(name)\"; give one of them a "
        + "`typeName` of its own"
    }
  }
}
