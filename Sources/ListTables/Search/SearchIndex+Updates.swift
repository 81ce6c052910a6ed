package import DerivedLists
import GRDB
package import ListModel

/// The contents of an item before a commit and after it; `nil` while it is not in the list.
struct ContentChange {
  var before: Int?
  var after: Int?
}

extension ListRows {
  /// Notes that an item has another content, if an index is to follow.
  ///
  /// `item`: Its row.
  func noteContent(ofItem item: Int, from before: Int?, to after: Int?) throws {
    guard lender == nil, try isSearched() else { return }
    contentChanges[item, default: ContentChange(before: before)].after = after
  }

  private func isSearched() throws -> Bool {
    try statements.searchIndexes().contains { $0.list == id }
  }

  /// Brings the full-text indexes of the list to where its items are, in the transaction of a commit.
  ///
  /// - Complexity: O(*k* log *k*), *k* items that were changed.
  func updateSearchIndexes() throws {
    let changes = contentChanges.sorted { $0.key < $1.key }
    contentChanges = [:]
    if !changes.isEmpty {
      do {
        try statements.inSavepoint {
          for index in try statements.searchIndexes() where index.list == id {
            for (item, change) in changes
            where change.before != change.after && index.has(item: item) {
              try update(index, item, change)
            }
          }
        }
      } catch  where error.tellsOfDamage {
        try statements.mendSearchIndexes()
      }
    }
    // A list that was not there when it was asked for.
    if revision == 1 {
      try statements.makeSearchIndexes(for: statements.derivedLists().map(\.definition))
    }
  }

  private func update(_ index: SearchIndex, _ item: Int, _ change: ContentChange) throws {
    let before = try change.before.map { try statements.document(of: $0, at: index.paths) } ?? []
    let after = try change.after.map { try statements.document(of: $0, at: index.paths) } ?? []
    if before == after { return }
    try statements.unindex(before, index.row(ofItem: item))
    try statements.index(after, index.row(ofItem: item))
  }
}

extension Statements {
  /// Makes the indexes for the searches of definitions, of those whose sources are there.
  ///
  /// `definitions`: May be new.
  package func makeSearchIndexes(for definitions: [DerivedDefinition]) throws {
    for (rows, paths) in try missingSearchIndexes(for: definitions) {
      try makeSearchIndex(of: rows, paths)
    }
  }

  /// The indexes for the searches of definitions that are not there, of those whose sources are.
  ///
  /// `definitions`: May be new.
  package func missingSearchIndexes(
    for definitions: [DerivedDefinition]
  ) throws -> [(list: ListRows, paths: SearchedPaths)] {
    if definitions.allSatisfy(\.searches.isEmpty) { return [] }
    var sources = try derivedSources()
    for definition in definitions { sources[definition.list] = definition.source }
    var missing: [(list: ListRows, paths: SearchedPaths)] = []
    for definition in definitions {
      guard let rows = try rows(owner(of: definition.source, sources)) else { continue }
      for paths in definition.searches.compactMap({ SearchedPaths($0.paths) })
      where try searchIndex(ofList: rows.id, paths) == nil {
        missing.append((rows, paths))
      }
    }
    return missing
  }

  /// Deletes the indexes that no derived list searches, and that nobody wants to keep.
  package func dropUnusedSearchIndexes() throws {
    let indexes = try searchIndexes().filter { !$0.isKept }
    if indexes.isEmpty { return }
    let sources = try derivedSources()
    var used: [Int: Set<SearchedPaths>] = [:]
    for derived in try derivedLists() {
      guard let rows = try rows(owner(of: derived.source, sources)) else { continue }
      used[rows.id, default: []]
        .formUnion(derived.definition.searches.compactMap { SearchedPaths($0.paths) })
    }
    for index in indexes where used[index.list]?.contains(index.paths) != true {
      try dropSearchIndex(index)
    }
  }

  /// Deletes the indexes of a list that is deleted, while its contents are there.
  ///
  /// `list`: Its row.
  package func dropSearchIndexes(ofList list: Int) throws {
    for index in try searchIndexes() where index.list == list { try dropSearchIndex(index) }
  }

  /// The list that owns the items of a list.
  package func owner(of list: ListID) throws -> ListID { try owner(of: list, derivedSources()) }

  /// `sources`: What each derived list is made of.
  func owner(of list: ListID, _ sources: [ListID: ListID]) -> ListID {
    var owner = list
    // A damaged file can have a circle.
    for _ in 0..<sources.count {
      guard let source = sources[owner] else { break }
      owner = source
    }
    return owner
  }

  private func derivedSources() throws -> [ListID: ListID] {
    Dictionary(try derivedLists().map { ($0.list, $0.source) }) { first, _ in first }
  }
}
