import Foundation
import ListModel
import ListStore

extension Inspection {
  /// A page that shows a store: what is wrong with it, its lists drawn to scale at every revision of
  /// their logs, its sizes, its space and its files.
  public struct Report: Sendable {
    /// The page: one HTML document of at most 5 MB, that needs no network and no other file.
    public let html: String
    /// What was found in the store, the worst first, and what could not be drawn.
    public let findings: [Finding]
    /// What the page's script draws; it is in the page as JSON.
    package let value: ReportValue

    /// What a page shows.
    public struct Options: Sendable {
      /// The title; `nil` for the name of the file.
      public var title: String?
      /// A paragraph below the title; `nil` for the usual one.
      public var introduction: String?
      /// How much of contents is shown; long ones are cut.
      ///
      /// Ids, names of cells and views, and authors are always shown.
      public var content: ContentDetail
      /// Whether the files are shown: their paths, times and sizes, and what takes the space.
      public var showsFiles: Bool

      /// By default contents are hidden, and files are shown.
      public init(
        title: String? = nil, introduction: String? = nil, content: ContentDetail = .hash,
        showsFiles: Bool = true
      ) {
        self.title = title
        self.introduction = introduction
        self.content = content
        self.showsFiles = showsFiles
      }
    }
  }

  /// The most bytes of a page.
  private static let mostPageBytes = 4_900_000
  /// The most lists that can be looked at, and the most that are told.
  private static let mostDrawnLists = 200
  private static let mostLists = 1_000

  /// Makes a page that shows the store.
  ///
  /// The same store and options give the same page. Of many lists the 200 longest can be looked at;
  /// of a long list or log the page has as much as fits, and says so. In a store of more than 64 MB
  /// there are no earlier revisions, and it is not checked: see ``check(registry:)``. What can't be
  /// read is said, and hides nothing else.
  ///
  /// - Complexity: O(*n*), *n* rows.
  public func report(_ options: Report.Options = Report.Options()) -> Report {
    let summary = summary()
    var findings = summary.findings
    let space = space()
    let longest = summary.lists.sorted {
      ($1.itemCount ?? 0, $0.list) < ($0.itemCount ?? 0, $1.list)
    }
    var value = ReportValue(
      title: options.title ?? "Report on \(NSString(string: file.path).lastPathComponent)",
      content: options.content, summary: summary, listCount: longest.count,
      itemCount: longest.reduce(0) { $0 &+ ($1.itemCount ?? 0) })
    value.summary.lists = longest.prefix(Self.mostLists).enumerated().map { number, list in
      var list = list
      list.cells = nil
      list.derived?.cut(isDrawn: number < Self.mostDrawnLists)
      return list
    }.sorted { $0.list < $1.list }
    (value.summary.integrity, value.summary.findings) = ([], [])
    if options.showsFiles {
      value.files = evidence.files
      value.space = space
      value.space?.findings = []
      value.space?.tables = Array(space.tables.prefix(40))
      value.space?.lists = Array(space.lists.prefix(Self.mostDrawnLists))
    } else {
      value.summary.file = NSString(string: file.path).lastPathComponent
      (value.summary.byteCount, value.summary.logByteCount) = (0, nil)
      (value.summary.header, value.summary.log, value.summary.journal) = (nil, nil, nil)
    }
    let sizes = sizes()
    findings += sizes.findings.filter { !findings.contains($0) }
    value.sizes = Self.frequent(sizes)
    addFindings(findings, to: &value)
    let room = Self.mostPageBytes - ReportPage(value, options).html.utf8.count
    addLists(
      longest.prefix(Self.mostDrawnLists), to: &value, space, sizes, room: room, &findings)
    addFindings(findings, to: &value)
    return Report(
      html: ReportPage(value, options).html, findings: value.summary.findings, value: value)
  }

  /// The sizes of the most frequent cells.
  private static func frequent(_ sizes: StoreSizes) -> [ReportValue.Sizes] {
    let all = sizes.lists.flatMap { list in
      list.groups.map { group in
        let (key, stale) = (sizes.keys[group.key], group.staleCounts.filter { $0.key != .key })
        return ReportValue.Sizes(
          list: list.list, cell: group.cell, kind: group.kind, isVertical: key.axis == "vertical",
          fittingPixels: key.fittingPixels, variant: key.variant, count: group.count,
          staleCount: stale.values.reduce(0, +), least: group.least, median: group.median,
          greatest: group.greatest, histogram: group.histogram)
      }
    }
    return all.sorted {
      ($1.count, $0.list, $0.cell, $0.fittingPixels) < (
        $0.count, $1.list, $1.cell, $1.fittingPixels
      )
    }.prefix(60).map(\.self)
  }

  /// Adds lists that can be looked at, the longest of which is the first.
  ///
  /// They are read from the shortest on: what one leaves of the room, others take.
  private func addLists(
    _ longest: ArraySlice<StoreSummary.List>, to value: inout ReportValue, _ space: StoreSpace,
    _ sizes: StoreSizes, room: Int, _ findings: inout [Finding]
  ) {
    guard case .success(let store) = opened, case .success(let repository) = store.lists else {
      return
    }
    var room = room
    for (index, list) in longest.reversed().enumerated() {
      let log = space.lists.first { $0.list == list.list }
      let logByteCount = (log?.changeByteCount ?? room) + (log?.commitCount ?? 0) * 24
      do {
        let share = room / (longest.count - index)
        var reader = try ListReader(
          ListID(list.list), in: repository, room: share, logByteCount: logByteCount, sizes,
          value.content)
        if isLarge {
          reader.list.logEnd = "the store has more than 64 MB"
        } else if reader.list.cut != nil {
          reader.list.logEnd = "not all of the list is on this page"
        } else {
          reader.readLog(in: repository)
        }
        reader.finish()
        room -= share - reader.room
        value.lists.append(reader.list)
        findings += reader.findings
      } catch {
        findings.append(.unreadable("list \"\(list.list)\"", error))
      }
    }
    value.lists.sort { $0.list < $1.list }
  }

  /// The findings, the worst first; without the folder if files are not shown.
  private func addFindings(_ findings: [Finding], to value: inout ReportValue) {
    let folder =
      value.files == nil
      ? evidence.files.first.map { NSString(string: $0.path).deletingLastPathComponent + "/" } : nil
    func shown(_ text: String) -> String {
      folder.map { text.replacingOccurrences(of: $0, with: "") } ?? text
    }
    value.summary.findings = findings.enumerated().sorted {
      ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
    }.map { finding in
      var finding = finding.element
      finding.place = finding.place.map(shown)
      finding.message = shown(finding.message)
      finding.advice = shown(finding.advice)
      return finding
    }
  }
}

extension Inspection.DerivedFacts {
  /// Bounds what it takes on a page.
  fileprivate mutating func cut(isDrawn: Bool) {
    definition = isDrawn ? ShownText.token(definition, atMost: 600) : ""
    if !isDrawn { source = Shown.cut(source, to: 80) }
  }
}
