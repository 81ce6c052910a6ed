/// The position of a run of a feed among the lines that a list has taken.
///
/// A store can be given a feed again: from its start, from its middle, in parts, or continued. This
/// type decides, line by line, what was applied before and what is new. A run is one file, or one
/// stream that is followed.
///
/// **What the store remembers.** The resets of a feed cut it into *stretches*, numbered from 0. In
/// a stretch, `seq` names a line. For each line that a list took, the store has stretch, `seq` and
/// digest (of the JSON text, white space between its parts left out); a reset is line 0 of the
/// stretch that it begins. This does not depend on how much of the change log is kept. The *head*
/// is the last line taken. Commits of others, an app's edits for instance, are no part of it. The
/// store also knows which lines were the last ones of a run, and where a run that brought nothing
/// new ended.
///
/// **A run's place.** The first line of a run is looked for among the lines taken; from there on
/// each line must be the next one there. As long as several places fit, all of them are kept. A run
/// may also go on where the last one ended, so a feed can be cut into files.
///
/// **What becomes of a line.**
/// - It was taken, at the run's place: it is skipped. A snapshot is skipped by its number alone,
///   because a server may put one in place of lines that it drops; so is a commit in place of which
///   the list took a snapshot, and a line whose digest the store does not know.
/// - It follows the head: it is applied.
/// - Another commit was taken under its number in this stretch: it is *another feed*, an error.
///   Nothing of the line is applied. So is a line that goes on where the list took a reset.
/// - Its number leaves out others: a *gap*, an error.
/// - A reset that was not taken at the run's place is new.
///
/// **What can be both waits for the lines after it.** A reset has the same words each time, so the
/// line after it tells: where that is the one taken, the reset was taken too; where it is another
/// one, both are new. A commit at the beginning of a run that follows the head and was also taken
/// before waits until the lines after it fit one way alone. At the end of the run, it was taken if
/// the lines lead to the head or to where an earlier run ended, and is new if not: the feed goes
/// on.
///
/// **What can't be decided.** `[reset, c1, c2]` in place of a taken `[reset, c1, d2]` is another
/// feed, not a new stretch that begins with the same words. A file that is a reset alone was taken
/// if a file ended with the same reset before. After 1,000 lines that may be both, they were taken.
/// Of lines that are too old for the store to have their digests, the number decides, but they are
/// never applied.
package struct FeedPosition: Hashable, Sendable {
  /// A line that a list took.
  struct Place: Hashable, Sendable {
    var stretch: Int
    /// 0 for the reset that began the stretch.
    var sequence: Int
  }

  /// How sure the places are.
  private enum Certainty: Hashable {
    /// Lines of this run were taken there, and can't be new.
    case sure
    /// Lines of this run were taken there, and may be new as well.
    case found
    /// The run before ended there, or only a number leads there.
    case guessed
  }

  /// Lines that were taken, or are new.
  private struct Waiting: Hashable {
    var count: Int
    /// Where the last one is if they are new.
    var newPlace: Place
    /// Whether the next line settles it.
    var isSettledByNext: Bool
    /// Where the list stood.
    var head: Place
  }

  /// Where the last line of the run may stand; empty before the first one.
  private(set) var places: [Place] = []
  private var certainty = Certainty.sure
  private var waiting: Waiting?

  /// The most lines that wait.
  static let maximumWaitingCount = 1_000

  /// Before the first line of a run.
  package init() {}

  /// What is to become of a line.
  enum Verdict: Equatable {
    /// It was taken, and so were those that waited.
    case skip
    case apply
    /// The lines after it tell. Whether those that waited before it were taken.
    case wait(settlesEarlier: Bool)
    /// Those that waited are new; this one is to be decided after them.
    case waitingAreNew
    case gap(expected: Int)
    /// Another line was taken in its place; or none, because a reset was.
    case anotherFeed(FeedRecord?)
  }

  /// Decides about the next line of the run.
  mutating func decide(_ line: FeedLine, in history: FeedHistory) throws -> Verdict {
    if places.isEmpty, let end = try history.endOfLastRun() {
      places = [end]
      certainty = .guessed
    }
    if places.isEmpty { return try begin(with: line, in: history) }
    let head = history.head
    var next: [Place] = []
    for place in try places.flatMap({ try history.places(after: $0, taking: line) })
    where !next.contains(place) {
      next.append(place)
    }
    let end =
      waiting?.newPlace
      ?? (line.isReset || certainty != .sure || places.contains { $0.stretch == head.stretch }
        ? head : nil)
    let isNew = end?.isFollowed(by: line) == true
    if isNew, let waiting {
      // A number alone does not tell that it was this line. A stretch's first line is never
      // forgotten.
      next = try next.filter {
        try history.mayBe(
          line, takenAt: $0.stretch, orForgotten: !waiting.isSettledByNext)
      }
    }
    if !next.isEmpty {
      return isNew ? weigh(line, at: next, in: history) : skip(at: next, .sure)
    }
    if certainty == .guessed, waiting == nil { return try begin(with: line, in: history) }
    if isNew { return waiting == nil ? .apply : .waitingAreNew }
    waiting = nil
    // A run may begin anew within itself.
    let again = try history.places(of: line)
    if !again.isEmpty { return skip(at: again, .sure) }
    if line.sequence > head.sequence, places.contains(where: { $0.stretch == head.stretch }) {
      return .gap(expected: head.sequence + 1)
    }
    return .anotherFeed(
      try places.lazy.compactMap { try history.record($0.stretch, line.sequence) }.first)
  }

  /// The first line of a run.
  private mutating func begin(with line: FeedLine, in history: FeedHistory) throws -> Verdict {
    let head = history.head
    let found = try history.places(of: line)
    if head.isFollowed(by: line) {
      if found.isEmpty { return .apply }
      certainty = .found
      return weigh(line, at: found, in: history)
    }
    let guessed = try history.placesThatMayHave(line, beside: found)
    if !(found + guessed).isEmpty {
      return skip(at: found + guessed, found.isEmpty ? .guessed : .sure)
    }
    if line.sequence > head.sequence { return .gap(expected: head.sequence + 1) }
    return .anotherFeed(try history.record(head.stretch, line.sequence))
  }

  /// A line that was taken, and would fit as a new one too.
  private mutating func weigh(
    _ line: FeedLine, at next: [Place], in history: FeedHistory
  ) -> Verdict {
    let head = history.head
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
      newPlace: Place(
        stretch: line.isReset ? end.stretch + 1 : end.stretch, sequence: line.sequence),
      isSettledByNext: count == 0 && (line.isReset || line.isSnapshot), head: head)
    return .wait(settlesEarlier: settlesEarlier)
  }

  private mutating func skip(at next: [Place], _ certainty: Certainty) -> Verdict {
    places = next
    waiting = nil
    self.certainty = certainty
    return .skip
  }

  /// Whether the lines that wait at the end of a run were taken.
  func wasTakenAtEnd(in history: FeedHistory) throws -> Bool {
    guard let waiting, certainty == .found else { return true }
    if waiting.isSettledByNext, waiting.newPlace.sequence > 0 { return true }
    return try places.contains {
      try $0 == history.head || history.record($0.stretch, $0.sequence)?.endsRun == true
    }
  }

  /// Takes the lines that wait for lines that were taken, because more can't be kept.
  package mutating func settle() {
    waiting = nil
    certainty = .sure
  }

  /// Whether the list is still where it was when lines began to wait.
  func isUnchanged(_ history: FeedHistory) -> Bool { waiting?.head == history.head }

  /// Moves on to the line that was just applied.
  mutating func move(toHead head: Place) {
    places = [head]
    certainty = .sure
    waiting = nil
  }
}

extension FeedPosition.Place {
  /// Whether a line is the one after this, or a snapshot or a reset that may come after any.
  func isFollowed(by line: FeedLine) -> Bool {
    if line.isReset { return true }
    if line.isSnapshot { return line.sequence > sequence }
    return line.sequence - 1 == sequence
  }
}
