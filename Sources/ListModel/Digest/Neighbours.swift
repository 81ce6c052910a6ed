/// The neighbours of a place in a list at which something is inserted or removed: the section or
/// item before it and the one after it.
///
/// It stores 64-bit hashes of their ids. So a reader with only some items in memory can compare
/// those that it has, and can update a ``StateDigest`` without the others.
package struct Neighbours: Hashable, Sendable {
  /// The hash of the section that has the place; ``none`` for a place between sections.
  package var parent: UInt64
  /// The hash of the section or item before the place; ``none`` at the start.
  package var previous: UInt64
  /// The hash of the section or item after the place; ``none`` at the end.
  package var next: UInt64

  package init(parent: UInt64, previous: UInt64, next: UInt64) {
    self.parent = parent
    self.previous = previous
    self.next = next
  }

  /// The hash that stands for nothing.
  package static var none: UInt64 { 0 }
}

extension Identifier {
  /// The hash of the id; it is the same on every machine and in every version.
  package var stableHash: UInt64 { XXHash64.hash(rawValue) }
}
