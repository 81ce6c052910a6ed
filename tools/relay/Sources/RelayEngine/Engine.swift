/// Keeps the log of every list, and what the log needs: heads, snapshots, answers to edits, work that
/// is to be done, tokens that were revoked.
///
/// An engine knows bytes, numbers and ids; it has no model of a list. Every call that writes returns
/// when what it wrote survives a loss of power, as far as the engine's own settings go. Nodes share an
/// engine: what one appends, the others see.
package protocol Engine: Sendable {
  /// Appends lines to the end of a list's log, if the end is where the caller expects it.
  ///
  /// Lines of many callers share a transaction. Within a list, numbers have no gap and each edit is
  /// there once, whatever happens. The first batch of a list makes it.
  func append(_ batch: LogBatch) async throws(EngineError) -> AppendOutcome

  /// Notes that an edit is refused, unless it has an answer.
  ///
  /// - Returns: The answer that stands.
  func refuse(
    _ edit: EditKey, of list: String, why: String, at time: Int
  ) async throws(EngineError) -> EditAnswer

  /// The answers that edits of a list have; those without one are missing.
  func answers(
    to edits: [EditKey], of list: String
  ) async throws(EngineError) -> [EditKey: EditAnswer]

  /// The ends of lists' logs; lists without a line are missing.
  func heads(of lists: [String]) async throws(EngineError) -> [TextKey: LogHead]

  /// The lists with lines whose ids come after another, in the order of their bytes.
  func lists(after id: String?, limit: Int) async throws(EngineError) -> [LogHead]

  /// The lines of a list after a number, in order, at least one if there is one, until their bytes
  /// exceed a count.
  func lines(
    of list: String, after sequence: Int, byteCount: Int
  ) async throws(EngineError) -> [LogLine]

  /// Whether a list has a line or a snapshot with a number and a hash, also one whose text was
  /// dropped.
  func knows(_ position: LogPosition, of list: String) async throws(EngineError) -> Bool

  /// Stores the whole list at one of its lines. Nothing happens if it is there.
  ///
  /// `line`: The line of the snapshot's number that the list had.
  ///
  /// - Returns: `false` if the log does not have that line: it is another list, of the same id, or goes on
  ///   differently.
  func put(
    _ snapshot: LogSnapshot, standingFor line: LogPosition, of list: String, at time: Int
  ) async throws(EngineError) -> Bool

  /// The snapshot of the highest number.
  func snapshot(of list: String) async throws(EngineError) -> LogSnapshot?

  /// Drops lines up to a number, and from before a time answers to edits and the positions of earlier
  /// snapshots. The positions of dropped lines stay known.
  ///
  /// - Returns: `false` if the snapshot that stands for the lines is not there, or its own line would
  ///   go too: nothing is dropped.
  func drop(
    _ list: String, through sequence: Int, for snapshot: LogPosition, answersBefore time: Int
  ) async throws(EngineError) -> Bool

  /// Deletes a list with all that it has.
  ///
  /// `end`: Where it must end; `nil` for anywhere.
  func delete(_ list: String, at end: LogPosition?) async throws(EngineError) -> DeleteOutcome

  /// The lists that have got lines, or were deleted, since a call.
  ///
  /// `cursor`: What the call before returned; `nil` to begin.
  ///
  /// - Throws: ``EngineError/Code/unknownCursor`` for a cursor that this log has not returned.
  func moved(since cursor: String?) async throws(EngineError) -> MovedLists

  /// Takes lists whose logs have grown, so that they may be compacted; each is handed out again after
  /// the lease unless it was finished.
  func takeWork(limit: Int, at time: Int, lease: Int) async throws(EngineError) -> [String]

  /// Notes that a list's work can't be done yet: it is handed out again from a time on.
  func postponeWork(on list: String, until time: Int) async throws(EngineError)

  /// Notes that a list's work is done.
  func finishWork(on list: String) async throws(EngineError)

  /// Refuses a token, by its id or its subject, until a time.
  func revoke(_ token: String, until time: Int) async throws(EngineError)

  /// The ids and subjects that are revoked at a time.
  func revocations(at time: Int) async throws(EngineError) -> Set<TextKey>

  /// Deletes what only recent calls need: old entries of ``moved(since:)``, and revocations that are
  /// over.
  func tidy(at time: Int) async throws(EngineError)

  /// Which history the engine is in, and whether it answers.
  func timeline() async throws(EngineError) -> EngineTimeline

  /// Closes all connections; calls that are under way end with an error.
  func close() async
}
