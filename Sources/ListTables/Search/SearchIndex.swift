package import DerivedLists
import GRDB
package import ListModel

/// A full-text index over texts in the items of a list: a row of `searchIndex`.
///
/// It is made of the items and can be made of them again. Derived lists need none: whether an item
/// matches follows from the item. It finds the items that match among many.
package struct SearchIndex: Sendable {
  /// Its row.
  let id: Int
  /// The row of the list, which owns its items: not a derived one.
  let list: Int
  /// Where the texts are.
  package let paths: SearchedPaths
  /// Whether it stays without a derived list that searches these paths.
  package let isKept: Bool
  /// The last item, by its row, that it has while it is made in slices; `nil`: it has all.
  let filledUpTo: Int?

  /// Whether it has an item, if the list does.
  func has(item: Int) -> Bool { filledUpTo.map { item <= $0 } ?? true }

  /// The row that an item has in `searchText`.
  func row(ofItem item: Int) -> Int { id << Self.itemBits | item }

  /// The rows in `searchText`.
  var rows: ClosedRange<Int> { (id << Self.itemBits)...(id << Self.itemBits | Self.itemMask) }

  /// The item of a row in `searchText`.
  static func item(ofRow row: Int) -> Int { row & itemMask }

  // Items have ids of 48 bits.
  private static let itemBits = 48
  private static let itemMask = 1 << itemBits - 1
}

/// The paths of a full-text index, whatever their order is in a search.
package struct SearchedPaths: Hashable, Sendable {
  /// The paths, sorted.
  package let paths: [ValuePath]
  /// An array of their texts.
  let json: String

  /// - Returns: `nil` for paths that lead out of an item's content: of them there is no index.
  package init?(_ paths: [ValuePath]) {
    let isInContent = paths.allSatisfy { path in
      if case .content = path { return true }
      return false
    }
    guard isInContent else { return nil }
    var sorted: [ValuePath] = []
    var texts: [String] = []
    for path in paths.sorted(by: { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }) {
      if let last = texts.last, last.utf8.elementsEqual(path.text.utf8) { continue }
      sorted.append(path)
      texts.append(path.text)
    }
    self.paths = sorted
    json = "[\(texts.map { JSONWriter.quoted($0) }.joined(separator: ","))]"
  }

  fileprivate init(json: String) throws {
    let paths = try JSONNode(parsing: Array(json.utf8)).array().map { try ValuePath($0) }
    guard let known = SearchedPaths(paths) else {
      throw DatabaseError.corrupt("a full-text index has paths that lead out of contents")
    }
    self = known
  }

  package static func == (lhs: SearchedPaths, rhs: SearchedPaths) -> Bool {
    lhs.json.utf8.elementsEqual(rhs.json.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var json = json
    json.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// The texts of a content as the index has them, with what no phrase goes over between them.
  ///
  /// `content`: The bytes of JSON.
  func document(of content: UnsafeRawBufferPointer) -> [UInt8] {
    var document: [UInt8] = []
    guard let node = try? JSONNode(parsing: Array(content), maximumDepth: .max) else { return [] }
    for case .content(let tokens) in paths {
      node.value(at: tokens)?.forEachText { text in
        if !document.isEmpty { document += Self.separator }
        Self.append(text.utf8, to: &document)
      }
    }
    return document
  }

  /// Appends a text without U+0000, which ends a text for SQLite, and without the separator.
  static func append(_ text: some Sequence<UInt8>, to document: inout [UInt8]) {
    let start = document.count
    document.append(contentsOf: text)
    let space = UInt8(ascii: " ")
    let mark = separator.dropFirst().dropLast()
    for index in start..<document.count {
      if document[index] == 0 { document[index] = space }
      if document[index] == mark.first, document[index...].starts(with: mark) {
        for place in index..<(index + mark.count) { document[place] = space }
      }
    }
  }

  /// The one symbol that is a word in the index, so that words on both its sides are not next to each
  /// other: see `searchText`.
  private static let separator = Array(" ␞ ".utf8)
}

// MARK: Rows

extension Statements {
  /// The full-text indexes of the store.
  package func searchIndexes() throws -> [SearchIndex] {
    if let known = memory.searchIndexes { return known }
    var found: [SearchIndex] = []
    try self("SELECT id, list, paths, isKept, filledUpTo FROM searchIndex ORDER BY id").forEach {
      row in
      found.append(
        SearchIndex(
          id: try row.integer(0), list: try row.integer(1),
          paths: try SearchedPaths(json: row.text(2)), isKept: try row.integer(3) != 0,
          filledUpTo: try row.integerIfPresent(4)))
    }
    memory.searchIndexes = found
    return found
  }

  /// The index of a list over some paths; `nil` if there is none, or not all of it.
  func searchIndex(ofList list: Int, _ paths: SearchedPaths) throws -> SearchIndex? {
    try begunSearchIndex(ofList: list, paths).flatMap { $0.filledUpTo == nil ? $0 : nil }
  }

  /// The index of a list over some paths, also one that is being made.
  func begunSearchIndex(ofList list: Int, _ paths: SearchedPaths) throws -> SearchIndex? {
    try searchIndexes().first { $0.list == list && $0.paths == paths }
  }

  /// Whether a list has an index over some paths with all items, which stays also while nobody searches them.
  package func keepsSearchIndex(of rows: ListRows, _ paths: SearchedPaths) throws -> Bool {
    try searchIndex(ofList: rows.id, paths)?.isKept == true
  }

  /// Makes an index, if there is none, or what is missing of it.
  ///
  /// A long list's is made in slices before: see ``SearchIndexDraft``.
  ///
  /// - Complexity: O(*b*), *b* bytes of the contents that are missing in it.
  package func makeSearchIndex(
    of rows: ListRows, _ paths: SearchedPaths, isKept: Bool = false
  ) throws {
    let index = try beginSearchIndex(of: rows, paths, isKept: isKept)
    guard let filled = index.filledUpTo else { return }
    for (item, content) in try rows.contentsByItem() where item > filled {
      try add(content, ofItem: item, to: index)
    }
    try note(index, filledUpTo: nil)
    try optimizeSearchText()
  }

  /// The index of a list over some paths; if there is none, one without any item.
  func beginSearchIndex(
    of rows: ListRows, _ paths: SearchedPaths, isKept: Bool
  ) throws -> SearchIndex {
    if let known = try begunSearchIndex(ofList: rows.id, paths), known.isKept || !isKept {
      return known
    }
    try self(
      """
      INSERT INTO searchIndex (list, paths, isKept, filledUpTo) VALUES (?, ?, ?, 0)
      ON CONFLICT (list, paths) DO UPDATE SET isKept = 1
      """
    ).run(rows.id, paths.json, isKept ? 1 : 0)
    memory.searchIndexes = nil
    guard let index = try begunSearchIndex(ofList: rows.id, paths) else {
      throw DatabaseError.corrupt("a full-text index is not where it was written")
    }
    return index
  }

  /// `row`: `nil`: it has all items.
  func note(_ index: SearchIndex, filledUpTo row: Int?) throws {
    try self("UPDATE searchIndex SET filledUpTo = ? WHERE id = ?").run(row, index.id)
    memory.searchIndexes = nil
  }

  /// Adds an item's texts to an index.
  func add(_ content: Int, ofItem item: Int, to index: SearchIndex) throws {
    try self.index(document(of: content, at: index.paths), index.row(ofItem: item))
  }

  /// Deletes the index of a list over some paths, if there is one.
  package func dropSearchIndex(of rows: ListRows, _ paths: SearchedPaths) throws {
    if let index = try begunSearchIndex(ofList: rows.id, paths) { try dropSearchIndex(index) }
  }

  /// The lists that have indexes, with the paths of each.
  package func searchedLists() throws -> [(list: ListID, paths: [ValuePath])] {
    try searchIndexes().map { (try rows(ofSearchedList: $0.list).list, $0.paths.paths) }
  }

  /// Deletes an index.
  ///
  /// - Complexity: O(*b*), *b* bytes of the list's contents; O(1) for the only one.
  func dropSearchIndex(_ index: SearchIndex) throws {
    try self("DELETE FROM searchIndex WHERE id = ?").run(index.id)
    memory.searchIndexes = nil
    do {
      try inSavepoint {
        if try searchIndexes().isEmpty { return try emptySearchText() }
        try forEachDocument(of: index, rows(ofSearchedList: index.list)) { row, document in
          try unindex(document, row)
        }
      }
    } catch  where error.tellsOfDamage {
      try mendSearchIndexes()
    }
  }

  /// Deletes all indexes, whatever is wrong with them.
  ///
  /// - Returns: Those that were kept without a derived list; one that can't be read is left out.
  package func dropSearchIndexes() throws -> [(list: ListID, paths: [ValuePath])] {
    var kept: [(list: ListID, paths: [ValuePath])] = []
    try self("SELECT name, paths FROM searchIndex JOIN list ON list.id = list WHERE isKept = 1")
      .forEach { row in
        guard let list = try? ListID(stored: row.text(0)),
          let paths = try? SearchedPaths(json: row.text(1))
        else { return }
        kept.append((list, paths.paths))
      }
    try self("DELETE FROM searchIndex").run()
    memory.searchIndexes = nil
    do { try inSavepoint { try emptySearchText() } } catch  where error.tellsOfDamage {}
    return kept
  }

  /// Makes all indexes anew of the items.
  ///
  /// It leaves no text of anything else in them, and mends what is wrong with them.
  ///
  /// - Complexity: O(*b*), *b* bytes of the contents of the lists that have one.
  package func remakeSearchIndexes() throws {
    try emptySearchText()
    try self("UPDATE searchIndex SET filledUpTo = NULL").run()
    memory.searchIndexes = nil
    for index in try searchIndexes() {
      try forEachDocument(of: index, rows(ofSearchedList: index.list)) { row, document in
        try self.index(document, row)
      }
    }
    try optimizeSearchText()
  }

  func rows(ofSearchedList list: Int) throws -> ListRows {
    let name = try self("SELECT name FROM list WHERE id = ?").first(list) {
      try ListID(stored: $0.text(0))
    }
    guard let name, let rows = try rows(name) else {
      throw DatabaseError.corrupt("a full-text index is of a list that is missing")
    }
    return rows
  }

  /// Calls a closure with what an index has of each item, in the order of the rows.
  func forEachDocument(
    of index: SearchIndex, _ rows: ListRows, _ body: (_ row: Int, [UInt8]) throws -> Void
  ) throws {
    for (item, content) in try rows.contentsByItem() where index.has(item: item) {
      try body(index.row(ofItem: item), document(of: content, at: index.paths))
    }
  }

  /// What an index over some paths has of a content.
  func document(of content: Int, at paths: SearchedPaths) throws -> [UInt8] {
    let select = try self("SELECT content FROM content WHERE id = ?")
    select.bind(content, at: 1)
    guard let document = try select.first(read: { try $0.withBytes(0) { paths.document(of: $0) } })
    else { throw DatabaseError.corrupt("content \(content) is missing") }
    return document
  }

  // MARK: The table searchText

  /// Adds an item's texts.
  func index(_ document: [UInt8], _ row: Int) throws {
    if document.isEmpty { return }
    let insert = try self("INSERT INTO searchText (rowid, text) VALUES (?, ?)")
    insert.bind(row, at: 1)
    insert.bind(StoreStatementText(utf8: document), at: 2)
    try insert.run()
  }

  /// Takes out an item's texts, which must be those that were added: the table has only their words.
  func unindex(_ document: [UInt8], _ row: Int) throws {
    if document.isEmpty { return }
    let delete = try self(
      "INSERT INTO searchText (searchText, rowid, text) VALUES ('delete', ?, ?)")
    delete.bind(row, at: 1)
    delete.bind(StoreStatementText(utf8: document), at: 2)
    try delete.run()
  }

  private func emptySearchText() throws {
    // It would write what it holds afterwards.
    try writeSearchText()
    try self("INSERT INTO searchText (searchText) VALUES ('delete-all')").run()
  }

  /// Makes one sorted whole of what was added, which is faster to search and to add to.
  private func optimizeSearchText() throws {
    try self("INSERT INTO searchText (searchText) VALUES ('optimize')").run()
  }

  /// Does a part of what ``optimizeSearchText()`` does.
  ///
  /// `isFirst`: Whether nothing is done yet.
  ///
  /// - Returns: Whether something is left.
  func mergeSearchText(isFirst: Bool) throws -> Bool {
    let before = db.totalChangesCount
    let pages = 32
    try self("INSERT INTO searchText (searchText, rank) VALUES ('merge', ?)")
      .run(isFirst ? -pages : pages)
    // What it says itself takes one.
    return db.totalChangesCount - before > 1
  }
}

extension ListRows {
  /// The items, by their rows, and their contents, in the order of the rows: FTS5 writes its index at once
  /// for rows that ascend.
  func contentsByItem() throws -> [(item: Int, content: Int)] {
    var contents: [(item: Int, content: Int)] = []
    try forEachSection { section in
      try forEachMember(of: section) { contents.append(($0.id, $0.content)) }
    }
    contents.sort { $0.item < $1.item }
    return contents
  }
}

// MARK: Damaged indexes

extension Statements {
  /// Has FTS5 write the words that it holds in memory until the transaction ends.
  func writeSearchText() throws {
    try self("SAVEPOINT searchWritten").run()
    try self("RELEASE searchWritten").run()
  }

  /// Changes an index, or leaves it as it was; what can't be written fails here, and not at the end of the
  /// transaction, which would be lost with it.
  func inSavepoint(_ body: () throws -> Void) throws {
    try self("SAVEPOINT search").run()
    do {
      try body()
      try writeSearchText()
    } catch {
      try self("ROLLBACK TO search").run()
      try self("RELEASE search").run()
      throw error
    }
    try self("RELEASE search").run()
  }

  /// Makes indexes anew that FTS5 can't read; if it can't do that either, the store has none any more.
  ///
  /// The items are what counts, and searching does without an index. A check tells of words that are left.
  package func mendSearchIndexes() throws {
    do { try inSavepoint { try remakeSearchIndexes() } } catch  where error.tellsOfDamage {
      try self("DELETE FROM searchIndex").run()
      memory.searchIndexes = nil
    }
  }
}

extension Error {
  /// Whether rows that can't be read are the reason.
  var tellsOfDamage: Bool {
    guard let error = self as? DatabaseError else { return self is FormatError }
    // FTS5 says of its tables that a constraint has failed, or that it has no such table.
    return [.SQLITE_CORRUPT, .SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error.resultCode)
  }
}
