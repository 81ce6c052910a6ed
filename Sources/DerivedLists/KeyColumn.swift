import ListModel

/// The values at a path of many items, as keys one behind another, so that conditions and orders read no
/// contents.
package struct KeyColumn: Sendable {
  /// Of each item, whether its key is a number that was rounded, and the bytes of the key.
  private var bytes: ContiguousArray<UInt8> = []
  private var ends: ContiguousArray<UInt32> = []
  /// Whether each value was a scalar, and all together take no more than ``mostBytes`` an item.
  ///
  /// Of an array or an object the contents tell; what is too long stays there, too.
  package private(set) var isUsable = true
  private let capacity: Int

  /// No items yet.
  ///
  /// `count`: How many it is for.
  package init(count: Int) {
    capacity = min(Self.mostBytes * count, Int(UInt32.max))
    ends.reserveCapacity(count)
  }

  /// How many bytes a key takes on average, at most.
  private static let mostBytes = 64

  /// Adds the scalar at a path of an item.
  package mutating func append(_ item: StoredItem, at path: ValuePath) {
    guard isUsable else { return }
    guard case .content = path else { return append(item.key(at: path)) }
    guard let value = item.value(at: path), value.kind != .null else { return append(.null) }
    switch value.kind {
    case .array, .object: giveUp()
    case .bool: ValueKey.withKey(of: value) { append($0, isRounded: false) }
    default:
      if value.plainText != nil || value.plainInteger != nil {
        return ValueKey.withKey(of: value) { append($0, isRounded: false) }
      }
      let key = ValueKey(value)
      // A string that is no Unicode is there, and has no key.
      if key == .null { giveUp() } else { append(key) }
    }
  }

  private mutating func append(_ key: ValueKey) {
    key.bytes.withUnsafeBytes { append($0, isRounded: key.isRounded) }
  }

  private mutating func append(_ key: UnsafeRawBufferPointer, isRounded: Bool) {
    if bytes.count + key.count + 1 > capacity { return giveUp() }
    bytes.append(isRounded ? 1 : 0)
    bytes.append(contentsOf: key)
    ends.append(UInt32(bytes.count))
  }

  private mutating func giveUp() {
    isUsable = false
    (bytes, ends) = ([], [])
  }

  /// The key of an item.
  package subscript(index: Int) -> ValueKey {
    let start = start(of: index)
    return ValueKey(
      bytes: Array(bytes[(start + 1)..<Int(ends[index])]), isRounded: bytes[start] == 1)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  /// Whether a test holds, for each item.
  func passing(_ test: Condition.Test) -> [Bool] {
    var answers = [Bool](repeating: false, count: ends.count)
    bytes.withUnsafeBytes { bytes in
      var start = 0
      for (index, end) in ends.enumerated() {
        answers[index] = test.holds(
          forKey: UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<Int(end)]))
        start = Int(end)
      }
    }
    return answers
  }
}

extension Condition {
  /// Whether it holds for each of some items.
  ///
  /// `count`: How many they are.
  /// `columns`: Has the keys of the items at all of its paths.
  package func answers(_ count: Int, in columns: [ValuePath: KeyColumn]) -> [Bool] {
    switch self {
    case .all(let conditions): conditions.answers(count, in: columns)
    case .not(let conditions): conditions.answers(count, in: columns).map { !$0 }
    case .any(let conditions):
      conditions.reduce(into: [Bool](repeating: false, count: count)) { answers, condition in
        let others = condition.answers(count, in: columns)
        for index in 0..<count where others[index] { answers[index] = true }
      }
    case .test(let path, let test):
      columns[path]?.passing(test) ?? [Bool](repeating: false, count: count)
    case .matches: [Bool](repeating: false, count: count)
    }
  }
}

extension [Condition] {
  /// Whether all of them hold for each of some items: see ``Condition/answers(_:in:)``.
  package func answers(_ count: Int, in columns: [ValuePath: KeyColumn]) -> [Bool] {
    reduce(into: [Bool](repeating: true, count: count)) { answers, condition in
      let others = condition.answers(count, in: columns)
      for index in 0..<count where !others[index] { answers[index] = false }
    }
  }
}
