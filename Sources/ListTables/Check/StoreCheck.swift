package import DerivedLists
package import GRDB
package import ListModel
import StoreFiles

/// Walks through a whole store and notes what is wrong with it.
///
/// Every part is checked by itself, so that one that can't be read hides no other.
package final class StoreCheck {
  let db: Database
  let statements: Statements
  /// At most 100, in the order in which they were found.
  package private(set) var problems: [StoreProblem] = []
  /// The list that is being checked.
  var list: ListID?
  /// The lists for whose sake hidden ones are there.
  private(set) var shownLists: [ListID: ListID] = [:]
  /// Contents that an item names, and of which was told what is wrong.
  var toldContents = RowSet()

  private static let maximumProblemCount = 100

  /// A check of the store as the connection's transaction has it.
  ///
  /// `closures`: Those of derived lists; of others the order of the items is not checked.
  package init(_ db: Database, _ closures: [ComputedField: ComputedField.Closure] = [:]) {
    self.db = db
    statements = Statements(db)
    statements.closures = closures
  }

  /// Checks everything; faults are added to ``problems``.
  package func run() throws {
    try checkReferences()
    try attempt("derived lists", .derived) { shownLists = try statements.shownLists() }
    var lists: [ListID] = []
    try attempt("the lists") {
      try statements("SELECT name FROM list ORDER BY name").forEach {
        lists.append(try ListID(stored: $0.text(0)))
      }
    }
    for list in lists {
      self.list = list
      try attempt("it", .order) { try check(list) }
    }
    list = nil
    try checkDerivedLists()
    try attempt("items of lists") { try checkSharedItems() }
    try count(Self.leftovers)
    try attempt("contents", .content) { try checkContents() }
    try attempt("owners of lists", .owner) { try checkOwners() }
    try checkSearchIndexes()
  }

  /// Everything but the lists and the contents.
  func runBesideLists() throws {
    try checkReferences()
    try count(Self.leftovers)
    try attempt("owners of lists", .owner) { try checkOwners() }
    try checkSearchIndexes()
  }

  private func checkReferences() throws {
    try attempt("references") {
      var counts: [String: Int] = [:]
      try statements("PRAGMA foreign_key_check").forEach { row in
        let (table, parent) = (try row.textIfPresent(0) ?? "?", try row.textIfPresent(2) ?? "?")
        let what = "rows of the table \(table) refer to rows of \(parent) that are missing"
        counts[what, default: 0] += 1
      }
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) {
        report(.rows, "\(what): \(count)")
      }
    }
  }

  private func count(_ leftovers: [Leftover]) throws {
    for leftover in leftovers {
      try attempt(leftover.what, leftover.code) {
        let count = try statements(leftover.sql).first { try $0.integer(0) } ?? 0
        if count > 0 { report(leftover.code, "\(leftover.what): \(count)") }
      }
    }
  }

  /// Notes that a part can't be read, and goes on with the next one.
  ///
  /// `code`: What the part is about.
  ///
  /// - Throws: What has nothing to do with the store, such as the end of the time.
  func attempt(
    _ what: String, _ code: StoreProblem.Code = .rows, _ body: () throws -> Void
  ) throws {
    do { try body() } catch let error as DatabaseError where error.tellsOfDamage {
      report(
        error.resultCode == .SQLITE_CORRUPT && error.sql == nil ? code : .unreadable,
        "\(what) can't be read: \(error.message ?? "rows contradict each other")")
    } catch let error as FormatError {
      // It may name what a damaged file has, of any length.
      report(code, "\(what) can't be read: \(ShownText.token(error.description, atMost: 300))")
    }
  }

  func report(_ code: StoreProblem.Code, _ message: String) {
    guard problems.count < Self.maximumProblemCount else { return }
    let isHidden = list?.isHidden ?? false
    problems.append(
      StoreProblem(
        list: isHidden ? list.flatMap { shownLists[$0] } : list, code: code,
        message: isHidden ? "what it shows the first items of: \(message)" : message))
  }

  // MARK: The store

  /// Rows that must not be there: a query for their number, and what they are.
  private typealias Leftover = (code: StoreProblem.Code, sql: StaticString, what: String)

  /// Rows that nothing can use, and values that nothing can have.
  private static let leftovers: [Leftover] = [
    (
      .size,
      """
      SELECT count(*) FROM measuredSize
      WHERE owner NOT IN (SELECT id FROM item UNION ALL SELECT id FROM supplementary)
      """, "measured sizes that belong to no item and no view"
    ),
    (
      .size, "SELECT count(*) FROM measuredSize WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
      "measured sizes of which it is not known for what width they are"
    ),
    (
      .size,
      """
      SELECT count(*) FROM sizeKey
      WHERE (axis IN ('horizontal', 'vertical') AND fittingPixels > 0) IS NOT TRUE
      """, "widths of measured sizes that no screen has"
    ),
    (
      .size,
      """
      SELECT count(*) FROM measuredSize
      WHERE (width BETWEEN 0 AND 1e6 AND height BETWEEN 0 AND 1e6) IS NOT TRUE
      """, "measured sizes that no cell can have"
    ),
    (
      .size, "SELECT count(*) FROM blockExtent WHERE block NOT IN (SELECT id FROM block)",
      "sums of sizes of no part of a list"
    ),
    (
      .size, "SELECT count(*) FROM blockExtent WHERE sizeKey NOT IN (SELECT id FROM sizeKey)",
      "sums of sizes of which it is not known for what width they are"
    ),
    (
      .rows,
      """
      SELECT (SELECT count(*) FROM item WHERE id > lastItem)
        + (SELECT count(*) FROM content WHERE id > lastItem)
        + (SELECT count(*) FROM supplementary WHERE id > lastItem)
      FROM store
      """, "items, contents or views with an id that was never given out"
    ),
    (
      .rows,
      """
      SELECT count(*) - count(DISTINCT id) + count(*) FILTER (WHERE id IN (SELECT id FROM item))
      FROM supplementary
      """, "headers, footers and other views that have the id of another one or of an item"
    ),
    (
      .order, "SELECT count(*) FROM block WHERE list NOT IN (SELECT id FROM list)",
      "parts of orders that belong to no list"
    ),
    (
      .rows,
      """
      SELECT (SELECT count(*) FROM item WHERE list NOT IN (SELECT id FROM list))
        + (SELECT count(*) FROM borrowedItem WHERE list NOT IN (SELECT id FROM list))
      """, "items that belong to no list"
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
      """, "changes in logs that belong to no commit"
    ),
    (
      .content,
      """
      SELECT count(*) FROM (SELECT content AS json FROM supplementary
        UNION ALL SELECT content FROM decoration UNION ALL SELECT meta FROM section
        UNION ALL SELECT meta FROM list)
      WHERE json IS NOT NULL AND NOT json_valid(json)
      """,
      "contents of headers, footers and decorations, or own data of sections and lists, that are no JSON"
    ),
    (
      .rows,
      """
      SELECT count(*) FROM (SELECT changes AS json FROM pendingEdit
        UNION ALL SELECT undo FROM pendingEdit UNION ALL SELECT found FROM pendingEdit)
      WHERE json IS NOT NULL AND NOT json_valid(json)
      """, "edits in the outbox whose changes are no JSON"
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
      .rows,
      """
      SELECT count(*) FROM pageAhead LEFT JOIN list ON list.id = list
      WHERE NOT json_valid(page) OR NOT json_valid(undo) OR (sequence > feedSequence) IS NOT TRUE
      """, "pages ahead of a feed that are no JSON, or of which the feed has told all"
    ),
    (
      .derived,
      """
      SELECT count(*) FROM derivedValue
      WHERE section NOT IN (SELECT id FROM section WHERE list IN (SELECT list FROM derivedList))
      """, "values of sections that no derived list has"
    ),
    (
      .derived,
      "SELECT count(*) FROM keptContent WHERE list NOT IN (SELECT list FROM derivedList)",
      "contents that are kept for lists that are not derived"
    ),
    (
      .viewState,
      """
      SELECT count(*) FROM viewState WHERE list NOT IN (SELECT id FROM list)
        OR (anchorOffset IS NULL OR anchorOffset BETWEEN -1e6 AND 1e6) IS NOT TRUE
      """, "saved states of screens that no screen can have"
    ),
  ]

  /// Every content is JSON and named by an item or by the log, and every one that they name is there.
  ///
  /// What an item lacks was told with its list.
  private func checkContents() throws {
    var unsound = 0
    try statements(
      """
      SELECT id FROM content
      WHERE NOT json_valid(content) OR action IS NOT NULL AND NOT json_valid(action)
      """
    ).forEach { row in if try !toldContents.contains(row.integer(0)) { unsound += 1 } }
    if unsound > 0 { report(.content, "contents in logs that are no JSON: \(unsound)") }
    guard var missing = try? statements.usedContents() else {
      return report(
        .content, "contents can't be counted, because an order or a log can't be read")
    }
    var unused = 0
    try statements("SELECT id FROM content").forEach { row in
      if missing.remove(try row.integer(0)) == nil { unused += 1 }
    }
    if unused > 0 { report(.content, "contents that nothing names: \(unused)") }
    let untold = missing.count { !toldContents.contains($0) }
    if untold > 0 { report(.content, "contents that logs name and that are missing: \(untold)") }
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
        let list = try ListID(stored: row.text(0))
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
