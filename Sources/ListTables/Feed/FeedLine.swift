package import ListModel

/// A feed line that is to be one commit: which line it is, and where it belongs.
package struct FeedLine: Hashable, Sendable {
  /// The list that it changes.
  package let list: ListID
  /// The list's owner, if the list is a nested one.
  package let owner: ListOwner?
  /// The line's sequence number, from 1; 0 for a reset, after which the numbers start anew.
  package let sequence: Int
  /// Whether the line has the whole list at its number, so that it may leave out numbers before.
  package let isSnapshot: Bool
  /// The author of the commit.
  package let author: Author
  /// When the commit was made, in milliseconds since 1970.
  package let time: Int?
  /// The id of the app's own edit that the line acknowledges.
  package let edit: String?
  /// SHA-256 of the line, white space between its parts left out.
  package let digest: [UInt8]

  /// A line whose digest is known.
  package init(
    list: ListID, ownedBy owner: ListOwner? = nil, sequence: Int, isSnapshot: Bool = false,
    author: Author, time: Int?, edit: String? = nil, digest: [UInt8]
  ) {
    self.list = list
    self.owner = owner
    self.sequence = sequence
    self.isSnapshot = isSnapshot
    self.author = author
    self.time = time
    self.edit = edit
    self.digest = digest
  }

  var isReset: Bool { sequence == 0 }
}
