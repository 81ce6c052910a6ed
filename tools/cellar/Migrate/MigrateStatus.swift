import ArgumentParser
import Foundation
import ListModel
import StoreSchema

extension Migrate {
  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print which migrations stores have had.",
      discussion: """
        Changes and creates nothing. Exits with 4 for a store whose schema is not that of its \
        version, that had a migration with other SQL, or in which SQL of others would run when it \
        is written, and with 5 for a store of a newer program.

        Example: cellar status stores
        """)

    @OptionGroup var files: StoreArguments

    @Flag(help: "Exit with 3 if a store needs a migration.")
    var check = false

    func run() throws {
      let (isChecked, migrations) = (check, try files.known.all())
      try files.each { file in
        let (schema, refusal) = try SchemaInspection.read(file, migrations: migrations)
        var result = StoreResult(schema)
        if let refusal {
          result.fail(refusal, exitCode: schema.differences.isEmpty ? nil : 4)
        } else if !schema.pending.isEmpty {
          result.outcome = "pending"
          result.exitCode = isChecked ? 3 : 0
        }
        return result
      }
    }
  }
}

extension StoreResult {
  /// What a store's schema is.
  init(_ schema: SchemaInspection, appliedNow: [String] = [], undoneNow: [String] = []) {
    outcome = "current"
    schemaVersion = schema.version
    migrations = schema.steps.map { step in
      let state =
        appliedNow.contains(step.name)
        ? "applied now" : undoneNow.contains(step.name) ? "undone now" : step.state.rawValue
      return Step(name: step.name, state: state)
    }
    if !schema.differences.isEmpty { schemaDifferences = schema.differences }
    if !schema.isNewer, !schema.foreignSQL.isEmpty { foreignSQL = schema.foreignSQL }
  }
}
