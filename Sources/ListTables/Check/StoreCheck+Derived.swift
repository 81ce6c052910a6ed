import GRDB
package import ListModel

// Each derived list is derived anew, as a whole, and compared with its rows. The updates that follow
// single commits of its source share nothing with that.
extension StoreCheck {
  /// Checks that every derived list is what its definition makes of its source, and that what belongs
  /// to derived lists belongs to one.
  ///
  /// - Complexity: O(*n* log *n*), *n* items of the sources of all derived lists.
  func checkDerivedLists() throws {
    try attempt("derived lists", .derived) {
      let all = try readDerivedLists()
      if let circle = DerivedListRow.circle(in: all.map(\.derived)) {
        list = circle
        report(.derived, "it is derived from itself")
      }
      let known = Set(all.map(\.derived.list))
      for stored in all {
        list = stored.derived.list
        try attempt("it", .derived) {
          do { try stored.check(known, statements) } catch let difference as DerivedDifference {
            report(.derived, difference.message)
          }
        }
      }
      list = nil
      try checkLostDefinitions()
    }
    list = nil
  }

  /// Reads the definitions; what can't be read is told.
  private func readDerivedLists() throws -> [StoredDerivedList] {
    var found: [StoredDerivedList] = []
    try statements(
      """
      SELECT name, source, ordinal, part, definition, followedRevision, collation, list
      FROM derivedList JOIN list ON list.id = list ORDER BY ordinal, part DESC
      """
    ).forEach { row in
      list = try? ListID(stored: row.text(0))
      try attempt("its definition", .derived) {
        found.append(
          StoredDerivedList(derived: try DerivedListRow(row), row: try row.integer(7)))
      }
    }
    list = nil
    return found
  }

  /// A list whose definition is lost is known by its commits, which name the source's.
  private func checkLostDefinitions() throws {
    for lost in try statements.listsWithoutDefinition() {
      list = lost.isHidden ? nil : lost
      report(
        .derived,
        lost.isHidden
          ? "a hidden list is there for the sake of no derived list"
          : "it was derived from another list, and its definition is lost")
    }
    list = nil
  }

  /// Lists that are not derived have items of their own.
  func checkSharedItems() throws {
    try statements(
      """
      SELECT list.name, count(*) FROM (
        SELECT max(list) AS later FROM item GROUP BY id HAVING count(DISTINCT list) > 1)
        JOIN list ON list.id = later
      GROUP BY later
      """
    ).forEach { row in
      list = try ListID(stored: row.text(0))
      report(.rows, "items whose rows another list has, too: \(try row.integer(1))")
    }
    // One that was derived, and was told of, has those of its source.
    let told = try statements.listsWithoutDefinition()
    try statements(
      """
      SELECT name, count(*) FROM borrowedItem JOIN list ON list.id = list
      WHERE list NOT IN (SELECT list FROM derivedList) GROUP BY list
      """
    ).forEach { row in
      let name = try ListID(stored: row.text(0))
      if told.contains(name) { return }
      list = name
      report(.rows, "items that it has of another list, and is not derived: \(try row.integer(1))")
    }
    list = nil
  }
}

extension Statements {
  /// The lists that were derived, by their last commits, or are hidden, and have no definition.
  ///
  /// SQLite counts the characters of a text up to the first U+0000, with which ids of hidden lists begin.
  package func listsWithoutDefinition() throws -> [ListID] {
    var lists: [ListID] = []
    try self(
      """
      SELECT name FROM list WHERE id NOT IN (SELECT list FROM derivedList)
        AND (length(name) = 0 OR EXISTS (SELECT 1 FROM listCommit
          WHERE list = list.id AND revision > list.revision - 64 AND sourceRevision IS NOT NULL))
      """
    ).forEach { lists.append(try ListID(stored: $0.text(0))) }
    return lists
  }

  /// The lists with a limit, by the hidden ones of which they have the first items.
  func shownLists() throws -> [ListID: ListID] {
    var lists: [ListID: ListID] = [:]
    try self(
      """
      SELECT source, name FROM derivedList JOIN list ON list.id = list WHERE part = 'first'
      """
    ).forEach { row in
      if let source = try? ListID(stored: row.text(0)) {
        lists[source] = try? ListID(stored: row.text(1))
      }
    }
    return lists
  }
}
