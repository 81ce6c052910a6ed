import ArgumentParser
import DerivedLists
import Foundation
import ListModel
import ListStore
import ListTables

struct Derive: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Define lists that are functions of other lists.",
    discussion: """
      A derived list shows what another list has: filtered, sorted, in sections of its own, the first \
      so many. Each line of --define's file is a definition; one under the id of a derived list \
      replaces it. The store keeps them: every commit of the source brings them up to date.

      First lists are defined, file by file, then dropped; then indexes are made or deleted, and at \
      last the lists are printed. If one can't be defined or dropped, nothing of all that is done.

      Example: cellar derive store.sqlite --define lists.ndjson
      """)

  @Argument(
    help: ArgumentHelp("The store; made by --define if it is not there.", valueName: "file"))
  var store: String

  @Option(
    help: ArgumentHelp(
      "Define the lists of a file, one a line; - is standard input; repeatable.", valueName: "file")
  )
  var define: [String] = []

  @Option(
    help: ArgumentHelp(
      "Drop a derived list, and those that are derived from it; repeatable.", valueName: "id"),
    transform: Inspect.listID)
  var drop: [ListID] = []

  @Flag(help: "Make the full-text indexes anew of the items.")
  var reindex = false

  @Flag(help: "Delete the full-text indexes: searches read the items, until --reindex.")
  var dropIndexes = false

  @Flag(help: "Print the derived lists; what else is done is done before.")
  var list = false

  @Flag(help: "Print the derived lists as JSON.")
  var json = false

  func validate() throws {
    guard !define.isEmpty || !drop.isEmpty || reindex || dropIndexes || list else {
      throw ValidationError("say --define, --drop, --reindex, --drop-indexes or --list")
    }
    guard !reindex || !dropIndexes else {
      throw ValidationError("--reindex and --drop-indexes exclude each other")
    }
    guard define.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("standard input can be read once: name it with one --define")
    }
  }

  func run() throws {
    let files = try define.map(DefinitionFile.init)
    let file = URL(fileURLWithPath: store)
    // Only definitions make a store, and only sound ones.
    let isMade = !files.isEmpty && !FileManager.default.fileExists(atPath: store)
    let known = isMade ? nil : try open(file)
    let lists = try Repository.requireDefinable(files.map { ($0.name, $0.definitions) }, in: known)
    for list in drop where !lists.contains(list) {
      throw StoreError(
        .listNotFound,
        "no derived list has the id \(ShownText.quoted(list.rawValue)); nothing was done",
        file: store)
    }
    let repository = try known ?? open(file)
    for file in files { try repository.define(file) }
    var dropped: Set<ListID> = []
    // One may have gone with another.
    for list in drop where !dropped.contains(list) {
      let gone = try repository.dropDerived(list)
      for list in gone.sorted() { Output.note("dropped \(ShownText.quoted(list.rawValue))") }
      dropped.formUnion(gone)
    }
    if reindex { try repository.remakeSearchIndexes() }
    if dropIndexes { try repository.dropSearchIndexes() }
    try print(try repository.derivedLists(), of: repository)
  }

  private func open(_ file: URL) throws -> Repository {
    try define.isEmpty ? Repository(existing: file) : Repository(at: file)
  }

  private func print(_ lists: [DerivedListRow], of repository: Repository) throws {
    var shown: [Shown] = []
    let lags = try repository.lagsOfDerivedLists()
    let sources = Dictionary(lists.map { ($0.list, $0.definition.source) }) { first, _ in first }
    for derived in lists {
      var root = derived.list
      // A damaged store may have a circle.
      for _ in lists { root = sources[root] ?? root }
      shown.append(
        Shown(
          list: derived.list.rawValue, source: derived.definition.source.rawValue,
          revision: try repository.revision(of: derived.list),
          lag: lags[derived.list.rawValue] ?? 0, gapCount: try repository.gapCount(of: root),
          definition: derived.definition.json.text))
    }
    let indexes = try repository.searchIndexes().map { index in
      Index(list: index.list.rawValue, paths: index.paths.map(\.text))
    }
    if json {
      return try Output.json(Output.json(of: Answer(derived: shown, indexes: indexes)))
    }
    let lists = shown.map { derived in
      let lag =
        derived.lag == 0
        ? "up to date"
        : "\(Output.count(derived.lag, "commit")) behind, until its app opens the store"
      return "\(ShownText.quoted(derived.list)): of \(ShownText.quoted(derived.source)), revision "
        + "\(derived.revision), \(lag)"
        + (Self.incompleteness(gapCount: derived.gapCount).map { ", \($0)" } ?? "")
        + ": \(ShownText.line(derived.definition))"
    }
    try Output.lines(
      (lists.isEmpty ? ["no derived lists"] : lists)
        + indexes.map { index in
          "full-text index of \(ShownText.quoted(index.list)) over "
            + index.paths.map { ShownText.quoted($0) }.joined(separator: ", ")
        })
  }

  /// That a derived list may lack items, because its source has gaps; `nil` if it is whole.
  static func incompleteness(gapCount: Int) -> String? {
    gapCount == 0 ? nil : "incomplete: its source has \(Output.count(gapCount, "gap"))"
  }

  private struct Answer: Encodable {
    var formatVersion = 1
    var derived: [Shown]
    var indexes: [Index]
  }

  private struct Index: Encodable {
    var list: String
    var paths: [String]
  }

  private struct Shown: Encodable {
    var list: String
    var source: String
    var revision: Int
    /// How many commits of its source it has not followed, for want of its closures.
    var lag: Int
    /// How many gaps the list has that it is derived from in the end.
    var gapCount: Int
    var definition: String

    private enum CodingKeys: String, CodingKey {
      case list
      case source = "of"
      case revision, lag, gapCount, definition
    }
  }
}
