public import ListModel

/// The item types of an app, by their names in stores: what makes stored items values again.
///
/// Total: an item of a type that the app does not know, or whose content it can't read, is an error that
/// says which, and the rest of the list goes on.
public struct ItemTypes: Sendable {
  private var types: [TypeName: any ListItem.Type] = [:]
  /// The type of the items that a cell shows, where there is only one.
  private var typesOfCells: [CellName: any ListItem.Type] = [:]
  private var ambiguousCells: Set<CellName> = []
  private var measurerVersions: [CellName: Int] = [:]
  private var aliases: [TypeName: TypeName] = [:]

  /// The types of an app.
  public init(_ types: [any ListItem.Type] = []) { for type in types { add(type) } }

  /// Adds a type; one of the same name is replaced.
  public mutating func add(_ type: any ListItem.Type) {
    types[type.typeName] = type
    for cell in type.cells.keys {
      if let other = typesOfCells[cell], other != type { ambiguousCells.insert(cell) }
      typesOfCells[cell] = type
      measurerVersions[cell] = types.values.reduce(0) {
        $0 &+ ($1.cells[cell] == nil ? 0 : $1.measurerVersion)
      }
    }
  }

  /// All of them, in the order of their names.
  public var all: [any ListItem.Type] { types.sorted { $0.key < $1.key }.map(\.value) }

  /// Lets stores go on that hold an earlier name of a type.
  public mutating func alias(_ old: TypeName, of new: TypeName) { aliases[old] = new }

  /// The type of a stored item: the one that it names, or else the only one that its cell shows.
  public func type(of item: Item) -> (any ListItem.Type)? {
    if let name = item.state.type { return types[name] ?? aliases[name].flatMap { types[$0] } }
    let cell = item.state.cell
    return ambiguousCells.contains(cell) ? nil : typesOfCells[cell]
  }

  /// The version of the code that measures the items that a cell shows.
  ///
  /// The sum of those of all types that the cell shows: another version of one of them makes what was
  /// measured with the cell estimates. 1 for a cell of no type.
  public func measurerVersion(of cell: CellName) -> Int { measurerVersions[cell] ?? 1 }

  /// The value that a stored item was made from.
  ///
  /// - Throws: ``ItemTypeError``.
  public func value(of item: Item) throws(ItemTypeError) -> any ListItem {
    guard let type = type(of: item) else {
      throw .unknownType(item.state.type, cell: item.state.cell, item: item.id)
    }
    do { return try item.value(as: type) } catch {
      throw .unreadable(type.typeName, item: item.id, why: "\(error)")
    }
  }
}

extension ViewRegistry {
  /// Registers the cells of item types.
  public mutating func register(_ types: [any ListItem.Type]) {
    for type in types {
      for (cell, source) in type.cells { register(cell, source) }
      if let only = type.cells.keys.first, type.cells.count == 1 { map(type.typeName, to: only) }
    }
  }
}

extension ListItem {
  /// Shows the item in a cell of any class.
  ///
  /// - Throws: ``ItemTypeError/wrongCell(_:item:cell:)`` if the cell is none that this type is shown by.
  @MainActor public func configure(anyCell cell: AnyObject) throws(ItemTypeError) {
    guard let cell = cell as? Cell else {
      throw .wrongCell(Self.typeName, item: id, cell: "\(type(of: cell))")
    }
    configure(cell)
  }
}

/// Why a stored item can't be shown as what it was.
public enum ItemTypeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No type of the app has the name, or, without one, shows items in the cell alone.
  case unknownType(TypeName?, cell: CellName, item: ItemID)
  /// The content is not what the type encodes.
  case unreadable(TypeName, item: ItemID, why: String)
  /// The cell that was dequeued can't show items of the type.
  case wrongCell(TypeName, item: String, cell: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unknownType(let type?, _, let item):
      "item \"\(item)\" is of type \"\(type)\", which the app does not name among its item types; add "
        + "it, or an alias of it"
    case .unknownType(nil, let cell, let item):
      "item \"\(item)\" names no type, and no single type of the app is shown by cell \"\(cell)\""
    case .unreadable(let type, let item, let why):
      "the content of item \"\(item)\" is not that of a \"\(type)\": \(why)"
    case .wrongCell(let type, let item, let cell):
      "item \"\(item)\" of type \"\(type)\" can't be shown by a \(cell); register the class that the "
        + "type's `Cell` is"
    }
  }
}
