import GRDB
import ListModel
import ListStore

// The repairs of a store that are SQL: what follows from other rows, or goes with them.
extension StoreRepair {
  /// Changes the rows of a list as a step says.
  func repairRows(of list: ListID, _ step: Step, _ db: Database) throws {
    let found = try Int.fetchOne(
      db, sql: "SELECT id FROM list WHERE name = ?", arguments: [list.rawValue])
    guard let id = found else { return }
    let sql: String
    switch step {
    case .asFound: return
    case .references: sql = Self.referencesSQL
    case .sizes: sql = Self.sizesSQL
    case .anew: sql = Self.sizesSQL + Self.clearingSQL
    }
    try db.inTransaction {
      for statement in sql.split(separator: ";\n") {
        try db.execute(sql: String(statement), arguments: ["list": id])
      }
      if step == .anew {
        let digest = Int64(bitPattern: StateDigest(ListTree(list: list)).value)
        try db.execute(
          sql: """
            INSERT INTO block (list, level, memberCount, members) VALUES (?, 0, 0, '[]')
            """, arguments: [id])
        try db.execute(
          sql: "UPDATE list SET root = ?, digest = ? WHERE id = ?",
          arguments: [db.lastInsertedRowID, digest, id])
      }
      return .commit
    }
  }

  private static let referencesSQL = """
    DELETE FROM item WHERE list = :list;
    INSERT OR IGNORE INTO item (list, name, id, block)
      SELECT list, json_extract(value, '$[1]'), json_extract(value, '$[0]'), block.id
      FROM block JOIN json_each(block.members)
      WHERE list = :list AND level = 0 AND section IS NOT NULL;
    UPDATE section SET block = leaf.id
      FROM (SELECT block.id, json_extract(value, '$[0]') AS member
        FROM block JOIN json_each(block.members)
        WHERE list = :list AND level = 0 AND section IS NULL) AS leaf
      WHERE section.id = leaf.member;
    UPDATE section SET root = top.id, itemCount = top.memberCount
      FROM block AS top
      WHERE section.list = :list AND top.section = section.id AND top.parent IS NULL
    """

  private static let sizesSQL = """
    DELETE FROM blockExtent WHERE block IN (SELECT id FROM block WHERE list = :list);
    DELETE FROM measuredSize WHERE item IN (SELECT id FROM item WHERE list = :list);

    """

  private static let clearingSQL = """
    DELETE FROM supplementarySize WHERE section IN (SELECT id FROM section WHERE list = :list);
    DELETE FROM supplementary WHERE section IN (SELECT id FROM section WHERE list = :list);
    DELETE FROM decoration WHERE section IN (SELECT id FROM section WHERE list = :list);
    DELETE FROM section WHERE list = :list;
    DELETE FROM item WHERE list = :list;
    DELETE FROM block WHERE list = :list;
    DELETE FROM change WHERE list = :list;
    DELETE FROM listCommit WHERE list = :list;
    DELETE FROM feedLine WHERE list = :list;
    UPDATE list SET revision = 0, feedSequence = 0, sectionCount = 0, chain = 0, logFloor = 0,
      floorChain = 0, changeTotal = 0, byteTotal = 0, feedReadStretch = NULL,
      feedReadSequence = NULL, meta = NULL, hashedAsJSON = 0
      WHERE id = :list
    """

  /// Deletes rows that belong to nothing.
  func deleteLeftovers(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM measuredSize WHERE item NOT IN (SELECT id FROM item)
          OR sizeKey NOT IN (SELECT id FROM sizeKey);
        DELETE FROM blockExtent WHERE block NOT IN (SELECT id FROM block)
          OR sizeKey NOT IN (SELECT id FROM sizeKey);
        DELETE FROM change WHERE NOT EXISTS (SELECT 1 FROM listCommit
          WHERE listCommit.list = change.list AND listCommit.revision = change.revision
            AND firstChange <= change.id);
        DELETE FROM decoration WHERE section IN (SELECT section FROM decoration
          GROUP BY section HAVING max(ordinal) <> count(*) - 1)
        """)
  }
}
