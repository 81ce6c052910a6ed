import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Log: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the commits of lists: when, who and what.",
      discussion: """
        Times are ISO 8601, or milliseconds since 1970. --follow goes on with commits as they \
        come, also those of other processes, and ends with 0 at Control-C; with --json it prints \
        an object a line. Not a byte of the store changes, nor of the files beside it.

        Example: cellar log store.sqlite --item emma --content full
        """)

    @OptionGroup var stores: InspectedFiles

    @Option(
      help: ArgumentHelp("A list's id; all lists if there is none.", valueName: "id"),
      transform: Inspect.listID)
    var list: ListID?

    @Option(help: ArgumentHelp("Commits of this author only.", valueName: "name"))
    var author: String?

    @Option(
      help: ArgumentHelp("Commits that change this item only.", valueName: "id"),
      transform: ItemID.init(_:))
    var item: ItemID?

    @Option(
      help: ArgumentHelp("Commits that change this section, or an item in it.", valueName: "id"))
    var section: String?

    @Option(
      help: ArgumentHelp(
        """
        Changes of items with this text in their id, or in their content before or after; A and a \
        are the same.
        """, valueName: "text"))
    var find: String?

    @Option(help: ArgumentHelp("Commits from this time on.", valueName: "time"))
    var since: StoreTime?

    @Option(help: ArgumentHelp("Commits up to this time.", valueName: "time"))
    var until: StoreTime?

    @Option(help: ArgumentHelp("The most commits of a list; the newest ones.", valueName: "n"))
    var last = 100

    @Option(help: ArgumentHelp("The most changes of a commit.", valueName: "n"))
    var entries = 20

    @Flag(help: "Count all commits that fit, by author and time.")
    var rates = false

    @Flag(help: "Go on with new commits until Control-C.")
    var follow = false

    @OptionGroup var content: ContentOption

    func validate() throws {
      if follow, rates || stores.opening.inPlace || stores.files.count > 1 {
        throw ValidationError("--follow takes one store, and neither --rates nor --in-place")
      }
      if find == "" { throw ValidationError("--find names no text") }
      guard last >= 0, entries >= 0 else {
        throw ValidationError("--last and --entries take numbers from 0")
      }
    }

    func run() throws {
      guard follow else { return try answerAll() }
      var follower = LogFollower(self)
      try follower.run()
    }

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      if let item { try inspection.requireItem(item, in: list) }
      let timeline = try timeline(inspection)
      if let find, timeline.findings.isEmpty, timeline.lists.allSatisfy(\.commits.isEmpty) {
        throw StoreError(
          .itemNotFound,
          "no change of an item with \(ShownText.quoted(find)) in its id or content is in the log",
          file: timeline.file)
      }
      var lines = [timeline.file]
      for list in timeline.lists { lines += ["list \"\(list.list)\""] + list.lines }
      lines += timeline.findings.flatMap(\.lines)
      return InspectAnswer(timeline, isSound: timeline.findings.isEmpty, lines: lines)
    }

    /// The commits that were asked for.
    ///
    /// `known`: For each list, the revision up to which they were printed; `nil` at first, when
    /// only the last ones are.
    func timeline(
      _ inspection: Inspection, after known: [String: Int]? = nil
    ) throws(StoreError) -> Inspection.Timeline {
      let filter = Inspection.CommitFilter(
        author: author, item: item?.rawValue, section: section, text: find,
        since: since?.milliseconds.lowerBound,
        until: until?.milliseconds.upperBound, after: known ?? [:])
      return try inspection.timeline(
        of: list, matching: filter, last: known == nil ? last : .max, entries: entries,
        hasRates: rates, content: content.content)
    }
  }
}

extension Inspection.Timeline.List {
  /// The commits, a line each, with their changes below.
  var lines: [String] {
    var lines = ["  revision \(revision)"]
    // A long derived list begins so: its making is in no log.
    if floor == 1 { lines[0] += "; the log begins with the list at revision 1" }
    if floor > 1 { lines[0] += "; commits up to revision \(floor) were deleted from the log" }
    if hasEarlier { lines.append("  … earlier commits: --last") }
    for commit in commits { lines += commit.lines.map { "  " + $0 } }
    return lines + (rates ?? []).map { "  " + $0.line }
  }
}

extension Inspection.Timeline.Commit {
  /// The commit on a line, with its changes below.
  var lines: [String] {
    let what = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let facts = [
      "\(revision)", time.map(Output.time) ?? "unknown time", "by \(author)",
      changeCount == 0 ? "empty" : what.joined(separator: ", "),
      feedSequence.map { "feed line \($0)" }, undoes.map { "undoes \($0)" },
      undoneBy.map { "undone by \($0)" },
    ].compactMap(\.self)
    return [facts.joined(separator: "  ")] + entries.map { "  " + $0.line }
      + (entries.count < changeCount
        ? ["  … \(Output.count(changeCount - entries.count, "other change"))"] : [])
  }
}

extension Inspection.Timeline.Entry {
  fileprivate var line: String {
    var line = operation
    if let id = item ?? section { line += " \"\(id)\"" }
    if let from, to != nil || operation.hasPrefix("delete") {
      line += " from \(from.shown)"
    } else if let from {
      line += " at \(from.shown)"
    }
    if let to { line += (from == nil ? " at " : " to ") + to.shown }
    if let itemCount { line += " with \(Output.count(itemCount, "item"))" }
    if let before, let after {
      line += ": " + before.shown(changedTo: after)
    } else if let state = before ?? after {
      line += ": " + state.shown
    } else if operation.hasPrefix("update") {
      line += ": \(attributesBefore?.shown ?? "none") → \(attributesAfter?.shown ?? "none")"
    } else if let attributes = attributesBefore ?? attributesAfter {
      line += ": " + attributes.shown
    }
    return line
  }
}

extension Inspection.Timeline.Rate {
  fileprivate var line: String {
    func rounded(_ number: Double?) -> String {
      (number ?? 0).formatted(
        .number.precision(.fractionLength(0...1)).grouping(.never).locale(Locale(identifier: "en")))
    }
    return
      "\(author): \(Output.count(commitCount, "commit")), \(Output.count(changeCount, "change"))"
      + (commitsPerHour == nil
        ? ""
        : "; \(rounded(commitsPerHour)) commits and \(rounded(changesPerHour)) changes an hour, "
          + "\(rounded(commitsPerDay)) and \(rounded(changesPerDay)) a day")
  }
}
