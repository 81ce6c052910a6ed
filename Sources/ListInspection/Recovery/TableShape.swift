import GRDB
import ListModel

/// A table of a store, as its rows are in the file.
struct TableShape {
  let name: String
  /// Whether its rows have ids of their own, or are ordered by their key.
  let kind: TreePage.Kind
  /// The columns in the order in which a record has them.
  var columns: [Column]
  /// The name of the row's id if none of the columns is it, and it is kept; otherwise `nil`.
  var rowID: String?
  /// The page of the tree's root in a store that was just made.
  var usualRoot = 0
  /// The table that its rows are put into; `nil` for the one with its name.
  var table: String?
  /// Columns that its rows lack, with the SQL of what they become.
  var fixedColumns: [(name: String, value: String)] = []

  /// Whether its rows are not taken, because they follow from others.
  ///
  /// Its pages are read all the same, so that none of them is taken for another table's.
  var isDerived: Bool {
    // The words of full-text indexes are those of the items.
    name == "blockExtent" || name.hasPrefix("searchText_")
  }

  /// The table that its rows are put into.
  var target: String { table ?? name }

  /// A column of a table.
  struct Column {
    let name: String
    let type: String
    var isRequired = true
    /// Whether a row can lack it, because it was added later.
    var hasDefault = false
    /// Whether it is the row's id, which the record leaves out.
    var isRowID = false
    var isJSON = false
    /// Whether it is the id of a list, maybe of a hidden one.
    var isListID = false

    /// The type of a column that takes any value.
    static let any = "ANY"
  }

  /// The tables of a store that was just made.
  static func all(_ db: Database) throws -> [TableShape] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT entry.name, list.wr, entry.rootpage
        FROM sqlite_schema AS entry JOIN pragma_table_list AS list ON list.name = entry.name
        WHERE entry.type = 'table' AND entry.name NOT LIKE 'sqlite%' AND list.type <> 'virtual'
        ORDER BY entry.name
        """
    ).map { row in
      let kind: TreePage.Kind = (row[1] as Int) == 0 ? .rowid : .key
      let name: String = row[0]
      return TableShape(
        name: name, kind: kind, columns: try columns(db, of: name, kind), usualRoot: row[2])
    }
  }

  private static func columns(
    _ db: Database, of table: String, _ kind: TreePage.Kind
  ) throws -> [Column] {
    // A table without rowids has the columns of its key first.
    let order = kind == .key ? "pk = 0, pk, cid" : "cid"
    return try Row.fetchAll(
      db,
      sql: """
        SELECT name, type, "notnull" OR pk > 0, pk, dflt_value IS NOT NULL FROM pragma_table_info(?) ORDER BY \(order)
        """, arguments: [table]
    ).map { row in
      let name: String = row[0]
      let type: String = row[1]
      return Column(
        name: name, type: type.isEmpty ? Column.any : type, isRequired: row[2], hasDefault: row[4],
        isRowID: kind == .rowid && (row[3] as Int) > 0,
        isJSON: jsonColumns.contains(name) && type == "TEXT",
        isListID: ["list.name", "derivedList.source"].contains("\(table).\(name)"))
    }
  }

  /// The indexes of the names of cells, authors, lists and sections.
  ///
  /// If a page of the table itself is lost, they tell the id and the name of its rows. That is all
  /// of a cell or an author.
  static var namesIndexes: [TableShape] {
    let name = Column(name: "name", type: "TEXT"), id = Column(name: "id", type: "INTEGER")
    let listID = Column(name: "name", type: "TEXT", isListID: true)
    func index(
      of table: String, _ columns: [Column], zero: [String] = []
    ) -> TableShape {
      TableShape(
        name: "sqlite_autoindex_\(table)_1", kind: .key, columns: columns, table: table,
        fixedColumns: zero.map { ($0, "0") })
    }
    return [
      index(of: "cell", [name, id]), index(of: "author", [name, id]),
      index(of: "list", [listID, id], zero: ["revision", "digest", "chain", "root"]),
      index(
        of: "section", [Column(name: "list", type: "INTEGER"), name, id], zero: ["block", "root"]),
    ]
  }

  private static let jsonColumns: Set<String> = [
    "content", "action", "meta", "members", "entries",
  ]

  /// Whether a record can be a row of the table, by the number and the types of its values.
  ///
  /// The checks of the table itself are SQLite's, when the row is inserted.
  func fits(_ record: [StoredValue]) -> Bool {
    guard record.count >= least, record.count <= columns.count else { return false }
    return zip(columns, record).allSatisfy { column, value in column.fits(value) }
  }

  /// The fewest values that a record has: columns that were added later are missing in old rows.
  private var least: Int { 1 + (columns.lastIndex { $0.isRequired && !$0.hasDefault } ?? 0) }

  /// Takes a list's or a section's own data out of its row if it is no JSON: nothing else needs it.
  ///
  /// - Returns: Whether there was such data.
  func dropUnsoundData(in record: inout [StoredValue]) -> Bool {
    let index = columns.firstIndex { $0.name == "meta" && $0.isJSON && !$0.isRequired }
    guard let index, record.indices.contains(index), case .text(let bytes) = record[index],
      (try? JSONNode(parsing: Array(bytes), maximumDepth: 64)) == nil
    else { return false }
    record[index] = .null
    return true
  }

  /// Whether the texts of a row that should be JSON are.
  func hasSoundTexts(_ record: [StoredValue]) -> Bool {
    zip(columns, record).allSatisfy { column, value in
      guard column.isJSON, case .text(let bytes) = value else { return true }
      return (try? JSONNode(parsing: Array(bytes), maximumDepth: 64)) != nil
    }
  }
}

extension TableShape.Column {
  fileprivate func fits(_ value: StoredValue) -> Bool {
    switch value {
    case _ where type == Self.any: true
    case .null: isRowID || !isRequired
    case .integer: !isRowID && (type == "INTEGER" || type == "REAL")
    case .real(let real): type == "REAL" && real.isFinite
    case .text: type == "TEXT" && (value.isSoundText || isListID && value.isHiddenListID)
    case .blob: type == "BLOB"
    }
  }
}
