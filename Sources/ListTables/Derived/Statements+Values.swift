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

  /// Counts an item more or less with a value.
  func count(_ value: ValueKey, _ difference: Int, inSection section: Int) throws {
    let bytes = value.stored
    if difference > 0 {
      try self(
        """
        INSERT INTO derivedValue (section, value, itemCount) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET itemCount = itemCount + excluded.itemCount
        """
      ).run(section, bytes, difference)
    } else {
      // An item that was counted with a number may have an equal one by now, which is rounded or not.
      if try !take(-difference, bytes, fromSection: section) {
        _ = try take(-difference, value.storedOtherwise, fromSection: section)
      }
    }
  }

  /// - Returns: Whether the value was there.
  private func take(_ count: Int, _ value: [UInt8], fromSection section: Int) throws -> Bool {
    let delete = try self(
      "DELETE FROM derivedValue WHERE section = ? AND value = ? AND itemCount <= ?")
    try delete.run(section, value, count)
    if delete.changeCount > 0 { return true }
    let update = try self(
      "UPDATE derivedValue SET itemCount = itemCount - ? WHERE section = ? AND value = ?")
    try update.run(count, section, value)
    return update.changeCount > 0
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
