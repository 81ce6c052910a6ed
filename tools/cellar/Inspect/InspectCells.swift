import ArgumentParser
import Foundation
import ListInspection

extension Inspect {
  struct Cells: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the names of cells, item types and views in a store, with their uses.",
      discussion: """
        With --registry it says which cells the app does not register, and which ones it registers \
        and the store does not have; it exits with 2 if there are unknown ones.
        """)

    @OptionGroup var stores: InspectedFiles

    @Option(
      help: ArgumentHelp(
        "The names of the cells that the app registers: a JSON array of strings.",
        valueName: "names"))
    var registry: Registry?

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      let names = inspection.usedNames(registry: try registry?.names())
      return InspectAnswer(
        names, isSound: names.unknownCells?.isEmpty != false && names.findings.hasNoError,
        lines: Self.lines(names))
    }

    private static func lines(_ names: UsedNames) -> [String] {
      var lines = [names.file]
      for (heading, group) in [
        ("cells", names.cells), ("types", names.types), ("views", names.views),
      ] where !group.isEmpty {
        lines.append(heading)
        lines += group.map(line)
      }
      if let unknown = names.unknownCells {
        lines += unknown.map { "unknown: \($0) is not in the registry" }
      }
      if let unused = names.unusedCells {
        lines += unused.map { "unused: \($0) is in the registry, and not in the store" }
      }
      return lines + names.findings.filter { $0.code != .olderSchema }.flatMap(\.lines)
    }

    private static func line(_ name: UsedNames.Name) -> String {
      let uses = name.uses.sorted { $0.key < $1.key }.map { "\($1) in \"\($0)\"" }
      return "  " + (name.kind.map { "\($0) " } ?? "") + name.name + ": "
        + (uses.isEmpty ? "only in logs" : uses.joined(separator: ", "))
    }
  }
}
