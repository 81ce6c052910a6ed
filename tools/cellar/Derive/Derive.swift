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

      Example: cellar derive store.sqlite --define lists.ndjson
      """)

  @Argument(
    help: ArgumentHelp("The store; made by --define if it is not there.", valueName: "file"))
  var store: String

  @Option(
    help: ArgumentHelp("Define the lists of a file, one a line; repeatable.", valueName: "file"))
  var define: [String] = []

  @Option(
    help: ArgumentHelp(
      "Drop a derived list, and those that are derived from it; repeatable.", valueName: "id"),
    transform: Inspect.listID)
  var drop: [ListID] = []

  @Flag(help: "Print the derived lists; what else is done is done before.")
  var list = false

  @Flag(help: "Print the derived lists as JSON.")
  var json = false

  func validate() throws {
    guard !define.isEmpty || !drop.isEmpty || list else {
      throw ValidationError("say --define, --drop or --list")
    }
  }

  func run() throws {
    let files = try define.map(DefinitionFile.init)
    let file = URL(fileURLWithPath: store)
    let repository = try files.isEmpty ? Repository(existing: file) : Repository(at: file)
    for file in files { try repository.define(file.definitions, from: file.name) }
    for list in drop {
      for dropped in try repository.dropDerived(list).sorted() {
        Output.note("dropped \(ShownText.line(dropped.rawValue))")
      }
    }
    try print(try repository.derivedLists(), of: repository)
  }

  private func print(_ lists: [DerivedList], of repository: Repository) throws {
    var shown: [Shown] = []
    for derived in lists {
      shown.append(
        Shown(
          list: derived.list.rawValue, source: derived.definition.source.rawValue,
          revision: try repository.revision(of: derived.list), lag: 0,
          definition: derived.definition.json.text))
    }
    if json { return try Output.json(Output.json(of: Answer(derived: shown))) }
    if shown.isEmpty { return try Output.lines(["no derived lists"]) }
    try Output.lines(
      shown.map { derived in
        "\(ShownText.line(derived.list)): of \(ShownText.line(derived.source)), revision "
          + "\(derived.revision), up to date: \(ShownText.line(derived.definition))"
      })
  }

  private struct Answer: Encodable {
    var formatVersion = 1
    var derived: [Shown]
  }

  private struct Shown: Encodable {
    var list: String
    var source: String
    var revision: Int
    /// How many commits of its source it has not followed.
    var lag: Int
    var definition: String

    private enum CodingKeys: String, CodingKey {
      case list
      case source = "of"
      case revision, lag, definition
    }
  }
}
