import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Recover: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Write what a damaged store has into a new one; exits with 2 if something is missing.",
      discussion: """
        SQLite does not open the damaged file: its pages are read one by one. So it can have any \
        damage, and neither it nor a file beside it is changed.
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
      let recovery = try StoreRecovery.recover(
        URL(fileURLWithPath: file), to: URL(fileURLWithPath: newFile), includesDeleted: deleted)
      if json {
        try Output.json(try Output.json(of: recovery))
      } else {
        try Output.lines(Self.plainText(recovery))
      }
      if !recovery.isComplete { throw ExitCode(2) }
    }

    /// What was recovered and what was not, as lines.
    static func plainText(_ recovery: StoreRecovery) -> [String] {
      var lines = [
        "\(recovery.newFile): \(recovery.isComplete ? "complete" : "recovered in part")",
        "read \(Output.count(recovery.pageCount, "page")) of \(recovery.pageSize) bytes, schema "
          + "version \(recovery.schemaVersion)"
          + (recovery.missingPageCount > 0
            ? ", \(recovery.missingPageCount) more are cut off" : ""),
      ]
      if let count = recovery.journalPageCount {
        lines.append(
          "a transaction was cut off; its journal has \(Output.count(count, "page")) as before it")
      }
      if recovery.isHeaderDamaged { lines.append("the header is damaged") }
      lines += recovery.notes
      for (name, table) in recovery.damagedTables.sorted(by: { $0.key < $1.key }) {
        lines.append(
          "table \(name): \(Output.count(table.rowCount, "row")) read, "
            + "\(table.refusedRowCount) not taken, "
            + "\(Output.count(table.holeCount, "page")) lost"
            + (table.strayRowCount > 0 ? ", \(table.strayRowCount) from pages on their own" : ""))
      }
      for list in recovery.lists { lines += plainText(list) }
      return lines
    }

    private static func plainText(_ list: StoreRecovery.List) -> [String] {
      let revision = list.revision.map { "revision \($0)" } ?? "an unknown revision"
      var lines = [
        "list \"\(list.list)\"",
        list.isComplete
          ? "  complete: matches the digest of \(revision)"
          : "  not complete: another list than the digest of \(revision) says",
        "  \(Output.count(list.sectionCount, "section")), \(list.itemCount) of "
          + Output.count(list.expectedItemCount, "item"),
      ]
      if list.bareSectionCount > 0 {
        lines.append(
          "  \(Output.count(list.bareSectionCount, "section")) without layout, views and meta")
      }
      for (part, count) in list.lostItemCounts.sorted(by: { $0.key < $1.key }) {
        lines.append("  \(Output.count(count, "item")) lost: no \(part)")
      }
      if list.unorderedItemCount > 0 {
        lines.append(
          "  \(Output.count(list.unorderedItemCount, "item")) may stand in another order")
      }
      if let count = list.deletedItemCount {
        lines.append("  \(Output.count(count, "deleted item")) added")
      }
      lines.append(
        list.logFloor.map { "  log kept from revision \($0) on" }
          ?? "  a new log, by \"recovered\"")
      return lines
    }
  }
}
