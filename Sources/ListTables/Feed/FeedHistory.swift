import GRDB
import ListModel
import StoreFiles

/// A feed line that the store remembers.
package struct FeedRecord: Hashable {
  /// The beginning of its digest.
  package var digest: [UInt8]
  var isSnapshot: Bool
  /// The revision of its commit.
  package var revision: Int
  /// Whether a run of a feed ended with it.
  package var endsRun = false

  /// How many bytes of a line's digest are stored.
  static let digestLength = 16

  /// Whether this is the line that was taken.
  func isOf(_ line: FeedLine) -> Bool {
    digest.elementsEqual(line.digest.prefix(Self.digestLength))
  }
}

/// The feed lines that a list took: rows of `feedLine`.
package final class FeedHistory {
  private let statements: Statements
  /// The list's row.
  private let list: Int
  /// The number of the last line that the list took; 0 for a reset and for none.
  package private(set) var sequence: Int
  private var knownHead: FeedPlace?
  private var knownEndOfRun: FeedPlace??
  private var knownFeedName: [UInt8]??

  init(_ statements: Statements, list: Int, sequence: Int) {
    self.statements = statements
    self.list = list
    self.sequence = sequence
  }

  /// The history of a list that the store does not have: no line was taken.
  package convenience init(ofNewListIn statements: Statements) {
    self.init(statements, list: 0, sequence: 0)
  }

  /// The last line that the list took; `nil` if it took none.
  package func lastLine() throws -> FeedPlace? {
    if let knownHead { return knownHead }
    let epoch = try lastEpoch()
    guard epoch ?? 0 < Block.greatestCount else {
      throw DatabaseError.corrupt("list \(list) has an impossible number of resets")
    }
    if epoch == nil, sequence == 0 { return nil }
    knownHead = FeedPlace(epoch: epoch ?? 0, sequence: sequence)
    return knownHead
  }

  /// The last line that the list took; before the first one, the place that it follows.
  package func head() throws -> FeedPlace {
    try lastLine() ?? FeedPlace(epoch: 0, sequence: 0)
  }

  private func lastEpoch() throws -> Int? {
    try statements("SELECT epoch FROM feedLine WHERE list = ? ORDER BY epoch DESC LIMIT 1")
      .first(list) { try $0.integer(0) }
  }

  /// What the store remembers of a line; `nil` if it forgot the line or never took it.
  package func record(_ epoch: Int, _ sequence: Int) throws -> FeedRecord? {
    try statements(
      """
      SELECT digest, isSnapshot, revision, endsRun FROM feedLine
      WHERE list = ? AND epoch = ? AND sequence = ?
      """
    ).first(list, epoch, sequence) { row in
      FeedRecord(
        digest: try row.withBytes(0) { [UInt8]($0) }, isSnapshot: try row.integer(1) != 0,
        revision: try row.integer(2),
        endsRun: try row.integer(3) != 0)
    }
  }

  /// The number of an epoch's last line.
  private func end(of epoch: Int) throws -> Int {
    let head = try head()
    guard epoch != head.epoch else { return head.sequence }
    return try statements(
      "SELECT sequence FROM feedLine WHERE list = ? AND epoch = ? ORDER BY sequence DESC LIMIT 1"
    ).first(list, epoch) { try $0.integer(0) } ?? 0
  }

  /// The places of a run after a line that was taken; none if another line was taken there, or no
  /// line.
  func places(after place: FeedPlace, taking line: FeedLine) throws -> [FeedPlace] {
    let head = try head()
    if line.isReset {
      // The feed has the reset twice, or a file begins with the reset that ended the file before.
      let same = try isRepeated(line, at: place) ? [place] : []
      guard place.epoch < head.epoch else { return same }
      if let next = try record(place.epoch + 1, 0), next.isOf(line) {
        let isEmpty = try end(of: place.epoch) == 0
        return (isEmpty ? [] : same) + [FeedPlace(epoch: place.epoch + 1, sequence: 0)]
      }
      let later = try places(of: line).filter { $0.epoch > place.epoch }
      return later.isEmpty ? same : later
    }
    guard line.sequence <= (try end(of: place.epoch)), try mayHave(line, place.epoch) else {
      return []
    }
    return [FeedPlace(epoch: place.epoch, sequence: max(place.sequence, line.sequence))]
  }

  /// Whether a reset repeats the one at which the run is.
  private func isRepeated(_ line: FeedLine, at place: FeedPlace) throws -> Bool {
    guard place.sequence == 0, try place != head() else { return false }
    return try record(place.epoch, 0)?.isOf(line) ?? false
  }

  /// Whether an epoch can have a line under its number: no different line was taken there.
  private func mayHave(_ line: FeedLine, _ epoch: Int) throws -> Bool {
    if line.isSnapshot { return true }
    guard let record = try record(epoch, line.sequence) else { return true }
    return record.isSnapshot || record.isOf(line)
  }

  /// Whether an epoch took this line under its number.
  ///
  /// `orForgotten`: Whether to answer `true` for a commit that the store does not remember.
  func mayBe(_ line: FeedLine, takenAt epoch: Int, orForgotten: Bool) throws -> Bool {
    guard let record = try record(epoch, line.sequence) else {
      return orForgotten && !line.isSnapshot
    }
    return record.isOf(line)
  }

  /// The places at which this line was taken, in the order of the epochs.
  ///
  /// - Complexity: O(*l*), *l* lines that the store remembers.
  func places(of line: FeedLine) throws -> [FeedPlace] {
    var found: [FeedPlace] = []
    try statements("SELECT epoch, digest FROM feedLine WHERE list = ? AND sequence = ?")
      .forEach(list, line.sequence) { row in
        if try row.withBytes(1, { $0.elementsEqual(line.digest.prefix(FeedRecord.digestLength)) }) {
          found.append(FeedPlace(epoch: try row.integer(0), sequence: line.sequence))
        }
      }
    return found
  }

  /// The places at which a line that can't be new may have been taken, by its number: the one in
  /// the last epoch, or else those in earlier epochs.
  func placesThatMayHave(_ line: FeedLine, beside found: [FeedPlace]) throws -> [FeedPlace] {
    let head = try head()
    guard line.sequence <= head.sequence else { return [] }
    let last = FeedPlace(epoch: head.epoch, sequence: line.sequence)
    if found.contains(last) { return [] }
    if try mayHave(line, head.epoch) { return [last] }
    guard found.isEmpty else { return [] }
    var reaching: [Int] = []
    try statements(
      """
      SELECT epoch FROM feedLine WHERE list = ? AND epoch < ?
      GROUP BY epoch HAVING max(sequence) >= ?
      """
    ).forEach(list, head.epoch, line.sequence) { reaching.append(try $0.integer(0)) }
    return try reaching.filter { try mayHave(line, $0) }
      .map { FeedPlace(epoch: $0, sequence: line.sequence) }
  }

  // MARK: The feed

  /// What the store remembers of a feed's name.
  package static func digest(ofFeedNamed name: String) -> [UInt8] {
    Array(Digest.sha256(Array(name.utf8)).prefix(FeedRecord.digestLength))
  }

  /// The feed that fills the list, by the digest of its name; `nil` if none with a name does.
  ///
  /// It is line 0 of epoch 0, which no reset begins.
  package func feedName() throws -> [UInt8]? {
    if let knownFeedName { return knownFeedName }
    let found = try record(0, 0)?.digest
    knownFeedName = .some(found)
    return found
  }

  /// Notes that another feed fills the list from now on.
  package func setFeedName(_ digest: [UInt8]) throws {
    if try feedName() == digest { return }
    knownFeedName = .some(digest)
    try statements(
      """
      INSERT INTO feedLine (list, epoch, sequence, digest, isSnapshot, revision)
      VALUES (?, 0, 0, ?, 0, 0)
      ON CONFLICT DO UPDATE SET digest = excluded.digest
      """
    ).run(list, digest)
  }

  // MARK: Ends of runs

  /// Where the last run of a feed ended, if before the head.
  package func endOfLastRun() throws -> FeedPlace? {
    if let knownEndOfRun { return knownEndOfRun }
    let found = try statements("SELECT feedReadEpoch, feedReadSequence FROM list WHERE id = ?")
      .first(list) { (try $0.integerIfPresent(0), try $0.integerIfPresent(1)) }
    var end: FeedPlace?
    if let epoch = found?.0, let sequence = found?.1, let head = try lastLine(),
      (0...head.epoch).contains(epoch), sequence >= 0
    {
      end = FeedPlace(epoch: epoch, sequence: sequence)
    }
    knownEndOfRun = .some(end)
    return end
  }

  /// Notes where a run of a feed ends; `nil`: at the head.
  package func setEndOfRun(_ place: FeedPlace?) throws {
    knownEndOfRun = .some(place)
    try statements("UPDATE list SET feedReadEpoch = ?, feedReadSequence = ? WHERE id = ?")
      .run(place?.epoch, place?.sequence, list)
  }

  /// Notes that a run of a feed ended with the last line.
  package func markEndOfRun(_ place: FeedPlace) throws {
    try statements(
      "UPDATE feedLine SET endsRun = 1 WHERE list = ? AND epoch = ? AND sequence = ?"
    ).run(list, place.epoch, place.sequence)
  }

  // MARK: Taking and forgetting

  /// Notes that the list took a line, with the revision of the commit that it became.
  func take(_ line: FeedLine, as revision: Int) throws {
    let epoch = try knownHead?.epoch ?? lastEpoch() ?? 0
    let head = FeedPlace(
      epoch: line.isReset ? epoch + 1 : epoch, sequence: line.sequence)
    try statements(
      """
      INSERT INTO feedLine (list, epoch, sequence, digest, isSnapshot, revision)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run(
      list, head.epoch, head.sequence, Array(line.digest.prefix(FeedRecord.digestLength)),
      line.isSnapshot ? 1 : 0, revision)
    sequence = line.sequence
    knownHead = head
    if try endOfLastRun() != nil { try setEndOfRun(nil) }
  }

  /// Deletes the rows of old lines: all but so many of the last epoch and, now and then, of the
  /// epochs before; an epoch's first lines and its last one stay.
  package func forget(keeping most: Int) throws {
    guard let head = try lastLine() else { return }
    var last = head
    last.sequence -= min(most, head.sequence)
    if last.sequence == 0, last.epoch > 0 {
      // The room that the last epoch leaves is for those before it.
      let oldest = try statements(
        """
        SELECT epoch, sequence FROM feedLine WHERE list = ? ORDER BY epoch DESC, sequence DESC
        LIMIT 1 OFFSET ?
        """
      ).first(list, most) { try FeedPlace(epoch: $0.integer(0), sequence: $0.integer(1)) }
      guard let oldest else { return }
      last = oldest
    }
    try statements(
      """
      DELETE FROM feedLine WHERE list = ?1 AND (epoch, sequence) <= (?2, ?3) AND sequence > 0
        AND sequence > (SELECT min(sequence) FROM feedLine AS other
          WHERE other.list = ?1 AND other.epoch = feedLine.epoch AND other.sequence > 0)
        AND sequence < (SELECT max(sequence) FROM feedLine AS other
          WHERE other.list = ?1 AND other.epoch = feedLine.epoch)
      """
    ).run(list, last.epoch, last.sequence)
  }
}
