/// The views on display and what they show, by identity: paths change while views are on display.
///
/// A view shows at most one value. An item can be in two cells for a moment, while a view reloads
/// it.
@MainActor package final class BoundViews<View: AnyObject, ID: Hashable, Value> {
  /// What a view shows.
  package struct Binding {
    /// Whose value it is: an item, or a place of a header.
    package let id: ID
    /// The value at the time when the view was bound.
    package let value: Value
    /// The view; `nil` if it was released.
    package fileprivate(set) weak var view: View?
  }

  private var bindings: [ObjectIdentifier: Binding] = [:]
  private var views: [ID: [ObjectIdentifier]] = [:]
  /// How many times a view was bound.
  package private(set) var bindCount = 0
  /// How many times a view was unbound.
  package private(set) var unbindCount = 0

  /// No views.
  package init() {}

  /// How many views are bound.
  package var count: Int { bindings.count }

  /// The ids whose values views show.
  package var ids: Set<ID> { Set(views.keys) }

  /// All views with what they show, in no order.
  package var all: [Binding] { Array(bindings.values) }

  /// Binds a view to a value.
  ///
  /// - Returns: What the view was still bound to, if anything.
  @discardableResult
  package func bind(_ view: View, to id: ID, _ value: Value) -> Binding? {
    let previous = unbind(view)
    bindings[ObjectIdentifier(view)] = Binding(id: id, value: value, view: view)
    views[id, default: []].append(ObjectIdentifier(view))
    bindCount += 1
    return previous
  }

  /// Ends a view's binding.
  ///
  /// - Returns: What the view was bound to.
  @discardableResult
  package func unbind(_ view: View) -> Binding? {
    guard let binding = bindings.removeValue(forKey: ObjectIdentifier(view)) else { return nil }
    views[binding.id]?.removeAll { $0 == ObjectIdentifier(view) }
    if views[binding.id]?.isEmpty == true { views[binding.id] = nil }
    unbindCount += 1
    return binding
  }

  /// What a view is bound to.
  package func binding(of view: View) -> Binding? { bindings[ObjectIdentifier(view)] }

  /// The view that is bound to an id; the newest if there are two.
  package func view(of id: ID) -> View? { views[id]?.last.flatMap { bindings[$0]?.view } }
}
