import ArgumentParser
import BatchUpdates
import Foundation
import ListModel
import ListStore
import ListSync
import StoreSchema

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Apply feeds to a store.",
    discussion: """
      Each line is one transaction. Lines that were applied before are skipped, so a feed can be \
      replayed again, also after an error. The first line that does not fit ends the replay with 1; \
      all before it stay applied.
      """)

  @Argument(
    help: ArgumentHelp("Feeds, one JSON object a line; - is standard input.", valueName: "feed"))
  var feeds: [String]

  @Option(help: ArgumentHelp("The store; made if it is not there.", valueName: "file"))
  var store: String

  @Option(
    help: ArgumentHelp(
      "Write what a view is told, one JSON object a line; - is standard output. An existing file is replaced.",
      valueName: "out"))
  var batches: String?

  @Option(
    help: ArgumentHelp(
      "How many commits of a list make one batch update; what is left makes a last one.",
      valueName: "n"))
  var coalesce = 1

  @Flag(help: "Print what was done as JSON.")
  var json = false

  func validate() throws {
    guard coalesce >= 1 else {
      throw ValidationError("--coalesce takes a whole number from 1, not \(coalesce)")
    }
    guard !feeds.isEmpty else { throw ValidationError("name at least one feed") }
    let inputs = [store, store + "-wal"] + feeds.filter { $0 != "-" }
    if let batches, let input = inputs.first(where: { Self.isSameFile($0, batches) }) {
      throw ValidationError("--batches would overwrite \(input)")
    }
  }

  private static func isSameFile(_ path: String, _ other: String) -> Bool {
    let paths = [path, other].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    return paths[0] == paths[1]
  }

  func run() throws {
    // Before the store, so that a misspelt name makes none.
    for feed in feeds where feed != "-" && !FileManager.default.fileExists(atPath: feed) {
      throw StoreError.fileNotFound(feed)
    }
    let repository = try Repository(at: URL(fileURLWithPath: store))
    let writer = try batches.map { try LineWriter($0) }
    let updates = writer.map { writer in
      // Whoever asks for batches is to see them, however much changed.
      FeedUpdates(coalescing: coalesce, policy: UpdatePolicy(budget: .unlimited)) {
        try writer.write($0.json)
      }
    }
    var report = FeedReport()
    var progress = ProgressLine()
    do {
      for feed in feeds {
        var reader =
          feed == "-"
          ? FeedReader(reading: .standardInput, name: "standard input")
          : try FeedReader(file: URL(fileURLWithPath: feed))
        try repository.apply(&reader, updates: updates, report: &report) { report in
          progress.show("\(feed): \(report.lines) lines, \(report.applied) applied")
        }
      }
    } catch {
      progress.clear()
      try writer?.flush()
      try tell(report)
      throw error
    }
    progress.clear()
    try writer?.flush()
    try tell(report)
  }

  /// Prints what was done; to standard error where standard output has the batch updates.
  private func tell(_ report: FeedReport) throws {
    let text = json ? try Output.json(Summary(report)) : plainText(report)
    if batches == "-" { Output.note(text) } else { try Output.line(text) }
  }

  private func plainText(_ report: FeedReport) -> String {
    if report.lists.isEmpty { return "\(Output.count(report.lines, "line")) read, no list in them" }
    return report.lists.sorted { $0.key < $1.key }.map { list, counts in
      "\(Output.plain(list.rawValue)): \(Output.count(counts.applied, "commit")) applied, "
        + "\(counts.skipped) skipped, revision \(counts.revision)"
        + (batches == nil ? "" : ", \(Output.count(counts.batchUpdates, "batch update"))")
    }.joined(separator: "\n")
  }

  private struct Summary: Encodable {
    var formatVersion = 1
    var lines: Int
    var lists: [List]

    struct List: Encodable {
      var list: String
      var applied: Int
      var skipped: Int
      var batchUpdates: Int
      var revision: Int
    }

    init(_ report: FeedReport) {
      lines = report.lines
      lists = report.lists.sorted { $0.key < $1.key }.map { list, counts in
        List(
          list: list.rawValue, applied: counts.applied, skipped: counts.skipped,
          batchUpdates: counts.batchUpdates, revision: counts.revision)
      }
    }
  }
}
