import ArgumentParser
import Foundation
import ListInspection
import ListModel

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look into a store without changing a byte of it or beside it.",
    subcommands: [Summary.self, Export.self])

  struct Summary: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what a store holds, in numbers; exits with 2 if the file is damaged.")

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let summary = try Inspection(of: URL(fileURLWithPath: file)).summary()
      if json {
        try Output.json(try Output.json(of: summary))
      } else {
        try Output.lines(Self.plainText(summary))
      }
      if summary.integrity != ["ok"] { throw ExitCode(2) }
    }

    private static func plainText(_ summary: StoreSummary) -> [String] {
      var lines = [
        "\(summary.file): \(Output.count(summary.byteCount, "byte"))"
          + (summary.logByteCount.map { ", \($0) more in its write-ahead log" } ?? ""),
        "schema version \(summary.schemaVersion)"
          + (summary.pendingMigrations.isEmpty
            ? "" : ", needs " + summary.pendingMigrations.joined(separator: ", ")),
        "integrity: " + summary.integrity.joined(separator: "; "),
      ]
      for list in summary.lists {
        lines.append("list \"\(list.list)\"")
        lines.append(
          "  revision \(list.revision), \(Output.count(list.sectionCount, "section")), "
            + "\(Output.count(list.itemCount, "item")), "
            + Output.count(list.sizeCount, "measured size"))
        lines.append(
          "  log: \(Output.count(list.commitCount, "commit")), "
            + "\(Output.count(list.changeCount, "change")), feed up to \(list.feedSequence)")
        if let last = list.lastCommit {
          lines.append(
            "  last commit: \(last.revision) by \(last.author)"
              + (last.time.map { " at \(Self.date($0))" } ?? ""))
        }
        for (cell, count) in list.cells.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
          lines.append("  \(String(count).leftPadded(to: 6)) × \(cell)")
        }
      }
      return lines
    }

    private static func date(_ milliseconds: Int) -> String {
      Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a list as a tree, one line of JSON, at its head or at an earlier revision.")

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The list's id.", valueName: "id"))
    var list: String

    @Option(
      help: ArgumentHelp("The revision; 0 is before the first commit.", valueName: "revision"))
    var at: Int?

    func validate() throws { _ = try id() }

    func run() throws {
      try Output.json(try Inspection(of: URL(fileURLWithPath: file)).export(id(), at: at))
    }

    private func id() throws -> ListID {
      do { return try ListID(list) } catch { throw ValidationError("--list: \(error)") }
    }
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
