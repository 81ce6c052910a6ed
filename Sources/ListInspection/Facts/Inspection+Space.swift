import Foundation
import GRDB
import ListModel
import ListStore
import ListTables
import StoreSchema

extension Inspection {
  /// What the bytes of the store are used for: by table, by part and by list.
  ///
  /// Each number is read by itself: what can't be read is absent, and ``StoreSpace/findings`` says
  /// why.
  ///
  /// - Complexity: O(*n*), *n* bytes of the store.
  public func space() -> StoreSpace { space(by: .pages) }

  /// As ``space()``, by a method that may be replaced by a simpler one.
  package func space(by method: StoreSpace.Method) -> StoreSpace {
    var space = StoreSpace(
      file: file.path, byteCount: evidence.files.first?.byteCount ?? 0,
      logByteCount: evidence.log?.byteCount, method: method, freeByteCount: 0)
    space.findings = findings
    guard case .success(let store) = opened else { return space }
    func attempt(_ place: String, _ body: () throws -> Void) {
      do { try body() } catch {
        space.findings.append(.unreadable(place, error))
      }
    }
    attempt("the free pages") {
      space.freeByteCount = try store.read("count free pages") { db in
        let statements = Statements(db)
        let pages = try statements("PRAGMA freelist_count").first { try $0.integer(0) } ?? 0
        let size = try statements("PRAGMA page_size").first { try $0.integer(0) } ?? 0
        return pages * size
      }
    }
    attempt("the tables") {
      let modules = try store.read("look for dbstat") { db in
        try Statements(db)("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'")
          .first { try $0.integer(0) }
      }
      if modules != 1 { space.method = .values }
      space.tables = try store.read("measure the tables") { db in
        space.method == .pages ? try StoreSpace.pages(db) : try StoreSpace.values(db)
      }
    }
    if space.method == .pages {
      space.unusedByteCount = space.tables.reduce(0) { $0 + ($1.unusedByteCount ?? 0) }
    }
    space.tables.sort { ($1.byteCount, $0.name) < ($0.byteCount, $1.name) }
    for table in space.tables { space.parts[table.part, default: 0] += table.byteCount }
    attempt("the lists") {
      let repository = try lists()
      var shown: Int? = 0
      for list in try repository.lists() {
        var entry = StoreSpace.List(list: list.rawValue)
        for fact in StoreSpace.List.facts {
          attempt("list \"\(list)\": \(fact.what)") {
            try repository.read("count in \"\(list)\"") { db in
              let names = (list.rawValue, DerivedListRow.whole(of: list).rawValue)
              try fact.read(Statements(db), names, &entry)
            }
          }
        }
        if let count = entry.contentByteCount { shown? += count } else { shown = nil }
        space.lists.append(entry)
      }
      guard let shown else { return }
      let all = try repository.read("add up contents") { db in
        try Statements(db)(
          """
          SELECT coalesce(sum(length(CAST(content.content AS BLOB)) + coalesce(length(CAST(action AS BLOB)), 0)
            + coalesce(length(CAST(type AS BLOB)), 0)), 0) FROM content
          """
        ).first { try $0.integer(0) }
      }
      space.loggedContentByteCount = all.map { max(0, $0 - shown) }
    }
    return space
  }
}

extension StoreSpace {
  /// The bytes of tables with their indexes, page by page.
  ///
  /// - Throws: SQLite's error if it can't read the schema.
  static func pages(_ db: Database) throws -> [Table] {
    var tables: [Table] = []
    try Statements(db)(
      """
      SELECT coalesce(tbl_name, dbstat.name), sum(pgsize), sum(unused)
      FROM dbstat LEFT JOIN sqlite_schema AS object ON object.name = dbstat.name
      WHERE aggregate = TRUE GROUP BY 1
      """
    ).forEach { row in
      let name = try row.text(0)
      tables.append(
        Table(
          name: name, part: Part(table: name), byteCount: try row.integer(1),
          unusedByteCount: try row.integer(2)))
    }
    return tables
  }

  /// The bytes of the values of the tables that can be read.
  static func values(_ db: Database) throws -> [Table] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'
          AND name NOT GLOB 'sqlite_*'
        """)
    return names.compactMap { name in
      guard
        let columns = try? String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [name]),
        !columns.isEmpty
      else { return nil }
      let bytes = columns.map { column in
        let column = column.sqlName
        return """
          coalesce(CASE typeof(\(column)) WHEN 'integer' THEN 4 WHEN 'real' THEN 8
            ELSE length(CAST(\(column) AS BLOB)) END, 0)
          """
      }
      let sum = "SELECT coalesce(sum(\(bytes.joined(separator: " + "))), 0) FROM "
      let count = try? Int.fetchOne(db, sql: sum + name.sqlName)
      return count.map { Table(name: name, part: Part(table: name), byteCount: $0) }
    }
  }
}

extension StoreSpace.Part {
  /// What a table of any version of the schema is for.
  init(table: String) {
    self =
      switch table {
      case "content": .contents
      case "change", "listCommit", "author", "feedLine", "pendingEdit": .log
      case "list", "section", "supplementary", "decoration", "block", "item", "cell", "listOwner",
        "derivedList", "derivedValue", "borrowedItem", "keptContent":
        .lists
      case "measuredSize", "sizeKey", "layoutEnvironment", "blockExtent": .sizes
      default: .other
      }
  }
}

extension StoreSpace.List {
  /// A part of what is told of a list, which may be readable where others are not.
  fileprivate struct Fact: Sendable {
    let what: String
    /// Takes the ids of the list and of the hidden one that is there for its sake, if there is one.
    let read: @Sendable (Statements, (String, String), inout StoreSpace.List) throws -> Void
  }

  // A derived list has the contents and the sizes of its source, which count there.
  fileprivate static let facts: [Fact] = [
    Fact(what: "its contents") { statements, names, list in
      list.itemCount = try statements(
        "SELECT count(*) FROM itemMember WHERE list = (SELECT id FROM list WHERE name = ?)"
      ).first(names.0) { try $0.integer(0) }
      list.contentByteCount = try statements(
        """
        WITH named (content) AS (
          SELECT content FROM itemMember WHERE list = (SELECT id FROM list WHERE name = ?1)
            AND list NOT IN (SELECT list FROM derivedList)
          UNION SELECT content FROM keptContent WHERE leftAt IS NULL
            AND list IN (SELECT id FROM list WHERE name IN (?1, ?2)))
        SELECT coalesce(sum(length(CAST(content.content AS BLOB))
          + coalesce(length(CAST(content.action AS BLOB)), 0)
          + coalesce(length(CAST(content.type AS BLOB)), 0)), 0)
        FROM named JOIN content ON content.id = named.content
        """
      ).first(names.0, names.1) { try $0.integer(0) }
    },
    Fact(what: "its log") { statements, names, list in
      list.commitCount = try statements(
        "SELECT count(*) FROM listCommit WHERE list IN (SELECT id FROM list WHERE name IN (?, ?))"
      ).first(names.0, names.1) { try $0.integer(0) }
      list.changeByteCount = try statements(
        """
        SELECT coalesce(sum(length(CAST(entries AS BLOB)) + length(neighbours)), 0)
        FROM change WHERE list IN (SELECT id FROM list WHERE name IN (?, ?))
        """
      ).first(names.0, names.1) { try $0.integer(0) }
    },
    Fact(what: "its measured sizes") { statements, names, list in
      list.sizeCount = try statements(
        """
        SELECT count(*) FROM measuredSize WHERE owner IN (
          SELECT id FROM item WHERE list = (SELECT id FROM list WHERE name = ?))
        """
      ).first(names.0) { try $0.integer(0) }
    },
  ]
}
