package import ListModel

// The views for stored names.
extension ViewRegistry {
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
  ///   - section: The item's section.
  ///   - type: The item's type.
  /// - Returns: The cell, or the fallback.
  /// - Complexity: O(*a*), *a* aliases of the name.
  package func cell(
    _ name: CellName, section: SectionID? = nil, type: TypeName? = nil
  ) -> Resolution {
    guard let found = source(name, section: section, type: type) else {
      return Resolution(registration: fallback(.cell), unresolvedName: name.rawValue)
    }
    return Resolution(
      registration: ViewRegistration(.cell, name: found.name, source: found.source),
      unresolvedName: nil)
  }

  /// The registered name of an item's cell; `nil` for the fallback.
  ///
  /// `type`: The item's type, asked only where the stored name and the section lead to no cell.
  package func cellName(
    _ stored: CellName, section: SectionID?, type: @autoclosure () -> TypeName?
  ) -> CellName? {
    // It was a cell name when it was registered.
    source(stored, section: section, type: type()).flatMap { try? CellName($0.name) }
  }

  /// What tells the cells of this registry from those that item types have by themselves: names that
  /// lead to a class of another name, and types that are mapped to another cell.
  ///
  /// It is part of the keys of measured sizes: two screens may show an item in different cells.
  @MainActor package func cellVariant(of types: ItemTypes) -> String {
    var own = ViewRegistry(fallback: fallback(.cell).source)
    own.register(types.all)
    let cells = cells.sources.compactMap { name, source in
      let usual = own.cells.sources[name]?.name(reuseIdentifier: name) ?? name
      return source.name(reuseIdentifier: name).flatMap { $0 == usual ? nil : "\(name) is \($0)" }
    }
    let types = cellsOfTypes.filter { own.cellsOfTypes[$0.key] != $0.value }
    return (cells + types.map { "\($0) in \($1)" }).sorted().joined(separator: ", ")
  }

  private func source(
    _ stored: CellName, section: SectionID?, type: @autoclosure () -> TypeName?
  ) -> (name: String, source: ViewSource)? {
    cells.source(of: stored.rawValue)
      ?? section.flatMap { cellsOfSections[$0] }.flatMap { cells.source(of: $0.rawValue) }
      ?? type().flatMap(cell(ofType:)).flatMap { cells.source(of: $0.rawValue) }
  }

  /// The cell that a type is mapped to, whatever the version in its stored name.
  private func cell(ofType type: TypeName) -> CellName? {
    cellsOfTypes[type] ?? type.nameAndVersion.flatMap { cellsOfTypes[$0.name] }
  }

  /// A header, a footer or another view of a section.
  package func supplementary(_ view: ViewName, kind: Supplementary.Kind) -> Resolution {
    let kind = unnumbered(kind)
    let role = ViewRole.supplementary(kind: kind)
    guard let found = supplementaries[kind]?.source(of: view.rawValue) else {
      return Resolution(
        registration: fallback(role), unresolvedName: view.rawValue)
    }
    return Resolution(
      registration: ViewRegistration(role, name: found.name, source: found.source),
      unresolvedName: nil)
  }

  /// All views that may be dequeued, fallbacks included.
  ///
  /// - Parameter kinds: Further kinds of supplementary views that need a fallback.
  /// - Returns: Each view once: cells first, sorted by name.
  package func requiredRegistrations(kinds: Set<Supplementary.Kind> = []) -> [ViewRegistration] {
    var registrations = cells.sources.sorted { $0.key < $1.key }
      .map { ViewRegistration(.cell, name: $0.key, source: $0.value) }
    registrations.append(fallback(.cell))
    for kind in Set(supplementaries.keys).union(kinds.map(unnumbered)).sorted() {
      let role = ViewRole.supplementary(kind: kind)
      registrations += (supplementaries[kind]?.sources ?? [:]).sorted { $0.key < $1.key }
        .map { ViewRegistration(role, name: $0.key, source: $0.value) }
      registrations.append(fallback(role))
    }
    return registrations
  }
}
