package import ListModel

/// A value of an item that a closure of an app computes: for what no path says.
///
/// A process that does not have the closure can't bring a list up to date whose definition names it.
package struct ComputedField: Hashable, Sendable {
  /// The id of the list in whose definition it stands.
  package var list: ListID
  /// The closure's version: of another one, other values are expected.
  package var version: Int
  /// Which of the definition's closures it is.
  package var index: Int

  /// Computes the value of an item.
  package typealias Closure = @Sendable (Item) -> ValueKey

  package init(list: ListID, version: Int, index: Int) {
    self.list = list
    self.version = version
    self.index = index
  }

  private static let prefix = "#computed/"

  /// As the path of a definition has it: `#computed/`, version, `/`, index, `/`, list.
  package var text: String { "\(Self.prefix)\(version)/\(index)/\(list)" }

  /// - Returns: `nil` for another text.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count)
      .split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let version = Int(parts[0]), let index = Int(parts[1]),
      let list = try? ListID(String(parts[2]))
    else { return nil }
    self.init(list: list, version: version, index: index)
  }
}

extension DerivedDefinition {
  /// The values that closures compute.
  package var computedFields: Set<ComputedField> { Set(paths.compactMap(\.computedField)) }
}

extension ValuePath {
  /// Whether a ``StoredItem`` has what is there.
  package var isStored: Bool {
    switch self {
    case .content, .cell, .type, .section, .rank: true
    case .id, .computed: false
    }
  }

  fileprivate var computedField: ComputedField? {
    if case .computed(let field) = self { return field }
    return nil
  }
}
