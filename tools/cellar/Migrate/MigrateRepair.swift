import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles
import StoreSchema

extension Migrate {
  struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make anew what is wrong in stores and follows from the rest.",
      discussion: """
        Says what it would do, and asks; without a terminal, it does nothing unless there is --yes. \
        Makes a backup first. Indexes and triggers are made anew in one transaction. If rows, \
        counts, sums or digests are wrong, a sound store is made from all that can be read and \
        takes the damaged one's place: no app may have that open, and apps that follow its lists \
        load them anew. What can't be kept is named. Exits like `verify` for what remains.
        """)

    @OptionGroup var files: StoreArguments

    @Flag(help: "Repair without asking.")
    var yes = false

    @Option(
      help: ArgumentHelp(
        "Take this program's checksum for a migration that was applied with another one.",
        valueName: "version"))
    var acceptChecksum: [Int] = []

    func validate() throws { try files.known.require(acceptChecksum, "--accept-checksum") }

    func run() throws {
      let (isAgreed, accepted, migrations) = (yes, Set(acceptChecksum), try files.known.all())
      var files = files
      // Questions come one after another.
      if !isAgreed { files.jobs = 1 }
      try files.change { file, _ in
        let plan = try RepairPlan(of: file, accepting: accepted, migrations: migrations)
        if plan.steps.isEmpty {
          var result = StoreResult(plan.verification)
          if !plan.remaining.isEmpty { result.remaining = plan.remaining }
          return result
        }
        guard try isAgreed || Self.asks(file, plan) else {
          var result = StoreResult(plan.verification)
          result.error = nil
          result.outcome = "not repaired"
          result.remaining = plan.steps.map { $0 + ", with --yes" } + plan.remaining
          return result
        }
        let (backup, removed) = try plan.apply(to: file)
        let after = try RepairPlan(of: file, accepting: [], migrations: migrations)
        var result = StoreResult(after.verification)
        if result.exitCode == 0 { result.outcome = "repaired" }
        result.repairs = plan.steps
        result.backup = backup.path
        result.note(removed: removed)
        if !after.remaining.isEmpty { result.remaining = after.remaining }
        return result
      }
    }

    /// Shows what would be done, and asks on a terminal.
    private static func asks(_ file: URL, _ plan: RepairPlan) throws -> Bool {
      guard isatty(0) == 1, isatty(2) == 1 else { return false }
      Output.notes(
        ["\(file.path):"] + plan.verification.findings.flatMap(\.lines)
          + plan.verification.differences.flatMap(\.plainText)
          + plan.steps.map { "  " + $0 } + ["Do this? (y/n)"])
      return ["y", "yes"].contains(readLine()?.lowercased())
    }
  }
}
