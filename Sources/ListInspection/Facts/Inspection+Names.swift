import Foundation
import ListModel
import ListStore
import ListTables

extension Inspection {
  /// The names of cells, item types and views in the store, with their uses in each list.
  ///
  /// Each kind of name is read by itself: one that can't be read is empty, and
  /// ``UsedNames/findings`` says why.
  ///
  /// - Parameter registry: The names of the cells that the app knows, to compare with; `nil` if they
  ///   are not known. Names that only logs have are compared, too: an undo brings them back.
  /// - Returns: The names, those that only logs have included.
  /// - Complexity: O(*n*), *n* items and contents of the store.
  public func usedNames(registry: Set<String>? = nil) -> UsedNames {
    var names = UsedNames(file: file.path)
    names.findings = findings
    func found(_ kind: String, _ query: StaticString) -> [UsedNames.Name]? {
      do { return try read(query) } catch {
        names.findings.append(.unreadable("the names of \(kind)", error))
        return nil
      }
    }
    let cells = found("cells", UsedNames.cellQuery)
    names.cells = cells ?? []
    names.types = found("types", UsedNames.typeQuery) ?? []
    names.views = found("views", UsedNames.viewQuery) ?? []
    if let registry, let cells {
      let found = Set(cells.map(\.name))
      names.unknownCells = found.subtracting(registry).sorted()
      names.unusedCells = registry.subtracting(found).sorted()
    }
    return names
  }

  /// Reads rows of a name, a kind, a list and a count; without a list it is not in use.
  private func read(_ query: StaticString) throws(StoreError) -> [UsedNames.Name] {
    try lists().read("read names") { db in
      var names: [UsedNames.Name] = []
      try Statements(db)(query).forEach { row in
        let (name, kind) = (try row.text(0), try row.textIfPresent(1))
        if names.last?.name != name || names.last?.kind != kind {
          names.append(UsedNames.Name(name: name, kind: kind, uses: [:]))
        }
        if let list = try row.textIfPresent(2), !ListID.isHidden(list) {
          names[names.count - 1].uses[list] = try row.integer(3)
        }
      }
      return names
    }
  }
}

extension UsedNames {
  fileprivate static let cellQuery: StaticString = """
    WITH used (cell, list, count) AS (
      SELECT cell, list, count(*) FROM itemMember GROUP BY cell, list
    )
    SELECT cell.name, NULL, list.name, used.count
    FROM cell LEFT JOIN used ON used.cell = cell.id LEFT JOIN list ON list.id = used.list
    ORDER BY cell.name, list.name
    """

  fileprivate static let typeQuery: StaticString = """
    WITH used (type, list, count) AS (
      SELECT type, list, count(*)
      FROM itemMember JOIN content ON content.id = itemMember.content
      WHERE type IS NOT NULL GROUP BY type, list
    )
    SELECT known.type, NULL, list.name, used.count
    FROM (SELECT DISTINCT type FROM content WHERE type IS NOT NULL) AS known
      LEFT JOIN used ON used.type = known.type LEFT JOIN list ON list.id = used.list
    ORDER BY known.type, list.name
    """

  fileprivate static let viewQuery: StaticString = """
    SELECT view, kind, list.name, count(DISTINCT used.section) FROM (
      SELECT view, kind, section FROM supplementary
      UNION ALL SELECT view, 'decoration', section FROM decoration) AS used
      JOIN section ON section.id = used.section JOIN list ON list.id = section.list
    GROUP BY view, kind, list.id ORDER BY view, kind, list.name
    """
}
