import ArgumentParser
import BatchUpdates
import Foundation
import ListInspection
import ListModel
import StoreFiles

extension Inspect {
  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what differs between two moments or stores.",
      discussion: """
        By the ids of sections and items. A state is a store as it is now, or with @ and a moment \
        behind it: a revision, a time, or a commit of the write-ahead log; or a file with a tree, \
        as `export` prints it (- is standard input). For two states of one store, name it once and \
        the moments by --at; one moment is compared with now. Without --list all lists are \
        compared.

        Example: cellar diff store.sqlite --at 12 --at 2024-04-05T19:34:39Z --list shelf
        Example: cellar diff before.sqlite after.sqlite --stat
        """)

    @Argument(help: ArgumentHelp("One state, or the states before and after.", valueName: "file"))
    var states: [String]

    @Option(
      help: ArgumentHelp(
        "With one store: the moment before; given twice, the moments before and after.",
        valueName: "revision|time|wal:K"))
    var at: [Moment] = []

    @Option(
      help: ArgumentHelp("A list's id; by default all lists.", valueName: "id"),
      transform: Inspect.listID)
    var list: ListID?

    @Flag(help: "Print the batch update, one line of JSON a list.")
    var batch = false

    @Flag(help: "Print how much differs in each list, a line each.")
    var stat = false

    @OptionGroup var content: ContentOption

    @OptionGroup var opening: OpeningOption

    @Flag(help: "Print JSON; without --list, an object a line for each list that differs.")
    var json = false

    func validate() throws {
      if batch, json || stat {
        throw ValidationError("--batch is JSON; --json and --stat print the changes by id")
      }
      switch (states.count, at.count) {
      case (2, 0), (1, 1), (1, 2): break
      case (1, 0):
        throw ValidationError("name a second state, or a moment of this one by --at")
      default:
        throw ValidationError("name two states, or one store and its moments by --at")
      }
    }

    func run() throws {
      // A pipe is read only once.
      let mayRepeat = states.allSatisfy { state in
        state != "-" && FileStatus(following: state).map { $0.kind == .file } ?? true
      }
      let (sides, answers) = try opening.look(
        at: sides, outdatedIf: { $0.contains(where: \.isOutdated) }, mayRepeat: mayRepeat
      ) { sides in
        let (before, after) = (sides[0], sides[1])
        return try (list.map { [$0] } ?? before.lists(or: after)).map {
          try answer(before, after, $0)
        }
      }
      for answer in answers {
        switch answer {
        case .batch(let json): try Output.json(json)
        case .difference(let difference): try show(difference)
        }
      }
      for side in sides { try side.requireUsable() }
    }

    private enum Answer {
      case batch(String)
      case difference(Inspection.Difference)
    }

    private func answer(
      _ before: ComparedState, _ after: ComparedState, _ id: ListID
    ) throws -> Answer {
      let isAll = list == nil
      if !batch {
        return .difference(
          try before.difference(to: after, of: id, orEmpty: isAll, content.content))
      }
      let (old, new) = (
        try before.tree(of: id, orEmpty: isAll), try after.tree(of: id, orEmpty: isAll)
      )
      return .batch(BatchUpdate(from: old, to: new).json)
    }

    /// The two states, the earlier one first.
    private func sides(_ open: (String) throws -> Inspection) throws -> [ComparedState] {
      if at.isEmpty { return try states.map { try ComparedState($0, open) } }
      let whole = try open(states[0])
      return [
        try ComparedState(whole, at: at[0]),
        try ComparedState(whole, at: at.count > 1 ? at[1] : nil),
      ]
    }

    private func show(_ difference: Inspection.Difference) throws {
      if json {
        try Output.json(
          list == nil ? Output.jsonLine(of: difference) : Output.json(of: difference))
      } else if stat || list == nil && difference.isEmpty {
        try Output.line(difference.heading)
      } else {
        try Output.lines(difference.lines)
      }
    }
  }
}

extension Inspection.Difference {
  fileprivate var isEmpty: Bool { !isMetaChanged && sections.isEmpty && items.isEmpty }

  /// How much differs, in a line.
  fileprivate var heading: String {
    let counts = Kind.allCases.flatMap { kind in
      [
        (sections.count { $0.kinds.contains(kind) }, "section"),
        (items.count { $0.kinds.contains(kind) }, "item"),
      ].filter { $0.0 > 0 }.map { "\(Output.count($0.0, $0.1)) \(kind.rawValue)" }
    }
    return "list \"\(list)\": revision \(from) → \(to): "
      + (isEmpty
        ? "no difference"
        : (counts + (isMetaChanged ? ["meta updated"] : [])).joined(separator: ", "))
  }

  fileprivate var lines: [String] { [heading] + sections.map(Self.line) + items.map(Self.line) }

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
