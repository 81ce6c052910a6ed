import Foundation
import GRDB
import ListModel
import ListTables

/// Writes what is known of a store into a new, empty one.
struct RedactedRows {
  private let source: Statements
  private let target: Statements
  private let values: RedactedValues
  private let pseudonyms: Pseudonyms

  init(
    _ source: Statements, _ target: Statements, _ options: StoreRedaction.Options, key: [UInt8]
  ) {
    self.source = source
    self.target = target
    pseudonyms = Pseudonyms(key: key)
    values = RedactedValues(options, pseudonyms)
  }

  func copy() throws {
    try copyStore()
    let log = LogCopy(author: values.author, time: values.time, entry: values.entry)
    var sizes = RedactedSizes(values, from: source, to: target)
    var rows: [Int: Int] = [:]
    for (list, id) in try names() {
      guard let old = try ListRows(source, list) else { continue }
      let new = try log.copy(old, as: id, to: target)
      try sizes.copy(old, to: new)
      for edit in try old.outbox.edits() { try new.outbox.insert(values.edit(edit)) }
      try copyFeed(old.id, new.id)
      try copyScreens(old.id, new.id)
      rows[old.id] = new.id
    }
    let count = try source(
      "SELECT count(*) FROM list WHERE id NOT IN (SELECT list FROM derivedList)"
    ).first { try $0.integer(0) }
    guard rows.count == count
    else { throw DatabaseError.corrupt("a nested list has an owner that is missing") }
    try copyOwners(rows)
  }

  private func copyStore() throws {
    let createdAt = try source("SELECT createdAt FROM store").first { try $0.integer(0) } ?? 0
    let id = ["store", "id"].flatMap { part in
      withUnsafeBytes(of: pseudonyms.number(for: part)) { Array($0) }
    }
    try target("UPDATE store SET storeID = ?, createdAt = ?").run(id, values.time(createdAt))
  }

  /// The lists with their new ids, owners first: the id of a nested list follows from its owner's.
  private func names() throws -> [(old: ListID, new: ListID)] {
    var names: [Int: ListID] = [:]
    var lists: [(old: ListID, new: ListID)] = []
    try source(
      """
      WITH RECURSIVE owned (list, depth) AS (
        SELECT id, 0 FROM list WHERE id NOT IN (SELECT list FROM listOwner)
          -- Their definitions name values of contents, and mean nothing for others.
          AND id NOT IN (SELECT list FROM derivedList)
        UNION ALL SELECT listOwner.list, depth + 1 FROM owned JOIN listOwner ON ownerList = owned.list)
      SELECT id, list.name, ownerList, ownerItem, listOwner.name
      FROM owned JOIN list ON list.id = owned.list LEFT JOIN listOwner ON listOwner.list = id
      ORDER BY depth, id
      """
    ).forEach { row in
      let old = try ListID(stored: row.text(1))
      var new = try values.id(old)
      if let owner = try row.integerIfPresent(2).flatMap({ names[$0] }) {
        let (item, name) = (try ItemID(row.text(3)), try NestedName(row.text(4)))
        new =
          ListOwner(list: owner, item: try values.id(item), name: try values.name(name)).nestedList
      }
      names[try row.integer(0)] = new
      lists.append((old, new))
    }
    return lists
  }

  private func copyOwners(_ rows: [Int: Int]) throws {
    try source("SELECT list, ownerList, ownerItem, name, goneAt FROM listOwner").forEach { row in
      guard let list = rows[try row.integer(0)], let owner = rows[try row.integer(1)] else {
        return
      }
      try target(
        "INSERT INTO listOwner (list, ownerList, ownerItem, name, goneAt) VALUES (?, ?, ?, ?, ?)"
      ).run(
        list, owner, try values.id(ItemID(row.text(2))).rawValue,
        try values.name(NestedName(row.text(3))).rawValue, try row.integerIfPresent(4))
    }
  }

  /// Which lines of a feed a list has taken; their hashes tell of their texts, and are left out.
  private func copyFeed(_ old: Int, _ new: Int) throws {
    try source("SELECT feedSequence, feedReadEpoch, feedReadSequence FROM list WHERE id = ?")
      .forEach(old) { row in
        try target(
          "UPDATE list SET feedSequence = ?, feedReadEpoch = ?, feedReadSequence = ? WHERE id = ?"
        ).run(
          try row.integer(0), try row.integerIfPresent(1), try row.integerIfPresent(2), new)
      }
    try source("SELECT epoch, sequence, isSnapshot, revision, endsRun FROM feedLine WHERE list = ?")
      .forEach(old) { row in
        try target(
          """
          INSERT INTO feedLine (list, epoch, sequence, digest, isSnapshot, revision, endsRun)
          VALUES (?, ?, ?, x'', ?, ?, ?)
          """
        ).run(
          new, try row.integer(0), try row.integer(1), try row.integer(2), try row.integer(3),
          try row.integer(4))
      }
  }

  private func copyScreens(_ old: Int, _ new: Int) throws {
    func item(_ name: String) throws -> String { try values.id(ItemID(name)).rawValue }
    try source(
      "SELECT view, selectionMode, anchorItem, anchorOffset FROM viewState WHERE list = ?"
    ).forEach(old) { row in
      try target(
        """
        INSERT INTO viewState (list, view, selectionMode, anchorItem, anchorOffset)
        VALUES (?, ?, ?, ?, ?)
        """
      ).run(
        new, values.name(try row.text(0)), try row.text(1), try row.textIfPresent(2).map(item),
        try row.realIfPresent(3))
    }
    try source("SELECT view, ordinal, item FROM selectedItem WHERE list = ?").forEach(old) { row in
      try target("INSERT INTO selectedItem (list, view, ordinal, item) VALUES (?, ?, ?, ?)").run(
        new, values.name(try row.text(0)), try row.integer(1), try item(row.text(2)))
    }
  }
}
