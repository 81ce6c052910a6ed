import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles
import StoreSchema

extension Migrate {
  struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check stores, and their schema against that of their version; changes nothing.",
      discussion: """
        Exits with 2 if pages, references, counts, digests or logs are wrong, with 4 if an index, a \
        trigger or a table is not as the version has it or a migration had other SQL, and with 5 \
        for a store of a newer program. `repair` mends what can be.
        """)

    @OptionGroup var files: Files

    func run() throws {
      let migrations = try files.known.all()
      try files.each { file in Result(try Verification(of: file, migrations: migrations)) }
    }
  }
}

extension Migrate.Result {
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
    if let refusal = verification.refusal { fail(refusal) }
  }
}
