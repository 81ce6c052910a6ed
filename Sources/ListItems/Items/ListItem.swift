public import ListModel

/// An item of an app's list: a Codable value with an id and a cell.
///
/// Cellar stores everything that the value encodes. A type with one cell needs this much:
///
/// ```swift
/// struct Book: ListItem {
///   var id: String, title: String, liked = false
///   func configure(_ cell: BookCell) { cell.show(title, liked: liked) }
/// }
/// ```
///
/// The store also holds the name of the type and of the cell. By default these are the names of the
/// Swift types. If you rename a type that you shipped, name it in ``aliases``. If its contents get
/// another shape, raise ``contentVersion``, or give new members in ``contentDefaults``.
///
/// Several types can share a cell class. A type with several cells lists them in ``cells``, chooses
/// one in ``cellName``, and declares as its `Cell` a class or protocol that they have in common.
public protocol ListItem: Codable, Sendable {
  /// The class of the cell, or a protocol that its cells conform to.
  associatedtype Cell
  /// The type of the id: `String`, an integer, `UUID`, or a type of the app.
  associatedtype ID: ItemIDConvertible

  /// The item's id, unique in its list: 1 to 256 bytes of UTF-8 as text.
  var id: ID { get }

  /// The name of this type in stores. Default: the Swift type's, without its module.
  static var typeName: TypeName { get }

  /// Earlier names of this type, under which stores and feeds still have items. Default: none.
  ///
  /// A name that another type of the app has now is no alias.
  static var aliases: [TypeName] { get }

  /// The version of the contents that this type encodes. Default: 1.
  ///
  /// Raise it when ``upgrade(_:from:)`` has to change contents that are stored already. It is stored
  /// with the type's name: `Book` is version 1, `Book@2` version 2. An item of a later version than
  /// this one is shown as the fallback, and nothing of it is lost.
  static var contentVersion: Int { get }

  /// Makes a content of one version a content of the next one.
  ///
  /// ```swift
  /// static func upgrade(_ content: inout JSON, from version: Int) throws {
  ///   switch version {
  ///   case 1: try content.rename("name", to: "title")
  ///   default: try content.set("isLong", to: content.value(of: "pages", as: Int.self) ?? 0 > 500)
  ///   }
  /// }
  /// ```
  ///
  /// Called when an item is read that is stored in an earlier version, once for each version: 1, 2 up
  /// to ``contentVersion`` - 1. `Repository.upgradeContents` writes the results back. The id of the
  /// item has to stay. Default: nothing is changed.
  ///
  /// - Parameters:
  ///   - content: The content, as it was stored or as the step before left it.
  ///   - version: The version that it has.
  /// - Throws: Anything; the item is then shown as the fallback, and stays as it is in the store.
  static func upgrade(_ content: inout JSON, from version: Int) throws

  /// The values of members that a stored content may lack, for properties that were added. Default:
  /// none.
  ///
  /// ```swift
  /// static var contentDefaults: JSON.Members { ["isLiked": false, "tags": [String]()] }
  /// ```
  ///
  /// Or all properties have the values of a new value, so that their defaults stand in one place:
  ///
  /// ```swift
  /// static let contentDefaults = JSON.Members(of: Book(id: "", title: ""))
  /// ```
  ///
  /// A content without a `title` then has that one, too, and is no error any more.
  ///
  /// Added after the upgrade, to contents of all versions. Only members of the content itself are
  /// looked at; change those of objects in it in ``upgrade(_:from:)``.
  static var contentDefaults: JSON.Members { get }

  /// The first version since which contents are drawn in the same size. Default:
  /// ``contentVersion``.
  ///
  /// By default, sizes that were measured before ``contentVersion`` was raised become estimates, as
  /// by ``measurerVersion``. Say 1 if contents of version 1, upgraded, still have the same sizes.
  static var sizesHoldSince: Int { get }

  /// The cells that show items of this type, by their names in stores. Default: one, of class
  /// `Cell`.
  static var cells: [CellName: ViewSource] { get }

  /// The cell that shows this item. Default: the only one of ``cells``.
  var cellName: CellName { get }

  /// The views of ``decorations``, by their names. Default: none.
  static var decorationViews: [ViewName: ViewSource] { get }

  /// The views that a collection view shows behind or in front of the item's cell, such as a card.
  ///
  /// ```swift
  /// static var decorationViews: [ViewName: ViewSource] { ["Card": .type(CardView.self)] }
  /// var decorations: [Decoration] {
  ///   isPinned ? [Decoration(view: "Card", content: "\"yellow\"")] : []
  /// }
  /// ```
  ///
  /// They are not stored: a layout asks for those of the items that are in sight, and a change of the
  /// item changes them. An item has at most one of each view.
  ///
  /// Default: none.
  var decorations: [Decoration] { get }

  /// What a tap does, as data that is stored with the item. Default: `nil`.
  var action: Action? { get }

  /// What an event does, as data in the item's content.
  ///
  /// ``ItemHandlers`` gives its name to ``ItemHandlers/report`` and its URL to
  /// ``ItemHandlers/route``.
  ///
  /// - Returns: Default: ``action`` for a tap (``ItemEvent/select``), else `nil`.
  func action(for event: ItemEvent) -> Action?

  /// Shows the item in a cell. Sets everything: the cell may have shown another item before.
  ///
  /// Check it with ``reuseProblems(of:after:in:reading:)``.
  @MainActor func configure(_ cell: Cell)

  /// Shows a state of the item that the store does not have, such as a download's progress.
  ///
  /// Called after each ``configure(_:)`` while the item has a state, and when the state changes
  /// while the cell is on display. ``configure(_:)`` has to set what an item without a state shows.
  /// Default: nothing.
  ///
  /// - Parameters:
  ///   - cell: The cell that shows the item.
  ///   - state: What the app gave to the adapter's `setState(_:of:)`; or, in a list that sends its
  ///     edits to a server, the `LiveList.Delivery` of an item with an edit that is on its way.
  @MainActor func configure(_ cell: Cell, with state: any Sendable)

  /// Connects the controls of a cell, when it comes on display.
  ///
  /// Called after ``configure(_:)``, and also when the view shows a cell again that it kept. An
  /// item that changes while its cell is on display is unbound, configured and bound anew. The cell
  /// needs to know nothing of Cellar:
  ///
  /// ```swift
  /// func bind(_ cell: BookCell, send: @escaping @MainActor (ControlEvent) -> Void) {
  ///   cell.onLike = { send("like") }
  /// }
  /// func unbind(_ cell: BookCell) { cell.onLike = nil }
  /// ```
  ///
  /// Default: sets `onControlEvent` if the cell is a ``ControlEventSource``.
  ///
  /// - Parameters:
  ///   - cell: The cell that shows the item.
  ///   - send: Passes the use of a control to ``ItemHandlers``, as the event
  ///     ``ItemEvent/control(_:)`` of this item.
  @MainActor func bind(_ cell: Cell, send: @escaping @MainActor (ControlEvent) -> Void)

  /// Disconnects a cell that leaves the display.
  ///
  /// Called once for each ``bind(_:send:)``, with the value that was bound: the item may have
  /// changed since, or be deleted. Default: clears `onControlEvent` if the cell is a
  /// ``ControlEventSource``.
  @MainActor func unbind(_ cell: Cell)

  /// The size of the cell, if it can be computed without a cell.
  ///
  /// The size is stored by the item's content, the length, the direction of scrolling and the
  /// environment. If it depends on the section or the path too, ``sizeDependsOnPlace`` has to say
  /// so.
  ///
  /// - Parameter room: The available length, the direction of scrolling and the item's place.
  /// - Returns: The size in points; `nil` to measure a cell, as for lengths that are negative, not
  ///   finite or above 1,000,000 points. Default: `nil`.
  func size(fitting room: Item.Room) -> Size?

  /// Whether the size depends on the item's section or path. Default: false.
  ///
  /// If true, sizes of this type are neither stored nor read from the store: the adapter asks
  /// ``size(fitting:)`` each time that a view needs the size, and after each update for all items
  /// in sight.
  static var sizeDependsOnPlace: Bool { get }

  /// How a cell is measured if ``size(fitting:)`` returns `nil`. Default: by its constraints.
  static var measuring: ViewMeasuring { get }

  /// The version of the code that measures. Raise it when cells get other sizes: stored sizes then
  /// become estimates. Default: 1.
  static var measurerVersion: Int { get }
}

extension ListItem {
  /// The Swift type's name, without its module.
  public static var typeName: TypeName { .init(ofType: Self.self) }

  /// None.
  public static var aliases: [TypeName] { [] }

  /// The first version.
  public static var contentVersion: Int { 1 }

  /// Changes nothing.
  public static func upgrade(_ content: inout JSON, from version: Int) throws {}

  /// None.
  public static var contentDefaults: JSON.Members { [:] }

  /// The version of the contents: earlier sizes don't hold.
  public static var sizesHoldSince: Int { contentVersion }

  /// None.
  public static var decorationViews: [ViewName: ViewSource] { [:] }

  /// None.
  public var decorations: [Decoration] { [] }

  /// No action.
  public var action: Action? { nil }

  /// ``action`` for a tap.
  public func action(for event: ItemEvent) -> Action? { event == .select ? action : nil }

  /// Shows nothing.
  @MainActor public func configure(_ cell: Cell, with state: any Sendable) {}

  /// Sets `onControlEvent` of a ``ControlEventSource``.
  @MainActor public func bind(
    _ cell: Cell, send: @escaping @MainActor (ControlEvent) -> Void
  ) {
    (cell as? any ControlEventSource)?.onControlEvent = send
  }

  /// Clears `onControlEvent` of a ``ControlEventSource``.
  @MainActor public func unbind(_ cell: Cell) {
    (cell as? any ControlEventSource)?.onControlEvent = nil
  }

  /// `nil`: a cell is measured.
  public func size(fitting room: Item.Room) -> Size? { nil }

  /// False: the size is stored.
  public static var sizeDependsOnPlace: Bool { false }

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

// Items that have no cell because SwiftUI shows them: `typealias Cell = Never`.
extension ListItem where Cell == Never {
  /// None.
  public static var cells: [CellName: ViewSource] { [:] }

  /// The name of the item's type.
  public var cellName: CellName { .init(ofType: Self.self) }
}

extension ListItem {
  /// Never called.
  ///
  /// Declared with `Cell`, not with `Never`: the compiler would take the latter for the `Cell` of a
  /// type whose `configure(_:)` is missing.
  @MainActor public func configure(_ cell: Cell) where Cell == Never {}
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
