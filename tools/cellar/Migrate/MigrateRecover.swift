import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Migrate {
  /// What `repair --to` does, with the arguments that it had under the name `inspect recover`.
  struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write what a damaged store has into a new one.",
      discussion: """
        Exits with 2 if something is missing. SQLite does not open the damaged file: its pages are \
        read one by one. So it can have any damage, and neither it nor a file beside it is \
        changed.

        Example: cellar repair store.sqlite --to rescued.sqlite
        """, shouldDisplay: false)

    @Argument(help: ArgumentHelp("The damaged store.", valueName: "file"))
    var file: String

    @Argument(
      help: ArgumentHelp("The new store; there must be no such file.", valueName: "new-file"))
    var newFile: String

    @Flag(help: "Add deleted items that are still found, to a section \"deleted\" of their list.")
    var deleted = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      try Self.recover(
        URL(fileURLWithPath: file), to: newFile, includesDeleted: deleted, json: json)
    }

    /// Writes what a store has into a new one, and prints what that is.
    ///
    /// - Throws: The exit code 2 if something is missing.
    static func recover(
      _ file: URL, to newFile: String, includesDeleted: Bool, json: Bool
    ) throws {
      let recovery = try StoreRecovery.recover(
        file, to: URL(fileURLWithPath: newFile), includesDeleted: includesDeleted)
      if json {
        try Output.json(try Output.json(of: recovery))
      } else {
        try Output.lines(recovery.lines)
      }
      if !recovery.isComplete { throw ExitCode(2) }
    }
  }
}

extension StoreRecovery {
  /// What people read of it.
  var lines: [String] {
    var read =
      "read \(Output.count(pageCount, "page")) of \(pageSize) bytes, schema version \(schemaVersion)"
    if missingPageCount > 0 { read += ", \(missingPageCount) more are cut off" }
    if isHeaderDamaged { read += ", the header is damaged" }
    var lines = ["\(newFile): \(isComplete ? "complete" : "recovered in part")", "  " + read]
    if let count = journalPageCount {
      lines.append(
        "  a transaction was cut off; its journal has \(Output.count(count, "page")) as before it")
    }
    lines += lists.map { list in
      let floor = list.logFloor.map { "its log from revision \($0) on" } ?? "a new log"
      return "  kept        list \"\(list.list)\": \(Output.count(list.sectionCount, "section")), "
        + "\(Output.count(list.itemCount, "item")), \(floor)"
    }
    return lines + notes.map { "  different   " + $0 } + losses.map { "  lost        " + $0 }
  }
}
