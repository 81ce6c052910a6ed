import GRDB
import ListModel

/// The texts of a store that a redaction replaces, and those that it keeps.
final class OriginalTexts {
  private let db: Database
  private let options: StoreRedaction.Options
  /// How many texts have six bytes or more; known after ``filter()``.
  private(set) var longTextCount = 0

  init(_ db: Database, _ options: StoreRedaction.Options) {
    self.db = db
    self.options = options
  }

  /// All replaced texts.
  func filter() throws -> TextFilter {
    let byteCount = try Int.fetchOne(
      db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    let filter = TextFilter(byteCount: byteCount ?? 0)
    var count = 0
    try forEach(
      replaced: { text in
        filter.insert(text)
        if text.count >= TextFilter.runLength { count += 1 }
      }, kept: { _ in })
    longTextCount = count
    return filter
  }

  /// Calls a closure with the texts in the places of texts that are replaced.
  func forEachReplaced(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
    try forEach(replaced: body, kept: { _ in })
  }

  /// Of some runs, those that a replaced text has.
  func runs(among candidates: Set<ByteRun>) throws -> Set<ByteRun> {
    var found: Set<ByteRun> = []
    if candidates.isEmpty { return found }
    try forEach(
      replaced: { text in
        TextFilter.forEachRun(in: text) { if candidates.contains($0) { found.insert($0) } }
      }, kept: { _ in })
    return found
  }

  /// The runs of what stays, and of what is in every store.
  func keptRuns() throws -> Set<ByteRun> {
    var runs: Set<ByteRun> = []
    func keep(_ text: some Collection<UInt8>) {
      TextFilter.forEachRun(in: text) { runs.insert($0) }
    }
    try forEach(replaced: { _ in }, kept: { keep($0) })
    for text in Self.formatTexts { keep(text.utf8) }
    for sql in Self.structure {
      let rows = try String.fetchCursor(db, sql: sql)
      while let text = try rows.next() { keep(text.utf8) }
    }
    return runs
  }

  // MARK: Texts of rows

  /// Calls closures with the texts that are replaced, and with those that are kept.
  ///
  /// Texts stand in rows as they are or, inside of JSON, with escapes. They are given in both
  /// forms, without quotation marks.
  private func forEach(
    replaced: (ArraySlice<UInt8>) throws -> Void, kept: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    try withoutActuallyEscaping(replaced) { replaced in
      try withoutActuallyEscaping(kept) { try forEach(replaced: replaced, keeping: $0) }
    }
  }

  private func forEach(
    replaced: @escaping (ArraySlice<UInt8>) throws -> Void,
    keeping kept: @escaping (ArraySlice<UInt8>) throws -> Void
  ) throws {
    func add(_ text: String, to body: (ArraySlice<UInt8>) throws -> Void) rethrows {
      let (plain, quoted) = (Array(text.utf8)[...], JSONWriter.quotedUTF8(text))
      try body(plain)
      if quoted.count > plain.count + 2 { try body(quoted.dropFirst().dropLast()) }
    }
    let options = options
    let values = StoredValues(
      id: { id in
        try add(id, to: replaced)
        return id
      },
      content: { json in
        try JSONFiller.forEachPart(of: json) { part, text in
          switch part {
          case .text: try replaced(text)
          case .memberName: try options.keepsMembers ? kept(text) : replaced(text)
          case .number, .other: break
          }
        }
        return json
      },
      appName: { name in
        try add(name, to: options.keepsNames ? kept : replaced)
        return name
      })
    try forEachRow(of: Self.ids) { _ = try values.id($0) }
    try forEachRow(of: Self.authors) { author in
      let isKept = RedactedRows.keptAuthors.contains(author)
      try add(author, to: isKept ? kept : replaced)
    }
    try forEachRow(of: Self.appNames) { _ = try values.appName($0) }
    try forEachRow(of: Self.contents) { _ = try values.content($0) as String }
    try forEachRow(of: "SELECT action FROM content WHERE action IS NOT NULL") {
      _ = try values.action($0)
    }
    try forEachRow(of: "SELECT entries FROM change") { _ = try values.entries($0) }
  }

  private func forEachRow(of sql: String, _ body: (String) throws -> Void) throws {
    let rows = try String?.fetchCursor(db, sql: sql)
    while let text = try rows.next() { if let text { try body(text) } }
  }

  /// The ids of nested lists consist of those of their owners.
  private static let ids = """
    SELECT name FROM list WHERE id NOT IN (SELECT list FROM listOwner)
    UNION ALL SELECT name FROM section UNION ALL SELECT name FROM item
    UNION ALL SELECT item FROM decoration UNION ALL SELECT anchorItem FROM viewState
    UNION ALL SELECT item FROM selectedItem UNION ALL SELECT ownerItem FROM listOwner
    """

  private static let authors = "SELECT name FROM author"

  private static let appNames = """
    SELECT name FROM cell UNION SELECT type FROM content UNION SELECT view FROM supplementary
    UNION SELECT view FROM decoration UNION SELECT view FROM viewState
    UNION SELECT name FROM listOwner
    """

  private static let contents = """
    SELECT content FROM content UNION ALL SELECT content FROM supplementary
    UNION ALL SELECT content FROM decoration UNION ALL SELECT meta FROM section
    UNION ALL SELECT meta FROM list UNION ALL SELECT changes FROM pendingEdit
    UNION ALL SELECT undo FROM pendingEdit UNION ALL SELECT found FROM pendingEdit
    """

  private static let structure = [
    "SELECT type || name || tbl_name FROM sqlite_schema",
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL",
    "SELECT name || checksum FROM schemaMigration",
    """
    SELECT contentSizeCategory || legibilityWeight || layoutDirection || locale
    FROM layoutEnvironment
    """,
    "SELECT system FROM layoutEnvironment", "SELECT axis FROM sizeKey",
    "SELECT variant FROM sizeKey", "SELECT DISTINCT kind FROM supplementary",
    "SELECT kind || view FROM supplementary", "SELECT view || element FROM decoration",
    "SELECT view || selectionMode FROM viewState",
    "SELECT layoutKind FROM section WHERE layoutKind IS NOT NULL",
    "SELECT visibility FROM section", "SELECT DISTINCT '/' || name FROM listOwner",
  ]

  /// The last ones have each literal of JSON in its places: alone, as a member, beside another.
  private static let formatTexts = [
    "SQLite format 3", "\u{1F}nested sha256:", "supplementaries", "decorations", "visibility",
    "hiddenWhenEmpty", "interitemSpacing", "lineSpacing", "columns", "insets", "layout", "header",
    "footer", "content", "zIndex", "waterfall", "section",
    "[true][false][null]", ":true,:false,:null,", ":true}:false}:null}", ",true},false},null}",
    "[true,true,false,false,null,null,true,null,false,true]",
  ]
}
