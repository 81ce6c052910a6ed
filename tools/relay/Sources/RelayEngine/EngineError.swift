/// Why an engine did not do what it was asked.
package struct EngineError: Error, CustomStringConvertible {
  /// What may be done about it.
  package enum Code: Sendable {
    /// The engine does not answer for now. Whether a call that wrote has written is unknown.
    case unavailable
    /// The engine is an earlier history than one that was seen: nobody may read or write it.
    case fenced
    /// The disk or the database is full.
    case full
    /// A cursor of ``Engine/moved(since:)`` is of another history.
    case unknownCursor
    /// The tables are not those of this version.
    case schema
    /// The engine has refused what was asked: a defect here, or a damaged database.
    case failed
  }

  package let code: Code
  /// What was attempted and why it failed, without any content.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package static let unknownCursor = EngineError(
    .unknownCursor, "the cursor is none of this log, or of an earlier history")

  package var description: String { message }
}
