/// A line's number, and the first 16 bytes of its SHA-256.
package struct LogPosition: Hashable, Sendable {
  package let sequence: Int
  package let hash: [UInt8]

  package init(_ sequence: Int, _ hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

/// The end of a list's log.
package struct LogHead: Hashable, Sendable {
  package let list: String
  /// The last line.
  package let position: LogPosition
  /// The number of the last line that was dropped; 0 if all are there.
  package let floor: Int
  /// The bytes of the lines that are there.
  package let byteCount: Int
}

/// A line of a log.
package struct LogLine: Hashable, Sendable {
  package let position: LogPosition
  /// The line, without its line feed.
  package let text: [UInt8]
  /// The edit that it answers.
  package let edit: EditKey?

  package init(_ position: LogPosition, text: [UInt8], edit: EditKey? = nil) {
    self.position = position
    self.text = text
    self.edit = edit
  }
}

/// An edit: ids are one client's own, so that nobody can take another's.
package struct EditKey: Hashable, Sendable {
  /// Who sent it: the subject of the token, or nothing.
  package let subject: String
  package let id: String

  package init(_ id: String, of subject: String = "") {
    self.id = id
    self.subject = subject
  }

  package static func == (lhs: EditKey, rhs: EditKey) -> Bool {
    TextKey(lhs.id) == TextKey(rhs.id) && TextKey(lhs.subject) == TextKey(rhs.subject)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(TextKey(id))
    hasher.combine(TextKey(subject))
  }
}

/// What became of a list that was to be deleted.
package enum DeleteOutcome: Hashable, Sendable {
  case deleted
  /// There is none.
  case missing
  /// It ends elsewhere.
  case behind(LogPosition)
}

/// What became of an edit.
package enum EditAnswer: Hashable, Sendable {
  /// The line of this number has it.
  case taken(Int)
  /// It was refused for this reason.
  case refused(String)
}

/// Lines for the end of a list's log, made for one certain end.
package struct LogBatch: Sendable {
  package let list: String
  /// The end that the lines follow; `nil` for the first line of a list.
  package let expected: LogPosition?
  /// At least one; their numbers follow each other, unless the first batch of a list begins with a
  /// snapshot.
  package let lines: [LogLine]
  /// The time, in milliseconds since 1970.
  package let time: Int

  package init(to list: String, after expected: LogPosition?, _ lines: [LogLine], at time: Int) {
    self.list = list
    self.expected = expected
    self.lines = lines
    self.time = time
  }

  var byteCount: Int { lines.reduce(0) { $0 + $1.text.count } }

  /// The number that the log must have; 0 for none.
  var expectedSequence: Int { expected?.sequence ?? 0 }
}

/// What became of a batch.
package enum AppendOutcome: Hashable, Sendable {
  /// The log has the lines, and so has the disk.
  case appended
  /// The log ends elsewhere; `nil` if it has no line.
  case behind(LogPosition?)
  /// Some of the edits have answers already; nothing was appended.
  case known([EditKey: EditAnswer])
}

/// The whole list at one of its lines, as a line of a feed.
package struct LogSnapshot: Hashable, Sendable {
  /// The number of the line that it stands for, and the snapshot's own hash.
  package let position: LogPosition
  package let text: [UInt8]

  package init(_ position: LogPosition, text: [UInt8]) {
    self.position = position
    self.text = text
  }
}

/// Lists that have moved.
package struct MovedLists: Sendable {
  /// Where each ends now, by id, `nil` for one without a line; one may be there that has not moved.
  package let lists: [TextKey: LogPosition?]
  /// Where to go on.
  package let cursor: String

  package init(lists: [TextKey: LogPosition?], cursor: String) {
    self.lists = lists
    self.cursor = cursor
  }
}

/// Which history an engine is in.
///
/// A server that is promoted, or restored to an earlier time, begins another timeline.
package struct EngineTimeline: Hashable, Sendable {
  /// The database's own id.
  package let system: String
  package let number: Int

  package init(system: String, number: Int) {
    self.system = system
    self.number = number
  }
}
