import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct List: InspectCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls",
      abstract: "Print lists, sections and items in their order.",
      discussion: """
        Only what is printed is read. A list that an item owns follows the list of its item. At an \
        earlier moment items have no sizes: those that are kept are of now.

        Example: cellar ls store.sqlite --list shelf --find emma --long
        """)

    @OptionGroup var stores: InspectedFiles

    @OptionGroup var list: ListOption

    @Option(
      help: ArgumentHelp("The id of a section of the list.", valueName: "id"),
      transform: SectionID.init(_:))
    var section: SectionID?

    @Option(
      help: ArgumentHelp("The lists as they were at a moment.", valueName: "revision|time|wal:K"))
    var at: Moment?

    @Option(
      help: ArgumentHelp(
        "Print items with this text in their id or content only; A and a are the same.",
        valueName: "text"))
    var find: String?

    @Option(help: ArgumentHelp("The most sections to print.", valueName: "n"))
    var sections = 1_000

    @Option(help: ArgumentHelp("The most items to print.", valueName: "n"))
    var first = 1_000

    @Option(help: ArgumentHelp("How many items to pass before.", valueName: "k"))
    var after = 0

    @Flag(help: "Print types, contents, actions and sizes, too.")
    var long = false

    @OptionGroup var content: ContentOption

    func validate() throws {
      guard first >= 0, after >= 0, sections >= 0 else {
        throw ValidationError("--sections, --first and --after take numbers from 0")
      }
      if find == "" { throw ValidationError("--find names no text") }
    }

    func answer(_ whole: Inspection) throws -> InspectAnswer {
      let end = after.addingReportingOverflow(first)
      let items = after..<(end.overflow ? .max : end.partialValue)
      let inspection = try at?.inspection(whole) ?? whole
      let outline: Inspection.Outline
      if let at, at.isOfStore {
        let list = try list.chosen(in: inspection)
        outline = try inspection.outline(
          of: list, at: at.revision(of: list, inspection), section: section, sections: sections,
          items: items, matching: find, isLong: long, content: content.content)
      } else {
        outline = try inspection.outline(
          of: section == nil ? list.list : list.chosen(in: inspection), section: section,
          sections: sections, items: items, matching: find, isLong: long, content: content.content)
      }
      if let find, outline.matchCount == 0, outline.findings.isEmpty {
        throw StoreError(
          .itemNotFound, "no item has \(ShownText.quoted(find)) in its id or content",
          file: outline.file)
      }
      return InspectAnswer(outline, isSound: outline.findings.isEmpty, lines: lines(outline))
    }

    // MARK: Lines

    private func lines(_ outline: Inspection.Outline) -> [String] {
      var lines = ["\(outline.file): \(Output.count(outline.lists.count, "list"))"]
      if let count = outline.matchCount { lines[0] += ", \(Output.count(count, "item")) found" }
      for list in outline.lists {
        let indent = String(repeating: "  ", count: min(list.depth, 20))
        lines += self.lines(list).map { indent + $0 }
      }
      if let next = outline.nextItem { lines.append("… more items: --after \(next)") }
      if outline.isCut {
        lines.append("… more lists or sections: see --sections, or name one by --list, --section")
      }
      return lines + outline.findings.flatMap(\.lines)
    }

    private func lines(_ list: Inspection.Outline.List) -> [String] {
      let counts = [
        list.derived.map { "derived from \"\($0.source)\"" },
        list.revision.map { "revision \($0)" },
        list.sectionCount.map { Output.count($0, "section") },
        list.itemCount.map { Output.count($0, "item") },
        list.gapCount.flatMap { $0 > 0 ? Output.count($0, "gap") : nil },
        list.derived?.incompleteness,
        list.derived.flatMap { derived in
          derived.lag == 0 ? nil : "\(Output.count(derived.lag, "commit")) behind"
        },
        list.owner.map { owner in
          "\"\(owner.name)\" of item \"\(owner.item)\" in \"\(owner.list)\""
            + (owner.goneAt.map { ", deleted at revision \($0)" } ?? "")
        },
      ].compactMap(\.self)
      var lines = ["list \"\(list.list)\": " + counts.joined(separator: ", ")]
      if long, let derived = list.derived { lines.append("  defined as \(derived.definition)") }
      for section in list.sections { lines += self.lines(section) }
      return lines
    }

    private func lines(_ section: Inspection.Outline.Section) -> [String] {
      let facts = [
        Output.count(section.itemCount, "item"), section.layout.map { "layout \($0.shown)" },
        section.visibility == "shown" ? nil : section.visibility,
      ].compactMap(\.self)
      let number = section.index.map(String.init) ?? "?"
      return ["  \(number) section \"\(section.section)\": " + facts.joined(separator: ", ")]
        + section.items.flatMap { lines($0, in: number) }
    }

    private func lines(_ item: Inspection.Outline.Item, in section: String) -> [String] {
      let facts = [
        item.gap?.shown ?? item.cell,
        item.contentRevision == 0 ? nil : "content revision \(item.contentRevision)",
        item.type.map { "type \($0)" }, item.content.map { "content \($0.shown)" },
        item.action.map { "action \($0.shown)" },
      ].compactMap(\.self)
      return ["    [\(section), \(item.index)] \"\(item.item)\" " + facts.joined(separator: ", ")]
        + (item.sizes ?? []).flatMap(\.lines).map { "      " + $0 }
    }
  }
}
