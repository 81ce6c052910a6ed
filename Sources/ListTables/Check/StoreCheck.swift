package import GRDB
import ListModel
import StoreFiles

/// Walks through a whole store and notes what is wrong with it.
///
/// Every part is checked by itself, so that one that can't be read hides no other.
package final class StoreCheck {
  let db: Database
  let statements: Statements
  /// At most 100, in the order in which they were found.
  package private(set) var problems: [StoreProblem] = []
  private var list: ListID?

  private static let maximumProblemCount = 100

  /// A check of the store as the connection's transaction has it.
  package init(_ db: Database) {
    self.db = db
    statements = Statements(db)
  }

  /// Checks everything; faults are added to ``problems``.
  package func run() throws {
    try checkReferences()
    var lists: [ListID] = []
    try attempt("the lists") {
      try statements("SELECT name FROM list ORDER BY name").forEach {
        lists.append(try ListID($0.text(0)))
      }
    }
    for list in lists {
      self.list = list
      try attempt("the list", .order) { try check(list) }
    }
    list = nil
    try count(Self.leftovers + Self.invalidContents)
    try attempt("contents", .content) { try checkContents() }
    try attempt("owners of lists", .owner) { try checkOwners() }
  }

  /// Everything but the lists and the contents.
  func runBesideLists() throws {
    try checkReferences()
    try count(Self.leftovers)
    try attempt("owners of lists", .owner) { try checkOwners() }
  }

  private func checkReferences() throws {
    try attempt("references") {
      try statements("PRAGMA foreign_key_check").forEach { row in
        report(.rows, "a row of \(try row.textIfPresent(0) ?? "?") refers to a row that is missing")
      }
    }
  }

  private func count(_ leftovers: [Leftover]) throws {
    for leftover in leftovers {
      try attempt(leftover.what, leftover.kind) {
        let count = try statements(leftover.sql).first { try $0.integer(0) } ?? 0
        if count > 0 { report(leftover.kind, "\(count) \(leftover.what)") }
      }
    }
  }

  /// Notes that a part can't be read, and goes on with the next one.
  ///
  /// `kind`: What the part is about.
  ///
  /// - Throws: What has nothing to do with the store, such as the end of the time.
  func attempt(
    _ what: String, _ kind: StoreProblem.Kind = .rows, _ body: () throws -> Void
  ) throws {
    do { try body() } catch let error as DatabaseError where error.tellsOfDamage {
      report(
        error.resultCode == .SQLITE_CORRUPT && error.sql == nil ? kind : .unreadable,
        "\(what) can't be read: \(error.message ?? "rows contradict each other")")
    } catch let error as FormatError {
      report(kind, "\(what) can't be read: \(error.description)")
    }
  }

  func report(_ kind: StoreProblem.Kind, _ message: String) {
    guard problems.count < Self.maximumProblemCount else { return }
    problems.append(StoreProblem(list: list, kind: kind, message: message))
  }

  // MARK: The store

  /// Rows that must not be there: a query for their number, and what they are.
  private typealias Leftover = (kind: StoreProblem.Kind, sql: StaticString, what: String)

  private static let invalidContents: [Leftover] = [
    (
      .content, "SELECT count(*) FROM content WHERE NOT json_valid(content)",
      "contents that are no JSON"
    ),
    (
      .content, "SELECT count(*) FROM content WHERE action IS NOT NULL AND NOT json_valid(action)",
      "actions that are no JSON"
    ),
  ]

  /// Rows that nothing can use, and values that nothing can have.
  private static let leftovers: [Leftover] = [
    (
      .size,
      """
      SELECT count(*) FROM measuredSize
      WHERE owner NOT IN (SELECT id FROM item UNION ALL SELECT id FROM supplementary)
      """, "sizes without an item or a view"
    ),
    (
      .size, "SELECT count(*) FROM measuredSize WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
      "sizes without a key"
    ),
    (
      .size,
      """
      SELECT count(*) FROM sizeKey
      WHERE (axis IN ('horizontal', 'vertical') AND fittingPixels > 0) IS NOT TRUE
      """, "keys of sizes that no screen has"
    ),
    (
      .size,
      """
      SELECT count(*) FROM measuredSize
      WHERE (width BETWEEN 0 AND 1e6 AND height BETWEEN 0 AND 1e6) IS NOT TRUE
      """, "sizes that no cell can have"
    ),
    (
      .size, "SELECT count(*) FROM blockExtent WHERE block NOT IN (SELECT id FROM block)",
      "sums of sizes without a block"
    ),
    (
      .size, "SELECT count(*) FROM blockExtent WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
      "sums of sizes without a key"
    ),
    (
      .rows,
      """
      SELECT (SELECT count(*) FROM item WHERE id > lastItem)
        + (SELECT count(*) FROM content WHERE id > lastItem)
        + (SELECT count(*) FROM supplementary WHERE id > lastItem)
      FROM store
      """, "items, contents or views beyond the last id that was given"
    ),
    (
      .rows,
      """
      SELECT count(*) - count(DISTINCT id) + count(*) FILTER (WHERE id IN (SELECT id FROM item))
      FROM supplementary
      """, "views that have the id of another one or of an item"
    ),
    (
      .order, "SELECT count(*) FROM block WHERE list NOT IN (SELECT id FROM list)",
      "blocks without a list"
    ),
    (
      .rows, "SELECT count(*) FROM item WHERE list NOT IN (SELECT id FROM list)",
      "items without a list"
    ),
    (
      .rows,
      """
      SELECT count(*) FROM (SELECT 1 FROM decoration
        GROUP BY section HAVING max(ordinal) <> count(*) - 1)
      """, "sections whose decorations are not numbered from 0 on"
    ),
    (
      .log,
      """
      SELECT count(*) FROM change WHERE NOT EXISTS (SELECT 1 FROM listCommit
        WHERE listCommit.list = change.list AND listCommit.revision = change.revision
          AND firstChange <= change.id)
      """, "rows of changes without a commit"
    ),
    (
      .content,
      """
      SELECT count(*) FROM (SELECT content AS json FROM supplementary
        UNION ALL SELECT content FROM decoration UNION ALL SELECT meta FROM section
        UNION ALL SELECT meta FROM list)
      WHERE json IS NOT NULL AND NOT json_valid(json)
      """, "attributes of sections and lists that are no JSON"
    ),
    (
      .rows,
      """
      SELECT count(*) FROM (SELECT changes AS json FROM pendingEdit
        UNION ALL SELECT undo FROM pendingEdit UNION ALL SELECT found FROM pendingEdit)
      WHERE json IS NOT NULL AND NOT json_valid(json)
      """, "changes of edits that are no JSON"
    ),
    (
      .rows,
      """
      SELECT count(*) FROM pendingEdit AS own WHERE state = 'local' AND NOT EXISTS (
        SELECT 1 FROM pendingEdit AS other
        WHERE other.list = own.list AND other.state IN ('waiting', 'accepted'))
      """, "ordinary edits in an outbox in which none waits"
    ),
    (
      .viewState,
      """
      SELECT count(*) FROM viewState WHERE list NOT IN (SELECT id FROM list)
        OR (anchorOffset IS NULL OR anchorOffset BETWEEN -1e6 AND 1e6) IS NOT TRUE
      """, "saved states of screens that no screen can have"
    ),
  ]

  /// Every content is named by an item or by the log, and every one that they name is there.
  private func checkContents() throws {
    guard var missing = try? statements.usedContents() else {
      return report(
        .content, "contents can't be counted, because a block or a row of the log is damaged")
    }
    var unused = 0
    try statements("SELECT id FROM content").forEach { row in
      if missing.remove(try row.integer(0)) == nil { unused += 1 }
    }
    if unused > 0 { report(.content, "\(unused) contents that neither an item nor the log names") }
    if !missing.isEmpty { report(.content, "\(missing.count) contents that are named and missing") }
  }

  /// A nested list has the id that follows from its owner; no other list has such an id.
  private func checkOwners() throws {
    try statements(
      """
      SELECT nested.name, owner.name, ownerItem, listOwner.name
      FROM list AS nested LEFT JOIN listOwner ON listOwner.list = nested.id
        LEFT JOIN list AS owner ON owner.id = ownerList
      """
    ).forEach { row in
      do {
        let list = try ListID(row.text(0))
        guard let owner = try row.textIfPresent(1) else {
          if ListOwner.isNested(list) { report(.owner, "nested list \"\(list)\" has no owner") }
          return
        }
        let expected = ListOwner(
          list: try ListID(owner), item: try ItemID(row.text(2)),
          name: try NestedName(row.text(3)))
        if expected.nestedList != list {
          report(.owner, "list \"\(list)\" has the owner of \"\(expected.nestedList)\"")
        }
      } catch let error as FormatError {
        report(.owner, error.description)
      }
    }
  }
}

extension DatabaseError {
  /// Whether the file is the reason, and not the connection or the time.
  fileprivate var tellsOfDamage: Bool {
    switch resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_ERROR, .SQLITE_TOOBIG,
      .SQLITE_MISMATCH:
      true
    default: false
    }
  }
}
