import ArgumentParser
import Foundation
import ListInspection

extension Inspect {
  struct Info: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what a store holds, in numbers, and what is wrong with it.",
      discussion: "Stores of more than 64 MB are not checked: see `check`.",
      aliases: ["summary"])

    @OptionGroup var stores: InspectedFiles

    func answer(_ inspection: Inspection) -> InspectAnswer {
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
        lines.append("write-ahead log: " + Inspect.WriteAheadLog.line(log))
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
        count(list.itemCount, "item"), count(list.sizeCount, "measured size"),
      ].compactMap(\.self)
      if !parts.isEmpty { lines.append("  " + parts.joined(separator: ", ")) }
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
