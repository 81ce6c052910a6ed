import ArgumentParser
import Foundation
import ListInspection
import ListModel

extension Inspect {
  struct Report: InspectCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write a page that shows a store, drawn to scale.",
      discussion: """
        One HTML file of at most 5 MB without references to others: what is wrong; the lists as \
        their stored sizes place them, at each revision, with a search and the history of each \
        item; sizes by cell, what takes the space, and the files. Contents are hidden unless you \
        say otherwise; ids, authors and the names of cells are not. Of stores of more than 64 MB \
        only the newest revision is drawn, and they are not checked: see `check`.

        Example: cellar report store.sqlite --out store.html
        """)

    @OptionGroup var stores: InspectedFile

    @Option(help: ArgumentHelp("The page. Only its owner may read it.", valueName: "page"))
    var out: String

    @Flag(help: "Replace the page if there is one.")
    var force = false

    @OptionGroup var content: ContentOption

    func answer(_ inspection: Inspection) throws -> InspectAnswer {
      try requireOtherFile(than: inspection)
      let report = inspection.report(Inspection.Report.Options(content: content.content))
      let bytes = Array(report.html.utf8)
      let isSound = report.findings.hasNoError
      let answer = Answer(
        file: stores.file, page: out, byteCount: bytes.count, isSound: isSound,
        findings: report.findings)
      var result = InspectAnswer(
        answer, isSound: isSound,
        lines: ["\(out): \(Output.count(bytes.count, "byte"))"]
          + report.findings.flatMap(\.lines))
      result.finish = { try NewFile.write(bytes, to: out, replacing: force) }
      return result
    }

    private struct Answer: Encodable {
      var formatVersion = 1
      var file: String
      var page: String
      var byteCount: Int
      var isSound: Bool
      var findings: [Finding]
    }

    /// Refuses to write the page over what is looked at.
    private func requireOtherFile(than inspection: Inspection) throws(StoreError) {
      let page = NamedFile(out)
      let paths = stores.files + inspection.evidence.files.map(\.path)
      if let page, paths.contains(where: { NamedFile($0) == page }) {
        throw StoreError(
          .notWritable, "it is the store itself, or a file beside it; give another name", file: out)
      }
    }
  }
}
