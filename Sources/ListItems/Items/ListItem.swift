public import ListModel

/// An item as an app writes it: a value, of which everything that is encoded is stored.
///
/// A simple cell needs this much:
///
/// ```swift
/// struct Book: ListItem {
///   var id: String, title: String, liked = false
///   func configure(_ cell: BookCell) { cell.show(title, liked: liked) }
/// }
/// ```
///
/// What a store holds are names, of the type and of the cell. They are taken from the Swift types
/// unless the app gives others: which it should before a type that was shipped is renamed.
///
/// Several types may be shown by cells of one class. A type that chooses among cells lists them in
/// ``cells``, says the one in ``cellName``, and has as its `Cell` what they have in common.
public protocol ListItem: Codable, Sendable {
  /// What ``configure(_:)`` takes: a class, or a protocol that cells conform to.
  associatedtype Cell

  /// Unique among all items of the list: 1 to 256 bytes of UTF-8.
  var id: String { get }

  /// The name of this type in stores; the Swift type's, without its module.
  static var typeName: TypeName { get }

  /// The cells that show items of this type, by their names in stores; one of class `Cell`.
  static var cells: [CellName: ViewSource] { get }

  /// The cell that shows this item; the only one of ``cells``.
  var cellName: CellName { get }

  /// What a tap does, as data; nothing.
  var action: Action? { get }

  /// Shows the item in a cell, which may have shown any other before: sets all of it.
  @MainActor func configure(_ cell: Cell)

  /// The size of the cell, where it can be told without one.
  ///
  /// - Parameters:
  ///   - length: The room across the direction of scrolling, in points.
  ///   - environment: What texts are measured for.
  /// - Returns: Points; `nil`, as it is unless the type says more, where a cell has to be asked.
  func size(fitting length: Double, in environment: LayoutEnvironment) -> Size?

  /// How a cell is asked for its size, where the item does not tell it. By its constraints.
  static var measuring: ViewMeasuring { get }

  /// The version of the code that measures: another one makes kept sizes estimates. 1.
  static var measurerVersion: Int { get }
}

extension ListItem {
  /// The Swift type's name, without its module.
  public static var typeName: TypeName { .init(ofType: Self.self) }

  /// No action.
  public var action: Action? { nil }

  /// Not known without a cell.
  public func size(fitting length: Double, in environment: LayoutEnvironment) -> Size? { nil }

  /// By its constraints.
  public static var measuring: ViewMeasuring { .constraints }

  /// The first version.
  public static var measurerVersion: Int { 1 }
}

extension ListItem where Cell: AnyObject {
  /// One cell, of class `Cell`, under its Swift name.
  public static var cells: [CellName: ViewSource] {
    [.init(ofType: Cell.self): .type(Cell.self)]
  }

  /// The name of `Cell`.
  public var cellName: CellName { .init(ofType: Cell.self) }
}

extension Identifier {
  /// The name of a Swift type, without its module and the types and functions that it is in.
  init(ofType type: Any.Type) {
    do { try self.init(String(describing: type)) } catch {
      preconditionFailure(
        "\(type) has a name of more than 256 bytes; give it another one: \(error)")
    }
  }
}

// MARK: - Stored items

extension Item {
  /// An item as a store keeps it.
  ///
  /// - Throws: ``/ListModel/FormatError`` for an id that is none, or what encoding throws.
  public init(_ value: some ListItem) throws {
    self.init(
      id: try ItemID(value.id), cell: value.cellName, content: try JSON(encoding: value),
      type: Swift.type(of: value).typeName, action: value.action)
  }
}

extension Item {
  /// The value that the item's content says.
  ///
  /// Contents that others write, such as a server, need not repeat the item's id: where an `id` is missed,
  /// it is the item's.
  ///
  /// - Parameter type: What the content is of.
  /// - Returns: The value.
  /// - Throws: What decoding throws.
  public func value<Value: ListItem>(as type: Value.Type = Value.self) throws -> Value {
    do {
      return try state.content.decoded(as: type)
    } catch DecodingError.keyNotFound(let key, let context)
      where key.stringValue == "id" && context.codingPath.isEmpty
    {
      let members = state.content.text.dropFirst()
      let separator = members == "}" ? "" : ","
      return try JSON(parsing: "{\"id\":\(JSON(encoding: id.rawValue))\(separator)\(members)")
        .decoded(as: type)
    }
  }
}

extension ItemUpdate {
  /// What makes a stored item the same as a value: its cell, its content, its type and its action.
  ///
  /// - Throws: What encoding throws.
  public init(to value: some ListItem) throws {
    self.init(to: try Item(value).state)
  }

  /// What makes an item's state another one.
  package init(to state: ItemState) {
    self.init(
      cell: .set(state.cell), content: .set(state.content), type: .set(state.type),
      action: .set(state.action))
  }
}
