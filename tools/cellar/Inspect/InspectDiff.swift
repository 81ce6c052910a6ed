import ArgumentParser
import BatchUpdates
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Print what differs between two states of a list, by the ids of sections and items.",
      discussion: """
        A state is a store, as it is now, or with @ and a moment behind it: a revision, a time, or \
        a commit of the write-ahead log: store.sqlite@12, store.sqlite@2024-04-05T19:34:39Z, \
        store.sqlite@wal:3.
        """)

    @Argument(help: ArgumentHelp("The state before.", valueName: "file[@moment]"))
    var old: String

    @Argument(help: ArgumentHelp("The state after.", valueName: "file[@moment]"))
    var new: String

    @Option(help: ArgumentHelp("The list's id.", valueName: "id"), transform: Inspect.listID)
    var list: ListID

    @Flag(help: "Print the batch update, one line of JSON.")
    var batch = false

    @OptionGroup var content: ContentOption

    @OptionGroup var opening: OpeningOption

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
      if batch, json { throw ValidationError("--batch is JSON; --json prints the changes by id") }
    }

    func run() throws {
      let states = try [old, new].map { try ComparedList($0, opening) }
      let before = try states[0].tree(of: list)
      let after = try states[1].tree(of: list)
      if batch {
        try Output.json(BatchUpdate(from: before, to: after).json)
      } else {
        let difference = Inspection.Difference(
          from: before, to: after, content: content.content)
        if json {
          try Output.json(Output.json(of: difference))
        } else {
          try Output.lines(difference.lines)
        }
      }
      for state in states { try state.whole.requireUnchanged() }
      for state in states { if let refusal = state.inspection.refusal { throw refusal } }
    }

    /// A store, and what is behind its @.
    private struct ComparedList {
      let inspection: Inspection
      let whole: Inspection
      private let moment: Moment?

      init(_ argument: String, _ opening: OpeningOption) throws {
        var path = argument
        if !FileManager.default.fileExists(atPath: argument), let at = argument.lastIndex(of: "@") {
          let text = String(argument[argument.index(after: at)...])
          path = String(argument[..<at])
          guard let moment = Moment(argument: text) else {
            throw ValidationError(
              "expected a revision, a time such as 2024-04-05T19:34:39Z, or wal:K behind the @ of "
                + path)
          }
          self.moment = moment
        } else {
          moment = nil
        }
        whole = try opening.inspection(of: path)
        inspection = try moment?.inspection(whole) ?? whole
      }

      func tree(of list: ListID) throws -> ListTree {
        try inspection.tree(of: list, at: try moment?.revision(of: list, inspection))
      }
    }
  }
}

extension Inspection.Difference {
  fileprivate var lines: [String] {
    let counts = Kind.allCases.flatMap { kind in
      [
        (sections.count { $0.kinds.contains(kind) }, "section"),
        (items.count { $0.kinds.contains(kind) }, "item"),
      ].filter { $0.0 > 0 }.map { "\(Output.count($0.0, $0.1)) \(kind.rawValue)" }
    }
    return [
      "list \"\(list)\": revision \(from) → \(to): "
        + (counts.isEmpty && !isMetaChanged ? "no difference" : counts.joined(separator: ", "))
    ] + (isMetaChanged ? ["  meta updated"] : []) + sections.map(Self.line) + items.map(Self.line)
  }

  private static func line(_ section: SectionChange) -> String {
    "  section \"\(section.section)\" "
      + words(section.kinds, section.from.map(String.init), section.to.map(String.init))
      + (section.kinds.contains(.updated)
        ? ": \(section.before?.shown ?? "none") → \(section.after?.shown ?? "none")" : "")
  }

  private static func line(_ item: ItemChange) -> String {
    var line = "  item \"\(item.item)\" " + words(item.kinds, item.from?.shown, item.to?.shown)
    if let before = item.before, let after = item.after {
      line += ": " + before.shown(changedTo: after)
    } else if let state = item.before ?? item.after {
      line += ": " + state.shown
    }
    return line
  }

  private static func words(_ kinds: [Kind], _ from: String?, _ to: String?) -> String {
    kinds.map { kind in
      switch kind {
      case .inserted: "inserted at \(to ?? "?")"
      case .deleted: "deleted from \(from ?? "?")"
      case .moved: "moved from \(from ?? "?") to \(to ?? "?")"
      case .updated: kinds.count == 1 ? "updated at \(to ?? "?")" : "updated"
      }
    }.joined(separator: ", ")
  }
}
