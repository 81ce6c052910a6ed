package import DerivedLists
import GRDB
import ListModel

extension ListRows {
  /// An item as conditions read it.
  ///
  /// `section`: That it stands in.
  func subject(_ member: Block.Member, _ section: SectionID) throws -> Subject {
    Subject(
      id: try ItemID(member.name), state: try state(of: member), section: section,
      try statements.searcher(), statements.closures)
  }

  /// The rows of the items that match a search, among others that are not in this list; `nil` if no
  /// index tells.
  package func rowsMatching(_ search: Search) throws -> FoundRows? {
    guard let paths = SearchedPaths(search.paths),
      let owner = try statements.rows(statements.owner(of: list)),
      let index = try statements.searchIndex(ofList: owner.id, paths)
    else { return nil }
    return try statements.rows(matching: search.text, in: index)
  }
}

extension Statements {
  /// Tells which items match searches, by FTS5's words.
  func searcher() throws -> Searcher {
    if let known = knownSearcher { return known }
    let searcher = Searcher(try UnicodeWords(db))
    knownSearcher = searcher
    return searcher
  }

  /// The items of an index that match; `nil` if all do, or if it can't be read.
  fileprivate func rows(matching text: SearchText, in index: SearchIndex) throws -> FoundRows? {
    guard let query = try query(for: text) else { return nil }
    var found: [Int] = []
    do {
      try self(
        """
        SELECT rowid FROM searchText WHERE searchText MATCH ? AND rowid BETWEEN ? AND ?
        ORDER BY rowid
        """
      ).forEach(StoreStatementText(utf8: query), index.rows.lowerBound, index.rows.upperBound) {
        found.append(SearchIndex.item(ofRow: try $0.integer(0)))
      }
    } catch  where error.tellsOfDamage { return nil }
    return FoundRows(found)
  }

  /// A text to look for in FTS5's language: phrases in quotes, so that no word in them is an operator.
  ///
  /// The words are taken for what they are when FTS5 breaks them once more: none has a character that is
  /// no part of a word, or that it would write otherwise.
  ///
  /// - Returns: `nil` for a text without words, which FTS5 would find nowhere.
  private func query(for text: SearchText) throws -> [UInt8]? {
    var query: [UInt8] = []
    for phrase in try searcher().phrases(of: text) {
      query += query.isEmpty ? [] : Array(" AND ".utf8)
      query.append(UInt8(ascii: "\""))
      for index in 0..<phrase.words.count {
        if index > 0 { query.append(UInt8(ascii: " ")) }
        query += phrase.words[index]
      }
      query.append(UInt8(ascii: "\""))
      query += phrase.isBegun ? Array(" *".utf8) : []
    }
    return query.isEmpty ? nil : query
  }
}
