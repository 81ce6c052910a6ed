package import ListModel

/// An item as conditions and keys read it, with its content where a store has it: nothing is copied but
/// the values that are asked for.
///
/// It has no id, and no closure can read it: who asks for that reads a ``Subject``.
package struct StoredItem: ReadableItem {
  /// The section of the source that it stands in.
  package var section = DerivedDefinition.onlySection
  /// Its cell.
  package var cell = Gap.cell
  /// The name of its type, as UTF-8.
  package var type: UnsafeRawBufferPointer?
  /// Its content.
  package var content: StoredJSON?
  let searcher: Searcher

  /// An item of which nothing is read.
  ///
  /// `searcher`: Tells whether it matches a full-text search.
  package init(_ searcher: Searcher) { self.searcher = searcher }

  func passes(_ test: Condition.Test, at path: ValuePath) -> Bool {
    guard let value = value(at: path) else { return test.holds(for: key(at: path)) }
    return test.holds(
      for: value.kind, node: { value.node },
      scalar: { ValueKey.withKey(of: value) { test.holds(forKey: $0) } })
  }

  func value(at path: ValuePath) -> StoredJSON? {
    guard case .content(let tokens) = path else { return nil }
    return content?.value(at: tokens)
  }

  /// The scalar at a path.
  package func key(at path: ValuePath) -> ValueKey {
    switch path {
    case .content: value(at: path).map(ValueKey.init) ?? .null
    case .cell: ValueKey(cell.rawValue)
    case .type: type.map { ValueKey(String(decoding: $0, as: UTF8.self)) } ?? .null
    case .section: ValueKey(section.rawValue)
    case .id, .rank, .computed: .null
    }
  }

  func forEachText(at path: ValuePath, _ body: (String) -> Void) {
    switch path {
    case .content: value(at: path)?.node?.forEachText(body)
    case .id, .cell, .type, .section, .rank, .computed: key(at: path).string.map(body)
    }
  }
}

extension [Condition] {
  /// Whether all of them hold for an item.
  package func hold(for item: StoredItem) -> Bool { allSatisfy { $0.isTrue(of: item) } }
}

extension DerivedDefinition {
  /// The keys that an item is ordered by.
  package func sortKeys(of item: StoredItem) -> [ValueKey] { keys(of: item) }

  /// The keys that an item is ordered by, none of which is its rank.
  ///
  /// `key`: The item's scalar at a path.
  package func sortKeys(_ key: (ValuePath) -> ValueKey) -> [ValueKey] {
    sort.map { $0.collation.key(key($0.path)) }
  }

  /// Where the value is that items are grouped by; `nil` if they are by none.
  package var sectionPath: ValuePath? {
    if case .byValue(let term) = sections { term.path } else { nil }
  }
}
