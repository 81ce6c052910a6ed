/// What is around a place in a list: where something was taken out or is put in.
///
/// By the 64-bit hashes of ids, so that a reader that has only some of the items in memory can
/// compare those that it has, and keep a ``StateDigest`` without the others.
package struct Seam: Hashable, Sendable {
  /// The section that holds the place, by its hash; ``none`` for a place among sections.
  package var parent: UInt64
  /// What stands before the place; ``none`` at the start.
  package var previous: UInt64
  /// What stands after the place; ``none`` at the end.
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
  /// The hash of the id: the same everywhere and for ever.
  package var stableHash: UInt64 { XXHash64.hash(rawValue) }
}

extension LogEntry {
  /// How many places it takes something from or puts something into: one, for a move two.
  package var seamCount: Int {
    switch self {
    case .insertSection, .deleteSection, .insertItem, .deleteItem: 1
    case .moveSection(_, let from, let to): from == to ? 0 : 2
    case .moveItem(_, let from, let to): from == to ? 0 : 2
    case .updateSection, .updateItem, .touchItem: 0
    }
  }
}
