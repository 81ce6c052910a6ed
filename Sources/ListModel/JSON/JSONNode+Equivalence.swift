extension JSONNode {
  /// Whether both values have the same meaning; see ``JSON/isEquivalent(to:)``.
  func isEquivalent(to other: JSONNode) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return value() == other.value()
    case .number:
      guard let lhs = try? numberText(), let rhs = try? other.numberText() else { return false }
      if lhs == rhs { return true }
      guard let lhs = DecimalNumber(lhs), let rhs = DecimalNumber(rhs) else { return false }
      return lhs == rhs
    case .string:
      if value() == other.value() { return true }
      guard let lhs = try? string(), let rhs = try? other.string() else { return false }
      return lhs.hasSameBytes(as: rhs)
    case .array:
      guard var lhs = try? elements(), var rhs = try? other.elements() else { return false }
      while let element = lhs.next() {
        guard let counterpart = rhs.next(), element.isEquivalent(to: counterpart) else {
          return false
        }
      }
      return rhs.next() == nil
    case .object:
      guard let lhs = try? object().sortedMembers(), let rhs = try? other.object().sortedMembers()
      else { return false }
      return lhs.count == rhs.count
        && zip(lhs, rhs).allSatisfy {
          $0.isText == $1.isText && $0.name.hasSameBytes(as: $1.name)
            && $0.value.isEquivalent(to: $1.value)
        }
    }
  }
}

extension JSONObject {
  /// The members by their names; a name that is no text, such as half a surrogate pair, counts as it is
  /// written.
  fileprivate func sortedMembers() -> [(isText: Bool, name: String, value: JSONNode)] {
    var sorted: [(isText: Bool, name: String, value: JSONNode)] = []
    for member in members {
      let name = try? member.name.string()
      sorted.append((name != nil, name ?? member.name.value().text, member.value))
    }
    sorted.sort { lhs, rhs in
      lhs.isText == rhs.isText
        ? lhs.name.utf8.lexicographicallyPrecedes(rhs.name.utf8) : rhs.isText
    }
    return sorted
  }
}
