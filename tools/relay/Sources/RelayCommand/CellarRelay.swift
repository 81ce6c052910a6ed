import ArgumentParser
import CMalloc
import Foundation
import Logging
import Relay

/// The command `cellar-relay`.
@main
struct CellarRelay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar-relay",
    abstract:
      "Keeps the logs of lists, takes edits once, and serves both to any number of devices.",
    discussion: """
      Every option can be given by the environment: --shared-age 2 as CELLAR_RELAY_SHARED_AGE=2.
      Exit codes: 0 done, 1 failed, 2 a check found something, 3 migrations are pending, 64 wrong usage.
      """,
    subcommands: [
      Serve.self, Check.self, Import.self, Export.self, Compact.self, Token.self, Migrate.self,
    ])

  static func main() async {
    // glibc has eight for each core, and what a thread has given back in one is not there for another. It
    // takes the word until the first of them is made.
    limit_arenas(Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    await main(Environment.arguments(CommandLine.arguments.dropFirst()))
  }
}
