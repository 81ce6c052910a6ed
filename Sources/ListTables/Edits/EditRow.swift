package import ListModel

/// A row of `pendingEdit`.
package struct EditRow: Equatable {
  /// How far an edit got.
  package enum Progress: String {
    /// An ordinary edit beside one that waits.
    case local
    case waiting
    case accepted
    case conflicted
    case rejected
  }

  /// Its row; 0 before it has one.
  let id: Int
  /// The edit's id, by which a server knows it.
  package let name: String
  /// Who made it.
  package let author: Author
  /// When it was made, in milliseconds since 1970.
  package let time: Int?
  /// How far it got.
  package var state: Progress
  /// What it changes, with the places of the moment when it was made.
  package var changes: [EditedChange]
  /// What takes it out of the list; `nil`: the list does not show it.
  package var undo: [Change]?
  /// Why it conflicts or was refused.
  package var why: String?
  /// What the list has of that which a conflicting change names.
  package var found: JSON?

  /// An edit; `id` is known of one that is stored.
  package init(
    id: Int = 0, name: String, author: Author, time: Int?, state: Progress,
    changes: [EditedChange], undo: [Change]?, why: String? = nil, found: JSON? = nil
  ) {
    self.id = id
    self.name = name
    self.author = author
    self.time = time
    self.state = state
    self.changes = changes
    self.undo = undo
    self.why = why
    self.found = found
  }

  /// Whether a server is to answer it.
  var isOpen: Bool { state == .waiting || state == .accepted }
  /// Whether it is made again after a line of the feed.
  var isMadeAgain: Bool { isOpen || state == .local }
}
