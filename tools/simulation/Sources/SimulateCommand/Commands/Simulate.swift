import ArgumentParser
import Foundation

@main struct Simulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cellar-simulate",
    abstract: "Runs apps, their stores, a network and a server in one process, on a virtual clock.",
    subcommands: [Run.self, Replay.self, Shrink.self])
}
