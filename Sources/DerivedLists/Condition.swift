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

  package func holds(for item: Subject) -> Bool { isTrue(of: item) }

  func isTrue(of item: some ReadableItem) -> Bool {
    switch self {
    case .any(let conditions): conditions.contains { $0.isTrue(of: item) }
    case .all(let conditions): conditions.allSatisfy { $0.isTrue(of: item) }
    case .not(let conditions): !conditions.allSatisfy { $0.isTrue(of: item) }
    case .test(let path, let test): item.passes(test, at: path)
    case .matches(let search): item.points(of: search) != nil
    }
  }

  /// Where it reads items.
  package var paths: [ValuePath] {
    switch self {
    case .any(let conditions), .all(let conditions), .not(let conditions):
      conditions.flatMap(\.paths)
    case .test(let path, _): [path]
    case .matches(let search): search.paths
    }
  }
}

extension Condition.Test {
  /// Whether it holds for a value of a kind.
  ///
  /// `node`: The value; it is asked for if it is an array.
  /// `holds`: Whether the test holds for the key of the value; it is asked if that is a scalar.
  func holds(for kind: JSONNode.Kind, node: () -> JSONNode?, scalar holds: () -> Bool) -> Bool {
    switch (self, kind) {
    // An array or an object equals nothing, and has no order.
    case (.has(let wanted), .array):
      guard let node = node(), var elements = try? node.elements() else { return false }
      while let element = elements.next() {
        if element.kind != .array, element.kind != .object, ValueKey(element) == wanted {
          return true
        }
      }
      return false
    case (.exists(let wanted), _): return (kind != .null) == wanted
    case (.notEqual, .array), (.notEqual, .object): return true
    case (_, .array), (_, .object): return false
    default: return holds()
    }
  }

  /// Whether it holds for a scalar.
  package func holds(for key: ValueKey) -> Bool { key.bytes.withUnsafeBytes(holds(forKey:)) }

  /// Whether it holds for the scalar of a key's bytes.
  func holds(forKey key: UnsafeRawBufferPointer) -> Bool {
    func order(_ other: ValueKey) -> Int { other.bytes.withUnsafeBytes { key.compare(to: $0) } }
    func isComparable(_ other: ValueKey) -> Bool { other.isComparable(toKindOf: key) }
    return switch self {
    case .equal(let wanted): order(wanted) == 0
    case .notEqual(let wanted): order(wanted) != 0
    case .less(let bound): isComparable(bound) && order(bound) < 0
    case .lessOrEqual(let bound): isComparable(bound) && order(bound) <= 0
    case .greater(let bound): isComparable(bound) && order(bound) > 0
    case .greaterOrEqual(let bound): isComparable(bound) && order(bound) >= 0
    case .among(let keys): keys.contains { order($0) == 0 }
    case .has: false
    case .prefix(let text): ValueKey.text(ofKey: key)?.starts(with: text) ?? false
    case .contains(let text): ValueKey.text(ofKey: key)?.contains(text) ?? false
    case .exists(let wanted): key.isEmpty != wanted
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
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
