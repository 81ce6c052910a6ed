public import ListModel
public import Providers

/// The code that runs when a user taps an item, uses a control in its cell or chooses from its
/// menu, and when it comes on display.
///
/// Handlers belong to item types, not to items. Set them once; they work for every list that is
/// rebuilt from its store. A stored ``/ListModel/Action`` needs no handler: its event goes to
/// ``report``, its URL to ``route``.
///
/// An event calls ``report`` first, then ``route``, then the handlers in the order in which they
/// were added, the one of the item last. An event of a nested list that an adapter shows goes on to the handlers of the outer
/// list, in the same order.
@MainActor public final class ItemHandlers {
  /// Called with the event of an action, for analytics.
  public var report: ((_ event: String, ItemContext) -> Void)?
  /// Called with the URL of an action.
  public var route: ((_ url: String, ItemContext) -> Void)?
  /// The handlers of the outer list, to which the events of this one go on.
  package weak var outer: ItemHandlers?

  private let types: ItemTypes
  private var handlers: [Key<TypeName>: [(any ListItem, ItemContext) -> Void]] = [:]
  private var handlersOfItems: [Key<ItemID>: (ItemContext) -> Void] = [:]
  private var handlersOfViews:
    [Key<ViewName>: [(any ListSupplementary, SupplementaryContext) -> Void]] =
      [:]
  private var menus: [TypeName: (any ListItem, ItemContext) -> ItemMenu?] = [:]
  /// The events that have handlers.
  private var events: Set<ItemEvent> = []

  /// An event, and whose it is: of a type, or of one item.
  private struct Key<Subject: Hashable>: Hashable {
    var event: ItemEvent
    var subject: Subject
  }

  /// The header, footer or other view of a section that an event is about.
  public struct SupplementaryContext: Sendable {
    /// The list that has the section.
    public let list: ListID
    /// The item that owns the list, if it is a nested one; `nil` for other lists.
    public let owner: ListOwner?
    /// The section.
    public let section: SectionID
    /// Whether it is the section's header, its footer or a view of another kind.
    public let kind: Supplementary.Kind
    /// The value of the control that the user used, as in ``ControlEvent``; `nil` for other events.
    public let value: (any Sendable)?

    /// The view of an event.
    package init(
      list: ListID, owner: ListOwner?, section: SectionID, kind: Supplementary.Kind,
      value: (any Sendable)? = nil
    ) {
      self.list = list
      self.owner = owner
      self.section = section
      self.kind = kind
      self.value = value
    }
  }

  /// No handlers yet.
  ///
  /// - Parameter types: The app's item types; they decode stored items.
  public init(_ types: ItemTypes) { self.types = types }

  // MARK: Adding handlers

  /// Adds a handler of an event, for all items of a type.
  public func on<Value: ListItem>(
    _ event: ItemEvent, of type: Value.Type = Value.self,
    perform handler: @escaping @MainActor (Value, ItemContext) -> Void
  ) {
    events.insert(event)
    handlers[Key(event: event, subject: type.typeName), default: []].append { value, context in
      // Another type may have the same name in a nested list.
      if let value = value as? Value { handler(value, context) }
    }
  }

  /// Adds a handler of an event, for all headers, footers and other views of a type.
  public func on<Value: ListSupplementary>(
    _ event: ItemEvent, of type: Value.Type = Value.self,
    perform handler: @escaping @MainActor (Value, SupplementaryContext) -> Void
  ) {
    events.insert(event)
    handlersOfViews[Key(event: event, subject: type.viewName), default: []].append {
      if let value = $0 as? Value { handler(value, $1) }
    }
  }

  /// Sets the handler of an event for one item; it takes the place of an earlier one.
  ///
  /// It runs after those of the item's type. Set it again after a relaunch: closures are not
  /// stored. It does not get events of nested lists: they may have an item with the same id.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - item: The item.
  ///   - handler: What the event does; `nil` removes the handler.
  public func on(
    _ event: ItemEvent, item: ItemID,
    perform handler: (@MainActor (ItemContext) -> Void)?
  ) {
    handlersOfItems[Key(event: event, subject: item)] = handler
    if handler == nil { updateEvents() } else { events.insert(event) }
  }

  // MARK: Removing handlers

  /// Removes all handlers of an event for the items of a type; those of single items stay.
  public func removeHandlers<Value: ListItem>(
    of event: ItemEvent, for type: Value.Type = Value.self
  ) {
    handlers[Key(event: event, subject: type.typeName)] = nil
    updateEvents()
  }

  /// Removes all handlers of an event for the headers, footers and other views of a type.
  public func removeHandlers<Value: ListSupplementary>(
    of event: ItemEvent, for type: Value.Type = Value.self
  ) {
    handlersOfViews[Key(event: event, subject: type.viewName)] = nil
    updateEvents()
  }

  private func updateEvents() {
    events = Set(handlers.keys.map(\.event)).union(handlersOfItems.keys.map(\.event))
      .union(handlersOfViews.keys.map(\.event))
  }

  // MARK: Menus

  /// Sets the menu of all items of a type.
  ///
  /// A chosen entry arrives as its event: add a handler of it for the type.
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

  // MARK: What happened

  /// The menu of an item.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - provider: The list as it is now.
  ///   - owner: The item that owns the list, if it is a nested one.
  /// - Returns: `nil` if the item's type has no menu, or the list does not have the item any more.
  /// - Throws: ``ItemTypeError`` if the item can't be decoded.
  public func menu(
    of id: ItemID, in provider: Provider, owner: ListOwner? = nil
  ) throws(ItemTypeError) -> ItemMenu? {
    guard let path = provider.path(of: id), let item = provider.item(at: path),
      let name = types.type(of: item)?.typeName, chain.contains(where: { $0.menus[name] != nil })
    else { return nil }
    let value = try types.value(of: item)
    let context = ItemContext(list: provider.list, owner: owner, id: id, path: path)
    return chain.lazy.compactMap { $0.menus[name]?(value, context) }.first
  }

  /// Handles an event: calls ``report``, ``route`` and the handlers that apply.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - id: The item. An id, because another item may be at its path by now.
  ///   - provider: The list as it is now.
  ///   - owner: The item that owns the list, if it is a nested one.
  ///   - value: The value of the control that the user used.
  /// - Returns: Whether anything was called; `false` also if the list does not have the item any
  ///   more.
  /// - Throws: ``ItemTypeError`` if a handler needs the item's value and it can't be decoded;
  ///   ``report``, ``route`` and the item's own handlers were called by then.
  @discardableResult
  public func handle(
    _ event: ItemEvent, of id: ItemID, in provider: Provider, owner: ListOwner? = nil,
    value: (any Sendable)? = nil
  ) throws(ItemTypeError) -> Bool {
    guard let path = provider.path(of: id), let item = provider.item(at: path) else { return false }
    let decoded = Result { () throws(ItemTypeError) in try types.value(of: item) }
    let action = (try? decoded.get())?.action(for: event)
    let context = ItemContext(
      list: provider.list, owner: owner, id: id, path: path,
      action: action ?? (event == .select ? item.state.action : nil), value: value)
    let isHandled = handle(event, of: try? decoded.get(), context)
    if case .failure(let error) = decoded, let type = error.unreadableType,
      chain.contains(where: { $0.handlers[Key(event: event, subject: type)] != nil })
    {
      throw error
    }
    return isHandled
  }

  /// Handles an event of an item whose value is known.
  ///
  /// `value`: `nil` if it can't be decoded; then only an action and handlers of this one item apply.
  @discardableResult
  package func handle(
    _ event: ItemEvent, of value: (any ListItem)?, _ context: ItemContext
  ) -> Bool {
    var isHandled = false
    for (level, handlers) in chain.enumerated() {
      if let name = context.action?.event, let report = handlers.report {
        report(name, context)
        isHandled = true
      }
      if let url = context.action?.url, let route = handlers.route {
        route(url, context)
        isHandled = true
      }
      if let value {
        let type = Swift.type(of: value).typeName
        for handler in handlers.handlers[Key(event: event, subject: type)] ?? [] {
          handler(value, context)
          isHandled = true
        }
      }
      guard level == 0 else { continue }
      if let handler = handlers.handlersOfItems[Key(event: event, subject: context.id)] {
        handler(context)
        isHandled = true
      }
    }
    return isHandled
  }

  /// Handles an event of a header, a footer or another view of a section.
  package func handle(
    _ event: ItemEvent, of value: any ListSupplementary, _ context: SupplementaryContext
  ) {
    let key = Key(event: event, subject: Swift.type(of: value).viewName)
    for handlers in chain {
      for handler in handlers.handlersOfViews[key] ?? [] { handler(value, context) }
    }
  }

  /// Whether there are handlers of an event, for any type or item.
  package func hasHandlers(of event: ItemEvent) -> Bool {
    chain.contains { $0.events.contains(event) }
  }

  /// These handlers and those of the outer lists, from the inside out.
  private var chain: some Sequence<ItemHandlers> { sequence(first: self) { $0.outer } }
}
