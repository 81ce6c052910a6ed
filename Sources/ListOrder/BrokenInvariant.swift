/// Something that should hold in a structure and does not.
package struct BrokenInvariant: Error, CustomStringConvertible {
  /// What does not hold, and where.
  package let description: String

  init(_ description: String) { self.description = description }
}
