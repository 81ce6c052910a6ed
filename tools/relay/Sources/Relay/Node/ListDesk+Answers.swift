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

/// What follows a position.
struct ListAnswer: Sendable {
  /// Nothing for a client that has all lines.
  var parts: [AnswerPart] = []
  /// The end of the list; `nil` if it has no line.
  let end: LinePosition?
  /// The name of exactly these lines, if a snapshot is among them.
  var validator: String?
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

/// A list as a tree.
struct WholeList: Sendable {
  let tree: ListTree
  /// The line that the tree comes to.
  let end: LinePosition
  /// The bytes of the list's snapshot.
  let byteCount: Int
}

/// A snapshot that the engine has.
struct FreshSnapshot: Sendable {
  let line: ServedLine
  /// The line of the log that it stands for: the list's last one.
  let end: LinePosition
}

extension ListDesk {
  /// The end of the list in memory; `nil` if it has no line.
  func end() async throws -> LinePosition? {
    try await read()
    return tail.end
  }

  /// The whole list, as the log has it; `nil` for a list without a line.
  func whole() async throws -> WholeList? {
    // A fresh snapshot is of a moment when no line waits for the log.
    guard let fresh = try await freshSnapshot() else { return nil }
    return try await LongWork.run(fresh.line.text.count) { [id] in
      var copy = ServedList(id)
      try copy.apply(fresh.line)
      return WholeList(tree: copy.tree, end: fresh.end, byteCount: fresh.line.text.count)
    }
  }

  /// What follows a position.
  func answer(after asked: AskedPosition, wantsSnapshot: Bool) async throws -> ListAnswer {
    try await read()
    guard let end = tail.end else {
      // A list that was deleted, or never was.
      let isNew = asked == .beginning || asked == .reset
      return ListAnswer(parts: isNew ? [] : [reset], end: nil)
    }
    switch asked {
    case .line(let position):
      guard try await isKnown(position) else { return try await anew() }
      if wantsSnapshot {
        guard position.sequence < end.sequence else { return try await anew() }
        return try await whole(after: position.sequence)
      }
      if position.sequence >= end.sequence { return ListAnswer(end: end) }
      if let lines = tail.bytes(after: position.sequence, through: end.sequence) {
        return ListAnswer(parts: [.lines(lines)], end: end)
      }
      guard try await line(position.sequence + 1) != nil else {
        return try await whole(after: position.sequence)
      }
      return ListAnswer(parts: [.log(after: position.sequence, through: end.sequence)], end: end)
    case .beginning, .reset: return try await whole(after: 0)
    case .unknown: return try await anew()
    }
  }

  /// The lines of a range, which begins after a position and never changes.
  ///
  /// - Returns: The lines up to `last` or to the end of the list, and if they are all, their name.
  /// - Throws: ``RelayFailure`` for lines that are gone.
  func range(
    after asked: AskedPosition, through last: Int
  ) async throws -> (part: AnswerPart?, validator: String?) {
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
    if end <= position { return (nil, nil) }
    var validator: String?
    // With the last line's hash: after a restore, another line may have its number.
    if end == last, let line = try await self.line(last) {
      validator = "\(position)-\(LinePosition(line.position))"
    }
    if let lines = tail.bytes(after: position, through: end) { return (.lines(lines), validator) }
    guard try await line(position + 1) != nil else {
      throw RelayFailure(.gone, "the lines are gone; ask for a snapshot")
    }
    return (.log(after: position, through: end), validator)
  }

  // MARK: Parts

  private var reset: AnswerPart {
    var bytes = ByteBuffer(bytes: ServedList.reset(id))
    bytes.writeInteger(UInt8(ascii: "\n"))
    return .lines(bytes)
  }

  /// A reset and the whole list.
  private func anew() async throws -> ListAnswer {
    var answer = try await whole(after: 0)
    answer.parts.insert(reset, at: 0)
    answer.validator = answer.validator.map { "reset-\($0)" }
    return answer
  }

  /// A snapshot of a number beyond `sequence`, and the lines after it.
  ///
  /// A snapshot that the engine has is good as long as the lines after it are few beside it.
  private func whole(after sequence: Int) async throws -> ListAnswer {
    var line = snapshot
    if let found = line,
      found.position.sequence <= sequence || bytesSinceSnapshot > found.text.count / 5
    {
      line = nil
    }
    if line == nil { line = try await freshSnapshot()?.line }
    guard let line, let end = tail.end else { return ListAnswer(end: tail.end) }
    let bytes = bytes(of: line)
    let number = line.position.sequence
    var parts = [AnswerPart.lines(bytes)]
    if number < end.sequence {
      let rest = tail.bytes(after: number, through: end.sequence)
      parts.append(rest.map(AnswerPart.lines) ?? .log(after: number, through: end.sequence))
    }
    return ListAnswer(parts: parts, end: end, validator: "\(line.position)-\(end)")
  }

  /// A snapshot as it is sent; all who get it share the bytes.
  private func bytes(of line: ServedLine) -> ByteBuffer {
    if let sentSnapshot, sentSnapshot.position == line.position { return sentSnapshot.bytes }
    var bytes = ByteBuffer(bytes: line.text)
    bytes.writeInteger(UInt8(ascii: "\n"))
    sentSnapshot = (line.position, bytes)
    return bytes
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
}
