import FeedServing
import Foundation
import RelayEngine

/// A node's own folder: its copies of lists, and the latest history of the engine that it has seen.
struct NodeFolder: Sendable {
  private let url: URL

  /// Makes the folder if it is not there.
  init(_ url: URL) throws {
    self.url = url
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Opens the copies of lists.
  func openLists() throws -> KeptLists {
    try KeptLists(at: url.appendingPathComponent("lists.sqlite"))
  }

  private var file: URL { url.appendingPathComponent("timeline") }

  /// The latest history that was seen; `nil` if none was.
  var timeline: EngineTimeline? {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let parts = text.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2, let number = Int(parts[1]) else { return nil }
    return EngineTimeline(system: String(parts[0]), number: number)
  }

  /// Notes a history, so that an earlier one is refused also after the next start.
  func note(_ timeline: EngineTimeline) throws {
    try Data("\(timeline.system) \(timeline.number)\n".utf8).write(to: file, options: .atomic)
  }
}
