public import ListModel
public import Providers

/// Something that a user does to an item.
public struct ItemEvent: Hashable, Sendable {
  /// What it is called.
  public let name: String

  /// A tap that selects the item.
  public static let select = ItemEvent(name: "select")
  /// What takes the selection away.
  public static let deselect = ItemEvent(name: "deselect")
  /// What the item's menu offers under a name.
  public static func menu(_ name: String) -> ItemEvent { ItemEvent(name: "menu:" + name) }
  /// Something that a control inside the cell does.
  public static func control(_ name: String) -> ItemEvent { ItemEvent(name: "control:" + name) }
}

/// Which item an event is about, at the time of the event.
public struct ItemContext: Sendable {
  /// The list that shows it.
  public let list: ListID
  /// The item.
  public let id: ItemID
  /// Where it is now; `nil` if it has gone since the view was told of the event.
  public let path: ItemPath?
  /// What the store has as its action.
  public let action: Action?
}

/// What an app does when users do something to items.
///
/// Handlers belong to types of items, not to items: they are given once at launch, and a list that was
/// rebuilt from its store has them at once. What needs no code, a URL and what analytics call the tap,
/// is stored with the item (``/ListModel/Action``) and goes to ``report`` and ``route``.
///
/// For a tap the order is always: ``report``, ``route``, then the handlers in the order in which they
/// were given.
@MainActor public final class ItemHandlers {
  /// Tells analytics of a tap on an item whose action has an event.
  public var report: ((_ event: String, ItemContext) -> Void)?
  /// Goes where the action of an item leads.
  public var route: ((_ url: String, ItemContext) -> Void)?

  private typealias Handler = (any ListItem, ItemContext) -> Void
  private let types: ItemTypes
  private var handlers: [Key: [Handler]] = [:]
  private var menus: [TypeName: (any ListItem, ItemContext) -> ItemMenu?] = [:]

  private struct Key: Hashable {
    var event: ItemEvent
    var type: TypeName
  }

  /// Without any handlers.
  ///
  /// - Parameter types: What makes stored items values again.
  public init(_ types: ItemTypes) { self.types = types }

  /// Adds a handler for an event of the items of a type.
  public func on<Value: ListItem>(
    _ event: ItemEvent, of type: Value.Type = Value.self,
    perform handler: @escaping @MainActor (Value, ItemContext) -> Void
  ) {
    handlers[Key(event: event, type: type.typeName), default: []].append { value, context in
      // The registry of types gave it for this type's name.
      if let value = value as? Value { handler(value, context) }
    }
  }

  /// Says what the menu of the items of a type offers; what is chosen comes as an event, see
  /// ``on(_:of:perform:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - menu: Makes the menu of an item; `nil` for none.
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
  /// - Returns: `nil` for an item whose type has no menu, and one that has gone.
  /// - Throws: ``ItemTypeError`` if the item's value is needed and can't be made.
  public func menu(of id: ItemID, in provider: Provider) throws(ItemTypeError) -> ItemMenu? {
    guard let path = provider.path(of: id), let item = provider.item(at: path),
      let type = types.type(of: item), let menu = menus[type.typeName]
    else { return nil }
    return menu(
      try types.value(of: item),
      ItemContext(list: provider.list, id: id, path: path, action: item.state.action))
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: What the user did.
  ///   - id: The item, by its identity: a path may have become another item's meanwhile.
  ///   - provider: The list as it is now.
  /// - Returns: Whether anything was called; `false` also for an item that has gone.
  /// - Throws: ``ItemTypeError`` if there are handlers that need the value and it can't be made; what
  ///   is stored as data was done by then.
  @discardableResult
  public func handle(
    _ event: ItemEvent, of id: ItemID, in provider: Provider
  ) throws(ItemTypeError) -> Bool {
    guard let path = provider.path(of: id), let item = provider.item(at: path) else { return false }
    let context = ItemContext(
      list: provider.list, id: id, path: path, action: item.state.action)
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
    guard let type = types.type(of: item),
      let handlers = handlers[Key(event: event, type: type.typeName)]
    else { return isHandled }
    let value = try types.value(of: item)
    for handler in handlers { handler(value, context) }
    return true
  }
}
