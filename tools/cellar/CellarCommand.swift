import ArgumentParser
import Foundation
import StoreSchema

@main
struct CellarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar",
    abstract:
      "Keeps collection views' lists in SQLite: replay feeds, plan batch updates, look into stores.",
    discussion: """
      Facts go to standard output, everything else to standard error.
      Exit codes: 0 done, 1 failed, 2 a check found something, 64 wrong usage.
      """,
    version: "0.1.0",
    subcommands: [Demo.self, Replay.self, Plan.self, Migrate.self, Inspect.self])

  static func main() {
    // A file that may grow no further is an error to report, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as StoreError {
      // It quotes files, which must not drive the terminal.
      Output.note("Error: " + Output.plain(error.description))
      exit(withError: ExitCode.failure)
    } catch {
      exit(withError: error)
    }
  }
}
