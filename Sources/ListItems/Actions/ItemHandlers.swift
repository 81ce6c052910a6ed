public import ListModel
public import Providers

/// Something that a user does to an item.
public struct ItemEvent: Hashable, Sendable {
  /// The event's name.
  public let name: String

  /// A tap that selects the item.
  public static let select = ItemEvent(name: "select")
  /// A tap that deselects the item.
  public static let deselect = ItemEvent(name: "deselect")
  /// The choice of an entry of the item's menu.
  public static func menu(_ name: String) -> ItemEvent { ItemEvent(name: "menu:" + name) }
  /// The use of a control inside the cell; see ``ControlEventSource``.
  public static func control(_ name: String) -> ItemEvent { ItemEvent(name: "control:" + name) }
}

/// The item of an event, as it was when the event happened.
public struct ItemContext: Sendable {
  /// The list that has the item.
  public let list: ListID
  /// The item.
  public let id: ItemID
  /// The item's path in the list; `nil` if the item was deleted meanwhile.
  public let path: ItemPath?
  /// The item's stored action.
  public let action: Action?
  /// The value of the control that the user used, as in ``ControlEvent``; `nil` for other events.
  public let value: (any Sendable)?

  init(_ item: Item, at path: ItemPath, of list: ListID, value: (any Sendable)? = nil) {
    self.list = list
    id = item.id
    self.path = path
    action = item.state.action
    self.value = value
  }
}

/// The code that runs when a user taps an item, uses a control in its cell or chooses from its
/// menu.
///
/// Handlers belong to item types, not to items. Set them once; they work for every list that is
/// rebuilt from its store. An item's stored ``/ListModel/Action`` needs no handler: its event goes
/// to ``report``, its URL to ``route``.
///
/// A tap calls ``report`` first, then ``route``, then the handlers in the order in which they were
/// added.
@MainActor public final class ItemHandlers {
  /// Called with the event of a tapped item's action, for analytics.
  public var report: ((_ event: String, ItemContext) -> Void)?
  /// Called with the URL of a tapped item's action.
  public var route: ((_ url: String, ItemContext) -> Void)?

  private typealias Handler = (any ListItem, ItemContext) -> Void
  private let types: ItemTypes
  private var handlers: [Key: [Handler]] = [:]
  private var handlersOfItems: [ItemKey: [(ItemContext) -> Void]] = [:]
  private var menus: [TypeName: (any ListItem, ItemContext) -> ItemMenu?] = [:]

  private struct Key: Hashable {
    var event: ItemEvent
    var type: TypeName
  }

  private struct ItemKey: Hashable {
    var event: ItemEvent
    var item: ItemID
  }

  /// No handlers yet.
  ///
  /// - Parameter types: The app's item types; they decode stored items.
  public init(_ types: ItemTypes) { self.types = types }

  /// Adds a handler of an event, for all items of a type.
  public func on<Value: ListItem>(
    _ event: ItemEvent, of type: Value.Type = Value.self,
    perform handler: @escaping @MainActor (Value, ItemContext) -> Void
  ) {
    handlers[Key(event: event, type: type.typeName), default: []].append { value, context in
      // `ItemTypes` looked the type up by this name, so the cast succeeds.
      if let value = value as? Value { handler(value, context) }
    }
  }

  /// Adds a handler of an event, for one item.
  ///
  /// It runs after those of the item's type. Add it again after a relaunch: closures are not
  /// stored.
  public func on(
    _ event: ItemEvent, item: ItemID, perform handler: @escaping @MainActor (ItemContext) -> Void
  ) {
    handlersOfItems[ItemKey(event: event, item: item), default: []].append(handler)
  }

  /// Sets the menu of all items of a type.
  ///
  /// A chosen entry arrives as its event, see ``on(_:of:perform:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - menu: Returns the menu of an item; `nil` for none.
  public func menu<Value: ListItem>(
    of type: Value.Type = Value.self,
    _ menu: @escaping @MainActor (Value, ItemContext) -> ItemMenu?
  ) {
    menus[type.typeName] = { value, context in
      (value as? Value).flatMap { menu($0, context) }
    }
  }

  /// The menu of an item.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - provider: The list as it is now.
  /// - Returns: `nil` if the item's type has no menu, or the list does not have the item any more.
  /// - Throws: ``ItemTypeError`` if the item can't be decoded.
  public func menu(of id: ItemID, in provider: Provider) throws(ItemTypeError) -> ItemMenu? {
    guard let path = provider.path(of: id), let item = provider.item(at: path),
      let type = types.type(of: item), let menu = menus[type.typeName]
    else { return nil }
    return menu(try types.value(of: item), ItemContext(item, at: path, of: provider.list))
  }

  /// Handles an event: calls ``report``, ``route`` and the handlers that apply.
  ///
  /// - Parameters:
  ///   - event: What the user did.
  ///   - id: The item. An id, because another item may be at its path by now.
  ///   - provider: The list as it is now.
  ///   - value: The value of the control that the user used.
  /// - Returns: Whether anything was called; `false` also if the list does not have the item any
  ///   more.
  /// - Throws: ``ItemTypeError`` if a handler needs the item's value and it can't be decoded;
  ///   ``report`` and ``route`` were called by then.
  @discardableResult
  public func handle(
    _ event: ItemEvent, of id: ItemID, in provider: Provider, value: (any Sendable)? = nil
  ) throws(ItemTypeError) -> Bool {
    guard let path = provider.path(of: id), let item = provider.item(at: path) else { return false }
    let context = ItemContext(item, at: path, of: provider.list, value: value)
    var isHandled = false
    if event == .select, let action = item.state.action {
      if let name = action.event, let report {
        report(name, context)
        isHandled = true
      }
      if let url = action.url, let route {
        route(url, context)
        isHandled = true
      }
    }
    let ofItem = handlersOfItems[ItemKey(event: event, item: id)] ?? []
    defer { for handler in ofItem { handler(context) } }
    guard let type = types.type(of: item),
      let handlers = handlers[Key(event: event, type: type.typeName)]
    else { return isHandled || !ofItem.isEmpty }
    let value = try types.value(of: item)
    for handler in handlers { handler(value, context) }
    return true
  }
}
