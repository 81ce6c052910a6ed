import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check everything in stores; 2 if something is wrong.",
      discussion: """
        SQLite's check of the pages; counts, order and references; each list against its digest, \
        its log from its beginning to the head; each derived list against its definition; contents, \
        sizes, owners and saved states; and the schema against that of the store's version. A store that an app has open is checked as it \
        is at one moment, in a private copy. Nothing is changed: `repair` mends what can be.

        Exits with 4 if a table, an index or a trigger is not as the version has it, a migration \
        had other SQL, or SQL of others would run when the store is written, and with 5 for a \
        store of a newer program. Digests find damage; they are no signature.

        Example: cellar check store.sqlite
        """)

    @OptionGroup var files: StoreArguments

    @Option(
      help: ArgumentHelp(
        "The names of the cells that the app registers: a JSON array of strings. Others are warned of.",
        valueName: "names"))
    var registry: Registry?

    @Flag(help: "Read the store itself and no copy of it; nobody may have it open.")
    var inPlace = false

    /// How `inspect check` and `migrate verify` told of the same.
    enum Earlier: String, EnumerableFlag {
      case asInspect, asVerify

      static func help(for value: Self) -> ArgumentHelp? { .hidden }
    }

    @Flag(help: .hidden) var earlier: Earlier?

    func run() throws {
      let (inPlace, earlier, migrations) = (inPlace, earlier, try files.known.all())
      let names = try registry?.names()
      try files.each { file in
        let verification = try Verification(
          of: file, registry: names, inPlace: inPlace, migrations: migrations)
        var result = StoreResult(verification)
        if earlier != .asVerify { result.findings = verification.allFindings }
        if earlier == .asInspect, verification.verdict == .drifted { result.exitCode = 2 }
        result.isSound = verification.allFindings.allSatisfy { $0.severity == .notice }
        return result
      }
    }
  }
}

extension StoreResult {
  /// What a check has found.
  init(_ verification: Verification) {
    outcome = verification.verdict.rawValue
    exitCode =
      switch verification.verdict {
      case .sound: 0
      case .damaged: 2
      case .drifted, .modified: 4
      case .newer: 5
      }
    schemaVersion = verification.schemaVersion
    findings = verification.findings
    schemaDifferences = verification.differences
    if !verification.foreignSQL.isEmpty { foreignSQL = verification.foreignSQL }
    if let refusal = verification.refusal { fail(refusal) }
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
