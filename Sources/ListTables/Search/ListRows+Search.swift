package import DerivedLists
import GRDB
package import ListModel

/// An item that a search has found.
package struct FoundItem: Sendable {
  /// Its row, that of the item in its source.
  package var row: Int
  /// Its id.
  package var id: ItemID
  /// How well it matches, if that was asked for: more is better.
  package var points: Int?
}

extension ListRows {
  /// The order of what is found.
  package enum FoundOrder: Sendable {
    /// That of the list.
    case list
    /// The best first; those that are as good in the order of the list.
    case rank
  }

  /// Finds the items that match a search.
  ///
  /// Where there is an index over the paths, it is asked; else each item is read. Both find the same.
  /// Gaps are not found.
  ///
  /// - Complexity: O(*n* + *k*) with an index, *n* items of the list in order, *k* found ones; else
  ///   O(*b*), *b* bytes of the list's contents.
  package func search(_ search: Search, in order: FoundOrder) throws -> [FoundItem] {
    let matching = try rowsMatching(search)
    var found: [FoundItem] = []
    try forEachSection { section in
      try forEachMember(of: section) { member in
        if let matching, !matching.contains(member.id) { return }
        if try statements.cellName(member.cell) == DerivedDefinition.gapCell { return }
        var points: Int?
        if matching == nil || order == .rank {
          points = try subject(member, section.section).points(of: search)
          if points == nil { return }
        }
        found.append(
          FoundItem(
            row: member.id, id: try ItemID(member.name), points: order == .rank ? points : nil))
      }
    }
    guard order == .rank else { return found }
    return found.enumerated().sorted { lhs, rhs in
      let (left, right) = (lhs.element.points ?? 0, rhs.element.points ?? 0)
      return left == right ? lhs.offset < rhs.offset : left > right
    }.map(\.element)
  }

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
  package func rowsMatching(_ search: Search) throws -> RowSet? {
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
  fileprivate func rows(matching text: SearchText, in index: SearchIndex) throws -> RowSet? {
    guard let query = try query(for: text) else { return nil }
    var found = RowSet()
    do {
      try self("SELECT rowid FROM searchText WHERE searchText MATCH ? AND rowid BETWEEN ? AND ?")
        .forEach(
          StoreStatementText(utf8: query), index.rows.lowerBound, index.rows.upperBound
        ) { row in _ = found.insert(SearchIndex.item(ofRow: try row.integer(0))) }
    } catch  where error.tellsOfDamage { return nil }
    return found
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
