import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Info: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say what a store holds, and what is wrong with it.",
      discussion: """
        Stores of more than 64 MB are not checked: see `check`.

        --sizes: how long cells and views are along the direction of scrolling, in points (the \
        least, the median, the 95th percentile, the greatest), and which sizes hold no longer. \
        --cells: the names of cells, item types and views, with their uses. --space: what the \
        bytes are used for, and what truncating the log or a VACUUM would give back. --wal: the \
        write-ahead log, and the files beside the store.

        Example: cellar info store.sqlite --space
        """)

    /// A part of the facts that is told at length.
    enum Part: EnumerableFlag {
      case sizes, cells, space, wal
    }

    @OptionGroup var stores: InspectedFiles

    @Flag(help: "Print this part at length.")
    var part: Part?

    @Option(
      help: ArgumentHelp("With --sizes: a list's id; by default all lists.", valueName: "id"),
      transform: Inspect.listID)
    var list: ListID?

    @Flag(help: "With --sizes: print only cells with sizes that hold no longer, and why.")
    var stale = false

    @Option(
      help: ArgumentHelp(
        """
        With --cells: the names of the cells that the app registers, a JSON array of strings. Exits \
        with 2 if the store has others.
        """, valueName: "names"))
    var registry: Registry?

    func validate() throws {
      if part != .sizes, stale || list != nil {
        throw ValidationError("--list and --stale go with --sizes")
      }
      if part != .cells, registry != nil { throw ValidationError("--registry goes with --cells") }
    }

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      switch part {
      case .sizes: sizes(inspection)
      case .cells: try cells(inspection)
      case .space: space(inspection)
      case .wal: files(inspection)
      case nil: summary(inspection)
      }
    }

    private func summary(_ inspection: Inspection) -> InspectAnswer {
      let summary = inspection.summary()
      return InspectAnswer(
        summary, isSound: summary.findings.hasNoError, lines: Self.lines(summary))
    }

    private static func lines(_ summary: StoreSummary) -> [String] {
      var lines = [
        "\(summary.file): \(Output.count(summary.byteCount, "byte"))"
          + (summary.logByteCount.map { ", \($0) more in its write-ahead log" } ?? "")
      ]
      if let log = summary.log, log.byteCount > 0 {
        lines.append("write-ahead log: " + Self.line(log))
      } else if summary.header?.keepsLog == true {
        lines.append("write-ahead log: none; a copy of a store in use lacks what its -wal has")
      }
      if summary.header != nil {
        lines.append(
          "schema version \(summary.schemaVersion)"
            + (summary.pendingMigrations.isEmpty
              ? "" : ", needs " + summary.pendingMigrations.joined(separator: ", ")))
      }
      lines.append("integrity: " + summary.integrity.joined(separator: "; "))
      for list in summary.lists { lines += Self.lines(list) }
      for finding in summary.findings where finding.code != .olderSchema { lines += finding.lines }
      return lines
    }

    private static func lines(_ list: StoreSummary.List) -> [String] {
      func count(_ number: Int?, _ noun: String) -> String? {
        number.map { Output.count($0, noun) }
      }
      var lines = ["list \"\(list.list)\""]
      let parts = [
        list.revision.map { "revision \($0)" }, count(list.sectionCount, "section"),
        count(list.itemCount, "item"), list.gapCount == 0 ? nil : count(list.gapCount, "gap"),
        count(list.sizeCount, "measured size"),
      ].compactMap(\.self)
      if !parts.isEmpty { lines.append("  " + parts.joined(separator: ", ")) }
      if let derived = list.derived {
        lines.append(
          "  derived from \"\(derived.source)\", follows its revision \(derived.sourceRevision), "
            + "\(Output.count(derived.lag, "commit")) behind"
            + (derived.incompleteness.map { ", \($0)" } ?? "") + ": \(derived.definition)")
      }
      let log = [
        count(list.commitCount, "commit"), count(list.changeCount, "change"),
        list.feedSequence.map { "feed up to \($0)" },
      ].compactMap(\.self)
      if !log.isEmpty { lines.append("  log: " + log.joined(separator: ", ")) }
      if let last = list.lastCommit {
        lines.append(
          "  last commit: \(last.revision) by \(last.author)"
            + (last.time.map { " at \(Output.date($0))" } ?? ""))
      }
      let cells = (list.cells ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      return lines + cells.map { "  \(String($1).leftPadded(to: 6)) × \($0)" }
    }
  }
}
