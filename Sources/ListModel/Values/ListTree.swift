/// A whole list at one revision: its sections with their items, in order.
///
/// It is the plain form of a list: arrays in an array, with no caches.
public struct ListTree: Hashable, Sendable {
  /// The list's id.
  public let list: ListID
  /// The revision: how many commits the list has had.
  public var revision: Int
  /// The app's own data about the list: a title, a cursor, an ETag.
  ///
  /// No view shows it. JSON's `null` is the same as `nil`.
  public var meta: JSON? {
    didSet { if meta == .null { meta = nil } }
  }
  /// The sections in their order.
  public var sections: [Section]

  /// A list of the given sections; by default an empty list before its first commit.
  public init(list: ListID, revision: Int = 0, meta: JSON? = nil, sections: [Section] = []) {
    self.list = list
    self.revision = revision
    self.meta = meta == .null ? nil : meta
    self.sections = sections
  }

  /// How many items each section holds.
  public var itemCounts: [Int] { sections.map(\.items.count) }
}
