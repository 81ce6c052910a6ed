import ArgumentParser
import BatchUpdates
import Foundation
import ListInspection
import ListModel
import ListStore
import ListSync
import Providers
import StoreFiles
import StoreSchema

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a store of 33 years of releases, and its page.",
    discussion: """
      Applies the calendar, a feed of commits from 1993 on, to a store; replays the store's log \
      into a Provider, which proves the batch update of each commit; then writes a page that shows \
      both lists at every revision.

      Example: cellar demo --out cellar-demo
      """)

  @Option(help: ArgumentHelp("The folder for the store and the page.", valueName: "dir"))
  var out = "cellar-demo"

  func run() throws {
    let folder = URL(fileURLWithPath: out, isDirectory: true)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError(
        .notWritable, "the folder can't be made: \(StoreError.reason(error))", file: out,
        cause: error)
    }
    let store = folder.appendingPathComponent("store.sqlite")
    let feed = folder.appendingPathComponent("releases.ndjson")
    try NewFile.write(Array(EmbeddedText.releases.utf8), to: feed.path, replacing: true)
    let repository = try Repository(at: store)
    let reader = try FeedReader(file: feed)
    let report = try repository.apply(reader)

    let histories = try report.lists.keys.sorted().map { list in
      try ListHistory(of: list, in: repository)
    }
    let updates = try LineWriter(folder.appendingPathComponent("updates.ndjson").path)
    for history in histories {
      for step in history.steps { try updates.write(ShownText.json(step.update.json)) }
    }
    try updates.finish()
    for history in histories { try DemoSizes(repository).save(history) }
    let page = folder.appendingPathComponent("report.html")
    try NewFile.write(Array(Self.report(on: store).utf8), to: page.path, replacing: true)
    try printSummary(histories, report)
  }

  private static func report(on store: URL) throws -> String {
    let options = Inspection.Report.Options(
      title: "Cellar: two lists, every revision",
      introduction: """
        Cellar keeps a collection view’s list in SQLite, with a log of every change. Here it \
        replayed the release calendars of Debian and Ubuntu: each revision was a commit in SQLite, \
        became a batch update, proven for every section and item. Move the slider to see a list as \
        it was after any commit, or click an item to see its history. Data source: Debian’s \
        distro-info-data.
        """,
      content: .full, showsFiles: false)
    return try Inspection(of: store).report(options).html
  }

  private func printSummary(_ histories: [ListHistory], _ report: FeedReport) throws {
    let stages = histories.flatMap { $0.steps.flatMap(\.update.stages) }
    let operations = stages.reduce(0) { $0 + $1.operationCount }
    let skipped = report.lists.values.reduce(0) { $0 + $1.skipped }
    var lines = [
      "The release calendar of Debian and Ubuntu (\(Output.count(report.applied, "commit")) applied"
        + (skipped > 0 ? ", \(skipped) were there already)" : ")")
    ]
    for history in histories {
      let tree = history.head
      lines.append(
        "  \(history.list.rawValue.padded(to: 8))revision \(tree.revision): "
          + "\(Output.count(tree.sections.count, "section")), "
          + Output.count(tree.itemCounts.reduce(0, +), "item"))
    }
    lines += [
      "A view gets \(Output.count(operations, "operation")) in "
        + "\(Output.count(stages.count, "stage")), all proven, no reload;",
      "it then shows what the store holds, at every revision.",
      "",
      "Look next at",
      "  \(out)/report.html       the lists at every revision: open it in a browser",
      "  \(out)/updates.ndjson    what a view gets, a line a commit",
      "  \(Self.program) info \(out)/store.sqlite",
      "  \(Self.program) export \(out)/store.sqlite --list debian --at 20",
    ]
    try Output.lines(lines)
  }

  /// How this command was started, so that what the demo prints can be typed.
  private static var program: String {
    let name = CommandLine.arguments.first ?? "cellar"
    let here = FileManager.default.currentDirectoryPath + "/"
    return name.hasPrefix(here) ? String(name.dropFirst(here.count)) : name
  }
}

/// A list's whole history, with the batch update of each commit.
struct ListHistory {
  /// A commit, with the list after it.
  struct Step {
    var commit: Commit
    var tree: ListTree
    var update: BatchUpdate
  }

  let list: ListID
  private(set) var steps: [Step] = []

  /// The list after its last commit.
  var head: ListTree { steps.last?.tree ?? ListTree(list: list) }

  /// Replays a list's log from its first commit into a Provider.
  ///
  /// - Throws: ``StoreError`` if an update can't be proven, or if the log leads to another list than
  ///   the store's rows.
  init(of list: ListID, in repository: Repository) throws {
    self.list = list
    var provider = Provider(ListTree(list: list))
    let policy = UpdatePolicy(proof: .everything)
    for commit in try repository.commits(of: list) {
      let update = try repository.advance(&provider, with: [commit], policy: policy)
      if case .reload(let why) = update.mode {
        throw StoreError(
          .damagedStore, "revision \(commit.revision) of \"\(list)\": no batch update: \(why)",
          file: repository.file.path)
      }
      steps.append(Step(commit: commit, tree: provider.tree, update: update))
    }
    guard try repository.provider(for: list) == provider else {
      throw StoreError(
        .damagedStore, "the log of \"\(list)\" leads to another list than its rows",
        file: repository.file.path)
    }
  }
}
