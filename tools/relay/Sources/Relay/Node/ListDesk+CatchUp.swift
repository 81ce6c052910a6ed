import FeedServing
import ListModel
import Logging
import RelayEngine

// What the log has that the memory does not. Called by the desk's work alone.
extension ListDesk {
  /// Reads the list if it is not there, and the lines that others have appended.
  ///
  /// The own last line is read too: if the log has another one under its number, or none, the log was
  /// restored to an earlier time, or the list was deleted, and everything is read anew.
  ///
  /// - Returns: Whether the list has changed.
  @discardableResult
  func catchUp() async throws -> Bool {
    var hasChanged = false
    for _ in 0..<Self.mostAttempts {
      if list == nil {
        try await readWhole()
        hasChanged = true
      }
      guard let end = try await readLines(&hasChanged) else {
        if hasChanged { waiters.wake() }
        return hasChanged
      }
      logger.info(
        "reading a list anew", metadata: ["list": "\(id)", "behind": "\(end)"])
      forget()
    }
    throw EngineError(
      .failed, "list \"\(id)\": its log does not fit together; run cellar-relay check")
  }

  static let mostAttempts = 3

  /// Reads the lines after the list's last one.
  ///
  /// - Returns: `nil` once all are read; the position that the log does not go on from.
  private func readLines(_ hasChanged: inout Bool) async throws -> String? {
    while true {
      let end = list?.position
      let lines = try await engine.lines(
        of: id.rawValue, after: max(0, (end?.sequence ?? 1) - 1), byteCount: limits.readBytes)
      var rest = lines[...]
      if let end {
        if let first = rest.first, first.position == LogPosition(end) {
          rest.removeFirst()
        } else {
          let isEnd = try await isEnd(end)
          if !rest.isEmpty || !isEnd { return end.description }
        }
      }
      if rest.isEmpty { return nil }
      for line in rest {
        let served = try await parsed(line.text)
        if list?.position == nil, !served.isSnapshot, served.position.sequence > 1 {
          return "the beginning"
        }
        try await apply(served)
        list?.settle()
        publish(served)
      }
      hasChanged = true
    }
  }

  /// Whether the log ends at a position; its line may have been dropped.
  func isEnd(_ position: LinePosition) async throws -> Bool {
    guard let head = try await engine.heads(of: [id.rawValue])[TextKey(id.rawValue)] else {
      return false
    }
    return head.position == LogPosition(position)
  }

  /// Reads the list as the store has it, or the engine's snapshot.
  private func readWhole() async throws {
    if let kept = await kept?.list(id), let position = kept.position,
      try await line(position.sequence)?.position == LogPosition(position)
    {
      list = kept
    } else {
      var read = ServedList(id)
      if let found = try await engine.snapshot(of: id.rawValue) {
        let line = try await parsed(found.text)
        read = try await LongWork.run(line.text.count) { [read] in
          var read = read
          try read.apply(line)
          return read
        }
        // The log goes on from the line of that number, which is there as long as the snapshot is.
        guard let own = try await self.line(line.position.sequence) else {
          throw EngineError(.failed, "list \"\(id)\": the line of its snapshot is not there")
        }
        read.move(to: LinePosition(own.position))
        snapshot = line
        bytesSinceSnapshot = 0
      }
      list = read
    }
    tail.begin(after: list?.position)
    waiters.move(to: tail.end)
  }

  /// The line of a number; `nil` if it is not there.
  func line(_ sequence: Int) async throws -> LogLine? {
    let lines = try await engine.lines(of: id.rawValue, after: sequence - 1, byteCount: 0)
    return lines.first.flatMap { $0.position.sequence == sequence ? $0 : nil }
  }

  private func apply(_ line: ServedLine) async throws {
    guard LongWork.isLong(line.text.count) else {
      try list?.apply(line)
      return
    }
    list = try await LongWork.run(line.text.count) { [list] in
      var list = list
      try list?.apply(line)
      return list
    }
  }

  private func parsed(_ text: [UInt8]) async throws -> ServedLine {
    let line: ServedLine?
    do { line = try await LongWork.run(text.count) { try ServedLine(parsing: text) } } catch {
      throw EngineError(
        .failed, "list \"\(id)\": a stored line is no line of a feed; run cellar-relay check")
    }
    guard let line, line.list == id else {
      throw EngineError(.failed, "list \"\(id)\": a stored line is about something else")
    }
    return line
  }
}

extension LogPosition {
  init(_ position: LinePosition) { self.init(position.sequence, position.hashBytes) }
}

extension LinePosition {
  init(_ position: LogPosition) { self.init(sequence: position.sequence, hash: position.hash) }
}
