import ArgumentParser
import Foundation
import StoreSchema

@main
struct CellarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar",
    abstract:
      "Look into the stores of collection views' lists, migrate and repair them, replay feeds.",
    discussion: """
      Facts go to standard output, everything else to standard error.
      Exit codes: 0 done, 1 failed, 2 a check found something, 3 a migration is pending, 4 a \
      migration was modified or a schema is not that of its version, 5 the store is newer than \
      this program, 6 locked, 7 a result failed its check and was taken back, 9 not enough \
      disk, 64 wrong usage, 70 what was looked at has changed meanwhile.
      """,
    version: LibraryVersion.current,
    // For those who write migrations, and earlier names with other arguments.
    subcommands: [Migrate.Lint.self, Migrate.New.self, Migrate.Dump.self, Migrate.Recover.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Look into a store",
        subcommands: [
          Inspect.Info.self, Inspect.Check.self, Inspect.List.self, Inspect.Show.self,
          Inspect.Log.self, Inspect.Diff.self, Inspect.Export.self, Inspect.Query.self,
          Inspect.Report.self, Inspect.Redact.self,
        ]),
      CommandGroup(
        name: "Migrate and repair",
        subcommands: [
          Migrate.Status.self, Migrate.Up.self, Migrate.Down.self, Migrate.Repair.self,
          Migrate.Backup.self, Migrate.Restore.self, Migrate.Rename.self, Migrate.SetContent.self,
          Migrate.Erase.self,
        ]),
      CommandGroup(
        name: "Make and replay",
        subcommands: [Demo.self, Replay.self, Derive.self, CheckBatch.self]),
    ])

  static func main() {
    // A file that may grow no further is an error to report, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    Watchdog.watch()
    Interruption.watch()
    Interruption.removeLeftovers()
    let arguments = EarlierNames.replaced(in: Array(CommandLine.arguments.dropFirst()))
    var command: any ParsableCommand
    do { command = try parseAsRoot(arguments) } catch { Failure.endParsing(error, of: arguments) }
    do { try command.run() } catch { Failure.end(error) }
  }
}

/// Commands that look into stores, and change no byte of them.
enum Inspect {}

/// Commands that change stores, or say whether they need it.
enum Migrate {}
