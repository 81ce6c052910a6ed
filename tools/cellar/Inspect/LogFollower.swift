import ArgumentParser
import Foundation
import ListInspection
import ListModel

/// Prints the commits of a store as they come, until Control-C.
///
/// A reader that joins the store's connections would write into the index of its log. So each look
/// is at a private copy, which is made only after the files have changed.
struct LogFollower {
  private let command: Inspect.Log
  /// The revision of each list up to which commits were looked for; `nil` before the first look.
  private var known: [String: Int]?
  private var findings: Set<String> = []
  private var shownList: String?

  /// How often the files are looked at, in seconds.
  private static let pause = 0.2
  /// How many times as long as a look the next pause is, at least: a large store is copied rarely.
  private static let pausesPerLook = 9.0

  init(_ command: Inspect.Log) { self.command = command }

  mutating func run() throws {
    Interruption.isExpected = true
    while true {
      let start = Date()
      let inspection: Inspection
      do {
        inspection = try command.stores.opening.inspection(of: command.stores.files[0])
        try show(command.timeline(inspection, after: known))
      } catch let error as StoreError {
        Output.note("Error: " + error.description)
        throw ExitCode(for: error)
      }
      let pause = max(Self.pause, Self.pausesPerLook * Date().timeIntervalSince(start))
      repeat { Thread.sleep(forTimeInterval: pause) } while !inspection.mayHaveChanged(since: start)
    }
  }

  private mutating func show(_ timeline: Inspection.Timeline) throws {
    var known = known ?? [:]
    defer { self.known = known }
    for list in timeline.lists {
      if let before = known[list.list], before > list.revision {
        Output.note("notice: list \"\(list.list)\" went back to revision \(list.revision)")
      }
      known[list.list] = list.revision
      for commit in list.commits { try show(commit, of: list.list, in: timeline.file) }
    }
    for finding in timeline.findings where findings.insert(finding.description).inserted {
      Output.notes(finding.lines)
    }
  }

  private mutating func show(
    _ commit: Inspection.Timeline.Commit, of list: String, in file: String
  ) throws {
    if command.stores.json {
      return try Output.json(Output.jsonLine(of: Line(file: file, list: list, commit: commit)))
    }
    try Output.lines(
      (shownList == list ? [] : ["list \"\(list)\""]) + commit.lines.map { "  " + $0 })
    shownList = list
  }

  private struct Line: Encodable {
    var formatVersion = 1
    var file: String
    var list: String
    var commit: Inspection.Timeline.Commit
  }
}
