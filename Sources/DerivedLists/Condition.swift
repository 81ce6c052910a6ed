import ListModel

/// What must hold for an item of a derived list.
package indirect enum Condition: Sendable {
  case any([Condition])
  case all([Condition])
  /// Not all of them hold.
  case not([Condition])
  case test(ValuePath, Test)
  case matches(Search)

  /// A question about one value.
  package enum Test: Sendable {
    case equal(ValueKey)
    case notEqual(ValueKey)
    case less(ValueKey)
    case lessOrEqual(ValueKey)
    case greater(ValueKey)
    case greaterOrEqual(ValueKey)
    case among([ValueKey])
    /// The value is an array with an equal element.
    case has(ValueKey)
    case prefix([UInt8])
    case contains([UInt8])
    /// Something is there that is not `null`.
    case exists(Bool)
  }

  package func holds(for item: Subject) -> Bool {
    switch self {
    case .any(let conditions): conditions.contains { $0.holds(for: item) }
    case .all(let conditions): conditions.allSatisfy { $0.holds(for: item) }
    case .not(let conditions): !conditions.allSatisfy { $0.holds(for: item) }
    case .test(let path, let test):
      if let node = item.node(at: path) {
        test.holds(for: node)
      } else {
        test.holds(for: item.key(at: path))
      }
    case .matches(let search): item.points(of: search) != nil
    }
  }

  /// Where it reads.
  var paths: [ValuePath] {
    switch self {
    case .any(let conditions), .all(let conditions), .not(let conditions):
      conditions.flatMap(\.paths)
    case .test(let path, _): [path]
    case .matches(let search): search.paths
    }
  }
}

extension Condition.Test {
  fileprivate func holds(for node: JSONNode) -> Bool {
    switch (self, node.kind) {
    // An array or an object equals nothing, and has no order.
    case (.has(let wanted), .array):
      guard var elements = try? node.elements() else { return false }
      while let element = elements.next() {
        if element.kind != .array, element.kind != .object, ValueKey(element) == wanted {
          return true
        }
      }
      return false
    case (.exists(let wanted), _): return (node.kind != .null) == wanted
    case (.notEqual, .array), (.notEqual, .object): return true
    case (_, .array), (_, .object): return false
    default: return holds(for: ValueKey(node))
    }
  }

  /// Whether it holds for a scalar.
  package func holds(for key: ValueKey) -> Bool {
    switch self {
    case .equal(let wanted): key == wanted
    case .notEqual(let wanted): key != wanted
    case .less(let bound): key.isComparable(to: bound) && key < bound
    case .lessOrEqual(let bound): key.isComparable(to: bound) && key <= bound
    case .greater(let bound): key.isComparable(to: bound) && key > bound
    case .greaterOrEqual(let bound): key.isComparable(to: bound) && key >= bound
    case .among(let keys): keys.contains(key)
    case .has: false
    case .prefix(let text): key.utf8?.starts(with: text) ?? false
    case .contains(let text): key.utf8?.contains(text) ?? false
    case .exists(let wanted): (key != .null) == wanted
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first else { return true }
    var rest = self
    while rest.count >= other.count, let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: other) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
