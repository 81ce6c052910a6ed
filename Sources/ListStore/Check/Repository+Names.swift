import ListItems
public import ListModel
import ListTables

extension Repository {
  /// The names of cells, item types and views in all lists of the store, with their uses.
  ///
  /// One read transaction. `ViewRegistry.unknownNames(in:)` and `unusedNames(in:)` compare them
  /// with the names that the app registers, for instance in a test that opens a store of the last
  /// release. Decorations count as views of ``/ListItems/ViewRegistry/decorationKind``.
  ///
  /// - Returns: The names; those that only the log has are left out.
  /// - Throws: ``/ListModel/StoreError`` if the store can't be read.
  /// - Complexity: O(*n*), *n* items of the store.
  public func storedNames() throws(StoreError) -> StoredNames {
    try read("read the names in the store") { db in
      let statements = Statements(db)
      var names = StoredNames()
      try statements(
        """
        SELECT cell.name, count(*) FROM block, json_each(block.members)
          JOIN cell ON cell.id = json_extract(json_each.value, '$[2]')
        WHERE block.level = 0 AND block.section IS NOT NULL GROUP BY cell.id
        """
      ).forEach { row in names.cells[try CellName(row.text(0))] = try row.integer(1) }
      try statements(
        """
        SELECT content.type, count(*) FROM block, json_each(block.members) AS member
          JOIN content ON content.id = coalesce(
            json_extract(member.value, '$[4]'), json_extract(member.value, '$[0]'))
        WHERE block.level = 0 AND block.section IS NOT NULL AND content.type IS NOT NULL
        GROUP BY content.type
        """
      ).forEach { row in names.types[try TypeName(row.text(0))] = try row.integer(1) }
      try statements("SELECT kind, view, count(*) FROM supplementary GROUP BY kind, view")
        .forEach { row in
          let kind = try Supplementary.Kind(row.text(0))
          names.views[kind, default: [:]][try ViewName(row.text(1))] = try row.integer(2)
        }
      try statements("SELECT view, count(DISTINCT section) FROM decoration GROUP BY view")
        .forEach { row in
          names.views[ViewRegistry.decorationKind, default: [:]][try ViewName(row.text(0))] =
            try row.integer(1)
        }
      return names
    }
  }
}
