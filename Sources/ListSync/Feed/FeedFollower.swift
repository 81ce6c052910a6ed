import ListModel
import ListStore

/// A feed that is applied as it comes, a line at a time.
struct FeedFollower {
  /// Whose lines are applied, and to which list.
  struct Target {
    /// What the feed calls it.
    var feedList: ListID
    var list: ListID
    /// Of a nested one.
    var owner: ListOwner?
  }

  private let name: String
  private let target: Target?
  private var session: FeedSession
  /// The number of the line that was taken last.
  private var line = 0
  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []

  /// `target`: `nil` for the lines of all lists.
  init(_ repository: Repository, name: String, target: Target?) {
    self.name = name
    self.target = target
    session = FeedSession(
      repository: repository, ownedBy: target?.owner, updates: nil, report: FeedReport())
  }

  /// What became of the lines so far.
  var report: FeedReport { session.report }

  /// Takes one line, or several with ends between them; the last one may have its end or not.
  ///
  /// - Returns: Whether there was anything but blank lines.
  mutating func take(_ text: String) throws(StoreError) -> Bool {
    var text = text.utf8[...]
    if text.last == UInt8(ascii: "\n") { text.removeLast() }
    var isAnything = false
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard line.count <= LineReader.maximumByteCount else { throw tooLong() }
      if try apply(Array(line)) { isAnything = true }
    }
    return isAnything
  }

  /// Takes the next byte.
  ///
  /// - Returns: Whether it ended a line that was not blank.
  mutating func take(_ byte: UInt8) throws(StoreError) -> Bool {
    guard byte == UInt8(ascii: "\n") else {
      guard rest.count < LineReader.maximumByteCount else { throw tooLong() }
      rest.append(byte)
      return false
    }
    defer { rest.removeAll(keepingCapacity: rest.count < 1 << 16) }
    return try apply(rest)
  }

  /// The end of the feed: decides what still waits.
  ///
  /// `isCancelled`: What was being received then was not torn.
  mutating func finish(isCancelled: Bool) throws(StoreError) {
    if !isCancelled, !rest.isEmpty { throw .torn(rest, line: line + 1, of: name) }
    try session.finish()
  }

  private func tooLong() -> StoreError { .tooLong(line: line + 1, of: name) }

  private mutating func apply(_ bytes: [UInt8]) throws(StoreError) -> Bool {
    line += 1
    if bytes.isBlankLine { return false }
    var message = try FeedMessage(line: bytes, number: line, of: name)
    session.report.lines += 1
    if let target {
      guard message.list == target.feedList else { return true }
      message.list = target.list
    }
    do throws(StoreError) { try session.apply(message, mark: LineMark(bytes)) } catch {
      throw error.placed(in: name, line: line)
    }
    return true
  }
}
