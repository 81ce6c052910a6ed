public import ListModel

/// The views that stored names stand for: a store holds names, the app says what they are.
///
/// Total: a name that nobody registered gives the fallback, with a reuse identifier of its own, so that
/// a store of another version shows a placeholder instead of crashing. No name is ever looked up among
/// the classes of the process.
///
/// ```swift
/// var views = ViewRegistry(fallback: .type(PlaceholderCell.self))
/// views.register("BookCell", .type(BookCell.self))
/// try views.alias("ShelfCell", of: "BookCell")   // its name in the last release
/// views.map("Magazine", to: "BookCell")          // items of the type that name no cell we know
/// ```
public struct ViewRegistry: Sendable {
  private var cells = Names()
  /// By kind.
  private var supplementaries: [String: Names] = [:]
  private var kindAliases: [String: String] = [:]
  private var cellsOfTypes: [TypeName: CellName] = [:]
  private let fallback: ViewSource
  private let supplementaryFallback: ViewSource

  /// The views of one role by name.
  private struct Names: Sendable {
    var sources: [String: ViewSource] = [:]
    var aliases: [String: String] = [:]

    func source(of name: String) -> (name: String, source: ViewSource)? {
      var name = name
      while true {
        if let source = sources[name] { return (name, source) }
        // Ends: aliases never lead back to where they came from.
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
  public static let decorationKind = "decoration"

  /// A registry without names.
  ///
  /// - Parameters:
  ///   - fallback: Shows items whose cell nobody registered.
  ///   - supplementaryFallback: Shows headers, footers and the like; `nil`: the other one.
  public init(fallback: ViewSource, supplementaryFallback: ViewSource? = nil) {
    self.fallback = fallback
    self.supplementaryFallback = supplementaryFallback ?? fallback
  }

  // MARK: Declaring

  /// Says what a cell name stands for; a later call replaces an earlier one.
  public mutating func register(_ cell: CellName, _ source: ViewSource) {
    cells.register(cell.rawValue, source)
  }

  /// Says what a view name stands for among the views of a kind; a later call replaces an earlier one.
  public mutating func register(_ view: ViewName, kind: String, _ source: ViewSource) {
    supplementaries[known(kind), default: Names()].register(view.rawValue, source)
  }

  /// Gives items of a type a cell, for those that name none that is registered.
  public mutating func map(_ type: TypeName, to cell: CellName) { cellsOfTypes[type] = cell }

  /// Lets stores go on that hold an earlier name of a cell.
  ///
  /// - Throws: ``ViewRegistryError`` if the earlier name is registered itself, or is where the other one
  ///   leads to.
  public mutating func alias(_ old: CellName, of new: CellName) throws(ViewRegistryError) {
    try cells.alias(old.rawValue, of: new.rawValue)
  }

  /// Lets stores go on that hold an earlier name of a view of a kind.
  ///
  /// - Throws: ``ViewRegistryError``, as for cells.
  public mutating func alias(
    _ old: ViewName, of new: ViewName, kind: String
  ) throws(ViewRegistryError) {
    try supplementaries[known(kind), default: Names()].alias(old.rawValue, of: new.rawValue)
  }

  /// Lets stores go on that hold an earlier name of a kind of supplementary views.
  ///
  /// - Throws: ``ViewRegistryError`` if views were registered under the earlier name, or the other one
  ///   leads to it.
  public mutating func aliasKind(_ old: String, of new: String) throws(ViewRegistryError) {
    if supplementaries[old] != nil { throw .nameIsRegistered(old) }
    if known(new) == old { throw .aliasesGoInCircles(old) }
    kindAliases[old] = new
  }

  /// The kind that a stored one stands for.
  public func known(_ kind: String) -> String {
    var kind = kind
    while let next = kindAliases[kind] { kind = next }
    return kind
  }

  // MARK: Asking

  /// A view that was asked for by name.
  public struct Resolution: Hashable, Sendable {
    /// What the host is to know before it can dequeue the view.
    public let registration: ViewRegistration
    /// The name that nobody registered, if the fallback is shown instead.
    public let unresolvedName: String?
  }

  /// The cell of an item: the one that it names, else its section's, else its type's, else the
  /// fallback.
  ///
  /// - Parameters:
  ///   - name: What the item says.
  ///   - section: The cell for items of the section, if the app has one.
  ///   - type: The item's type.
  /// - Returns: The cell, also for a name that nobody registered.
  /// - Complexity: O(1), and the aliases on the way.
  public func cell(
    _ name: CellName, section: CellName? = nil, type: TypeName? = nil
  ) -> Resolution {
    for candidate in [name, section, type.flatMap { cellsOfTypes[$0] }] {
      if let candidate, let found = cells.source(of: candidate.rawValue) {
        return Resolution(
          registration: ViewRegistration(.cell, name: found.name, source: found.source),
          unresolvedName: nil)
      }
    }
    return Resolution(registration: fallbackRegistration(.cell), unresolvedName: name.rawValue)
  }

  /// A header, a footer or another view of a section.
  public func supplementary(_ view: ViewName, kind: String) -> Resolution {
    let role = ViewRole.supplementary(kind: known(kind))
    guard let found = supplementaries[known(kind)]?.source(of: view.rawValue) else {
      return Resolution(
        registration: fallbackRegistration(role), unresolvedName: view.rawValue)
    }
    return Resolution(
      registration: ViewRegistration(role, name: found.name, source: found.source),
      unresolvedName: nil)
  }

  /// Everything that a host can be asked to dequeue, fallbacks included: known before the first view.
  ///
  /// - Parameter kinds: Further kinds of supplementary views whose names may be unknown to the app.
  /// - Returns: Each once, cells first, in the order of their names.
  public func requiredRegistrations(kinds: Set<String> = []) -> [ViewRegistration] {
    var registrations = cells.sources.sorted { $0.key < $1.key }
      .map { ViewRegistration(.cell, name: $0.key, source: $0.value) }
    registrations.append(fallbackRegistration(.cell))
    for kind in Set(supplementaries.keys).union(kinds.map(known)).sorted() {
      let role = ViewRole.supplementary(kind: kind)
      registrations += (supplementaries[kind]?.sources ?? [:]).sorted { $0.key < $1.key }
        .map { ViewRegistration(role, name: $0.key, source: $0.value) }
      registrations.append(fallbackRegistration(role))
    }
    return registrations
  }

  /// U+0000 is in no name of a store: this one is nobody's.
  private func fallbackRegistration(_ role: ViewRole) -> ViewRegistration {
    ViewRegistration(
      role, name: "\0fallback", source: role == .cell ? fallback : supplementaryFallback)
  }
}

/// Names of views that contradict each other.
public enum ViewRegistryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was to be an earlier name is one of today.
  case nameIsRegistered(String)
  /// The name would stand for itself.
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
