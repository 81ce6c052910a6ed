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
  private(set) var counts: [SectionID: [ValueKey: Int]] = [:]

  /// An item of the list, as the source has it.
  struct Found {
    var member: Block.Member
    var state: ItemState
    /// Among the items of all sections of the source.
    var index: Int
    /// The value that has given it its section; `nil` if none has.
    var value: ValueKey?
  }

  /// Derives a whole list.
  ///
  /// `asksIndexes`: Whether full-text indexes may tell what matches a search; a check asks the items.
  /// `element`: What is kept of an item.
  ///
  /// - Throws: `SQLITE_CORRUPT` if the source has an item twice, or counts wrongly.
  init(
    _ rule: DerivedDefinition, of source: ListRows, asksIndexes: Bool = true,
    _ element: (Found) throws -> Element
  ) throws {
    var groups = DerivedGroups<Element>(rule)
    var index = 0
    // What no index knows is read.
    let matching =
      try asksIndexes ? rule.requiredSearches.compactMap { try source.rowsMatching($0) } : []
    try source.forEachUncheckedSection { row, known in
      groups.begin(row.section)
      try source.forEachItem(of: row, &known) { member in
        defer { index += 1 }
        if let limit = rule.limit, index >= limit { return }
        guard matching.allSatisfy({ $0.contains(member.id) }) else { return }
        let item = try source.subject(member, row.section)
        guard rule.includes(item) else { return }
        let value = rule.sectionPath.map { item.key(at: $0) }
        groups.add(
          try element(Found(member: member, state: item.state, index: index, value: value)),
          at: index, keys: rule.sortKeys(of: item), value: value, from: row.section)
      }
    }
    sections = try groups.sections(of: source)
    counts = groups.counts
  }
}

/// The order of strings that people of a region expect, as this system has it.
package enum SystemCollation {
  /// The system, and its version: the order may change with it.
  package static let name: String = {
    #if canImport(Darwin)
      let version = ProcessInfo.processInfo.operatingSystemVersion
      // Phones and Macs of one version may differ, too.
      #if os(macOS) || targetEnvironment(macCatalyst)
        let name = "macOS"
      #else
        let name = "iOS"
      #endif
      return "\(name) \(version.majorVersion).\(version.minorVersion)"
    #else
      // Foundation brings its own rules, with the toolchain.
      #if compiler(>=6.4)
        return "Foundation of Swift 6.4 or later"
      #elseif compiler(>=6.3)
        return "Foundation of Swift 6.3"
      #else
        return "Foundation of Swift 6.2 or earlier"
      #endif
    #endif
  }()
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

extension DerivedDefinition.SortTerm {
  /// Whether strings are compared as people of a region expect it.
  var isLocalized: Bool {
    if case .localized = collation { return true }
    return false
  }
}

extension DerivedDefinition.Collation {
  func order(_ lhs: ValueKey, _ rhs: ValueKey) -> Int {
    if case .localized(let locale) = self, let lhs = lhs.string, let rhs = rhs.string {
      return lhs.compare(rhs, locale: Locale(identifier: locale)).rawValue
    }
    return lhs < rhs ? -1 : rhs < lhs ? 1 : 0
  }
}
