import ArgumentParser
import Foundation
import ListInspection
import ListModel
import StoreFiles
import StoreSchema

extension Migrate {
  struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mend stores, or write what is left into a new one.",
      discussion: """
        Makes anew what is wrong and follows from the rest. Says what it would do, and asks; \
        without a terminal, it does nothing unless there is --yes. Makes a backup first. Indexes \
        and triggers are made anew in one transaction. If rows, counts, sums or digests are wrong, \
        a sound store is made from all that can be read and takes the damaged one's place: no app \
        may have that open, and apps that follow its lists load them anew. What is lost is named: \
        with a loss, nothing is done unless there is --accept-loss, and the exit code is 2. \
        Otherwise exits like `check` for what remains.

        --to writes what is left into a new file, page by page, and leaves the store as it is, \
        whatever its damage. It exits with 2 if something is missing.

        Example: cellar repair store.sqlite --to rescued.sqlite
        """)

    @OptionGroup var files: StoreArguments

    @Flag(help: "Repair without asking.")
    var yes = false

    @Flag(help: "Repair stores also where something is lost by it.")
    var acceptLoss = false

    @Option(
      help: ArgumentHelp(
        "Write what is left of one store into a new file, which must not exist.",
        valueName: "new-file"))
    var to: String?

    @Flag(
      help: """
        With --to: add deleted items that are still found, to a section "deleted" of their list.
        """)
    var deleted = false

    @Option(
      help: ArgumentHelp(
        "Take this program's checksum for a migration that was applied with another one.",
        valueName: "version"))
    var acceptChecksum: [Int] = []

    func validate() throws {
      try files.known.require(acceptChecksum, "--accept-checksum")
      if to == nil, deleted { throw ValidationError("--deleted goes with --to") }
      if to != nil, yes || acceptLoss || !acceptChecksum.isEmpty || files.files.count > 1 {
        throw ValidationError("--to takes one store, and changes nothing of it: no other option")
      }
    }

    func run() throws {
      if let to {
        return try Recover.recover(
          URL(fileURLWithPath: files.files[0]), to: to, includesDeleted: deleted, json: files.json)
      }
      let (isAgreed, acceptsLoss, accepted) = (yes, acceptLoss, Set(acceptChecksum))
      let migrations = try files.known.all()
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
        let isRefused = !plan.losses.isEmpty && !acceptsLoss
        guard try !isRefused && (isAgreed || Self.asks(file, plan)) else {
          var result = StoreResult(plan.verification)
          result.error = nil
          result.outcome = "not repaired"
          result.note(losses: plan.losses)
          result.remaining =
            isRefused
            ? Self.choices(file) : plan.steps.map { $0 + ", with --yes" } + plan.remaining
          return result
        }
        let (backup, removed) = try plan.apply(to: file)
        let after = try RepairPlan(of: file, accepting: [], migrations: migrations)
        var result = StoreResult(after.verification)
        if result.exitCode == 0 { result.outcome = "repaired" }
        result.repairs = plan.steps
        result.note(losses: plan.losses)
        result.backup = backup.path
        result.note(removed: removed)
        if !after.remaining.isEmpty { result.remaining = after.remaining }
        return result
      }
    }

    /// What can be done with a store of which a repair would lose something.
    private static func choices(_ file: URL) -> [String] {
      let name = ShownText.argument(file.path)
      return [
        "nothing was changed: --accept-loss repairs it all the same, and keeps a copy of its files",
        "`cellar repair \(name) --to NEW` writes what is left into another file",
      ]
        + StoreBackup.all(of: file).prefix(1).map { backup in
          "`cellar restore \(ShownText.argument(backup.file.path)) \(name)` goes back to the newest "
            + "backup"
        }
    }

    /// Shows what would be done, and asks on a terminal.
    private static func asks(_ file: URL, _ plan: RepairPlan) throws -> Bool {
      guard isatty(0) == 1, isatty(2) == 1 else { return false }
      Output.notes(
        ["\(file.path):"] + plan.verification.findings.flatMap(\.lines)
          + plan.verification.differences.flatMap(\.plainText)
          + plan.steps.map { "  " + $0 } + plan.losses.map { "  lost: " + $0 }
          + ["Do this? (y/n)"])
      return ["y", "yes"].contains(readLine()?.lowercased())
    }
  }
}

extension StoreResult {
  /// Names what is lost, if something is: that is a finding.
  fileprivate mutating func note(losses: [String]) {
    if losses.isEmpty { return }
    self.losses = losses
    exitCode = 2
    if outcome == "repaired" { outcome = "repaired in part" }
  }
}
