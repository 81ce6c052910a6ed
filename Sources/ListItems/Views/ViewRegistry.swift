public import ListModel

/// The app's cells, headers and footers by their stored names.
///
/// An unknown name gives the fallback view, so that a store of another version of the app shows a
/// placeholder instead of crashing. Names are never looked up among the classes of the process.
///
/// ```swift
/// var views = ViewRegistry(fallback: .type(PlaceholderCell.self))
/// views.register("BookCell", .type(BookCell.self))
/// try views.alias("ShelfCell", of: "BookCell")   // its name in the last release
/// views.map("Magazine", to: "BookCell")          // for magazines whose stored cell is unknown
/// ```
public struct ViewRegistry: Sendable {
  private var cells = Names()
  /// By kind.
  private var supplementaries: [Supplementary.Kind: Names] = [:]
  private var kindAliases: [Supplementary.Kind: Supplementary.Kind] = [:]
  private var cellsOfTypes: [TypeName: CellName] = [:]
  private let fallback: ViewSource
  private let supplementaryFallback: ViewSource

  /// The views of one role, by name.
  private struct Names: Sendable {
    var sources: [String: ViewSource] = [:]
    var aliases: [String: String] = [:]

    func source(of name: String) -> (name: String, source: ViewSource)? {
      var name = name
      while true {
        if let source = sources[name] { return (name, source) }
        // The loop ends: `alias(_:of:)` refuses circles.
        guard let next = aliases[name] else { return nil }
        name = next
      }
    }

    mutating func alias(_ old: String, of new: String) throws(ViewRegistryError) {
      if sources[old] != nil { throw .nameIsRegistered(old) }
      var name: String? = new
      while let current = name {
        if current == old { throw .aliasesGoInCircles(old) }
        name = aliases[current]
      }
      aliases[old] = new
    }

    mutating func register(_ name: String, _ source: ViewSource) {
      sources[name] = source
      aliases[name] = nil
    }
  }

  /// The kind under which the views of decorations are registered.
  public static let decorationKind: Supplementary.Kind = "decoration"

  /// A registry without names.
  ///
  /// - Parameters:
  ///   - fallback: The cell of items whose stored cell name is unknown.
  ///   - supplementaryFallback: The view for unknown names of headers and footers; `nil` for
  ///     `fallback`.
  public init(fallback: ViewSource, supplementaryFallback: ViewSource? = nil) {
    self.fallback = fallback
    self.supplementaryFallback = supplementaryFallback ?? fallback
  }

  // MARK: Declaring

  /// Registers a cell under a name; a later call replaces an earlier one.
  public mutating func register(_ cell: CellName, _ source: ViewSource) {
    cells.register(cell.rawValue, source)
  }

  /// Registers a view of a kind under a name; a later call replaces an earlier one.
  public mutating func register(_ view: ViewName, kind: Supplementary.Kind, _ source: ViewSource) {
    supplementaries[known(kind), default: Names()].register(view.rawValue, source)
  }

  /// Sets the cell for items of a type whose stored cell name is unknown.
  public mutating func map(_ type: TypeName, to cell: CellName) { cellsOfTypes[type] = cell }

  /// Declares an earlier name of a cell, which stores still hold.
  ///
  /// - Throws: ``ViewRegistryError`` if `old` is registered, or if `new` is an alias of `old`.
  public mutating func alias(_ old: CellName, of new: CellName) throws(ViewRegistryError) {
    try cells.alias(old.rawValue, of: new.rawValue)
  }

  /// Declares an earlier name of a view of a kind, which stores still hold.
  ///
  /// - Throws: ``ViewRegistryError``, as for cells.
  public mutating func alias(
    _ old: ViewName, of new: ViewName, kind: Supplementary.Kind
  ) throws(ViewRegistryError) {
    try supplementaries[known(kind), default: Names()].alias(old.rawValue, of: new.rawValue)
  }

  /// Declares an earlier name of a kind of supplementary views, which stores still hold.
  ///
  /// - Throws: ``ViewRegistryError`` if views are registered under `old`, or if `new` is an alias
  ///   of `old`.
  public mutating func aliasKind(
    _ old: Supplementary.Kind, of new: Supplementary.Kind
  ) throws(ViewRegistryError) {
    if supplementaries[old] != nil { throw .nameIsRegistered(old.rawValue) }
    if known(new) == old { throw .aliasesGoInCircles(old.rawValue) }
    kindAliases[old] = new
  }

  /// The current name of a stored kind.
  package func known(_ kind: Supplementary.Kind) -> Supplementary.Kind {
    var kind = kind
    while let next = kindAliases[kind] { kind = next }
    return kind
  }

  // MARK: Asking

  /// The view for a stored name.
  package struct Resolution: Hashable, Sendable {
    /// How to register the view.
    package let registration: ViewRegistration
    /// The unknown name, if this is the fallback; else `nil`.
    package let unresolvedName: String?
  }

  /// The cell of an item: the one that it names, else that of its section, of its type, or the
  /// fallback.
  ///
  /// - Parameters:
  ///   - name: The cell name that is stored with the item.
  ///   - section: The cell for items of the section, if the app has one.
  ///   - type: The item's type.
  /// - Returns: The cell, or the fallback.
  /// - Complexity: O(*a*), *a* aliases of the name.
  package func cell(
    _ name: CellName, section: CellName? = nil, type: TypeName? = nil
  ) -> Resolution {
    for candidate in [name, section, type.flatMap { cellsOfTypes[$0] }] {
      if let candidate, let found = cells.source(of: candidate.rawValue) {
        return Resolution(
          registration: ViewRegistration(.cell, name: found.name, source: found.source),
          unresolvedName: nil)
      }
    }
    return Resolution(registration: fallback(.cell), unresolvedName: name.rawValue)
  }

  /// A header, a footer or another view of a section.
  package func supplementary(_ view: ViewName, kind: Supplementary.Kind) -> Resolution {
    let role = ViewRole.supplementary(kind: known(kind))
    guard let found = supplementaries[known(kind)]?.source(of: view.rawValue) else {
      return Resolution(
        registration: fallback(role), unresolvedName: view.rawValue)
    }
    return Resolution(
      registration: ViewRegistration(role, name: found.name, source: found.source),
      unresolvedName: nil)
  }

  /// The registered names with their roles, without aliases.
  var registeredNames: [(name: String, role: ViewRole)] {
    cells.sources.keys.map { ($0, .cell) }
      + supplementaries.flatMap { kind, names in
        names.sources.keys.map { ($0, .supplementary(kind: kind)) }
      }
  }

  /// All views that may be dequeued, fallbacks included.
  ///
  /// - Parameter kinds: Further kinds of supplementary views that need a fallback.
  /// - Returns: Each view once: cells first, sorted by name.
  package func requiredRegistrations(kinds: Set<Supplementary.Kind> = []) -> [ViewRegistration] {
    var registrations = cells.sources.sorted { $0.key < $1.key }
      .map { ViewRegistration(.cell, name: $0.key, source: $0.value) }
    registrations.append(fallback(.cell))
    for kind in Set(supplementaries.keys).union(kinds.map(known)).sorted() {
      let role = ViewRole.supplementary(kind: kind)
      registrations += (supplementaries[kind]?.sources ?? [:]).sorted { $0.key < $1.key }
        .map { ViewRegistration(role, name: $0.key, source: $0.value) }
      registrations.append(fallback(role))
    }
    return registrations
  }

  /// No stored name contains U+0000, so the fallback's name is unique.
  package func fallback(_ role: ViewRole) -> ViewRegistration {
    ViewRegistration(
      role, name: "\0fallback", source: role == .cell ? fallback : supplementaryFallback)
  }
}

/// A contradiction between names of views.
public enum ViewRegistryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An alias is a registered name.
  case nameIsRegistered(String)
  /// A name would be an alias of itself.
  case aliasesGoInCircles(String)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .nameIsRegistered(let name):
      "\"\(name)\" is registered; an alias is for a name that is not in use any more"
    case .aliasesGoInCircles(let name):
      "\"\(name)\" would be an alias of itself; let each old name lead to the one that is in use"
    }
  }
}
