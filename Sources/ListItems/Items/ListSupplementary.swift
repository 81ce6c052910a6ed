public import ListModel

/// A header, a footer or another view of a section: a Codable value with a view.
///
/// ```swift
/// struct ShelfHeader: ListSupplementary {
///   var title: String
///   func configure(_ view: ShelfHeaderView) { view.titleLabel.text = title }
/// }
/// try list.updateSection("today") { $0.header = try Supplementary(ShelfHeader(title: "Today")) }
/// ```
///
/// Cellar stores everything that the value encodes. One type can be a header in one section and a
/// footer in another. Types that share a class of view tell themselves apart by ``viewName``: each
/// needs one of its own.
public protocol ListSupplementary: Codable, Sendable {
  /// The class of the view, or a protocol that its views conform to.
  associatedtype View

  /// The name of the view in stores. Default: that of the Swift type `View`, without its module.
  static var viewName: ViewName { get }

  /// Earlier names of the view, under which stores and feeds still have headers and footers.
  /// Default: none.
  ///
  /// They are shown by the view of ``viewName``. A name that another type has now is no alias.
  static var aliases: [ViewName] { get }

  /// The values of members that a stored content may lack, for properties that were added. Default:
  /// none.
  ///
  /// See ``ListItem/contentDefaults``. Contents of headers and footers have no versions.
  static var contentDefaults: JSON.Members { get }

  /// Where the view comes from; `nil` if the app registers it. Default: the class `View`.
  static var source: ViewSource? { get }

  /// Shows the value in a view. Sets everything: the view may have shown another value before.
  @MainActor func configure(_ view: View)

  /// Connects the controls of a view, when it comes on display.
  ///
  /// Called after ``configure(_:)``. A value that changes while its view is on display is unbound,
  /// configured and bound anew. Default: sets `onControlEvent` if the view is a
  /// ``ControlEventSource``.
  ///
  /// - Parameters:
  ///   - view: The view that shows the value.
  ///   - send: Passes the use of a control to ``ItemHandlers``, as the event
  ///     ``ItemEvent/control(_:)``.
  @MainActor func bind(_ view: View, send: @escaping @MainActor (ControlEvent) -> Void)

  /// Disconnects a view that leaves the display.
  ///
  /// Called once for each ``bind(_:send:)``, with the value that was bound. Default: clears
  /// `onControlEvent` if the view is a ``ControlEventSource``.
  @MainActor func unbind(_ view: View)

  /// The size of the view, if it can be computed without a view.
  ///
  /// - Parameter room: The available length, the direction of scrolling and the section's place.
  /// - Returns: The size in points; `nil` to measure a view, as for impossible lengths. Default:
  ///   `nil`.
  func size(fitting room: Supplementary.Room) -> Size?

  /// Whether the size depends on the section's id or index. Default: false.
  ///
  /// If true, sizes of this type are neither stored nor read from the store, as with
  /// ``ListItem/sizeDependsOnPlace``.
  static var sizeDependsOnPlace: Bool { get }

  /// How a view is measured if ``size(fitting:)`` returns `nil`. Default: by its constraints.
  static var measuring: ViewMeasuring { get }

  /// The version of the code that measures. Raise it when views get other sizes: stored sizes then
  /// become estimates. Default: 1.
  static var measurerVersion: Int { get }
}

/// How a view is measured.
public enum ViewMeasuring: Hashable, Sendable {
  /// By its Auto Layout constraints, with `systemLayoutSizeFitting`.
  case constraints
  /// By its `sizeThatFits(_:)`.
  case sizeThatFits
  /// The cell on display sizes itself, and its size is stored: no cell is made only to be measured.
  ///
  /// It is for cells that exist in the view alone, such as prototypes in a storyboard, or that need
  /// the view to lay themselves out. A table asks for the constraints' height, as with
  /// `UITableView.automaticDimension`; a `ListCollectionLayout` takes the length that the cell
  /// returns from `preferredLayoutAttributesFitting(_:)`, or else that of its constraints. Until a
  /// cell was on display, the mean length of its section is assumed, so that what comes into sight
  /// may move by the difference.
  ///
  /// Other layouts need all sizes before: there, and for headers and footers, it is the same as
  /// ``constraints``.
  case onDisplay
}

extension ListSupplementary where View: AnyObject {
  /// The name of `View`.
  public static var viewName: ViewName { .init(ofType: View.self) }

  /// The class `View`.
  public static var source: ViewSource? { .type(View.self) }
}

// Headers and footers that have no view class because SwiftUI shows them: `typealias View = Never`.
extension ListSupplementary where View == Never {
  /// The name of the type.
  public static var viewName: ViewName { .init(ofType: Self.self) }

  /// None.
  public static var source: ViewSource? { nil }
}

extension ListSupplementary {
  /// Never called.
  ///
  /// Declared with `View`, not with `Never`: the compiler would take the latter for the `View` of a
  /// type whose `configure(_:)` is missing.
  @MainActor public func configure(_ view: View) where View == Never {}
}

extension ListSupplementary {
  /// None.
  public static var aliases: [ViewName] { [] }

  /// None.
  public static var contentDefaults: JSON.Members { [:] }

  /// `nil`: a view is measured.
  public func size(fitting room: Supplementary.Room) -> Size? { nil }

  /// False: the size is stored.
  public static var sizeDependsOnPlace: Bool { false }

  /// By its constraints.
  public static var measuring: ViewMeasuring { .constraints }

  /// The first version.
  public static var measurerVersion: Int { 1 }

  /// Sets `onControlEvent` of a ``ControlEventSource``.
  @MainActor public func bind(
    _ view: View, send: @escaping @MainActor (ControlEvent) -> Void
  ) {
    (view as? any ControlEventSource)?.onControlEvent = send
  }

  /// Clears `onControlEvent` of a ``ControlEventSource``.
  @MainActor public func unbind(_ view: View) {
    (view as? any ControlEventSource)?.onControlEvent = nil
  }

  /// Shows the value in a view of any class.
  ///
  /// - Throws: ``SupplementaryTypeError/wrongView(_:view:)`` if the view is not a `View` of this
  ///   type.
  @MainActor public func configure(anyView view: AnyObject) throws(SupplementaryTypeError) {
    guard let view = view as? View else {
      throw .wrongView(Self.viewName, view: "\(type(of: view))")
    }
    configure(view)
  }

  /// Binds a view of any class; nothing for one that is not a `View` of this type.
  @MainActor package func bind(
    anyView view: AnyObject, send: @escaping @MainActor (ControlEvent) -> Void
  ) {
    if let view = view as? View { bind(view, send: send) }
  }

  /// Unbinds a view that ``bind(anyView:send:)`` bound.
  @MainActor package func unbind(anyView view: AnyObject) {
    if let view = view as? View { unbind(view) }
  }
}

extension Supplementary {
  /// A value in its stored form.
  ///
  /// - Throws: What encoding throws.
  public init(_ value: some ListSupplementary) throws {
    self.init(view: Swift.type(of: value).viewName, content: try JSON(encoding: value))
  }
}
