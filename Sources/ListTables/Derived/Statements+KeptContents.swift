import GRDB

// Contents that a source has written otherwise, as `1.0` for `1`. For the derived list that is no
// change, so it goes on naming the earlier content, which stays for its sake: rows of `keptContent`.
extension Statements {
  func keep(_ content: Int, forList list: Int) throws {
    try self("INSERT OR IGNORE INTO keptContent (content, list) VALUES (?, ?)").run(content, list)
  }

  /// Deletes a content that the log of its own list has lost, unless a derived list keeps it.
  func deleteContent(_ id: Int) throws {
    if try self("SELECT EXISTS (SELECT 1 FROM keptContent WHERE content = ?)")
      .first(id, read: { try $0.integer(0) }) != 0
    {
      return try self("UPDATE keptContent SET isOrphan = 1 WHERE content = ?").run(id)
    }
    let delete = try self("DELETE FROM content WHERE id = ?")
    delete.bind(id, at: 1)
    try delete.run()
  }

  /// Notes that the item of a derived list names another content now, or is no more.
  ///
  /// `revision`: The list's.
  func leave(_ content: Int, ofList list: Int, at revision: Int) throws {
    let leave = try self("UPDATE keptContent SET leftAt = ? WHERE content = ? AND list = ?")
    leave.bind(revision, at: 1)
    leave.bind(content, at: 2)
    leave.bind(list, at: 3)
    try leave.run()
  }

  /// Whether contents are kept for a derived list.
  package func keepsContents(for list: ListRows) throws -> Bool {
    try self("SELECT EXISTS (SELECT 1 FROM keptContent WHERE list = ?)")
      .first(list.id) { try $0.integer(0) } == 1
  }

  /// Keeps contents no longer for a derived list that neither its items nor its log name.
  ///
  /// `floor`: The first revision from which the log leads on.
  func releaseContents(ofList list: Int, before floor: Int) throws {
    try release(
      "SELECT content, isOrphan FROM keptContent WHERE list = ? AND leftAt <= ?", list, floor)
  }

  /// Keeps no content any more for a derived list that is deleted.
  package func releaseContents(ofList list: Int) throws {
    try release("SELECT content, isOrphan FROM keptContent WHERE list = ? AND ? = 0", list, 0)
  }

  private func release(_ query: StaticString, _ list: Int, _ floor: Int) throws {
    var released: [(content: Int, isOrphan: Bool)] = []
    try self(query).forEach(list, floor) {
      released.append((try $0.integer(0), try $0.integer(1) != 0))
    }
    for (content, isOrphan) in released {
      try self("DELETE FROM keptContent WHERE content = ? AND list = ?").run(content, list)
      if isOrphan { try deleteContent(content) }
    }
  }
}
