import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreSchema

/// Replaces the texts in the rows of a store.
///
/// Digests and chains of the lists have to be made anew afterwards.
struct RedactedRows {
  private let db: Database
  private let pseudonyms: Pseudonyms
  private let options: StoreRedaction.Options
  private let values: StoredValues

  /// The authors that the library itself names.
  static let keptAuthors: Set<String> = ["app", "feed", "unknown", "recovered"]

  init(_ db: Database, _ pseudonyms: Pseudonyms, _ options: StoreRedaction.Options) {
    self.db = db
    self.pseudonyms = pseudonyms
    self.options = options
    values = StoredValues(
      id: pseudonyms.name,
      content: { json in
        JSONFiller.fill(json) { name in
          if options.keepsMembers { return Array(name) }
          return Array(pseudonyms.name(for: String(decoding: name, as: UTF8.self)).utf8)
        }
      },
      appName: { options.keepsNames ? $0 : pseudonyms.name(for: $0) })
  }

  func run() throws {
    addFunctions()
    for sql in Self.statements { try db.execute(sql: sql) }
    if !options.keepsNames { for sql in Self.nameStatements { try db.execute(sql: sql) } }
    if !options.keepsTimes { for sql in Self.timeStatements { try db.execute(sql: sql) } }
    try renameLists()
    try db.execute(
      sql: "UPDATE store SET storeID = ?, isBypassed = 0",
      arguments: [
        withUnsafeBytes(of: (pseudonyms.number(for: "store"), pseudonyms.number(for: "id"))) {
          Data($0)
        }
      ])
  }

  // MARK: Statements

  /// Names are replaced before the log's neighbours, which are known by the hashes of their names.
  private static let statements = [
    """
    CREATE TEMP TABLE redactedItem AS
    SELECT list, redactedID(name) AS name, id, block FROM item ORDER BY list, 2;
    DELETE FROM item;
    INSERT INTO item (list, name, id, block) SELECT list, name, id, block FROM redactedItem
    ORDER BY list, name;
    DROP TABLE redactedItem
    """,
    "UPDATE section SET name = redactedID(name), meta = redactedContent(meta)",
    "UPDATE block SET members = redactedMembers(members) WHERE level = 0",
    """
    UPDATE measuredSize SET content = iif(
        measuredSize.content = viewHash(supplementary.view, supplementary.content),
        viewHash(redactedName(supplementary.view), redactedContent(supplementary.content)), -1)
    FROM supplementary WHERE supplementary.id = owner
    """,
    "UPDATE supplementary SET view = redactedName(view), content = redactedContent(content)",
    """
    UPDATE decoration SET view = redactedName(view), content = redactedContent(content),
      item = redactedID(item)
    """,
    "UPDATE content SET content = redactedContent(content), action = redactedAction(action)",
    "UPDATE list SET meta = redactedContent(meta)",
    "UPDATE author SET name = redactedAuthor(name)",
    "UPDATE viewState SET anchorItem = redactedID(anchorItem)",
    "UPDATE selectedItem SET item = redactedID(item)",
    "UPDATE listOwner SET ownerItem = redactedID(ownerItem), name = redactedName(name)",
    "UPDATE feedLine SET digest = x''",
    // They are for a server that knows the originals.
    "DELETE FROM pendingEdit",
    "UPDATE listCommit SET feedDigest = NULL",
    "SELECT sum(length(redactedEntries(entries))) FROM change",
    """
    UPDATE change SET entries = redactedEntries(entries),
      neighbours = redactedNeighbours(entries, neighbours)
    """,
  ]

  private static let nameStatements = [
    "UPDATE cell SET name = redactedName(name)",
    "UPDATE content SET type = redactedName(type)",
    "UPDATE viewState SET view = redactedName(view)",
    "UPDATE selectedItem SET view = redactedName(view)",
  ]

  private static let timeStatements = [
    "UPDATE listCommit SET time = time - time % 86400000",
    "UPDATE store SET createdAt = createdAt - createdAt % 86400000",
    "UPDATE sizeKey SET usedAt = usedAt - usedAt % 86400000 WHERE usedAt > 0",
    "UPDATE schemaMigration SET appliedAt = appliedAt - appliedAt % 86400000",
  ]

  // MARK: Functions

  private func addFunctions() {
    add("redactedID", values.id)
    add("redactedName") { try $0.isEmpty ? $0 : values.appName($0) }
    add("redactedAuthor") { try Self.keptAuthors.contains($0) ? $0 : values.id($0) }
    add("redactedContent") { try values.content($0) }
    add("redactedAction", values.action)
    add("redactedMembers", values.members)
    add("redactedEntries", values.entries)
    // The functions are run by this connection alone, while this value exists.
    nonisolated(unsafe) let rows = self
    db.add(
      function: DatabaseFunction("viewHash", argumentCount: 2, pure: true) { arguments in
        guard let view = String.fromDatabaseValue(arguments[0]),
          let content = String.fromDatabaseValue(arguments[1])
        else { return nil }
        return Int64(
          bitPattern: XXHash64.hash(content, seed: XXHash64.hash(view)))
      })
    db.add(
      function: DatabaseFunction("redactedNeighbours", argumentCount: 2, pure: true) { arguments in
        guard let entries = String.fromDatabaseValue(arguments[0]),
          let neighbours = Data.fromDatabaseValue(arguments[1])
        else { return nil }
        return try rows.redactedNeighbours([UInt8](neighbours), of: entries)
      })
  }

  private func add(_ name: String, _ replacement: @escaping (String) throws -> String) {
    // As above.
    nonisolated(unsafe) let replacement = replacement
    db.add(
      function: DatabaseFunction(name, argumentCount: 1, pure: true) { arguments in
        try String.fromDatabaseValue(arguments[0]).map(replacement)
      })
  }

  /// The neighbours that a row of the log names by hashes, with those of their pseudonyms.
  private func redactedNeighbours(_ neighbours: [UInt8], of entries: String) throws -> Data {
    var reader = NeighboursReader(neighbours)
    var writer = NeighboursWriter()
    for entry in try StoredValues.node(ofEntries: entries).elements() {
      let parts = try entry.array()
      let member =
        parts.count > 2 && parts[1].kind == .string && parts[0].kind == .number
        ? XXHash64.hash(try parts[1].string()) : Neighbours.none
      let isUpdateOfList = try parts.first?.integer() == 10
      let hash = isUpdateOfList ? Neighbours.none : member
      guard let neighbours = reader.next(try Self.placeCount(of: parts), member: hash) else {
        throw StoreError(.damagedStore, "a row of the log has too few neighbours")
      }
      writer.append(
        try neighbours.map { around in
          Neighbours(
            parent: try self.hash(around.parent), previous: try self.hash(around.previous),
            next: try self.hash(around.next))
        }, member: try self.hash(hash))
    }
    return Data(writer.bytes)
  }

  private static func placeCount(of parts: [JSONNode]) throws -> Int {
    let numbers = try parts.map { $0.kind == .number ? try $0.integer() : 0 }
    switch (numbers.first, numbers.count) {
    case (1, _), (2, _), (6, _), (7, _): return 1
    case (3, 6): return numbers[2...3] == numbers[4...5] ? 0 : 2
    case (8, 4): return numbers[2] == numbers[3] ? 0 : 2
    default: return 0
    }
  }

  private func hash(_ hash: UInt64) throws -> UInt64 {
    if hash == Neighbours.none { return hash }
    guard let new = pseudonyms.hash(forHash: hash) else {
      throw StoreError(
        .damagedStore, "the log has a neighbour that neither a list nor the log names")
    }
    return new
  }

  // MARK: Lists

  /// The id of a nested list follows from its owner's, which may be nested itself.
  private func renameLists() throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, list.name AS list, ownerList, ownerItem, listOwner.name AS name
        FROM list LEFT JOIN listOwner ON listOwner.list = id
        """)
    let lists = Dictionary(uniqueKeysWithValues: rows.map { ($0["id"] as Int, $0) })
    var names: [Int: ListID] = [:]
    func name(_ id: Int) throws -> ListID {
      if let known = names[id] { return known }
      guard let row = lists[id] else {
        throw StoreError(.damagedStore, "a nested list has an owner that is missing")
      }
      let new: ListID
      if let owner = row["ownerList"] as Int? {
        new =
          ListOwner(
            list: try name(owner), item: try ItemID(row["ownerItem"] as String),
            name: try NestedName(row["name"] as String)
          ).nestedList
      } else {
        new = try ListID(pseudonyms.name(for: row["list"]))
      }
      names[id] = new
      return new
    }
    for id in lists.keys.sorted() {
      try db.execute(
        sql: "UPDATE list SET name = ? WHERE id = ?", arguments: [try name(id).rawValue, id])
    }
  }
}
