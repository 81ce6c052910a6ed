import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print a list as JSON, also as it was earlier.",
      discussion: """
        One line, a tree. The list is compared with the digest that the log has for the revision; \
        one that does not agree with it is not printed. A store to which another program has \
        written is the one exception: the head is printed, and the command exits with 2.

        Example: cellar export store.sqlite --list shelf --at 20
        """)

    @Argument(help: ArgumentHelp("The store.", valueName: "file"))
    var file: String

    @OptionGroup var list: ListOption

    @Option(
      help: ArgumentHelp(
        """
        A revision, 0 is before the first commit; a time, such as 2026-11-22T14:03:00Z or \
        milliseconds since 1970; or wal:K, after commit K of the write-ahead log, 0 is without it.
        """,
        valueName: "revision|time|wal:K"))
    var at: Moment?

    @OptionGroup var opening: OpeningOption

    func run() throws {
      let whole = try opening.inspection(of: file)
      let inspection = try at?.inspection(whole) ?? whole
      let list = try list.chosen(in: inspection)
      let revision = try at?.revision(of: list, inspection)
      var failure: (any Error)?
      do {
        try inspection.export(list, at: revision) { text in
          do { try Output.part(ofJSON: text) } catch {
            failure = error
            throw error
          }
        }
      } catch { throw failure ?? error }
      try Output.part(ofJSON: "\n")
      let isCompared = try say(inspection, list, revision: revision)
      try whole.requireUnchanged()
      if let refusal = inspection.refusal { throw refusal }
      if !isCompared { throw ExitCode(2) }
    }

    /// Says which revision it is and whether it was compared with its digest.
    ///
    /// - Returns: Whether it was.
    private func say(_ inspection: Inspection, _ list: ListID, revision: Int?) throws -> Bool {
      let head = try inspection.revision(of: list)
      let revision = revision ?? head
      let doubt = inspection.findings.first {
        $0.code == .bypassed || $0.code == .digest && $0.place == "list \"\(list)\""
      }
      if let doubt, revision == head {
        Output.note(
          "warning: revision \(revision), not compared with its digest: \(doubt.message). "
            + "See `cellar check FILE`")
        return false
      }
      if at != nil { Output.note("notice: revision \(revision), compared with its digest") }
      return true
    }
  }
}
