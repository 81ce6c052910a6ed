/// The changes of one transaction of a list.
public struct Commit: Hashable, Sendable {
  /// The list that was changed.
  public let list: ListID
  /// The list's revision after this commit: 1 for its first, then +1 each.
  public let revision: Int
  /// Who made it.
  public let author: Author
  /// When it was made, in milliseconds since 1970.
  ///
  /// Informative: nothing is ordered by it.
  public let time: Int?
  /// In the order in which they happened.
  public let entries: [LogEntry]

  /// A commit as a log tells it.
  public init(list: ListID, revision: Int, author: Author, time: Int?, entries: [LogEntry]) {
    self.list = list
    self.revision = revision
    self.author = author
    self.time = time
    self.entries = entries
  }
}
