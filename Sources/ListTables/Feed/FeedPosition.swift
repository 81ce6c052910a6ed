/// The position of a run of a feed among the lines that a list has taken.
///
/// A feed can be applied again: from its start, from its middle, in parts, or continued. This type
/// decides for each line whether it was applied before or is new. A *run* is one file, or one
/// stream that is followed. A line that was applied to the list is called *taken*.
///
/// **What the store remembers.** Resets divide a feed into *epochs*, numbered from 0. Within an
/// epoch, `seq` identifies a line. For each taken line, the store has its epoch, its `seq` and
/// its digest (of the JSON text, without white space between its parts). A reset is line 0 of the
/// epoch that it begins. Truncating the change log does not change this. The *head* is the last
/// taken line. Commits that are not from the feed, such as an app's edits, do not count. The store
/// also remembers which lines were the last ones of a run, and where a run without new lines ended.
///
/// **The place of a run.** The first line of a run is looked up among the taken lines. From there
/// on, each line must be the next taken one. If several places fit, all of them are kept. A run may
/// also continue where the last one ended, so a feed can be cut into files.
///
/// **The decision about a line.**
/// - If it was taken at the run's place, it is skipped. For a snapshot, `seq` alone decides,
///   because a server may send one in place of lines that it has dropped. `seq` alone also decides
///   for a commit if the list took a snapshot under its number.
/// - If it follows the head, it is applied.
/// - If another commit was taken under its number in this epoch, or a reset was taken in its
///   place, it belongs to *another feed*. That is an error, and nothing of the line is applied.
/// - If lines before it are missing, there is a *gap*. That is an error, too.
/// - A reset that was not taken at the run's place is new.
///
/// **Lines that wait.** If a line can be both taken and new, it waits for later lines. All resets
/// have the same text, so the line after a reset decides: if it is the one that was taken after the
/// reset, both were taken; if it is a different one, both are new. A commit at the beginning of a
/// run waits if it follows the head and was also taken before, until later lines fit only one of
/// the two. At the end of the run, lines that wait were taken if they lead to the head or to the
/// end of an earlier run. Otherwise they are new: the feed continues.
///
/// **What can't be decided.** `[reset, c1, c2]` in place of a taken `[reset, c1, d2]` is another
/// feed, and not a new epoch that begins with the same lines. A file with only a reset was taken
/// if a file ended with the same reset before. After 1,000 lines that can be both, all of them were
/// taken. Lines that are too old for the store to have their digests are recognised by number, and
/// are never applied.
package struct FeedPosition: Hashable, Sendable {
  /// How certain the places are.
  private enum Certainty: Hashable {
    /// Lines of this run were taken there and can't be new.
    case sure
    /// Lines of this run were taken there, but can also be new.
    case found
    /// The run before ended there, or only the number of a line fits.
    case guessed
  }

  /// Lines that wait: they were taken, or are new.
  private struct Waiting: Hashable {
    var count: Int
    /// The place of the last one if they are new.
    var newPlace: FeedPlace
    /// Whether the next line decides.
    var isSettledByNext: Bool
    /// The head when they began to wait.
    var head: FeedPlace
  }

  /// The possible places of the run's last line; empty before the first one.
  package private(set) var places: [FeedPlace] = []
  private var certainty = Certainty.sure
  private var waiting: Waiting?

  /// The most lines that wait.
  static let maximumWaitingCount = 1_000

  /// Before the first line of a run.
  package init() {}

  /// Before the first line of a run that is known to follow a line that was taken.
  package init(after place: FeedPlace) { places = [place] }

  /// The decision about a line.
  package enum Verdict: Equatable {
    /// It was taken, and so were the lines that waited.
    case skip
    case apply
    /// Later lines decide. `settlesEarlier`: It shows that the lines that waited before were taken.
    case wait(settlesEarlier: Bool)
    /// The lines that waited are new; decide about this one after applying them.
    case waitingAreNew
    case gap(expected: Int)
    /// Another line was taken in its place, or `nil`: a reset was.
    case anotherFeed(FeedRecord?)
  }

  /// Decides about the next line of the run.
  package mutating func decide(_ line: FeedLine, in history: FeedHistory) throws -> Verdict {
    if places.isEmpty, let end = try history.endOfLastRun() {
      places = [end]
      certainty = .guessed
    }
    if places.isEmpty { return try begin(with: line, in: history) }
    let head = try history.head()
    var next: [FeedPlace] = []
    for place in try places.flatMap({ try history.places(after: $0, taking: line) })
    where !next.contains(place) {
      next.append(place)
    }
    let end =
      waiting?.newPlace
      ?? (line.isReset || certainty != .sure || places.contains { $0.epoch == head.epoch }
        ? head : nil)
    let isNew = end?.isFollowed(by: line) == true
    if isNew, let waiting {
      // A number alone does not show that it was this line. The store never forgets an epoch's
      // first line.
      next = try next.filter {
        try history.mayBe(
          line, takenAt: $0.epoch, orForgotten: !waiting.isSettledByNext)
      }
    }
    if !next.isEmpty {
      return isNew ? try weigh(line, at: next, in: history) : skip(at: next, .sure)
    }
    if certainty == .guessed, waiting == nil { return try begin(with: line, in: history) }
    if isNew { return waiting == nil ? .apply : .waitingAreNew }
    waiting = nil
    // A run may contain its own beginning again.
    let again = try history.places(of: line)
    if !again.isEmpty { return skip(at: again, .sure) }
    if line.sequence > head.sequence, places.contains(where: { $0.epoch == head.epoch }) {
      return .gap(expected: head.sequence + 1)
    }
    return .anotherFeed(
      try places.lazy.compactMap { try history.record($0.epoch, line.sequence) }.first)
  }

  /// Decides about the first line of a run.
  private mutating func begin(with line: FeedLine, in history: FeedHistory) throws -> Verdict {
    let head = try history.head()
    let found = try history.places(of: line)
    if head.isFollowed(by: line) {
      if found.isEmpty { return .apply }
      certainty = .found
      return try weigh(line, at: found, in: history)
    }
    let guessed = try history.placesThatMayHave(line, beside: found)
    if !(found + guessed).isEmpty {
      return skip(at: found + guessed, found.isEmpty ? .guessed : .sure)
    }
    if line.sequence > head.sequence { return .gap(expected: head.sequence + 1) }
    return .anotherFeed(try history.record(head.epoch, line.sequence))
  }

  /// Decides about a line that was taken and would also fit as a new one.
  private mutating func weigh(
    _ line: FeedLine, at next: [FeedPlace], in history: FeedHistory
  ) throws -> Verdict {
    let head = try history.head()
    let isSettled = waiting?.isSettledByNext == true || next.contains(head)
    let count = line.isReset ? 0 : waiting?.count ?? 0
    if line.isReset ? next == [head] : isSettled || count >= Self.maximumWaitingCount {
      return skip(at: next, .sure)
    }
    let settlesEarlier = line.isReset && waiting != nil
    if settlesEarlier { certainty = .sure }
    let end = (settlesEarlier ? nil : waiting?.newPlace) ?? head
    places = next
    waiting = Waiting(
      count: count + 1,
      newPlace: FeedPlace(
        epoch: line.isReset ? end.epoch + 1 : end.epoch, sequence: line.sequence),
      isSettledByNext: count == 0 && (line.isReset || line.isSnapshot), head: head)
    return .wait(settlesEarlier: settlesEarlier)
  }

  private mutating func skip(at next: [FeedPlace], _ certainty: Certainty) -> Verdict {
    places = next
    waiting = nil
    self.certainty = certainty
    return .skip
  }

  /// Whether the lines that wait at the end of a run were taken.
  package func wasTakenAtEnd(in history: FeedHistory) throws -> Bool {
    guard let waiting, certainty == .found else { return true }
    if waiting.isSettledByNext, waiting.newPlace.sequence > 0 { return true }
    return try places.contains {
      try $0 == history.head() || history.record($0.epoch, $0.sequence)?.endsRun == true
    }
  }

  /// Treats the lines that wait as taken, because no more of them can be kept.
  package mutating func settle() {
    waiting = nil
    certainty = .sure
  }

  /// Whether the list has taken no line since the first one began to wait.
  package func isUnchanged(_ history: FeedHistory) throws -> Bool {
    try waiting?.head == history.head()
  }

  /// Moves on to the line that was just applied.
  package mutating func move(toHead head: FeedPlace) {
    places = [head]
    certainty = .sure
    waiting = nil
  }
}
