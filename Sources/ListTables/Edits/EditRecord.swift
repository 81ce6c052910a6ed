import ListModel

/// What a commit notes of an edit, so that the edit can be taken back and made again.
package struct EditRecord {
  /// The edit's id.
  let name: String
  /// Whether a server is to answer it; else it is an ordinary edit beside one that waits.
  let isPending: Bool
  private(set) var changes: [EditedChange] = []
  private var undo: [[Change]] = []

  /// A record without changes, under the edit's id.
  package init(_ name: String, isPending: Bool) {
    self.name = name
    self.isPending = isPending
  }

  /// Notes a change that was just made.
  mutating func note<List: ListLookup>(
    _ change: Change, as entry: LogEntry, in list: List
  ) throws(List.Failure) {
    changes.append(try list.edited(change, as: entry))
    undo.append(try list.changes(takingBack: entry))
  }

  /// Notes a change that follows from the edit wherever it is made.
  mutating func note<List: ListLookup>(
    consequence entry: LogEntry, in list: List
  ) throws(List.Failure) {
    undo.append(try list.changes(takingBack: entry))
  }

  /// The changes that take the edit back.
  var undoing: [Change] { undo.reversed().flatMap(\.self) }

  /// A new id.
  package static func newName() -> String {
    var digits = ""
    for _ in 0..<2 {
      let half = String(UInt64.random(in: .min ... .max), radix: 16)
      digits += String(repeating: "0", count: 16 - half.utf8.count) + half
    }
    return digits
  }
}
