public import ListModel

extension ViewRegistry {
  /// The stored names that would show the fallback: cells and views that are neither registered nor
  /// aliases of registered ones.
  ///
  /// Types are not looked at: see ``ItemTypes/unknownNames(in:)``.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unknown ones, with their uses.
  public func unknownNames(in names: StoredNames) -> StoredNames {
    var unknown = StoredNames()
    unknown.cells = names.cells.filter { cell($0.key).unresolvedName != nil }
    for (kind, views) in names.views {
      let missing = views.filter { supplementary($0.key, kind: kind).unresolvedName != nil }
      if !missing.isEmpty { unknown.views[kind] = missing }
    }
    return unknown
  }

  /// The registered names that a store does not use.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unused names; all counts are 0.
  public func unusedNames(in names: StoredNames) -> StoredNames {
    var unused = StoredNames()
    let usedCells = Set(names.cells.keys.map { cell($0).registration })
    var usedViews: Set<ViewRegistration> = []
    for (kind, views) in names.views {
      for view in views.keys { usedViews.insert(supplementary(view, kind: kind).registration) }
    }
    for (name, role) in registeredNames {
      switch role {
      case .cell:
        guard let cell = try? CellName(name), !usedCells.contains(self.cell(cell).registration)
        else { continue }
        unused.cells[cell] = 0
      case .supplementary(let kind):
        guard let view = try? ViewName(name),
          !usedViews.contains(supplementary(view, kind: kind).registration)
        else { continue }
        unused.views[kind, default: [:]][view] = 0
      }
    }
    return unused
  }
}

extension ItemTypes {
  /// The stored type names that no type has, and that are no aliases.
  ///
  /// - Parameter names: The names of a store, from `Repository.storedNames()`.
  /// - Returns: The unknown types, with the number of their items.
  public func unknownNames(in names: StoredNames) -> StoredNames {
    StoredNames(types: names.types.filter { type(named: $0.key) == nil })
  }
}
