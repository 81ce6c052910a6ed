import ListInspection
import ListModel

/// Reads what the browser shows: the rows of a page, and what is known of its list as a whole.
struct BrowseSource {
  let inspection: Inspection
  let content: Inspection.ContentDetail
  private let file: String
  /// All lists, without their items.
  private let lists: [Inspection.Outline.List]
  /// What can't be read, as far as it was looked at.
  private(set) var findings: [Finding] = []
  /// What was read last of a list.
  private var list: BrowsedList?
  /// The lines of a text that was read last, not wrapped.
  private var text: (place: BrowsePlace, revision: Int?, lines: [String])?

  private static let mostFindings = 200

  /// - Throws: `StoreError` if no list of the store can be read.
  init(_ inspection: Inspection, content: Inspection.ContentDetail) throws(StoreError) {
    self.inspection = inspection
    self.content = content
    file = NamedFile.name(of: inspection.evidence.files.first?.path ?? "")
    let outline = try inspection.outline(items: 0..<0)
    lists = outline.lists
    note(inspection.findings + outline.findings)
  }

  /// Whether nothing wrong was found.
  var isSound: Bool { findings.allSatisfy { $0.severity != .error } }

  private mutating func note(_ more: [Finding]) {
    for finding in more where findings.count < Self.mostFindings && !findings.contains(finding) {
      findings.append(finding)
    }
  }

  // MARK: Pages

  /// Some rows of a place.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - revision: The revision of its list; `nil` for the newest.
  ///   - range: The rows.
  ///   - width: The width of the lines of a text.
  /// - Returns: The rows; what can't be read is said in their place.
  mutating func page(
    of place: BrowsePlace, at revision: Int?, rows range: Range<Int>, width: Int
  ) -> BrowsePage {
    var page = BrowsePage(path: [file])
    page.facts = facts
    page.isWrong = !isSound
    do throws(StoreError) {
      if let list = place.list { try describe(list, at: revision, on: &page) }
      try fill(&page, place, at: revision, rows: range, width: width)
    } catch {
      page.facts = error.message
      page.isWrong = true
    }
    return page
  }

  private var facts: String {
    let errors = findings.count { $0.severity == .error }
    let wrong = findings.count { $0.severity != .notice }
    let all = [
      Output.count(lists.count, "list"),
      wrong > 0 ? Output.count(wrong, "finding") + ": f" : nil,
      errors > 0 ? "\(Output.count(errors, "error"))" : nil,
    ]
    return all.compactMap(\.self).joined(separator: ", ")
  }

  /// Adds what is known of the list as a whole.
  private mutating func describe(
    _ id: ListID, at revision: Int?, on page: inout BrowsePage
  ) throws(StoreError) {
    if list?.list != id || list?.revision != revision {
      let outline = list.flatMap { $0.list == id ? $0.outline : nil }
      list = try BrowsedList(
        id, at: revision, of: inspection, outline: outline, content: content)
      note(list?.findings ?? [])
    }
    page.path.append(BrowsePlace.list(id).name)
    guard let list else { return }
    page.facts = list.words
    page.isWrong = list.isWrong
    page.revisions = list.revisions
  }

  private mutating func fill(
    _ page: inout BrowsePage, _ place: BrowsePlace, at revision: Int?, rows range: Range<Int>,
    width: Int
  ) throws(StoreError) {
    switch place {
    case .lists:
      page.headings = ["list", "revision", "sections", "items"]
      page.take(lists.map(\.row), in: range)
    case .list:
      page.headings = ["", "section", "items", "layout"]
      page.take(list?.sections ?? [], in: range)
    case .section(let section, let id):
      page.path.append(place.name)
      page.headings = ["", "item", "cell", "size", "content"]
      if revision != nil {
        page.take(list?.items(of: section, content) ?? [], in: range)
      } else {
        try fillNewest(&page, section, of: id, rows: range)
      }
    case .item, .history, .changes, .findings, .help:
      page.path.append(place.name)
      let lines = try lines(place, at: revision).flatMap {
        TerminalText.wrapped($0, to: width).map { BrowsePage.Row([$0]) }
      }
      page.take(lines, in: range)
    }
  }

  /// Items of the newest revision, read from the store as they are shown.
  private mutating func fillNewest(
    _ page: inout BrowsePage, _ section: SectionID, of id: ListID, rows range: Range<Int>
  ) throws(StoreError) {
    let outline = try inspection.outline(
      of: id, section: section, items: range, isLong: true, content: content)
    note(outline.findings)
    guard let found = outline.lists.first?.sections.first else { return }
    page.count = found.itemCount
    let first = min(range.lowerBound, page.count)
    let end = min(range.upperBound, page.count)
    page.first = first
    // Those that can't be read have rows, too.
    page.rows = (first..<end).map { .init(["\($0)", "can't be read: f"]) }
    for item in found.items { page.rows[item.index - first] = item.row(in: id) }
  }

  // MARK: Texts

  private mutating func lines(
    _ place: BrowsePlace, at revision: Int?
  ) throws(StoreError) -> [String] {
    if case .findings = place {
      return findings.isEmpty ? ["Nothing was found so far."] : findings.flatMap(\.lines)
    }
    if let text, text.place == place, text.revision == revision { return text.lines }
    var lines: [String] = []
    switch place {
    case .item(let item, let id):
      if revision != nil {
        lines = list?.lines(of: item, content) ?? []
      } else {
        lines = try self.lines(item, of: id)
      }
    case .history(let item, let id):
      let facts = try inspection.facts(ofItem: item, in: id, last: 1_000, content: content)
      note(facts.findings)
      lines = facts.history?.lines ?? []
    case .changes(let id):
      let facts = try inspection.facts(
        ofRevision: revision, in: id, entries: 1_000, content: content)
      lines = facts.lines
    case .help: lines = Self.help
    case .lists, .list, .section, .findings: break
    }
    text = (place, revision, lines)
    return lines
  }

  private mutating func lines(_ item: ItemID, of id: ListID) throws(StoreError) -> [String] {
    let isShort = list?.hasShortLog ?? false
    let facts = try inspection.facts(
      ofItem: item, in: id, last: isShort ? 20 : 0, content: content)
    note(facts.findings)
    return facts.lines + (isShort ? [] : ["  history: t; the log of its list is long"])
  }

  // MARK: Finding

  /// Where an id is: an item or a section of the list that is shown, else a list.
  ///
  /// - Returns: The way to it, below the lists.
  /// - Throws: `StoreError` whose message says that there is none.
  mutating func find(
    _ text: String, from place: BrowsePlace, at revision: Int?
  ) throws(StoreError) -> [BrowseState.Level] {
    if let id = place.list {
      if let levels = try find(text, in: id, at: revision) { return levels }
    } else if let index = lists.firstIndex(where: { $0.list == text }) {
      return [.init(.lists, cursor: index)]
    }
    throw StoreError(
      .itemNotFound,
      place.list == nil
        ? "No list has this id; to find an item, open its list first."
        : "This list has no item and no section with this id at this revision.")
  }

  private func find(
    _ text: String, in id: ListID, at revision: Int?
  ) throws(StoreError) -> [BrowseState.Level]? {
    func place() throws(StoreError) -> (section: Int, name: String, item: Int)? {
      guard let item = try? ItemID(text) else { return nil }
      if revision != nil { return list?.place(of: item) }
      guard let place = try inspection.place(of: item, in: id), let name = place.section,
        place.path.count == 2
      else { return nil }
      return (place.path[0], name, place.path[1])
    }
    if let place = try place(), let section = try? SectionID(place.name) {
      return [
        .init(.list(id), cursor: place.section),
        .init(.section(section, in: id), cursor: place.item),
      ]
    }
    let sections = list?.sections ?? []
    guard let section = try? SectionID(text),
      let index = sections.firstIndex(where: { $0.target == .section(section, in: id) })
    else { return nil }
    return [.init(.list(id), cursor: index)]
  }
}
