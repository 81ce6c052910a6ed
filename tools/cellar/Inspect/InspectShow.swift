import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Show: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print all that is known of an item or a section.",
      discussion: """
        Its place, content, sizes and history. A size is exact if nothing has changed that it was \
        measured with; else the reasons are printed why it is an estimate. With --at, an item is \
        told as it was, without sizes: those that are kept are of now.

        Example: cellar show store.sqlite emma --list shelf
        """)

    @OptionGroup var stores: InspectedFile

    @Argument(
      help: ArgumentHelp("The item's id; it may have been deleted.", valueName: "item"),
      transform: ItemID.init(_:))
    var item: ItemID?

    @OptionGroup var list: ListOption

    @Option(
      help: ArgumentHelp("The item as it was at a moment.", valueName: "revision|time|wal:K"))
    var at: Moment?

    @Option(
      help: ArgumentHelp("A section's id, instead of an item.", valueName: "id"),
      transform: SectionID.init(_:))
    var section: SectionID?

    @Option(
      help: ArgumentHelp(
        "The version of the code that measures the cell now; by default any version is right.",
        valueName: "version"))
    var measurer: Int?

    @Option(help: ArgumentHelp("The most commits of the history.", valueName: "n"))
    var last = 20

    @OptionGroup var content: ContentOption

    func validate() throws {
      guard (item == nil) != (section == nil) else {
        throw ValidationError("name either an item or a section by --section")
      }
      if at?.isOfStore == true, section != nil || measurer != nil {
        throw ValidationError("--at a revision or time is for an item, without --measurer")
      }
      guard last >= 0 else { throw ValidationError("--last takes a number from 0") }
    }

    func answer(_ whole: Inspection) throws -> InspectAnswer {
      let inspection = try at?.inspection(whole) ?? whole
      let list = try list.chosen(in: inspection)
      if let section {
        let facts = try inspection.facts(
          ofSection: section, in: list, measurerVersion: measurer, last: last,
          content: content.content)
        return InspectAnswer(facts, isSound: facts.findings.isEmpty, lines: lines(facts))
      }
      guard let item else { throw ValidationError("name either an item or a section") }
      let facts: Inspection.ItemFacts
      if let at, at.isOfStore {
        facts = try inspection.facts(
          ofItem: item, in: list, at: at.revision(of: list, inspection), last: last,
          content: content.content)
      } else {
        facts = try inspection.facts(
          ofItem: item, in: list, measurerVersion: measurer, last: last, content: content.content)
      }
      return InspectAnswer(
        facts, isSound: facts.findings.isEmpty, lines: facts.lines(hasSizes: at == nil))
    }

    // MARK: Lines

    private func lines(_ facts: Inspection.SectionFacts) -> [String] {
      var lines = [
        "section \"\(facts.section)\" of list \"\(facts.list)\", revision \(facts.revision)"
      ]
      if !facts.isThere { lines.append("  deleted") }
      let place = [
        facts.index.map { "at \($0)" }, facts.itemCount.map { Output.count($0, "item") },
        facts.visibility,
      ].compactMap(\.self)
      if !place.isEmpty { lines.append("  " + place.joined(separator: ", ")) }
      if let row = facts.row, let block = facts.block, let root = facts.root {
        lines.append("  row \(row), block \(block), block over its items \(root)")
      }
      if let layout = facts.layout { lines.append("  layout \(layout.shown)") }
      if let meta = facts.meta { lines.append("  meta \(meta.shown)") }
      for view in facts.views {
        lines.append(
          "  \(view.kind) \(view.view)" + (view.content.map { ", content \($0.shown)" } ?? ""))
        lines += view.sizes.flatMap(\.lines).map { "    " + $0 }
      }
      for decoration in facts.decorations { lines.append("  decoration \(decoration)") }
      return lines + (facts.history?.historyLines ?? []) + facts.findings.flatMap(\.lines)
    }
  }
}

extension Inspection.ItemFacts {
  /// All that is known of the item.
  fileprivate func lines(hasSizes: Bool) -> [String] {
    var lines = ["item \"\(item)\" of list \"\(list)\", revision \(revision)"]
    if !isThere { lines.append("  deleted") }
    if let place {
      lines.append(
        "  at \(place.shown)" + (layout.map { ", layout \($0.shown)" } ?? ""))
    }
    if let row, let block {
      lines.append("  row \(row), block \(block)")
    }
    let state = [
      cell.map { "cell \($0)" }, type.map { "type \($0)" },
      contentRevision.map { "content revision \($0)" },
    ].compactMap(\.self)
    if !state.isEmpty { lines.append("  " + state.joined(separator: ", ")) }
    if let gap { lines.append("  \(gap.shown)") }
    if let content { lines.append("  content \(content.shown)") }
    if let action { lines.append("  action \(action.shown)") }
    if isThere, hasSizes, sizes.isEmpty { lines.append("  no size was measured") }
    lines += sizes.flatMap(\.lines).map { "  " + $0 }
    for (name, list) in nestedLists.sorted(by: { $0.key < $1.key }) {
      lines.append("  owns list \"\(list)\" as \"\(name)\"")
    }
    return lines + (history?.historyLines ?? []) + findings.flatMap(\.lines)
  }
}

extension Inspection.Timeline.List {
  fileprivate var historyLines: [String] { ["  history"] + lines.map { "  " + $0 } }
}
