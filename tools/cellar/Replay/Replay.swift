import ArgumentParser
import BatchUpdates
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListSync
import ListTables

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Apply feeds to a store.",
    discussion: """
      Each line is one transaction. Lines that were applied before are skipped, so a feed can be \
      replayed again, also after an error. The first line that does not fit ends the replay with \
      1; all before it stay applied.

      A file of batch updates is complete when it appears under its name. If the replay fails, it \
      has those up to there; if it is killed, or the disk is full, what was committed and not \
      written can be had afterwards: --from 17 first writes the batch updates of the store's log \
      after revision 17, list by list. Then no feed is needed.

      Example: cellar replay feed.ndjson --store store.sqlite --batches updates.ndjson
      """)

  @Argument(
    help: ArgumentHelp("Feeds, one JSON object a line; - is standard input.", valueName: "feed"))
  var feeds: [String] = []

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

  @Option(
    help: ArgumentHelp(
      "With --batches: begin with the commits that the store has after this revision, of all lists or of one: 17, or home=17.",
      valueName: "revision"))
  var from: [LogStart] = []

  @Option(
    help: ArgumentHelp(
      "Define the derived lists of a file first, one a line (- is standard input); --batches then has their updates too, also those that the definitions make.",
      valueName: "file"))
  var derive: [String] = []

  @Flag(help: "Print what was done as JSON.")
  var json = false

  func validate() throws {
    guard coalesce >= 1 else {
      throw ValidationError("--coalesce takes a whole number from 1, not \(coalesce)")
    }
    guard batches != "" else { throw ValidationError("--batches names no file") }
    guard batches != nil || from.isEmpty else {
      throw ValidationError("--from says where --batches begins; add --batches <out>")
    }
    guard !feeds.isEmpty || !from.isEmpty else {
      throw ValidationError("name at least one feed, or a revision with --from")
    }
    guard !derive.contains("-") || (feeds + derive).count(where: { $0 == "-" }) == 1 else {
      throw ValidationError("standard input can be read once: as a feed, or with one --derive")
    }
    try requireOtherFile { $0 == $1 }
  }

  /// Refuses batch updates into a file that the replay reads or writes otherwise.
  private func requireOtherFile(_ isSame: (NamedFile, NamedFile) -> Bool) throws {
    guard let batches,
      let out = LineWriter.isStandardOutput(batches)
        ? NamedFile(descriptor: 1) : NamedFile(batches)
    else { return }
    // SQLite keeps these beside the file itself, not beside a link to it.
    let companions = [store, NamedFile.target(of: store)].flatMap { file in
      ["-wal", "-shm", "-journal"].map { file + $0 }
    }
    for path in [store] + companions + feeds + derive {
      let other = path == "-" ? NamedFile(descriptor: 0) : NamedFile(path)
      guard let other, isSame(other, out) else { continue }
      throw ValidationError(
        ShownText.line("--batches would overwrite \(path == "-" ? "standard input" : path)"))
    }
  }

  func run() throws {
    // All before the store, so that a misspelt name makes none.
    for feed in feeds where feed != "-" { try requireReadable(feed) }
    let definitions = try derive.map(DefinitionFile.init)
    let lines = try batches.map { path throws in
      try requireNoDatabase(path)
      return try BatchLines(path)
    }
    if lines?.isCaseIgnored == true { try requireOtherFile { $0.isEqualIgnoringCase($1) } }
    let file = URL(fileURLWithPath: store)
    // Without a feed, nothing makes a store.
    let isMade = !feeds.isEmpty && !FileManager.default.fileExists(atPath: store)
    let known = isMade ? nil : try open(file)
    try Repository.requireDefinable(definitions.map { ($0.name, $0.definitions) }, in: known)
    let repository = try known ?? open(file)
    let defined = Set(definitions.flatMap { $0.definitions.map(\.definition.list) })
    let before = try lines == nil ? [:] : trees(of: defined, in: repository)
    for file in definitions { try repository.define(file) }
    var starts = try logStarts(in: repository)
    if !definitions.isEmpty, lines != nil {
      starts += try changed(by: defined, since: before, in: repository)
        .filter { new in !starts.contains { $0.list == new.list } }
    }
    var report = FeedReport()
    do {
      try replay(into: repository, from: starts, lines, &report)
      try lines?.finish()
    } catch {
      // What was done is told, and what was written is kept, whatever went wrong.
      let isWritten = (try? lines?.finish()) != nil
      try printReport(report, hasFailed: true)
      if let lines { Output.notes(lines.remainder(isWhole: isWritten, of: store)) }
      throw error
    }
    try printReport(report, hasFailed: false)
  }

  private func open(_ file: URL) throws -> Repository {
    try feeds.isEmpty ? Repository(existing: file) : Repository(at: file)
  }

  private func replay(
    into repository: Repository, from starts: [Start], _ lines: BatchLines?,
    _ report: inout FeedReport
  ) throws {
    // Whoever asks for batches is to see them, however much changed.
    let updates = lines.map { lines in
      FeedUpdates(
        coalescing: coalesce, policy: UpdatePolicy(budget: .unlimited), receive: lines.write)
    }
    if let updates {
      for start in starts {
        try repository.handOutUpdates(
          of: start.list, after: start.revision, knowing: start.tree, to: updates, report: &report)
      }
    }
    var progress = ProgressLine()
    defer { progress.clear() }
    var names = feeds.makeIterator()
    var name = ""
    report = try repository.apply(lists: .all, updates: updates, continuing: report) {
      report = $0
      progress.show("\(name): \(report.lines) lines, \(report.applied) applied")
    } next: {
      guard let feed = names.next() else { return nil }
      name = feed
      return feed == "-"
        ? FeedReader(reading: .standardInput, name: "standard input")
        : try FeedReader(file: URL(fileURLWithPath: feed))
    }
  }

  /// Where a list's updates begin.
  private struct Start {
    var list: ListID
    var revision: Int
    /// The list at that revision, if it is known.
    var tree: ListTree?
  }

  /// The lists whose log is told first, and after which revisions, in the order of their ids.
  private func logStarts(in repository: Repository) throws -> [Start] {
    var starts: [ListID: Int] = [:]
    let known = from.isEmpty ? [] : try repository.lists()
    if let revision = from.last(where: { $0.list == nil })?.revision {
      for list in known where try repository.revision(of: list) > revision {
        starts[list] = revision
      }
    }
    for start in from {
      guard let list = start.list else { continue }
      // A feed may make the list.
      if start.revision == 0, !feeds.isEmpty, !known.contains(list) { continue }
      let head = try repository.revision(of: list)
      guard start.revision <= head else {
        throw StoreError(
          .revisionNotFound, "\"\(list)\" has revisions 0...\(head), not \(start.revision)",
          file: store)
      }
      starts[list] = start.revision
    }
    return starts.sorted { $0.key < $1.key }.map { Start(list: $0.key, revision: $0.value) }
  }

  /// The lists that are defined anew, as they are, and those that are derived from them.
  private func trees(
    of defined: Set<ListID>, in repository: Repository
  ) throws -> [ListID: ListTree] {
    var changed = defined
    var trees: [ListID: ListTree] = [:]
    let derived = try defined.isEmpty ? [] : repository.derivedLists()
    while let list = derived.first(where: {
      trees[$0.list] == nil
        && (changed.contains($0.list) || changed.contains($0.definition.source))
    })?.list {
      changed.insert(list)
      trees[list] =
        try repository.revision(of: list) == 0
        ? ListTree(list: list) : repository.tree(of: list)
    }
    return trees
  }

  /// The derived lists that definitions have made or changed, each after its source, and what they were
  /// before.
  private func changed(
    by defined: Set<ListID>, since before: [ListID: ListTree], in repository: Repository
  ) throws -> [Start] {
    var rest = try repository.derivedLists()
    var starts: [Start] = []
    while let index = rest.firstIndex(where: { derived in
      !rest.contains { $0.list == derived.definition.source }
    }) {
      let list = rest.remove(at: index).list
      guard let known = before[list] ?? (defined.contains(list) ? ListTree(list: list) : nil),
        try repository.revision(of: list) > known.revision
      else { continue }
      starts.append(Start(list: list, revision: known.revision, tree: known))
    }
    return starts
  }

  // MARK: Words

  /// Prints what was done; to standard error where standard output has the batch updates.
  private func printReport(_ report: FeedReport, hasFailed: Bool) throws {
    let isOutputTaken = batches.map(LineWriter.isStandardOutput) ?? false
    if json {
      let text = try Output.json(of: Summary(report))
      if isOutputTaken { Output.note(json: text) } else { try Output.json(text) }
    } else {
      let lines = plainText(report, hasFailed: hasFailed)
      if isOutputTaken { Output.notes(lines) } else { try Output.lines(lines) }
    }
  }

  private func plainText(_ report: FeedReport, hasFailed: Bool) -> [String] {
    if report.lists.isEmpty {
      let lines = Output.count(report.lines, "line") + " read"
      if hasFailed { return [lines + ", nothing was applied"] }
      return [feeds.isEmpty || report.lines == 0 ? lines : lines + ", none is about a list"]
    }
    return report.lists.sorted { $0.key < $1.key }.map { list, counts in
      var facts: [String] = []
      // No line is about a derived list.
      if counts.applied + counts.skipped > 0 {
        facts += ["\(Output.count(counts.applied, "commit")) applied", "\(counts.skipped) skipped"]
      }
      facts.append("revision \(counts.revision)")
      if batches != nil { facts.append(Output.count(counts.batchUpdates, "batch update")) }
      return "\(list.rawValue): " + facts.joined(separator: ", ")
    }
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

/// Where the batch updates of the log begin: `17` for all lists, `home=17` for one.
struct LogStart: ExpressibleByArgument {
  /// `nil`: all lists that have commits after the revision.
  var list: ListID?
  /// From 0, before the first commit.
  var revision: Int

  init?(argument: String) {
    var number = argument[...]
    // A list's id may have a = of its own.
    if let sign = argument.lastIndex(of: "=") {
      guard let list = try? ListID(String(argument[..<sign])) else { return nil }
      self.list = list
      number = argument[argument.index(after: sign)...]
    }
    guard let revision = Int(number), revision >= 0 else { return nil }
    self.revision = revision
  }
}
