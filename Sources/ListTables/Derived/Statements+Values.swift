import DerivedLists
import GRDB
import ListModel

// The values of the items of a section: rows of `derivedValue`. The first byte of a value tells
// whether it is a rounded number.
extension Statements {
  /// The least and the greatest value that a section's items have.
  func values(ofSection section: Int) throws -> (least: ValueKey, greatest: ValueKey) {
    var found: [ValueKey] = []
    try forEachValue(ofSection: section) { value, _ in found.append(value) }
    guard let least = found.min(), let greatest = found.max() else {
      throw DatabaseError.corrupt("a section of values has none")
    }
    return (least, greatest)
  }

  /// Calls a closure with each value of a section's items, and how many have it: equal numbers can come
  /// twice, of which one is rounded.
  func forEachValue(ofSection section: Int, _ body: (ValueKey, Int) throws -> Void) throws {
    try self("SELECT value, itemCount FROM derivedValue WHERE section = ?").forEach(section) {
      row in
      let bytes = try row.withBytes(0) { [UInt8]($0) }
      try body(
        ValueKey(bytes: Array(bytes.dropFirst()), isRounded: bytes.first == 1), row.integer(1))
    }
  }

  /// Counts items more or less with a value.
  ///
  /// - Returns: Whether the section's items have a value more now, or one less.
  @discardableResult
  func count(_ value: ValueKey, _ difference: Int, inSection section: Int) throws -> Bool {
    if try add(difference, to: value.stored, ofSection: section) { return false }
    if difference > 0 {
      try self("INSERT INTO derivedValue (section, value, itemCount) VALUES (?, ?, ?)")
        .run(section, value.stored, difference)
      return true
    }
    if try remove(value.stored, fromSection: section) { return true }
    // An item that was counted with a number may have an equal one by now, which is rounded or not.
    if try add(difference, to: value.storedOtherwise, ofSection: section) { return false }
    return try remove(value.storedOtherwise, fromSection: section)
  }

  /// - Returns: Whether the value was there, and stays.
  private func add(_ difference: Int, to value: [UInt8], ofSection section: Int) throws -> Bool {
    let update = try self(
      """
      UPDATE derivedValue SET itemCount = itemCount + ?
      WHERE section = ? AND value = ? AND itemCount + ? > 0
      """)
    try update.run(difference, section, value, difference)
    return update.changeCount > 0
  }

  /// - Returns: Whether the value was there.
  private func remove(_ value: [UInt8], fromSection section: Int) throws -> Bool {
    let delete = try self("DELETE FROM derivedValue WHERE section = ? AND value = ?")
    try delete.run(section, value)
    return delete.changeCount > 0
  }

  /// Sets all values of a section.
  func setValues(_ values: [ValueKey: Int], ofSection section: Int) throws {
    try self("DELETE FROM derivedValue WHERE section = ?").run(section)
    for (value, count) in values { try self.count(value, count, inSection: section) }
  }
}

extension ValueKey {
  fileprivate var stored: [UInt8] { [isRounded ? 1 : 0] + bytes }
  fileprivate var storedOtherwise: [UInt8] { [isRounded ? 0 : 1] + bytes }
}
