/// With what a server is asked for the items beside one with which a page ended.
package struct PageCursors: Equatable, Sendable {
  /// The cursor of what stands before the item.
  package var before: String?
  /// The cursor of what stands after it.
  package var after: String?

  package init(before: String? = nil, after: String? = nil) {
    self.before = before
    self.after = after
  }
}
