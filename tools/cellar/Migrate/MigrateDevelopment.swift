import ArgumentParser
import Foundation
import ListModel
import SchemaLint
import StoreSchema

// Commands for those who work on the migrations themselves.
extension Migrate {
  /// Where migration files are.
  struct Folder: ParsableArguments {
    @Option(help: ArgumentHelp("The folder with the migration files.", valueName: "folder"))
    var dir = "migrations"

    func read() throws(StoreError) -> MigrationFolder {
      try MigrationFolder(URL(fileURLWithPath: dir))
    }
  }

  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a migration file with the next number.",
      discussion: """
        For those who work on Cellar.

        Example: cellar new add_badges
        """, shouldDisplay: false)

    @Argument(help: "What it does, such as add_badges: a-z and 0-9, with _ between words.")
    var name: String

    @OptionGroup var folder: Folder

    func run() throws {
      try Output.line(try folder.read().makeFile(named: name).path)
    }
  }

  struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check migration files; 2 if something is wrong.",
      discussion: """
        Names and numbers; statements that have no place in a migration, or take rows or values \
        from a store without a directive that says so; and whether the files, run \
        one after another on an empty database, make what schema.sql has.

        Example: cellar lint --dir migrations
        """, shouldDisplay: false)

    @OptionGroup var folder: Folder

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let lint = try MigrationLint(try folder.read())
      if json {
        try Output.json(
          try Output.json(of: Answer(migrations: lint.migrations, problems: lint.problems)))
      } else {
        let problems = lint.problems.map { problem in
          "\(problem.file):\(problem.line.map { "\($0):" } ?? "") \(problem.message)"
        }
        try Output.lines(
          problems + ["\(Output.count(lint.migrations.count, "migration")) run"])
      }
      if !lint.problems.isEmpty { throw ExitCode(2) }
    }

    private struct Answer: Encodable {
      var formatVersion = 1
      var migrations: [String]
      var problems: [MigrationLint.Problem]
    }
  }

  struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the schema of a version.",
      discussion: """
        Each table before its indexes. For the newest version, that is the file \
        migrations/schema.sql.

        Example: cellar dump --version 1
        """, shouldDisplay: false)

    @Option(
      name: .customLong("version"),
      help: ArgumentHelp("The schema version; the newest, if not given.", valueName: "version"))
    var number: Int?

    @OptionGroup var known: KnownMigrations

    func validate() throws { try known.require([number ?? 1], "--version") }

    func run() throws {
      let migrations = try known.all()
      let text = try SchemaText.canonical(
        version: number ?? migrations.latestVersion, migrations: migrations)
      try Output.lines(
        text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }
}
