/// A condition that a structure breaks, although it must always hold.
package struct BrokenInvariant: Error, CustomStringConvertible {
  /// The condition, and where in the structure it is broken.
  package let description: String

  /// A broken condition in these words.
  package init(_ description: String) { self.description = description }
}
