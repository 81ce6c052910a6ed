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
      Exit codes: 0 done, 1 failed, 2 a check found something, 3 a migration is pending, 4 a \
      migration was modified or a schema is not that of its version, 5 the store is newer than \
      this program, 6 locked, 7 a result failed its check and was taken back, 9 not enough \
      disk, 64 wrong usage, 70 what was looked at has changed meanwhile.
      """,
    version: LibraryVersion.current,
    subcommands: [Demo.self, Replay.self, Plan.self, Migrate.self, Inspect.self])

  static func main() {
    // A file that may grow no further is an error to report, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    Interruption.watch()
    Interruption.removeLeftovers()
    let arguments = Array(CommandLine.arguments.dropFirst())
    var command: any ParsableCommand
    do { command = try parseAsRoot(arguments) } catch { Failure.endParsing(error, of: arguments) }
    do { try command.run() } catch { Failure.end(error) }
  }
}
