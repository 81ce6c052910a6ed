public import ListModel

/// A header, a footer or another view of a section, as an app writes it: a value, of which everything
/// that is encoded is stored.
///
/// ```swift
/// struct ShelfHeader: ListSupplementary {
///   var title: String
///   func configure(_ view: ShelfHeaderView) { view.titleLabel.text = title }
/// }
/// try list.updateSection("today", .init(header: .set(Supplementary(ShelfHeader(title: "Today")))))
/// ```
///
/// One type may be a header in one section and a footer in another.
public protocol ListSupplementary: Codable, Sendable {
  /// What ``configure(_:)`` takes: a class, or a protocol that views conform to.
  associatedtype View

  /// The name of the view in stores; that of the Swift type `View`, without its module.
  static var viewName: ViewName { get }

  /// Where the view comes from; `View`. `nil`: the app registers it.
  static var source: ViewSource? { get }

  /// Shows the value in a view, which may have shown any other before: sets all of it.
  @MainActor func configure(_ view: View)

  /// The size of the view, where it can be told without one.
  ///
  /// - Parameters:
  ///   - length: The room across the direction of scrolling, in points.
  ///   - environment: What texts are measured for.
  /// - Returns: Points; `nil`, as it is unless the type says more, where a view has to be asked.
  func size(fitting length: Double, in environment: LayoutEnvironment) -> Size?

  /// How a view is asked for its size. By its constraints.
  static var measuring: ViewMeasuring { get }

  /// The version of the code that measures: another one makes kept sizes estimates. 1.
  static var measurerVersion: Int { get }
}

/// How a view is asked for its size.
public enum ViewMeasuring: Hashable, Sendable {
  /// By `systemLayoutSizeFitting`: its constraints say it.
  case constraints
  /// By `sizeThatFits`: it places what it shows itself.
  case sizeThatFits
}

extension ListSupplementary where View: AnyObject {
  /// The name of `View`.
  public static var viewName: ViewName { .init(ofType: View.self) }

  /// The class `View`.
  public static var source: ViewSource? { .type(View.self) }
}

extension ListSupplementary {
  /// Not known without a view.
  public func size(fitting length: Double, in environment: LayoutEnvironment) -> Size? { nil }

  /// By its constraints.
  public static var measuring: ViewMeasuring { .constraints }

  /// The first version.
  public static var measurerVersion: Int { 1 }

  /// Shows the value in a view of any class.
  ///
  /// - Throws: ``SupplementaryTypeError/wrongView(_:view:)`` if the view is none that this type is shown by.
  @MainActor public func configure(anyView view: AnyObject) throws(SupplementaryTypeError) {
    guard let view = view as? View else {
      throw .wrongView(Self.viewName, view: "\(type(of: view))")
    }
    configure(view)
  }
}

extension Supplementary {
  /// A header or a footer as a store keeps it.
  ///
  /// - Throws: What encoding throws.
  public init(_ value: some ListSupplementary) throws {
    self.init(view: Swift.type(of: value).viewName, content: try JSON(encoding: value))
  }
}

/// The types of an app's headers and footers, by the names of their views in stores.
///
/// Total: what the app does not know, or can't read, is an error that says which.
public struct SupplementaryTypes: Sendable {
  private var types: [ViewName: any ListSupplementary.Type] = [:]

  /// The types of an app.
  public init(_ types: [any ListSupplementary.Type] = []) {
    for type in types { self.types[type.viewName] = type }
  }

  /// All of them, in the order of their names.
  public var all: [any ListSupplementary.Type] {
    types.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The type that a view's name stands for.
  public subscript(view: ViewName) -> (any ListSupplementary.Type)? { types[view] }

  /// The value that a stored view was made from.
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

/// Why a stored header or footer can't be shown as what it was.
public enum SupplementaryTypeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No type of the app has a view of the name.
  case unknownView(ViewName)
  /// The content is not what the type encodes.
  case unreadable(ViewName, why: String)
  /// The view that was dequeued can't show values of the type.
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
  /// Registers the views of types of headers, footers and the like, for all kinds given.
  public mutating func register(
    _ types: [any ListSupplementary.Type], kinds: [String] = ["header", "footer"]
  ) {
    for type in types {
      guard let source = type.source else { continue }
      for kind in kinds { register(type.viewName, kind: kind, source) }
    }
  }
}
