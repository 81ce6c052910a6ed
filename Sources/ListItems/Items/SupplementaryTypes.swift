public import ListModel

/// The types of an app's headers and footers, by the stored names of their views.
///
/// They decode stored views.
public struct SupplementaryTypes: Sendable, ExpressibleByArrayLiteral {
  private var types: [ViewName: any ListSupplementary.Type] = [:]
  private var aliases: [ViewName: ViewName] = [:]
  /// Whether the sizes of a type depend on the section.
  package private(set) var hasSizesByPlace = false

  /// Why these types can't be told apart in a store; `nil` if they can.
  ///
  /// A list with such types throws it whenever it is read or edited.
  public private(set) var ambiguity: SupplementaryTypeError?

  /// Types of headers and footers.
  ///
  /// Two of them must not have one ``ListSupplementary/viewName``: see ``ambiguity``.
  public init(_ types: [any ListSupplementary.Type] = []) {
    for type in types {
      if let other = self.types[type.viewName], other != type {
        ambiguity =
          ambiguity
          ?? .sameName(
            type.viewName, types: [String(reflecting: other), String(reflecting: type)])
      }
      self.types[type.viewName] = type
      for alias in type.aliases { aliases[alias] = type.viewName }
    }
    hasSizesByPlace = types.contains { $0.sizeDependsOnPlace }
  }

  /// Types of headers and footers.
  ///
  /// Two of them must not have one ``ListSupplementary/viewName``: see ``ambiguity``.
  public init(arrayLiteral types: any ListSupplementary.Type...) { self.init(types) }

  /// Whether there are none.
  package var isEmpty: Bool { types.isEmpty }

  /// All types, sorted by view name.
  public var all: [any ListSupplementary.Type] {
    types.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The type with a view name, which may be an earlier one.
  public subscript(view: ViewName) -> (any ListSupplementary.Type)? { types[currentName(of: view)] }

  /// The name that a view has now: another one for an alias of a type that the app has.
  package func currentName(of view: ViewName) -> ViewName {
    guard types[view] == nil, let new = aliases[view], types[new] != nil else { return view }
    return new
  }

  /// The value of a stored view.
  ///
  /// - Throws: ``SupplementaryTypeError``.
  public func value(
    of supplementary: Supplementary
  ) throws(SupplementaryTypeError) -> any ListSupplementary {
    guard let type = self[supplementary.view] else { throw .unknownView(supplementary.view) }
    do {
      var content = supplementary.content
      try content.addDefaults(type.contentDefaults)
      return try content.decoded(as: type)
    } catch {
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
  /// Two Swift types have one view name in stores, so that each would decode values of the other.
  case sameName(ViewName, types: [String])

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .unknownView(let view):
      "no type of the app is shown by view \"\(view)\"; add it to the list's supplementaries, "
        + "or name it in the `aliases` of the type that it is now"
    case .unreadable(let view, let why):
      "the content of view \"\(view)\" is not what its type encodes: \(why)"
    case .wrongView(let name, let view):
      "what view \"\(name)\" shows can't be shown by a \(view); register the class that the type's "
        + "`View` is"
    case .sameName(let name, let types):
      "\(types.joined(separator: " and ")) are both stored as view \"\(name)\"; give one of them a "
        + "`viewName` of its own"
    }
  }
}

extension ViewRegistry {
  /// Registers the views of types of headers and footers, for each of the given kinds, with their
  /// earlier names.
  public mutating func register(
    _ types: [any ListSupplementary.Type], kinds: [Supplementary.Kind] = [.header, .footer]
  ) {
    for type in types {
      guard let source = type.source else { continue }
      for kind in kinds {
        register(type.viewName, kind: kind, source)
        // A registered name is no alias.
        for name in type.aliases { try? alias(name, of: type.viewName, kind: kind) }
      }
    }
  }
}
