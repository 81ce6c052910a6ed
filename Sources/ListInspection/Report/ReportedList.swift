import ListModel
import ListStore
import Providers

/// A list as a page shows it.
struct ReportedList {
  let summary: StoreSummary.List
  let view: DrawingView
  /// The list at its newest revision.
  let drawing: ListDrawing
  /// All of it, if there is more than the drawing has.
  let strip: ListStrip?
  private(set) var history: ReportedHistory
  private(set) var findings: [Finding] = []

  /// Reads and draws a list.
  ///
  /// - Parameters:
  ///   - summary: The list in numbers.
  ///   - repository: The store.
  ///   - followsLog: Whether earlier revisions are drawn.
  ///   - mostBytes: About how many bytes their drawings may take on the page.
  ///   - content: How much of contents is shown.
  /// - Throws: If the list can't be read; a log that can't be read is one of the findings.
  init(
    _ summary: StoreSummary.List, in repository: Repository, followsLog: Bool, mostBytes: Int,
    content: Inspection.ContentDetail
  ) throws {
    self.summary = summary
    let id = try ListID(summary.list)
    let head = try repository.provider(for: id)
    view = try DrawingView(head, in: repository)
    let source = DrawingSource(head, in: view, content: content)
    drawing = ListDrawing(head, in: view, source: source)
    strip = drawing.isCut ? ListStrip(head, in: view) : nil
    history = ReportedHistory()
    do {
      let log = try SampledLog(of: id, in: repository)
      history = ReportedHistory(log)
      if followsLog {
        try history.draw(
          id, in: repository, from: log.floor, view: view, source: source,
          mostDrawings: mostBytes / (max(1, drawing.parts.count) * ListDrawing.Part.byteCount),
          title: content.title)
      }
    } catch {
      findings.append(.unreadable("list \"\(summary.list)\": its log", error))
    }
    if head.failedReadCount > 0 {
      let count = Shown.count(head.failedReadCount, "part")
      findings.append(.unreadable("list \"\(summary.list)\"", Unreadable("\(count) can't be read")))
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
}
