import GRDB
import ListModel
import ListStore

// The repairs of a store that are SQL: what follows from other rows, or goes with them.
extension StoreRepair {
  /// Changes the rows of a list as a step says.
  ///
  /// - Returns: `false` if items had to be left out because no block names them.
  func repairRows(of list: ListID, _ step: Step, _ db: Database) throws -> Bool {
    let found = try Int.fetchOne(
      db, sql: "SELECT id FROM list WHERE name = ?", arguments: [list.rawValue])
    guard let id = found else { return true }
    var isWhole = true
    try db.inTransaction {
      switch step {
      case .asFound: break
      case .references: isWhole = try repairReferences(of: id, db)
      case .anew:
        try run(Self.clearingSQL, ofList: id, db)
        try makeEmpty(list, id, db)
      }
      return .commit
    }
    return isWhole
  }

  private func run(_ sql: String, ofList id: Int, level: Int? = nil, _ db: Database) throws {
    for statement in sql.split(separator: ";\n") {
      var arguments: StatementArguments = ["list": id]
      if let level { arguments = ["list": id, "level": level] }
      try db.execute(sql: String(statement), arguments: arguments)
    }
  }

  private func makeEmpty(_ list: ListID, _ id: Int, _ db: Database) throws {
    let digest = Int64(bitPattern: StateDigest(ListTree(list: list)).value)
    try db.execute(
      sql: "INSERT INTO block (list, level, memberCount, members) VALUES (?, 0, 0, '[]')",
      arguments: [id])
    try db.execute(
      sql: "UPDATE list SET root = ?, digest = ? WHERE id = ?",
      arguments: [db.lastInsertedRowID, digest, id])
  }

  /// The highest level of a list's blocks; none has as many as 20.
  private func greatestLevel(ofList id: Int, _ db: Database) throws -> Int {
    let level = try Int.fetchOne(
      db, sql: "SELECT max(level) FROM block WHERE list = ?", arguments: [id])
    return min(max(level ?? 0, 0), 20)
  }

  private func repairReferences(of id: Int, _ db: Database) throws -> Bool {
    try run(Self.countsSQL, ofList: id, db)
    for level in 0..<(try greatestLevel(ofList: id, db)) {
      try run(Self.countsAboveSQL, ofList: id, level: level + 1, db)
    }
    try db.execute(sql: "DELETE FROM item WHERE list = ?", arguments: [id])
    let placeCount = db.changesCount
    try run(Self.placesSQL, ofList: id, db)
    let isWhole = db.changesCount >= placeCount
    try run(Self.referencesSQL, ofList: id, db)
    return isWhole
  }

  private static let countsSQL = """
    UPDATE block SET memberCount = json_array_length(members) WHERE list = :list AND level = 0
    """

  private static let countsAboveSQL = """
    UPDATE block SET parent = above.id
      FROM (SELECT block.id, json_extract(value, '$[0]') AS child
        FROM block JOIN json_each(block.members) WHERE list = :list AND level = :level) AS above
      WHERE block.id = above.child AND list = :list AND level = :level - 1;
    UPDATE block SET (members, memberCount) = (
        SELECT json_group_array(json_array(id, count)), CAST(total(count) AS INTEGER) FROM (
          SELECT child.id AS id, child.memberCount AS count
          FROM json_each(block.members) AS entry
            JOIN block AS child ON child.id = json_extract(entry.value, '$[0]')
          ORDER BY entry.key))
      WHERE list = :list AND level = :level AND NOT EXISTS (
        SELECT 1 FROM json_each(block.members) AS entry
        WHERE NOT EXISTS (SELECT 1 FROM block AS child
          WHERE child.id = json_extract(entry.value, '$[0]') AND child.list = :list
            AND child.level = :level - 1))
    """

  private static let placesSQL = """
    INSERT OR IGNORE INTO item (list, name, id, block)
      SELECT list, name, item, block FROM itemMember WHERE list = :list
    """

  private static let referencesSQL = """
    UPDATE section SET block = leaf.id
      FROM (SELECT block.id, json_extract(value, '$[0]') AS member
        FROM block JOIN json_each(block.members)
        WHERE list = :list AND level = 0 AND section IS NULL) AS leaf
      WHERE section.id = leaf.member;
    UPDATE section SET root = top.id, itemCount = top.memberCount
      FROM block AS top
      WHERE section.list = :list AND top.section = section.id AND top.parent IS NULL;
    UPDATE list SET sectionCount = top.memberCount
      FROM block AS top WHERE list.id = :list AND top.id = list.root
    """

  private static let clearingSQL = """
    DELETE FROM measuredSize WHERE owner IN (SELECT id FROM item WHERE list = :list
      UNION ALL SELECT supplementary.id FROM supplementary
        JOIN section ON section.id = section WHERE list = :list);
    DELETE FROM supplementary WHERE section IN (SELECT id FROM section WHERE list = :list);
    DELETE FROM decoration WHERE section IN (SELECT id FROM section WHERE list = :list);
    DELETE FROM section WHERE list = :list;
    DELETE FROM item WHERE list = :list;
    DELETE FROM block WHERE list = :list;
    DELETE FROM change WHERE list = :list;
    DELETE FROM listCommit WHERE list = :list;
    DELETE FROM feedLine WHERE list = :list;
    UPDATE list SET revision = 0, feedSequence = 0, sectionCount = 0, chain = 0, logFloor = 0,
      floorChain = 0, changeTotal = 0, byteTotal = 0, feedReadEpoch = NULL,
      feedReadSequence = NULL, meta = NULL
      WHERE id = :list
    """

  /// Deletes rows that belong to nothing.
  ///
  /// No page can be taken out of a list that was repaired, so none is ahead.
  func deleteLeftovers(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE list SET pageSequence = max(pageSequence, coalesce(
          (SELECT max(sequence) FROM pageAhead WHERE list = list.id), 0));
        DELETE FROM pageAhead;
        DELETE FROM change WHERE NOT EXISTS (SELECT 1 FROM listCommit
          WHERE listCommit.list = change.list AND listCommit.revision = change.revision
            AND firstChange <= change.id);
        DELETE FROM decoration WHERE section IN (SELECT section FROM decoration
          GROUP BY section HAVING max(ordinal) <> count(*) - 1);
        DELETE FROM measuredSize WHERE sizeKey NOT IN (SELECT id FROM sizeKey)
          OR owner NOT IN (SELECT id FROM item UNION ALL SELECT id FROM supplementary)
        """)
  }

  /// Adds up the measured sizes of the items in each block, and of the blocks below it.
  func makeSums(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM blockExtent;
        INSERT INTO blockExtent (sizeKey, block, measured, length)
          SELECT sizeKey, item.block, count(*),
            CAST(total(round(iif(axis = 'vertical', height, width) * 1024)) AS INTEGER)
          FROM measuredSize JOIN item ON item.id = owner
            JOIN sizeKey ON sizeKey.id = measuredSize.sizeKey
          WHERE usedAt >= 0 GROUP BY 1, 2
        """)
    for level in 0..<20 where db.changesCount > 0 {
      // A block that is its own parent has a sum already.
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO blockExtent (sizeKey, block, measured, length)
            SELECT sizeKey, parent, sum(measured), sum(length)
            FROM blockExtent JOIN block ON block.id = blockExtent.block
            WHERE level = ? AND parent IS NOT NULL GROUP BY 1, 2
          """, arguments: [level])
    }
  }
}
