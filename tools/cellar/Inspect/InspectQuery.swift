import ArgumentParser
import Foundation
import ListInspection

extension Inspect {
  struct Query: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run SQL that only reads on a private copy of a store.",
      discussion: """
        Beside the tables there are two views: itemInOrder has every item of every list in order, \
        and changeInOrder every change in the log. Nothing that the file brings along runs.
        """)

    @OptionGroup var stores: InspectedFile

    @Argument(help: ArgumentHelp("One statement.", valueName: "sql"))
    var sql: String

    @Option(help: ArgumentHelp("The most rows to print.", valueName: "rows"))
    var limit = 1_000

    func validate() throws {
      if limit < 1 { throw ValidationError("--limit: at least 1") }
    }

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      let result = try inspection.query(sql, limit: limit)
      var answer = InspectAnswer(result) {
        try Output.rows([result.columns] + result.rows.map { $0.map(\.description) })
      }
      if result.isCut {
        answer.note = "notice: there are more rows than \(result.rows.count); see --limit"
      }
      return answer
    }
  }
}
