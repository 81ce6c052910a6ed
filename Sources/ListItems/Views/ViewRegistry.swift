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
/// views.map(section: "ads", to: "AdCell")        // for items there whose stored cell is unknown
/// views.map("Magazine", to: "BookCell")          // for magazines whose stored cell is unknown
/// ```
///
/// One registry serves collection views and tables. Where the two need different classes, register
/// the name for each; the item type's `Cell` is then a protocol that both conform to:
///
/// ```swift
/// views.register("BookCell", .type(BookRow.self), for: .tableView)
/// views.registerFallback(.type(UITableViewCell.self), for: .tableView)
/// ```
public struct ViewRegistry: Sendable {
  /// A kind of view that shows lists.
  public enum Host: Hashable, Sendable, CaseIterable {
    /// A collection view.
    case collectionView
    /// A table view.
    case tableView
  }

  private(set) var cells = Names()
  /// By kind, without numbers.
  private(set) var supplementaries: [Supplementary.Kind: Names] = [:]
  private var kindAliases: [Supplementary.Kind: Supplementary.Kind] = [:]
  private(set) var cellsOfTypes: [TypeName: CellName] = [:]
  package private(set) var cellsOfSections: [SectionID: CellName] = [:]
  private var fallbacks: Fallbacks
  private var hostFallbacks: [Host: Fallbacks] = [:]

  private struct Fallbacks: Sendable {
    var cell: ViewSource
    var supplementary: ViewSource
  }

  /// The kind under which the views of sections' decorations are registered.
  public static let decorationKind: Supplementary.Kind = "decoration"
  /// The kind under which the views of items' decorations are registered.
  package static let itemDecorationKind: Supplementary.Kind = "itemDecoration"

  /// A registry without names.
  ///
  /// - Parameters:
  ///   - fallback: The cell of items whose stored cell name is unknown.
  ///   - supplementaryFallback: The view for unknown names of headers and footers; `nil` for
  ///     `fallback`.
  public init(fallback: ViewSource, supplementaryFallback: ViewSource? = nil) {
    fallbacks = Fallbacks(cell: fallback, supplementary: supplementaryFallback ?? fallback)
  }

  // MARK: Declaring

  /// Registers a cell under a name; a later call replaces an earlier one.
  ///
  /// - Parameters:
  ///   - cell: The name in stores.
  ///   - source: Where the cell comes from.
  ///   - host: The views that it is for, where it wins over the source for all; `nil` for all.
  public mutating func register(_ cell: CellName, _ source: ViewSource, for host: Host? = nil) {
    cells.register(cell.rawValue, source, for: host)
  }

  /// Registers a view of a kind under a name; a later call replaces an earlier one.
  ///
  /// - Parameters:
  ///   - view: The name in stores.
  ///   - kind: The kind, with all its numbers: see `Supplementary.Kind.numbered(_:_:)`.
  ///   - source: Where the view comes from.
  ///   - host: The views that it is for, where it wins over the source for all; `nil` for all.
  public mutating func register(
    _ view: ViewName, kind: Supplementary.Kind, _ source: ViewSource, for host: Host? = nil
  ) {
    supplementaries[unnumbered(kind), default: Names()].register(view.rawValue, source, for: host)
  }

  /// Sets the fallback of one kind of view.
  ///
  /// - Parameters:
  ///   - cell: The cell of items whose stored cell name is unknown.
  ///   - supplementary: The view for unknown names of headers and footers; `nil` for `cell`.
  ///   - host: The views that it is for.
  public mutating func registerFallback(
    _ cell: ViewSource, supplementary: ViewSource? = nil, for host: Host
  ) {
    hostFallbacks[host] = Fallbacks(cell: cell, supplementary: supplementary ?? cell)
  }

  /// Sets the cell for items of a section whose stored cell name is unknown.
  ///
  /// It comes before the cell of the item's type. An item that moves to another section gets the
  /// cell of that section.
  public mutating func map(section: SectionID, to cell: CellName) {
    cellsOfSections[section] = cell
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
    try supplementaries[unnumbered(kind), default: Names()].alias(old.rawValue, of: new.rawValue)
  }

  /// Declares an earlier name of a kind of supplementary views, which stores still hold.
  ///
  /// - Throws: ``ViewRegistryError`` if views are registered under `old`, or if `new` is an alias
  ///   of `old`.
  public mutating func aliasKind(
    _ old: Supplementary.Kind, of new: Supplementary.Kind
  ) throws(ViewRegistryError) {
    let (old, new) = (old.numberAndBase.base, new.numberAndBase.base)
    if supplementaries[old] != nil { throw .nameIsRegistered(old.rawValue) }
    if known(new) == old { throw .aliasesGoInCircles(old.rawValue) }
    kindAliases[old] = new
  }

  /// Adds the views of another registry whose names this one does not have.
  package mutating func add(missingOf other: ViewRegistry) {
    cells.add(missingOf: other.cells)
    for (kind, names) in other.supplementaries {
      supplementaries[kind, default: Names()].add(missingOf: names)
    }
    cellsOfTypes.merge(other.cellsOfTypes) { own, _ in own }
  }

  /// The current name of a stored kind, with its number.
  package func known(_ kind: Supplementary.Kind) -> Supplementary.Kind {
    var (number, kind) = kind.numberAndBase
    while let next = kindAliases[kind] { kind = next }
    return Supplementary.Kind(kind, number: number) ?? kind
  }

  /// The current name of a stored kind, without its number: what its views are registered under.
  package func unnumbered(_ kind: Supplementary.Kind) -> Supplementary.Kind {
    known(kind).numberAndBase.base
  }

  /// The registry with the sources for one kind of view.
  package func sources(for host: Host) -> ViewRegistry {
    var registry = self
    registry.cells.choose(host)
    for kind in supplementaries.keys { registry.supplementaries[kind]?.choose(host) }
    registry.fallbacks = hostFallbacks[host] ?? fallbacks
    return registry
  }

  /// No stored name contains U+0000, so the fallback's name is unique.
  package func fallback(_ role: ViewRole) -> ViewRegistration {
    ViewRegistration(
      role, name: "\0fallback", source: role == .cell ? fallbacks.cell : fallbacks.supplementary)
  }
}

extension ViewRegistry {
  /// The views of one role, by name.
  struct Names: Sendable {
    private(set) var sources: [String: ViewSource] = [:]
    /// The sources for one kind of view, which come before ``sources``.
    private var hostSources: [Host: [String: ViewSource]] = [:]
    private var aliases: [String: String] = [:]

    /// All registered names.
    var all: Set<String> {
      hostSources.values.reduce(into: Set(sources.keys)) { $0.formUnion($1.keys) }
    }

    func source(of name: String) -> (name: String, source: ViewSource)? {
      registeredName(of: name, where: { sources[$0] != nil }).flatMap { name in
        sources[name].map { (name, $0) }
      }
    }

    /// The registered name that a name is, or is an alias of; `nil` if no kind of view has it.
    func registeredName(of name: String) -> String? {
      registeredName(of: name, where: isRegistered)
    }

    private func registeredName(
      of name: String, where isRegistered: (String) -> Bool
    ) -> String? {
      var name = name
      while !isRegistered(name) {
        // The loop ends: `alias(_:of:)` refuses circles.
        guard let next = aliases[name] else { return nil }
        name = next
      }
      return name
    }

    private func isRegistered(_ name: String) -> Bool {
      sources[name] != nil || hostSources.values.contains { $0[name] != nil }
    }

    mutating func alias(_ old: String, of new: String) throws(ViewRegistryError) {
      if isRegistered(old) { throw .nameIsRegistered(old) }
      var name: String? = new
      while let current = name {
        if current == old { throw .aliasesGoInCircles(old) }
        name = aliases[current]
      }
      aliases[old] = new
    }

    mutating func register(_ name: String, _ source: ViewSource, for host: Host?) {
      if let host {
        hostSources[host, default: [:]][name] = source
      } else {
        sources[name] = source
      }
      aliases[name] = nil
    }

    /// Adds the sources and the aliases of names that this has none of.
    mutating func add(missingOf other: Names) {
      for (name, source) in other.sources where registeredName(of: name) == nil {
        sources[name] = source
      }
      for (old, new) in other.aliases where registeredName(of: old) == nil { aliases[old] = new }
    }

    /// Has the sources for one kind of view come first.
    mutating func choose(_ host: Host) {
      sources.merge(hostSources[host] ?? [:]) { $1 }
      hostSources = [:]
    }
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
