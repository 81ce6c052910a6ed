import ListModel
import ListStore
import Providers

extension Inspection {
  /// A page that shows a store: what is wrong with it, its lists drawn to scale, their history, its
  /// sizes, its space and its files.
  public struct Report: Sendable {
    /// The page: one HTML document of at most about 2 MB, that needs no network and no other file.
    public let html: String
    /// What was found in the store, the worst first, and what could not be drawn.
    public let findings: [Finding]

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

  /// Makes a page that shows the store.
  ///
  /// The same store and options give the same page. Of many lists the longest are drawn, of a long
  /// list the beginning and a compressed strip of the rest, of a long log 500 revisions. In a store
  /// of more than 64 MB the drawings show the newest revision only, and it is not checked: see
  /// ``check(registry:)``. What can't be read is said, and hides nothing else.
  ///
  /// - Complexity: O(*n*), *n* rows.
  public func report(_ options: Report.Options = Report.Options()) -> Report {
    let summary = summary()
    var page = ReportPage(
      summary: summary, evidence: evidence, findings: summary.findings, options: options)
    guard case .success = opened else { return page.report() }
    page.space = space()
    do throws(StoreError) {
      let repository = try lists()
      page.histograms = Result { try SizeHistogram.all(in: repository) }
      let drawnLists = Self.drawnLists(summary)
      for list in drawnLists {
        do {
          let drawn = try ReportedList(
            list, in: repository, followsLog: !isLarge,
            mostBytes: ReportPage.mostDataBytes / drawnLists.count, content: options.content)
          page.lists.append(drawn)
          page.findings += drawn.findings
        } catch {
          page.findings.append(.unreadable("list \"\(list.list)\"", error))
        }
      }
    } catch {
      page.histograms = .failure(error)
    }
    return page.report()
  }

  /// The lists that are drawn: those with the most items.
  private static func drawnLists(_ summary: StoreSummary) -> [StoreSummary.List] {
    let longest = summary.lists.sorted {
      ($1.itemCount ?? 0, $0.list) < ($0.itemCount ?? 0, $1.list)
    }.prefix(ReportPage.mostLists).map(\.list)
    return summary.lists.filter { longest.contains($0.list) }
  }
}
