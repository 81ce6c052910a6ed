import GRDB
import ListModel

extension ListRows {
  /// Deletes changes from before the log's beginning with the contents that only they name, and
  /// commits that have none left; the last one stays, because the log is counted from it.
  ///
  /// `most`: About how many changes and commits.
  /// Returns: Whether there may be more.
  package func dropCommits(atMost most: Int) throws -> Bool {
    var room = most
    while room > 0 {
      let oldest = try statements(
        """
        SELECT revision, firstChange FROM listCommit
        WHERE list = ?1 AND revision <= ?2 AND (revision < ?2 OR firstChange IS NOT NULL)
        ORDER BY revision LIMIT 1
        """
      ).first(id, logFloor) { (try $0.integer(0), try $0.integerIfPresent(1)) }
      guard let (revision, first) = oldest else {
        try statements.releaseContents(ofList: id, before: logFloor)
        return false
      }
      let next = try first.flatMap { try dropChanges(ofRevision: revision, from: $0, &room) }
      if next != nil || revision == logFloor {
        try statements("UPDATE listCommit SET firstChange = ? WHERE list = ? AND revision = ?")
          .run(next, id, revision)
      } else {
        try statements("DELETE FROM listCommit WHERE list = ? AND revision = ?").run(id, revision)
      }
      room -= 1
    }
    return true
  }

  /// Deletes the first changes of a commit, and the contents that they replaced or deleted.
  ///
  /// - Returns: The first row that is left; `nil` if none is.
  private func dropChanges(
    ofRevision revision: Int, from first: Int, _ room: inout Int
  ) throws -> Int? {
    let isDerived = try statements.derivedList(list) != nil
    var change = first
    while let row = try statements.changeRow(change, list: id, revision: revision) {
      if room <= 0 { return change }
      let contents = try? NamedContents(in: row)
      for content in contents?.dropped ?? [] {
        // Those of a derived list are the source's.
        if !isDerived { try statements.deleteContent(content) }
      }
      try statements("DELETE FROM change WHERE id = ?").run(change)
      // What a damaged row named is not known.
      if contents == nil { try statements.deleteUnusedContents() }
      room -= contents?.entryCount ?? 1
      change &+= 1
    }
    return nil
  }

  /// Deletes all changes of the log; their commits and contents stay.
  package func deleteChanges() throws {
    try forEachCommit(after: .min) { commit in
      guard var change = commit.firstChange else { return }
      while try statements.changeRow(change, list: id, revision: commit.revision) != nil {
        try statements("DELETE FROM change WHERE id = ?").run(change)
        change &+= 1
      }
    }
    try statements("UPDATE listCommit SET firstChange = NULL WHERE list = ?").run(id)
  }

  /// Deletes the contents that the items and the log of the list name.
  ///
  /// - Throws: `SQLITE_CORRUPT` if they can't all be read.
  package func deleteContents() throws {
    try forEachSection { section in
      try forEachMember(of: section) { try statements.deleteContent($0.content) }
    }
    let log = try LogReader(self)
    try forEachCommit(after: .min) { commit in
      try log.forEachRow(of: commit) { row in
        for content in try NamedContents(in: row).dropped { try statements.deleteContent(content) }
      }
    }
  }

  /// The blocks that the list's orders lead to.
  package func blocks() throws -> [Int] {
    var blocks: [Int] = []
    try tree.forEachBlock(root: root) { blocks.append($0) }
    try forEachSection { section in
      try tree.forEachBlock(root: section.root) { blocks.append($0) }
    }
    return blocks
  }
}

extension Statements {
  /// Deletes the contents that neither an item nor the log of any list names.
  ///
  /// If what names contents can't all be read, none is deleted.
  ///
  /// - Complexity: O(*n* + *k*), *n* items and *k* changes of the store.
  package func deleteUnusedContents() throws {
    guard let used = try? usedContents() else { return }
    var unused: [Int] = []
    try self("SELECT id FROM content").forEach { row in
      let id = try row.integer(0)
      if !used.contains(id) { unused.append(id) }
    }
    for id in unused { try self("DELETE FROM content WHERE id = ?").run(id) }
  }

  /// The contents that an item or the log of any list names.
  ///
  /// - Throws: `SQLITE_CORRUPT` if a list can't be read: what it named may be needed to repair it.
  func usedContents() throws -> Set<Int> {
    var used: Set<Int> = []
    var lists: [ListID] = []
    try self("SELECT name FROM list").forEach { lists.append(try ListID(stored: $0.text(0))) }
    for list in lists {
      guard let rows = try ListRows(self, list) else { continue }
      var sectionCount = 0
      try rows.forEachSection { section in
        sectionCount += 1
        var itemCount = 0
        try rows.forEachMember(of: section) { member in
          itemCount += 1
          used.insert(member.content)
        }
        guard itemCount == section.itemCount else {
          throw DatabaseError.corrupt("section \"\(section.section)\" counts wrongly")
        }
      }
      guard sectionCount == rows.sectionTotal else {
        throw DatabaseError.corrupt("list \"\(list)\" counts its sections wrongly")
      }
    }
    try self("SELECT id, entries FROM change").forEach { row in
      let contents = try NamedContents(
        in: LogReader.ChangeRow(
          id: try row.integer(0), entries: try row.withBytes(1) { [UInt8]($0) }, neighbours: []))
      used.formUnion(contents.dropped)
      used.formUnion(contents.others)
    }
    return used
  }
}
