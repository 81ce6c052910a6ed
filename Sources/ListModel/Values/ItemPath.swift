/// The place of an item: the index of its section, and its index in that section, both from 0.
///
/// A path is valid only for one state of a list, for example the list before or after a change.
public struct ItemPath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The index of the section in the list.
  public var section: Int
  /// The index of the item in its section.
  public var item: Int

  /// The path of the item at an index of the section at an index.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Orders as the list does: by section, then by item.
  public static func < (lhs: ItemPath, rhs: ItemPath) -> Bool {
    (lhs.section, lhs.item) < (rhs.section, rhs.item)
  }

  /// `[section, item]`, as batch updates write it.
  public var description: String { "[\(section), \(item)]" }
}
