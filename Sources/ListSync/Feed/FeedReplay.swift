import BatchUpdates
import ListModel
import ListStore
import Providers
import StoreSchema

/// Applies the lines of one feed to a store, and can be run again: applied lines are skipped.
///
/// Usually a line was applied if its sequence number is not above the list's. After a reset the
/// numbers start anew, and a feed read again from its start brings lines of before and after: then a
/// line is recognised by its digest among the commits that a feed made before, and so are the lines
/// that follow it there.
struct FeedReplay {
  private let repository: Repository
  /// Whose list the lines are about, of a nested one.
  private let owner: ListOwner?
  private var alignments: [ListID: Alignment] = [:]

  /// How the lines of a list relate to the commits that its store already has.
  private enum Alignment {
    /// The last line is the one that made this commit. As long as it may also be the first of a new
    /// feed that begins with the same words, it waits: the next line tells.
    case recognised(revision: Int, waiting: Message?)
    /// Sequence numbers decide.
    case live
  }

  /// A message about a list.
  private struct Message {
    var line: FeedLine
    var content: Content

    enum Content {
      case changes([Change])
      case tree([Section])
      case nothing
    }

    func changes(_ current: () throws -> ListTree) throws -> [Change] {
      switch content {
      case .changes(let changes): changes
      case .tree(let sections): try current().changes(to: sections)
      case .nothing: try current().sections.map { .deleteSection($0.id) }
      }
    }
  }

  /// What became of a line.
  typealias Decision = (list: ListID, outcome: FeedOutcome)

  init(into repository: Repository, ownedBy owner: ListOwner? = nil) {
    self.repository = repository
    self.owner = owner
  }

  /// Applies a message, or finds that it was applied.
  ///
  /// - Returns: What became of it, and of a line that waited for it.
  mutating func apply(
    _ message: FeedMessage, digest: [UInt8]
  ) throws(StoreError) -> [Decision] {
    switch message {
    case .other: []
    case .commit(let header, let sequence, let changes):
      try decide(
        Message(
          line: line(header, sequence: sequence, digest: digest), content: .changes(changes)))
    case .snapshot(let header, let sequence, let sections):
      try decide(
        Message(
          line: line(header, sequence: sequence, bridgesGaps: true, digest: digest),
          content: .tree(sections)))
    case .reset(let header):
      try decide(
        Message(line: line(header, sequence: nil, digest: digest), content: .nothing))
    }
  }

  /// Decides the lines that still wait at the end of the feed: one that made the store's last
  /// commit is that commit; after any other, the feed goes on.
  mutating func finish() throws(StoreError) -> [Decision] {
    var decided: [Decision] = []
    for (list, alignment) in alignments.sorted(by: { $0.key < $1.key }) {
      guard case .recognised(let revision, let waiting?) = alignment else { continue }
      let isLast = try repository.nextFeedRevision(after: revision, is: waiting.line) == nil
      decided.append((list, isLast ? .skipped : try store(waiting)))
    }
    alignments = [:]
    return decided
  }

  private mutating func decide(_ message: Message) throws(StoreError) -> [Decision] {
    let list = message.line.list
    var decided: [Decision] = []
    switch alignments[list] {
    case nil:
      let last = try repository.feedSequence(of: list)
      let sequence = message.line.sequence ?? 0
      // What follows the last applied line is new, unless numbers start anew with it.
      guard sequence <= max(last, 1),
        let revision = try repository.firstRevision(of: message.line)
      else { break }
      let waits = sequence == 0 || sequence > last
      alignments[list] = .recognised(revision: revision, waiting: waits ? message : nil)
      return waits ? [] : [(list, .skipped)]
    case .recognised(let revision, let waiting):
      let next = try repository.nextFeedRevision(after: revision, is: message.line)
      if let next, next.isSame {
        alignments[list] = .recognised(revision: next.revision, waiting: nil)
        return (waiting == nil ? [] : [(list, .skipped)]) + [(list, .skipped)]
      }
      if let waiting { decided.append((list, next == nil ? .skipped : try store(waiting))) }
    case .live: break
    }
    alignments[list] = .live
    decided.append((list, try store(message)))
    return decided
  }

  private func store(_ message: Message) throws(StoreError) -> FeedOutcome {
    try repository.apply(message.line) { current throws in try message.changes(current) }
  }

  private func line(
    _ header: FeedMessage.Header, sequence: Int?, bridgesGaps: Bool = false, digest: [UInt8]
  ) -> FeedLine {
    FeedLine(
      list: header.list, ownedBy: owner, sequence: sequence, bridgesGaps: bridgesGaps,
      author: header.author, time: header.time, digest: digest)
  }
}
