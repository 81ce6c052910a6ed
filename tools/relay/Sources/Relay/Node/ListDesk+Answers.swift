import FeedServing
import ListModel
import NIOCore
import RelayEngine

/// A part of an answer to a question about one list.
enum AnswerPart: Sendable {
  /// Lines, each with its line feed.
  case lines(ByteBuffer)
  /// Lines of the log after a number and up to another, to be read as they are sent.
  case log(after: Int, through: Int)
}

/// Where a client says that its list is.
enum AskedPosition: Hashable, Sendable {
  /// It has no line.
  case beginning
  /// Its last line was a reset.
  case reset
  case line(LinePosition)
  /// Its last line is not one of ours, or it does not know its hash.
  case unknown
}

extension ListDesk {
  /// The end of the list in memory; `nil` if it has no line.
  func end() async throws -> LinePosition? {
    try await read()
    return tail.end
  }

  /// The whole list, as the log has it.
  func tree() async throws -> ListTree? {
    // A fresh snapshot is of a moment when no line waits for the log.
    guard let line = try await freshSnapshot() else { return nil }
    var copy = ServedList(id)
    try copy.apply(line)
    return copy.tree
  }

  /// What follows a position: nothing for a client that has all lines.
  func answer(
    after asked: AskedPosition, wantsSnapshot: Bool
  ) async throws -> (parts: [AnswerPart], end: LinePosition?) {
    try await read()
    guard let end = tail.end else {
      // A list that was deleted, or never was.
      return (asked == .beginning || asked == .reset ? [] : [reset], nil)
    }
    switch asked {
    case .line(let position):
      guard try await isKnown(position) else {
        return ([reset] + (try await whole(after: 0)), end)
      }
      if wantsSnapshot {
        guard position.sequence < end.sequence else {
          return ([reset] + (try await whole(after: 0)), end)
        }
        return (try await whole(after: position.sequence), end)
      }
      if position.sequence >= end.sequence { return ([], end) }
      if let lines = tail.bytes(after: position.sequence, through: end.sequence) {
        return ([.lines(lines)], end)
      }
      guard try await hasLine(position.sequence + 1) else {
        return (try await whole(after: position.sequence), end)
      }
      return ([.log(after: position.sequence, through: end.sequence)], end)
    case .beginning, .reset: return (try await whole(after: 0), end)
    case .unknown: return ([reset] + (try await whole(after: 0)), end)
    }
  }

  /// The lines of a range, which begins after a position and never changes.
  ///
  /// - Returns: The lines up to `last` or to the end of the list, and whether they are all.
  /// - Throws: ``RelayFailure`` for lines that are gone.
  func range(
    after asked: AskedPosition, through last: Int
  ) async throws -> (part: AnswerPart?, isWhole: Bool) {
    try await read()
    let position: Int
    switch asked {
    case .line(let line):
      guard try await isKnown(line) else {
        throw RelayFailure(.gone, "the list has no such line; ask for a snapshot")
      }
      position = line.sequence
    case .beginning, .reset: position = 0
    case .unknown: throw RelayFailure(.gone, "the list has no such line; ask for a snapshot")
    }
    let end = min(last, tail.end?.sequence ?? 0)
    if end <= position { return (nil, false) }
    if let lines = tail.bytes(after: position, through: end) { return (.lines(lines), end == last) }
    guard try await hasLine(position + 1) else {
      throw RelayFailure(.gone, "the lines are gone; ask for a snapshot")
    }
    return (.log(after: position, through: end), end == last)
  }

  /// Wakes somebody once the list may end elsewhere than at a position, or a time has come.
  ///
  /// All who wait for a list share one wake-up and one timer.
  func watch(beyond end: LinePosition?, until deadline: ContinuousClock.Instant, _ waker: WakeOnce)
  {
    if list == nil || tail.end != end { return waker.fire() }
    tail.add(waker, until: deadline)
    sweep(at: deadline)
  }

  // MARK: Parts

  private var reset: AnswerPart {
    var bytes = ByteBuffer(bytes: ServedList.reset(id))
    bytes.writeInteger(UInt8(ascii: "\n"))
    return .lines(bytes)
  }

  /// A snapshot of a number beyond `sequence`, and the lines after it.
  ///
  /// A snapshot that the engine has is good as long as the lines after it are few beside it.
  private func whole(after sequence: Int) async throws -> [AnswerPart] {
    var line = snapshot
    if let found = line,
      found.position.sequence <= sequence || bytesSinceSnapshot > found.text.count / 5
    {
      line = nil
    }
    if line == nil { line = try await freshSnapshot() }
    guard let line, let end = tail.end else { return [] }
    var bytes = ByteBuffer(bytes: line.text)
    bytes.writeInteger(UInt8(ascii: "\n"))
    let number = line.position.sequence
    if number >= end.sequence { return [.lines(bytes)] }
    if let rest = tail.bytes(after: number, through: end.sequence) {
      return [.lines(bytes), .lines(rest)]
    }
    return [.lines(bytes), .log(after: number, through: end.sequence)]
  }

  private func isKnown(_ position: LinePosition) async throws -> Bool {
    if tail.contains(position) || snapshot?.position == position
      || knownPositions.contains(position)
    {
      return true
    }
    guard try await engine.knows(LogPosition(position), of: id.rawValue) else { return false }
    if knownPositions.count >= 64 { knownPositions = [] }
    knownPositions.insert(position)
    return true
  }

  private func hasLine(_ sequence: Int) async throws -> Bool {
    try await engine.lines(of: id.rawValue, after: sequence - 1, byteCount: 0).first?.position
      .sequence == sequence
  }
}
