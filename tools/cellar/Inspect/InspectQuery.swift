import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Query: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Run SQL that only reads.",
      discussion: """
        Beside the tables there are two views: itemInOrder has every item of every list in order, \
        and changeInOrder every change in the log. Nothing that the file brings along runs.

        Example: cellar query store.sqlite "SELECT item FROM itemInOrder WHERE list = :list" \
        --param list=shelf --csv
        """)

    @OptionGroup var stores: InspectedFile

    @Argument(help: ArgumentHelp("One statement.", valueName: "sql"))
    var sql: String

    @Option(
      help: ArgumentHelp(
        """
        A value for :name in the statement, or without a name for the next ?. A number is a number; \
        "in quotes" it is a text.
        """, valueName: "[name=]value"),
      transform: QueryParameter.init(argument:))
    var param: [QueryParameter] = []

    @Option(help: ArgumentHelp("The most rows to print.", valueName: "rows"))
    var limit = 1_000

    @Flag(help: "Print CSV: a line with the names of the columns, then a line a row.")
    var csv = false

    func validate() throws {
      if limit < 1 { throw ValidationError("--limit: at least 1") }
      if csv, stores.json { throw ValidationError("--csv or --json") }
    }

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      let result = try inspection.query(sql, parameters: param, limit: limit)
      var answer = InspectAnswer(result) {
        if csv {
          try Output.csv(
            [result.columns] + result.rows.map { $0.map { $0 == .null ? "" : $0.description } })
        } else {
          try Output.rows([result.columns] + result.rows.map { $0.map(\.description) })
        }
      }
      if result.isCut {
        answer.note = "notice: there are more rows than \(result.rows.count); see --limit"
      }
      return answer
    }
  }
}

extension QueryParameter {
  fileprivate init(argument: String) {
    let sign = argument.firstIndex(of: "=")
    let name = sign.map { argument[..<$0] }
    // A name as SQL has it; any other = is part of the value.
    let isNamed = name.map { name in
      name.first.map { $0.isLetter || $0 == "_" } == true
        && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    guard isNamed == true, let name, let sign else {
      self.init(Self.value(argument))
      return
    }
    self.init(Self.value(String(argument[argument.index(after: sign)...])), for: String(name))
  }

  private static func value(_ text: String) -> QueryResult.Value {
    if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      return .text(String(text.dropFirst().dropLast()))
    }
    if let number = Int(text) { return .integer(number) }
    // Not "nan" or "infinity", which may be words.
    if text.contains(where: \.isNumber), let number = Double(text) { return .real(number) }
    return .text(text)
  }
}
