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
        Only what is printed is read. A list that an item owns follows the list of its item.
        """)

    @OptionGroup var stores: InspectedFiles

    @Option(
      help: ArgumentHelp("A list's id; all lists if there is none.", valueName: "id"),
      transform: Inspect.listID)
    var list: ListID?

    @Option(
      help: ArgumentHelp("The id of a section of the list.", valueName: "id"),
      transform: SectionID.init(_:))
    var section: SectionID?

    @Option(help: ArgumentHelp("The most items to print.", valueName: "n"))
    var first = 1_000

    @Option(help: ArgumentHelp("How many items to pass before.", valueName: "k"))
    var after = 0

    @Flag(help: "Print types, contents, actions and sizes, too.")
    var long = false

    @OptionGroup var content: ContentOption

    func validate() throws {
      guard first >= 0, after >= 0 else {
        throw ValidationError("--first and --after take numbers from 0")
      }
      guard section == nil || list != nil else {
        throw ValidationError("--section needs --list")
      }
    }

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      let end = after.addingReportingOverflow(first)
      let outline = try inspection.outline(
        of: list, section: section,
        items: after..<(end.overflow ? .max : end.partialValue), isLong: long,
        content: content.content)
      return InspectAnswer(outline, isSound: outline.findings.isEmpty, lines: lines(outline))
    }

    // MARK: Lines

    private func lines(_ outline: Inspection.Outline) -> [String] {
      var lines = ["\(outline.file): \(Output.count(outline.lists.count, "list"))"]
      for list in outline.lists {
        let indent = String(repeating: "  ", count: min(list.depth, 20))
        lines += self.lines(list).map { indent + $0 }
      }
      if let next = outline.nextItem { lines.append("… more items: --after \(next)") }
      if outline.isCut { lines.append("… more lists or sections: name one by --list, --section") }
      return lines + outline.findings.flatMap(\.lines)
    }

    private func lines(_ list: Inspection.Outline.List) -> [String] {
      let counts = [
        list.revision.map { "revision \($0)" },
        list.sectionCount.map { Output.count($0, "section") },
        list.itemCount.map { Output.count($0, "item") },
        list.owner.map { owner in
          "\"\(owner.name)\" of item \"\(owner.item)\" in \"\(owner.list)\""
            + (owner.goneAt.map { ", deleted at revision \($0)" } ?? "")
        },
      ].compactMap(\.self)
      return ["list \"\(list.list)\": " + counts.joined(separator: ", ")]
        + list.sections.flatMap(lines)
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
        item.cell, item.contentRevision == 0 ? nil : "content revision \(item.contentRevision)",
        item.type.map { "type \($0)" }, item.content.map { "content \($0.shown)" },
        item.action.map { "action \($0.shown)" },
      ].compactMap(\.self)
      return ["    [\(section), \(item.index)] \"\(item.item)\" " + facts.joined(separator: ", ")]
        + (item.sizes ?? []).flatMap(\.lines).map { "      " + $0 }
    }
  }
}
