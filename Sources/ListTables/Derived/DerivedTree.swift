import DerivedLists
import Foundation
import GRDB
import ListModel
import StoreFiles

/// A derived list as its definition makes it of a whole source.
///
/// `Element`: What is kept of an item.
struct DerivedTree<Element> {
  private(set) var sections: [DerivedGroups<Element>.Section] = []
  /// How many items of each section have a value.
  private(set) var values: [SectionID: [ValueKey: Int]] = [:]

  /// `element`: What is kept of an item, which the source has as a member of a block, and at an index
  /// among the items of all its sections.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the source has an item twice, or counts wrongly.
  init(
    _ rule: DerivedDefinition, of source: ListRows,
    _ element: (Block.Member, ItemState, Int) throws -> Element
  ) throws {
    var groups = DerivedGroups<Element>(rule)
    var index = 0
    // What no index knows is read.
    let matching = try rule.requiredSearches.compactMap { try source.rowsMatching($0) }
    try source.forEachUncheckedSection { row, known in
      groups.begin(row.section)
      try source.forEachItem(of: row, &known) { member in
        defer { index += 1 }
        if let limit = rule.limit, index >= limit { return }
        guard matching.allSatisfy({ $0.contains(member.id) }) else { return }
        let item = try source.subject(member, row.section)
        guard rule.includes(item) else { return }
        groups.add(
          try element(member, item.state, index), keys: rule.sortKeys(of: item), from: row.section
        ) { item.key(at: $0) }
      }
    }
    sections = try groups.sections(of: source)
    values = groups.values
  }
}

/// The SHA-256 of bytes, in hexadecimal.
func sha256(_ bytes: [UInt8]) -> String { Digest.sha256Hexadecimal(bytes) }

extension DerivedDefinition {
  /// Less than 0 if keys stand before others, 0 if nothing tells them apart.
  func order(_ lhs: [ValueKey], _ rhs: [ValueKey]) -> Int {
    for (term, pair) in zip(sort, zip(lhs, rhs)) {
      let order = term.collation.order(pair.0, pair.1)
      if order != 0 { return term.isDescending ? -order : order }
    }
    return 0
  }
}

extension DerivedDefinition.Collation {
  fileprivate func order(_ lhs: ValueKey, _ rhs: ValueKey) -> Int {
    if case .localized(let locale) = self, let lhs = lhs.string, let rhs = rhs.string {
      return lhs.compare(rhs, locale: Locale(identifier: locale)).rawValue
    }
    return lhs < rhs ? -1 : rhs < lhs ? 1 : 0
  }
}
