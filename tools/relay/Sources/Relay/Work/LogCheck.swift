import FeedServing
import ListModel
package import RelayEngine

/// Looks at what an engine holds: numbers, hashes, heads, snapshots, and whether each line fits.
package struct LogCheck: Sendable {
  private let engine: any Engine

  /// A check of an engine.
  package init(_ engine: any Engine) { self.engine = engine }

  /// Checks all lists.
  ///
  /// - Parameter found: Called with each problem, as a sentence.
  /// - Returns: How many lists and lines there are.
  /// - Throws: If the engine can't be read.
  package func run(
    _ found: @Sendable (String) -> Void
  ) async throws -> (lists: Int, lines: Int) {
    var (lists, lines) = (0, 0)
    var last: String?
    while true {
      let page = try await engine.lists(after: last, limit: 1_000)
      for head in page {
        lists += 1
        lines += try await check(head, found)
      }
      guard let end = page.last else { return (lists, lines) }
      last = end.list
    }
  }

  /// Checks a list, and again before a problem is told: a node may have deleted or compacted it
  /// meanwhile.
  private func check(_ listed: LogHead, _ found: (String) -> Void) async throws -> Int {
    var head = listed
    var attempts = 0
    while true {
      var problems: [String] = []
      let count = try await look(at: head) { problems.append($0) }
      if problems.isEmpty { return count }
      guard let now = try await engine.heads(of: [head.list])[TextKey(head.list)] else { return 0 }
      attempts += 1
      // One that is changed all the time is damaged if it never looks sound.
      if now == head || attempts == Self.mostAttempts {
        for problem in problems { found("list \"\(head.list)\": \(problem)") }
        return count
      }
      head = now
    }
  }

  private static let mostAttempts = 5

  private func look(at head: LogHead, _ found: (String) -> Void) async throws -> Int {
    guard let id = try? ListID(head.list) else {
      found("its id is no id")
      return 0
    }
    let snapshot = try await engine.snapshot(of: head.list)
    var list = ServedList(id)
    // A log may begin with a snapshot, as that of an imported list does.
    let beginsWithSnapshot = head.floor > 0 && snapshot == nil
    if let snapshot {
      guard let line = try? ServedLine(parsing: snapshot.text), line.isSnapshot, line.list == id,
        LogPosition(line.position) == snapshot.position
      else {
        found("its snapshot \(snapshot.position.sequence) is damaged")
        return 0
      }
      var copy = ServedList(id)
      do { try copy.apply(line) } catch { found("its snapshot does not fit: \(error)") }
      // Lines before the snapshot that are still there can be applied only if all are.
      if head.floor > 0 { list = copy }
    }
    var (count, number) = (0, head.floor)
    var isWhole = true
    while number < head.position.sequence {
      let lines = try await engine.lines(of: head.list, after: number, byteCount: 4 << 20)
      guard !lines.isEmpty else {
        found("its lines after \(number) are missing, and its end is \(head.position.sequence)")
        return count
      }
      for stored in lines {
        count += 1
        let isFirst = number == head.floor && head.floor == 0
        guard let line = try? ServedLine(parsing: stored.text), line.list == id,
          LogPosition(line.position) == stored.position
        else {
          found("line \(stored.position.sequence) is damaged")
          return count
        }
        if beginsWithSnapshot, number == head.floor, !line.isSnapshot {
          found("its lines up to \(number) were dropped, and no snapshot stands for them")
          return count
        }
        guard stored.position.sequence == number + 1 || isFirst && line.isSnapshot else {
          found("after line \(number) comes line \(stored.position.sequence)")
          return count
        }
        number = stored.position.sequence
        // Those that the snapshot stands for.
        if let position = list.position, number <= position.sequence { continue }
        do { try list.apply(line) } catch {
          if isWhole { found("line \(number) does not fit: \(error)") }
          isWhole = false
        }
        list.settle()
        if let snapshot, number == snapshot.position.sequence, head.floor == 0, isWhole,
          try list.snapshot()?.text != snapshot.text
        {
          found("its snapshot \(number) is not the list at that line")
        }
        if number == head.position.sequence, stored.position != head.position {
          found("its end has another hash than its last line")
        }
      }
    }
    return count
  }
}
