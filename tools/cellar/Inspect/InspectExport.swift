import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a list as a tree, one line of JSON, at its head or at an earlier revision.")

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The list's id.", valueName: "id"))
    var list: String

    @Option(
      help: ArgumentHelp("The revision; 0 is before the first commit.", valueName: "revision"))
    var at: Int?

    func validate() throws { _ = try id() }

    func run() throws {
      let inspection = try Inspection(of: URL(fileURLWithPath: file))
      try Output.json(try inspection.export(id(), at: at))
      try inspection.requireUnchanged()
      if let refusal = inspection.refusal { throw refusal }
    }

    private func id() throws -> ListID {
      do { return try ListID(list) } catch { throw ValidationError("--list: \(error)") }
    }
  }
}
