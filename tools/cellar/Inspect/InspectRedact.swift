import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Redact: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a store without people's texts, to send.",
      discussion: """
        Contents become filler of the same length, ids and authors become pseudonyms; order, log, \
        measured sizes, saved screens and pending edits stay. Derived lists are left out, because their \
        definitions name values of contents. The new store is written from these \
        values: what else is in the file, such as tables of the app's own, is not in it. A damaged \
        store is recovered first; then it says what was lost, and exits with 2.

        Example: cellar redact store.sqlite redacted.sqlite
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @Argument(
      help: ArgumentHelp("The new store; there must be no such file.", valueName: "new-file"))
    var newFile: String

    @Flag(help: "Replace the names of members of contents, too.")
    var redactMembers = false

    @Flag(help: "Replace the names of cells, types, views, screens, events and nested lists, too.")
    var redactNames = false

    @Flag(help: "Keep only the day of each time, in UTC.")
    var redactTimes = false

    @Option(
      help: ArgumentHelp(
        "Give the same pseudonyms each time, by a number; for tests.", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var opening: OpeningOption

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      let inspection = try opening.inspection(of: file)
      var options = StoreRedaction.Options()
      options.keepsMembers = !redactMembers
      options.keepsNames = !redactNames
      options.keepsTimes = !redactTimes
      options.seed = seed
      let redaction = try inspection.redact(
        to: URL(fileURLWithPath: newFile), options: options)
      if json {
        try Output.json(try Output.json(of: redaction))
      } else {
        try Output.lines(Self.plainText(redaction))
      }
      try inspection.requireUnchanged()
      if redaction.recovery != nil { throw ExitCode(2) }
    }

    private static func plainText(_ redaction: StoreRedaction) -> [String] {
      let counts = [
        Output.count(redaction.listCount, "list"), Output.count(redaction.itemCount, "item"),
        Output.count(redaction.commitCount, "commit"),
      ].joined(separator: ", ")
      var lines = ["\(redaction.newFile): redacted, \(counts)"]
      if redaction.derivedListCount > 0 {
        lines.append(
          Output.count(redaction.derivedListCount, "derived list")
            + " left out: definitions name values of contents")
      }
      guard let recovery = redaction.recovery else { return lines }
      return lines + ["\(redaction.file) is damaged; this is what could be recovered:"]
        + recovery.lines
    }
  }
}
