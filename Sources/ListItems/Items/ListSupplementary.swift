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
/// footer in another.
public protocol ListSupplementary: Codable, Sendable {
  /// The class of the view, or a protocol that its views conform to.
  associatedtype View

  /// The name of the view in stores. Default: that of the Swift type `View`, without its module.
  static var viewName: ViewName { get }

  /// Where the view comes from; `nil` if the app registers it. Default: the class `View`.
  static var source: ViewSource? { get }

  /// Shows the value in a view. Sets everything: the view may have shown another value before.
  @MainActor func configure(_ view: View)

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

extension ListSupplementary {
  /// `nil`: a view is measured.
  public func size(fitting room: Supplementary.Room) -> Size? { nil }

  /// False: the size is stored.
  public static var sizeDependsOnPlace: Bool { false }

  /// By its constraints.
  public static var measuring: ViewMeasuring { .constraints }

  /// The first version.
  public static var measurerVersion: Int { 1 }

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
}

extension Supplementary {
  /// A value in its stored form.
  ///
  /// - Throws: What encoding throws.
  public init(_ value: some ListSupplementary) throws {
    self.init(view: Swift.type(of: value).viewName, content: try JSON(encoding: value))
  }
}

/// The types of an app's headers and footers, by the stored names of their views.
///
/// They decode stored views.
public struct SupplementaryTypes: Sendable {
  private var types: [ViewName: any ListSupplementary.Type] = [:]
  /// Whether the sizes of a type depend on the section.
  package private(set) var hasSizesByPlace = false

  /// Types of headers and footers.
  public init(_ types: [any ListSupplementary.Type] = []) {
    for type in types { self.types[type.viewName] = type }
    hasSizesByPlace = types.contains { $0.sizeDependsOnPlace }
  }

  /// All types, sorted by view name.
  public var all: [any ListSupplementary.Type] {
    types.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The type with a view name.
  public subscript(view: ViewName) -> (any ListSupplementary.Type)? { types[view] }

  /// The value of a stored view.
  ///
  /// - Throws: ``SupplementaryTypeError``.
  public func value(
    of supplementary: Supplementary
  ) throws(SupplementaryTypeError) -> any ListSupplementary {
    guard let type = types[supplementary.view] else { throw .unknownView(supplementary.view) }
    do { return try supplementary.content.decoded(as: type) } catch {
      throw .unreadable(supplementary.view, why: "\(error)")
    }
  }
}

/// The reason why a stored header or footer can't be decoded or shown.
public enum SupplementaryTypeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The app has no type with the stored view name.
  case unknownView(ViewName)
  /// The content can't be decoded as the type.
  case unreadable(ViewName, why: String)
  /// The dequeued view can't show values of the type.
  case wrongView(ViewName, view: String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unknownView(let view):
      "no type of the app is shown by view \"\(view)\"; add it to the list's supplementaries"
    case .unreadable(let view, let why):
      "the content of view \"\(view)\" is not what its type encodes: \(why)"
    case .wrongView(let name, let view):
      "what view \"\(name)\" shows can't be shown by a \(view); register the class that the type's "
        + "`View` is"
    }
  }
}

extension ViewRegistry {
  /// Registers the views of types of headers and footers, for each of the given kinds.
  public mutating func register(
    _ types: [any ListSupplementary.Type], kinds: [Supplementary.Kind] = [.header, .footer]
  ) {
    for type in types {
      guard let source = type.source else { continue }
      for kind in kinds { register(type.viewName, kind: kind, source) }
    }
  }
}
