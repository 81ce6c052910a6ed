import GRDB
import ListModel

/// A feed line that the store remembers.
package struct FeedRecord: Hashable {
  /// The beginning of its digest.
  package var digest: [UInt8]
  var isSnapshot: Bool
  /// The revision of its commit.
  package var revision: Int
  /// Whether a run of a feed ended with it.
  package var endsRun = false
}

/// The feed lines that a list took: rows of `feedLine`.
package struct FeedHistory {
  /// A line among those that the list took.
  package typealias Place = FeedPosition.Place

  /// `nil` if there is no such list.
  private let rows: ListRows?
  /// The last line that the list took.
  package let head: Place

  /// The history of a list; an empty one without rows.
  package init(_ rows: ListRows?) throws {
    self.rows = rows
    head = try rows?.feedHead() ?? Place(stretch: 0, sequence: 0)
  }

  /// The place at which the last run ended, if it is before the head.
  func endOfLastRun() throws -> Place? { try rows?.endOfLastFeedRun() }

  /// What the store remembers of a line; `nil` if it forgot the line or never took it.
  package func record(_ stretch: Int, _ sequence: Int) throws -> FeedRecord? {
    guard let rows else { return nil }
    return try rows.statements(
      """
      SELECT digest, isSnapshot, revision, endsRun FROM feedLine
      WHERE list = ? AND resets = ? AND sequence = ?
      """
    ).first(rows.id, stretch, sequence) { row in
      FeedRecord(
        digest: try row.withBytes(0) { [UInt8]($0) }, isSnapshot: try row.integer(1) != 0,
        revision: try row.integer(2),
        endsRun: try row.integer(3) != 0)
    }
  }

  /// The number of a stretch's last line.
  private func end(of stretch: Int) throws -> Int {
    guard stretch != head.stretch, let rows else { return head.sequence }
    return try rows.statements(
      "SELECT sequence FROM feedLine WHERE list = ? AND resets = ? ORDER BY sequence DESC LIMIT 1"
    ).first(rows.id, stretch) { try $0.integer(0) } ?? 0
  }

  /// The places of a run after a line that was taken; none if another line was taken there, or no
  /// line.
  func places(after place: Place, taking line: FeedLine) throws -> [Place] {
    if line.isReset {
      // The feed has the reset twice, or a file begins with the reset that ended the file before.
      let same = try isRepeated(line, at: place) ? [place] : []
      guard place.stretch < head.stretch else { return same }
      if let next = try record(place.stretch + 1, 0), line.isLine(of: next) {
        let isEmpty = try end(of: place.stretch) == 0
        return (isEmpty ? [] : same) + [Place(stretch: place.stretch + 1, sequence: 0)]
      }
      let later = try places(of: line).filter { $0.stretch > place.stretch }
      return later.isEmpty ? same : later
    }
    guard line.sequence <= (try end(of: place.stretch)), try mayHave(line, place.stretch) else {
      return []
    }
    return [Place(stretch: place.stretch, sequence: max(place.sequence, line.sequence))]
  }

  /// Whether a reset repeats the one at which the run is.
  private func isRepeated(_ line: FeedLine, at place: Place) throws -> Bool {
    guard place.sequence == 0, place != head else { return false }
    return try record(place.stretch, 0).map(line.isLine) ?? false
  }

  /// Whether a stretch can have a line under its number: no different line was taken there.
  private func mayHave(_ line: FeedLine, _ stretch: Int) throws -> Bool {
    if line.isSnapshot { return true }
    guard let record = try record(stretch, line.sequence) else { return true }
    return record.isSnapshot || line.isLine(of: record)
  }

  /// Whether a stretch took this line under its number.
  ///
  /// `orForgotten`: Whether to answer `true` for a commit that the store does not remember.
  func mayBe(_ line: FeedLine, takenAt stretch: Int, orForgotten: Bool) throws -> Bool {
    guard let record = try record(stretch, line.sequence) else {
      return orForgotten && !line.isSnapshot
    }
    return line.isLine(of: record)
  }

  /// The places at which this line was taken, in the order of the stretches.
  ///
  /// - Complexity: O(*l*), *l* lines that the store remembers.
  func places(of line: FeedLine) throws -> [Place] {
    var found: [Place] = []
    guard let rows else { return found }
    try rows.statements("SELECT resets, digest FROM feedLine WHERE list = ? AND sequence = ?")
      .forEach(rows.id, line.sequence) { row in
        if try row.withBytes(1, line.hasDigest) {
          found.append(Place(stretch: try row.integer(0), sequence: line.sequence))
        }
      }
    return found
  }

  /// The places at which a line that can't be new may have been taken, by its number: the one in
  /// the last stretch, or else those in earlier stretches.
  func placesThatMayHave(_ line: FeedLine, beside found: [Place]) throws -> [Place] {
    guard let rows, line.sequence <= head.sequence else { return [] }
    let last = Place(stretch: head.stretch, sequence: line.sequence)
    if found.contains(last) { return [] }
    if try mayHave(line, head.stretch) { return [last] }
    guard found.isEmpty else { return [] }
    var reaching: [Int] = []
    try rows.statements(
      """
      SELECT resets FROM feedLine WHERE list = ? AND resets < ?
      GROUP BY resets HAVING max(sequence) >= ?
      """
    ).forEach(rows.id, head.stretch, line.sequence) { reaching.append(try $0.integer(0)) }
    return try reaching.filter { try mayHave(line, $0) }
      .map { Place(stretch: $0, sequence: line.sequence) }
  }
}

// MARK: - Rows

extension ListRows {
  /// The last line that the list took; `nil` if it took none.
  package func feedHead() throws -> FeedPosition.Place? {
    if let knownFeedHead { return knownFeedHead }
    let stretch = try statements(
      "SELECT resets FROM feedLine WHERE list = ? ORDER BY resets DESC LIMIT 1"
    ).first(id) { try $0.integer(0) }
    guard stretch ?? 0 < Block.greatestCount else {
      throw DatabaseError.corrupt("list \"\(list)\" has an impossible number of resets")
    }
    if stretch == nil, feedSequence == 0 { return nil }
    knownFeedHead = FeedPosition.Place(stretch: stretch ?? 0, sequence: feedSequence)
    return knownFeedHead
  }

  /// Where the last run of a feed ended, if before the head.
  package func endOfLastFeedRun() throws -> FeedPosition.Place? {
    if let knownEndOfFeedRun { return knownEndOfFeedRun }
    let found = try statements("SELECT feedReadResets, feedReadSequence FROM list WHERE id = ?")
      .first(id) { (try $0.integerIfPresent(0), try $0.integerIfPresent(1)) }
    var end: FeedPosition.Place?
    if let stretch = found?.0, let sequence = found?.1, let head = try feedHead(),
      (0...head.stretch).contains(stretch), sequence >= 0
    {
      end = FeedPosition.Place(stretch: stretch, sequence: sequence)
    }
    knownEndOfFeedRun = .some(end)
    return end
  }

  /// Notes where a run of a feed ends; `nil`: at the head.
  package func setEndOfFeedRun(_ place: FeedPosition.Place?) throws {
    knownEndOfFeedRun = .some(place)
    try statements("UPDATE list SET feedReadResets = ?, feedReadSequence = ? WHERE id = ?")
      .run(place?.stretch, place?.sequence, id)
  }

  /// Notes that a run of a feed ended with the last line.
  package func markEndOfFeedRun(_ place: FeedPosition.Place) throws {
    try statements(
      "UPDATE feedLine SET endsRun = 1 WHERE list = ? AND resets = ? AND sequence = ?"
    ).run(id, place.stretch, place.sequence)
  }

  /// Notes that the list took a line, with the commit that it became.
  func note(_ line: FeedLine) throws {
    // The list's sequence is the new line's already.
    let stretch =
      try knownFeedHead?.stretch
      ?? statements("SELECT resets FROM feedLine WHERE list = ? ORDER BY resets DESC LIMIT 1")
      .first(id) { try $0.integer(0) } ?? 0
    let head = FeedPosition.Place(
      stretch: line.isReset ? stretch + 1 : stretch, sequence: line.sequence)
    try statements(
      """
      INSERT INTO feedLine (list, resets, sequence, digest, isSnapshot, revision)
      VALUES (?, ?, ?, ?, ?, ?)
      """
    ).run(
      id, head.stretch, head.sequence, Array(line.digest.prefix(FeedLine.digestLength)),
      line.isSnapshot ? 1 : 0, revision)
    knownFeedHead = head
    if try endOfLastFeedRun() != nil { try setEndOfFeedRun(nil) }
  }

  /// Deletes the rows of old lines: all but so many of the last stretch and, now and then, of the
  /// stretches before; a stretch's first lines and its last one stay.
  package func dropFeedLines(keeping most: Int) throws {
    guard let head = try feedHead() else { return }
    var last = head
    last.sequence -= min(most, head.sequence)
    if last.sequence == 0, last.stretch > 0 {
      // The room that the last stretch leaves is for those before it.
      let oldest = try statements(
        """
        SELECT resets, sequence FROM feedLine WHERE list = ? ORDER BY resets DESC, sequence DESC
        LIMIT 1 OFFSET ?
        """
      ).first(id, most) { try FeedPosition.Place(stretch: $0.integer(0), sequence: $0.integer(1)) }
      guard let oldest else { return }
      last = oldest
    }
    try statements(
      """
      DELETE FROM feedLine WHERE list = ?1 AND (resets, sequence) <= (?2, ?3) AND sequence > 0
        AND sequence > (SELECT min(sequence) FROM feedLine AS other
          WHERE other.list = ?1 AND other.resets = feedLine.resets AND other.sequence > 0)
        AND sequence < (SELECT max(sequence) FROM feedLine AS other
          WHERE other.list = ?1 AND other.resets = feedLine.resets)
      """
    ).run(id, last.stretch, last.sequence)
  }
}
