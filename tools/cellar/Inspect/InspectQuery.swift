import ArgumentParser
import Foundation
import ListInspection

extension Inspect {
  struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run SQL that only reads on a private copy of a store.",
      discussion: """
        Beside the tables there are two views: itemInOrder has every item of every list in order, \
        and changeInOrder every change in the log. Nothing that the file brings along runs.
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("One statement.", valueName: "sql"))
    var sql: String

    @Option(help: ArgumentHelp("The most rows to print.", valueName: "rows"))
    var limit = 1_000

    @OptionGroup var opening: OpeningOption

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
      if limit < 1 { throw ValidationError("--limit: at least 1") }
    }

    func run() throws {
      let inspection = try opening.inspection(of: file)
      let result = try inspection.query(sql, limit: limit)
      if json {
        try Output.json(try Output.json(of: result))
      } else {
        try Output.rows([result.columns] + result.rows.map { $0.map(\.description) })
      }
      if result.isCut {
        Output.note("notice: there are more rows than \(result.rows.count); see --limit")
      }
      try inspection.requireUnchanged()
      if let refusal = inspection.refusal { throw refusal }
    }
  }
}
