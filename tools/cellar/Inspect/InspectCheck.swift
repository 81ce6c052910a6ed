import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Check: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check everything in a store; exits with 2 if something is wrong.",
      discussion: """
        SQLite's check of the pages; counts, order and references; each list against its digest, \
        its log from its beginning to the head; contents, sizes, owners and saved states.
        """)

    @OptionGroup var stores: InspectedFiles

    @Option(
      help: ArgumentHelp(
        "The names of the cells that the app registers: a JSON array of strings. Others are warned of.",
        valueName: "names"))
    var registry: Registry?

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      let findings = inspection.check(registry: try registry?.names())
      let isSound = findings.allSatisfy { $0.severity == .notice }
      let path = inspection.evidence.files.first?.path ?? ""
      return InspectAnswer(
        Answer(file: path, isSound: isSound, findings: findings), isSound: isSound,
        lines: ["\(path): " + Self.verdict(findings)] + findings.flatMap(\.lines))
    }

    private static func verdict(_ findings: [Finding]) -> String {
      let counts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
        let count = findings.count { $0.severity == severity }
        return count == 0 ? nil : Output.count(count, severity.rawValue)
      }
      return counts.isEmpty ? "ok" : counts.joined(separator: ", ")
    }

    private struct Answer: Encodable {
      var formatVersion = 1
      var file: String
      var isSound: Bool
      var findings: [Finding]
    }
  }
}

/// A file with the names of the cells that an app registers.
struct Registry: ExpressibleByArgument {
  private let path: String

  init(argument: String) { path = argument }

  func names() throws -> Set<String> {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return Set(try JSONDecoder().decode([String].self, from: data))
    } catch {
      throw ValidationError(
        "--registry: \(path) is no JSON array of strings, such as [\"BookCell\"]")
    }
  }
}
