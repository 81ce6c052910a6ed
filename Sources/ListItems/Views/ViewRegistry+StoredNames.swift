public import ListModel

extension ViewRegistry {
  /// The stored names that would show the fallback: cells and views that are neither registered nor
  /// aliases of registered ones.
  ///
  /// A name that is registered for one kind of view only is not among them. An unknown cell may
  /// still show the cell that its section or its type is mapped to: a store counts names in all
  /// sections and types together. Types are not looked at: see ``ItemTypes/unknownNames(in:)``.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unknown ones, with their uses.
  public func unknownNames(in names: StoredNames) -> StoredNames {
    var unknown = StoredNames()
    unknown.cells = names.cells.filter { cells.registeredName(of: $0.key.rawValue) == nil }
    for (kind, views) in names.views {
      let known = supplementaries[unnumbered(kind)]
      let missing = views.filter { known?.registeredName(of: $0.key.rawValue) == nil }
      if !missing.isEmpty { unknown.views[kind] = missing }
    }
    return unknown
  }

  /// The registered names that a store does not use.
  ///
  /// Cells of sections count as used: see ``map(section:to:)``.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unused names; all counts are 0.
  public func unusedNames(in names: StoredNames) -> StoredNames {
    var unused = StoredNames()
    let cellsInUse = Set(names.cells.keys).union(cellsOfSections.values)
    let used = Set(cellsInUse.compactMap { cells.registeredName(of: $0.rawValue) })
    for name in cells.all.subtracting(used) {
      if let cell = try? CellName(name) { unused.cells[cell] = 0 }
    }
    for (kind, registered) in supplementaries {
      let stored = names.views.filter { unnumbered($0.key) == kind }.values.flatMap(\.keys)
      let used = Set(stored.compactMap { registered.registeredName(of: $0.rawValue) })
      for name in registered.all.subtracting(used) {
        if let view = try? ViewName(name) { unused.views[kind, default: [:]][view] = 0 }
      }
    }
    return unused
  }
}

extension ItemTypes {
  /// The stored type names whose items show the fallback: those that no type has, and that are no
  /// aliases, and those of later versions than the app knows.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unknown types, with the number of their items.
  public func unknownNames(in names: StoredNames) -> StoredNames {
    StoredNames(
      types: names.types.filter { name, _ in
        guard let type = type(named: name) else { return true }
        return type.contentVersion(storedAs: name) ?? 1 > max(1, type.contentVersion)
      })
  }
}
