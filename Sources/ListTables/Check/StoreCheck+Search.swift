import DerivedLists
import GRDB
import ListModel

extension StoreCheck {
  /// The full-text indexes have the words of the items, each at its place, and no others.
  ///
  /// - Complexity: O(*b*), *b* bytes of the contents of the lists that have one.
  func checkSearchIndexes() throws {
    try attempt("full-text indexes", .search) {
      let indexes = try statements.searchIndexes()
      if indexes.isEmpty, try statements.hasNoIndexedWords() { return }
      var found = try statements.indexedWords()
      let words = try UnicodeWords(db, isOfIndex: true)
      for index in indexes {
        let list = try statements.rows(ofSearchedList: index.list)
        var wrong = 0
        try statements.forEachDocument(of: index, list) { row, document in
          if found.removeValue(forKey: row) ?? 0 != words.sum(of: document) { wrong += 1 }
        }
        if wrong > 0 {
          report(
            .search,
            "the full-text index of list \"\(list.list)\" over \(index.paths.json) has other words than "
              + "the items: \(wrong) of them")
        }
      }
      if !found.isEmpty {
        report(.search, "full-text indexes have words of items that are not there: \(found.count)")
      }
    }
  }
}

extension Statements {
  /// Whether the table of words has none; so an index that has some is never left out.
  fileprivate func hasNoIndexedWords() throws -> Bool {
    // What it counts, and what it consists of.
    try self("SELECT count(*) FROM searchText_data").first { try $0.integer(0) } ?? 0 <= 2
  }

  /// The sum of the hashes of an item's words and places, by its row in `searchText`.
  fileprivate func indexedWords() throws -> [Int: UInt64] {
    // For this connection alone, and in its memory, also if it only reads.
    let isQueryOnly = try Bool.fetchOne(db, sql: "PRAGMA query_only") ?? false
    try db.execute(sql: "PRAGMA query_only = 0")
    defer { try? db.execute(sql: "PRAGMA query_only = \(isQueryOnly)") }
    try db.execute(
      sql: "CREATE VIRTUAL TABLE temp.searchWord USING fts5vocab(main, searchText, instance)")
    var sums: [Int: UInt64] = [:]
    do {
      let select = try StoreStatement(db, "SELECT doc, term, \"offset\" FROM temp.searchWord")
      try select.forEach { row in
        let place = try row.integer(2)
        try row.withBytes(1) { term in
          sums[try row.integer(0), default: 0] &+= Words.hash(term, at: place)
        }
      }
    } catch {
      try? db.execute(sql: "DROP TABLE temp.searchWord")
      throw error
    }
    try db.execute(sql: "DROP TABLE temp.searchWord")
    return sums
  }
}

extension Words {
  fileprivate static func hash(_ word: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    (XXHash64.hash(word) &+ UInt64(bitPattern: Int64(place))) &* 0x9E37_79B9_7F4A_7C15
  }
}

extension UnicodeWords {
  /// The sum of the hashes of a document's words and places.
  fileprivate func sum(of document: [UInt8]) -> UInt64 {
    var words = Words()
    document.withUnsafeBufferPointer { append(wordsOf: $0, to: &words) }
    return (0..<words.count).reduce(0) { sum, place in
      sum &+ words[place].withUnsafeBytes { Words.hash($0, at: place) }
    }
  }
}
