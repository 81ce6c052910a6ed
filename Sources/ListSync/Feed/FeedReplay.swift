import BatchUpdates
import ListModel
import ListStore
import Providers
import StoreSchema

/// Applies the lines of one feed to a store, and can be run again: applied lines are skipped.
///
/// Usually a line was applied if its sequence number is not above the list's. After a reset the
/// numbers start anew, and a feed read again from its start brings lines of before and after: then a
/// line is recognised by its digest among the commits that this feed made before.
struct FeedReplay {
  private let repository: Repository
  private var alignments: [ListID: Alignment] = [:]

  /// How the lines of a list relate to the commits that its store already has.
  private enum Alignment {
    /// The last line is the one that made this commit. If it was a reset, the stream may also be a
    /// new one that begins with the same words: the next line tells, and the reset waits for it.
    case recognised(revision: Int, waiting: FeedLine?)
    /// Sequence numbers decide.
    case live
  }

  init(into repository: Repository) { self.repository = repository }

  /// Applies a message.
  ///
  /// - Returns: What became of it, one outcome for each line that was decided: a reset that waited
  ///   is decided together with the line after it.
  mutating func apply(
    _ message: FeedMessage, digest: [UInt8]
  ) throws(StoreError) -> [(list: ListID, outcome: FeedOutcome)] {
    switch message {
    case .other: return []
    case .commit(let header, let sequence, let changes):
      let line = FeedLine(header, sequence: sequence, digest: digest)
      return try decide(line) { _ in changes }
    case .snapshot(let header, let sequence, let sections):
      let line = FeedLine(header, sequence: sequence, bridgesGaps: true, digest: digest)
      return try decide(line) { current throws in try current().changes(to: sections) }
    case .reset(let header):
      return try decide(FeedLine(header, sequence: nil, digest: digest), Self.clear)
    }
  }

  /// Decides the resets that still wait at the end of the feed.
  mutating func finish() throws(StoreError) -> [(list: ListID, outcome: FeedOutcome)] {
    var decided: [(list: ListID, outcome: FeedOutcome)] = []
    for (list, alignment) in alignments.sorted(by: { $0.key < $1.key }) {
      guard case .recognised(let revision, let waiting?) = alignment else { continue }
      let isLast = try repository.nextFeedRevision(after: revision, is: waiting) == nil
      decided.append(
        (list, isLast ? .skipped : try repository.apply(waiting, changes: Self.clear)))
    }
    return decided
  }

  private static func clear(_ current: () throws -> ListTree) throws -> [Change] {
    try current().sections.map { .deleteSection($0.id) }
  }

  private mutating func decide(
    _ line: FeedLine, _ changes: (_ current: () throws -> ListTree) throws -> [Change]
  ) throws(StoreError) -> [(list: ListID, outcome: FeedOutcome)] {
    var decided: [(list: ListID, outcome: FeedOutcome)] = []
    switch alignments[line.list] {
    case nil:
      if let revision = try revisionToAlignWith(line) {
        alignments[line.list] = .recognised(
          revision: revision, waiting: line.sequence == nil ? line : nil)
        return line.sequence == nil ? [] : [(line.list, .skipped)]
      }
    case .recognised(let revision, let waiting):
      if let next = try repository.nextFeedRevision(after: revision, is: line) {
        if next.isSame {
          alignments[line.list] = .recognised(revision: next.revision, waiting: nil)
          return (waiting == nil ? [] : [(line.list, .skipped)]) + [(line.list, .skipped)]
        }
        if let waiting {
          decided.append((line.list, try repository.apply(waiting, changes: Self.clear)))
        }
      } else if waiting != nil {
        decided.append((line.list, .skipped))
      }
    case .live: break
    }
    alignments[line.list] = .live
    decided.append((line.list, try repository.apply(line, changes: changes)))
    return decided
  }

  /// The commit that a feed's first line for a list made, if it was applied before.
  private func revisionToAlignWith(_ line: FeedLine) throws(StoreError) -> Int? {
    if let sequence = line.sequence {
      // What follows the last applied line is new, whatever an earlier one looked like.
      guard sequence <= (try repository.feedSequence(of: line.list)) else { return nil }
    }
    return try repository.firstRevision(of: line)
  }
}

extension FeedLine {
  fileprivate init(
    _ header: FeedMessage.Header, sequence: Int?, bridgesGaps: Bool = false, digest: [UInt8]
  ) {
    self.init(
      list: header.list, sequence: sequence, bridgesGaps: bridgesGaps, author: header.author,
      time: header.time, digest: digest)
  }
}
