package import ListModel

extension ListRows {
  /// A hint for the error of a change that names a missing section or item: the nearest name that
  /// the list has.
  ///
  /// It begins with a space, or is empty if there is no near name. A bounded number of names is
  /// read, however long the list is.
  package func hint(for error: ChangeError) -> String {
    // If reading fails, the original error is still more useful than that failure.
    guard let hint = try? foundHint(for: error), !hint.isEmpty else { return "" }
    return " " + hint
  }

  private func foundHint(for error: ChangeError) throws -> String {
    switch error {
    case .unknownSection(let id): return try hint(for: id)
    case .unknownItem(let id): return try hint(for: id)
    case .sectionAnchorNotFound(let id, let anchor):
      return id == anchor ? "" : try hint(for: anchor)
    case .itemAnchorNotFound(let id, let anchor, let section):
      if id == anchor { return "" }
      guard let other = try location(of: anchor)?.section, other != section else {
        return try hint(for: anchor)
      }
      return "(it is in section \"\(other)\")"
    default: return ""
    }
  }

  private func hint(for section: SectionID) throws -> String {
    let name = section.rawValue
    let found = try statements.names(
      near: name, in: id,
      from: """
        SELECT name FROM section WHERE list = ? AND name >= ? ORDER BY name LIMIT 100
        """,
      before: """
        SELECT name FROM section WHERE list = ? AND name < ? ORDER BY name DESC LIMIT 100
        """, one: "SELECT name FROM section WHERE list = ? AND name = ?")
    return NearestNames.hint(for: name, among: found, in: "the list")
  }

  private func hint(for item: ItemID) throws -> String {
    try items.save()
    let name = item.rawValue
    // Of a derived list, those of the list that owns its items: it may have been one of these.
    let owner = try statements.owner(ofItemsIn: id)?.row ?? id
    let found = try statements.names(
      near: name, in: owner,
      from: """
        SELECT name FROM item WHERE list = ? AND name >= ? ORDER BY name LIMIT 100
        """,
      before: """
        SELECT name FROM item WHERE list = ? AND name < ? ORDER BY name DESC LIMIT 100
        """, one: "SELECT name FROM item WHERE list = ? AND name = ?")
    return NearestNames.hint(for: name, among: found, in: "the list")
  }
}

extension Statements {
  /// Names of lists; the neighbours of a name come first.
  package func listNames(near name: String) throws -> [String] {
    let found = try names(
      near: name, in: 0,
      from: "SELECT name FROM list WHERE ? = 0 AND name >= ? ORDER BY name LIMIT 100",
      before: "SELECT name FROM list WHERE ? = 0 AND name < ? ORDER BY name DESC LIMIT 100",
      one: "SELECT name FROM list WHERE ? = 0 AND name = ?")
    return found.filter { !ListID.isHidden($0) }
  }

  /// Names of cells; the neighbours of a name come first.
  package func cellNames(near name: String) throws -> [String] {
    try names(
      near: name, in: 0,
      from: "SELECT name FROM cell WHERE ? = 0 AND name >= ? ORDER BY name LIMIT 100",
      before: "SELECT name FROM cell WHERE ? = 0 AND name < ? ORDER BY name DESC LIMIT 100",
      one: "SELECT name FROM cell WHERE ? = 0 AND name = ?")
  }

  /// A bounded number of names, found by an index: the neighbours of a name in their order, which
  /// share its beginning, and names that differ by one typing error.
  fileprivate func names(
    near name: String, in list: Int, from: StaticString, before: StaticString, one: StaticString
  ) throws -> [String] {
    var names: [String] = []
    try self(before).forEach(list, name) { names.append(try $0.text(0)) }
    names.reverse()
    try self(from).forEach(list, name) { names.append(try $0.text(0)) }
    // If there are fewer than 100, these are all.
    if names.count < 100 { return names }
    for slip in NearestNames.slips(of: name) {
      if let found = try self(one).first(list, slip, read: { try $0.text(0) }) {
        names.append(found)
      }
    }
    return names
  }
}
