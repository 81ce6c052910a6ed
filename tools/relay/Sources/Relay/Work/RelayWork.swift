import FeedServing
package import Foundation
import ListModel
package import Logging
package import RelayEngine

/// What the commands do beside serving, on an engine that nodes may use meanwhile.
package struct RelayWork: Sendable {
  private let engine: any Engine
  private let logger: Logger

  /// Work on an engine.
  package init(_ engine: any Engine, logger: Logger) {
    self.engine = engine
    self.logger = logger
  }

  /// Drops the lines of lists that are old enough.
  ///
  /// - Parameters:
  ///   - lists: The lists; empty for all that have more than their last line.
  ///   - retention: How long lines stay.
  /// - Returns: How many lists were looked at, and how many lines were dropped.
  /// - Throws: If the engine fails, or a snapshot that was read back is not the list.
  package func compact(
    _ lists: [String], _ retention: Retention
  ) async throws -> (lists: Int, lines: Int) {
    var (count, lines) = (0, 0)
    func compact(_ list: ListID) async throws {
      // A node of its own: one for all would have all of them in memory.
      let node = RelayNode(engine: engine, logger: logger)
      lines += try await Compactor(node: node, retention: retention).compact(list)
      count += 1
    }
    for list in lists { try await compact(try ListID(list)) }
    if !lists.isEmpty { return (count, lines) }
    // Also those that no node would look at, or that one looks at now: what is done twice is done.
    var last: String?
    while case let page = try await engine.lists(after: last, limit: 1_000), let end = page.last {
      for head in page where head.floor < head.position.sequence - 1 {
        if let list = try? ListID(head.list) { try await compact(list) }
      }
      last = end.list
    }
    return (count, lines)
  }

  /// Imports a feed, line by line; the first line that does not fit ends it, and those before it stay.
  ///
  /// - Parameters:
  ///   - handle: Where the feed is read.
  ///   - name: What errors call it.
  /// - Returns: How many lines were appended, and how many were there already.
  /// - Throws: ``FeedImportError``, or the error of the engine or the file.
  package func importFeed(
    _ handle: FileHandle, name: String
  ) async throws -> (appended: Int, skipped: Int) {
    var work = FeedImport(into: engine, now: DeskLimits().now())
    var failure: (any Error)?
    do { try await Self.readLines(handle) { try await work.take($0, at: $1) } } catch {
      failure = error
    }
    do { try await work.finish() } catch { failure = failure ?? error }
    if var failure = failure as? FeedImportError {
      failure.feed = name
      throw failure
    }
    if let failure { throw failure }
    return work.report
  }

  private static let mostLineBytes = 16 << 20

  /// Reads lines, without those of white space alone.
  private static func readLines(
    _ handle: FileHandle, _ take: ([UInt8], Int) async throws -> Void
  ) async throws {
    var rest: [UInt8] = []
    var place = 0
    while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
      var start = rest.count
      rest += part
      var lineStart = 0
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        place += 1
        let line = rest[lineStart..<end]
        if !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) {
          try await take(Array(line), place)
        }
        start = end + 1
        lineStart = start
      }
      rest.removeFirst(lineStart)
      guard rest.count <= mostLineBytes else {
        throw FeedImportError(at: place + 1, "the line is longer than 16 MiB")
      }
    }
    guard rest.isEmpty else {
      throw FeedImportError(
        at: place + 1, "the line has no end: it was torn off, and was not imported")
    }
  }

  /// Writes a list as a feed: its lines if all are there, else its snapshot and the lines after it.
  ///
  /// - Returns: How many lines, and up to which number the snapshot stands for the lines: 0 if all are
  ///   there.
  package func export(
    _ list: String, to put: (Data) throws -> Void
  ) async throws -> (lines: Int, leftOut: Int) {
    guard let head = try await engine.heads(of: [list])[TextKey(list)] else {
      throw RelayFailure(.notFound, "there is no list \"\(list)\"")
    }
    var (count, last, leftOut) = (0, 0, 0)
    if head.floor > 0, let snapshot = try await engine.snapshot(of: list) {
      try put(Data(snapshot.text + [UInt8(ascii: "\n")]))
      last = snapshot.position.sequence
      (count, leftOut) = (1, last)
    }
    while last < head.position.sequence {
      let lines = try await engine.lines(of: list, after: last, byteCount: 4 << 20)
      for line in lines {
        try put(Data(line.text + [UInt8(ascii: "\n")]))
        last = line.position.sequence
        count += 1
      }
      if lines.isEmpty {
        throw EngineError(.failed, "list \"\(list)\": lines are missing; run cellar-relay check")
      }
    }
    return (count, leftOut)
  }

  /// The lists that there are, in the order of their ids' bytes.
  package func lists() async throws -> [String] {
    var lists: [String] = []
    while true {
      let page = try await engine.lists(after: lists.last, limit: 10_000)
      if page.isEmpty { return lists }
      lists += page.map(\.list)
    }
  }
}
