import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect.Info {
  /// The names of cells, item types and views, with their uses.
  func cells(_ inspection: Inspection) throws -> InspectAnswer {
    let names = inspection.usedNames(registry: try registry?.names())
    return InspectAnswer(
      names, isSound: names.unknownCells?.isEmpty != false && names.findings.hasNoError,
      lines: names.lines)
  }
}

extension UsedNames {
  fileprivate var lines: [String] {
    let names = self
    var lines = [names.file]
    for (heading, group) in [
      ("cells", names.cells), ("types", names.types), ("views", names.views),
    ] where !group.isEmpty {
      lines.append(heading)
      lines += group.map(Self.line)
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
