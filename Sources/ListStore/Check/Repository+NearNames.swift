import DerivedLists
package import ListModel
import ListTables

extension Repository {
  /// A name of the app's code that stores keep.
  package enum StoredName: Sendable {
    case cell(CellName)
    /// A type, in any version of its contents.
    case type(TypeName)
    /// A type in the one version of its contents that the name has.
    case storedType(TypeName)
    /// A header, a footer, another supplementary view or a decoration.
    case view(ViewName)
  }

  /// The names of the same kind in the store, if nothing has this name.
  ///
  /// One read transaction.
  ///
  /// - Returns: `nil` if an item or a section has the name, or had it at a revision that a log still
  ///   has. Otherwise at least those that are similar.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  /// - Complexity: O(*n*), *n* items of the store and of its logs.
  package func otherNames(ifUnknown name: StoredName) throws(StoreError) -> [String]? {
    try read("read the names in the store") { db in
      let statements = Statements(db)
      switch name {
      case .cell(let cell):
        return try statements.has(cell) ? nil : statements.cellNames(near: cell.rawValue)
      case .type(let type):
        let types = try statements.types()
        let isKnown = types.contains { $0.version(ofType: type) != nil }
        return isKnown ? nil : types.map(\.rawValue)
      case .storedType(let type):
        let types = try statements.types()
        return types.contains(type) ? nil : types.map(\.rawValue)
      case .view(let view):
        let views = try statements.views()
        let isDefined = try statements.derivedLists().contains { $0.definition.headerView == view }
        return try isDefined || views.contains(view) || statements.logHas(view)
          ? nil : views.map(\.rawValue)
      }
    }
  }
}

extension Statements {
  fileprivate func has(_ cell: CellName) throws -> Bool {
    try self("SELECT EXISTS (SELECT * FROM cell WHERE name = ?)")
      .first(cell.rawValue) { try $0.integer(0) } == 1
  }

  /// The types of contents, also of those that only a log has.
  fileprivate func types() throws -> [TypeName] {
    var types: [TypeName] = []
    try self("SELECT DISTINCT type FROM content WHERE type IS NOT NULL ORDER BY type").forEach {
      types.append(try TypeName($0.text(0)))
    }
    return types
  }

  fileprivate func views() throws -> [ViewName] {
    var views: [ViewName] = []
    try self("SELECT view FROM supplementary UNION SELECT view FROM decoration ORDER BY view")
      .forEach { views.append(try ViewName($0.text(0))) }
    return views
  }

  /// Whether a log has a section with a view, or a content that reads like one.
  fileprivate func logHas(_ view: ViewName) throws -> Bool {
    let member = "\"view\":" + JSONWriter.quoted(view.rawValue)
    return try self("SELECT EXISTS (SELECT * FROM change WHERE instr(entries, ?))")
      .first(member) { try $0.integer(0) } == 1
  }
}
