import Foundation
import GRDB
public import ListModel
import ListStore
import ListTables
import StoreSchema

extension Inspection {
  /// The lists of the store with their sections and items, in order.
  ///
  /// What can't be read is left out, and a finding says why.
  ///
  /// - Parameters:
  ///   - list: The list; `nil` for all lists.
  ///   - section: A section of the list; `nil` for all.
  ///   - sections: The most sections that are told.
  ///   - items: Which items are told, counted over all that are asked for, from 0.
  ///   - text: Items are told only with this text in their id or content, and sections with such
  ///     items; `nil` for all.
  ///   - isLong: Whether contents, actions and sizes are read, too.
  ///   - content: How much is told of contents and actions.
  /// - Returns: The lists; sections and items that were not asked for are left out.
  /// - Throws: `StoreError` with ``/ListModel/StoreError/Code/listNotFound`` or
  ///   ``/ListModel/StoreError/Code/sectionNotFound``.
  /// - Complexity: O(*s* + *k*), *s* sections, *k* items that are told; O(*k* + log *n*) in a
  ///   section of *n* items; O(*n*) with a text.
  public func outline(
    of list: ListID? = nil, section: SectionID? = nil, sections: Int = 10_000,
    items: Range<Int> = 0..<1_000, matching text: String? = nil, isLong: Bool = false,
    content: ContentDetail = .hash
  ) throws(StoreError) -> Outline {
    try naming { () throws(StoreError) in
      let repository = try lists()
      var outline = Outline(file: file.path, findings: findings.filter { $0.severity == .error })
      if text != nil { outline.matchCount = 0 }
      var reader = OutlineReader(
        outline: outline, repository: repository, sections: sections, items: items,
        search: text.map(TextSearch.init), isLong: isLong, content: content)
      try reader.readLists(list)
      for index in reader.outline.lists.indices {
        do throws(StoreError) { try reader.readList(at: index, section: section) } catch {
          if list != nil, error.code == .listNotFound || error.code == .sectionNotFound {
            throw error
          }
          let name = reader.outline.lists[index].list
          reader.outline.findings.append(.unreadable("list \"\(name)\"", error))
        }
      }
      return reader.outline
    }
  }
}

/// Reads an outline, a list in a transaction.
private struct OutlineReader {
  var outline: Inspection.Outline
  let repository: Repository
  /// The most sections that are told.
  let mostSections: Int
  /// Which items are told, counted over all lists and sections.
  let items: Range<Int>
  let search: TextSearch?
  let isLong: Bool
  let content: Inspection.ContentDetail
  /// How many items the sections had that were passed.
  private var passedItems = 0
  private var sectionCount = 0

  private static let mostLists = 10_000

  init(
    outline: Inspection.Outline, repository: Repository, sections: Int, items: Range<Int>,
    search: TextSearch?, isLong: Bool, content: Inspection.ContentDetail
  ) {
    self.outline = outline
    self.repository = repository
    mostSections = sections
    self.items = items
    self.search = search
    self.isLong = isLong
    self.content = content
  }

  // MARK: Lists

  /// Notes the lists, each below its owner.
  mutating func readLists(_ wanted: ListID?) throws(StoreError) {
    var lists: [Inspection.Outline.List] = []
    try repository.read("read the lists") { db in
      try Statements(db)(
        """
        SELECT list.name, owner.name, ownerItem, listOwner.name, goneAt FROM list
          LEFT JOIN listOwner ON listOwner.list = list.id
          LEFT JOIN list AS owner ON owner.id = ownerList
        WHERE ?1 IS NULL OR list.name = ?1 ORDER BY list.name LIMIT 10001
        """
      ).forEach(wanted?.rawValue) { row in
        var list = Inspection.Outline.List(list: try row.text(0), depth: 0)
        if wanted == nil, ListID.isHidden(list.list) { return }
        if let owner = try row.textIfPresent(1) {
          list.owner = Inspection.OwnerFacts(
            list: owner, item: try row.text(2), name: try row.text(3),
            goneAt: try row.integerIfPresent(4))
        }
        lists.append(list)
      }
    }
    do throws(StoreError) {
      let derived = try repository.read("read the derived lists") {
        try Inspection.DerivedFacts.all(Statements($0))
      }
      for index in lists.indices { lists[index].derived = derived[lists[index].list] }
    } catch {
      outline.findings.append(.unreadable("the derived lists", error))
    }
    if lists.isEmpty, let wanted {
      // Throws the error that names the lists that may have been meant.
      _ = try repository.revision(of: wanted)
    }
    outline.isCut = lists.count > Self.mostLists
    outline.lists = wanted == nil ? Self.nested(Array(lists.prefix(Self.mostLists))) : lists
  }

  /// The lists with each below its owner; those that own each other in a circle come last.
  private static func nested(
    _ lists: [Inspection.Outline.List]
  ) -> [Inspection.Outline.List] {
    let names = Set(lists.map { Array($0.list.utf8) })
    var below: [[UInt8]: [Int]] = [:]
    var roots: [Int] = []
    for (index, list) in lists.enumerated() {
      if let owner = list.owner.map({ Array($0.list.utf8) }), names.contains(owner) {
        below[owner, default: []].append(index)
      } else {
        roots.append(index)
      }
    }
    var ordered: [Inspection.Outline.List] = []
    var isDone = [Bool](repeating: false, count: lists.count)
    for start in roots + Array(lists.indices) where !isDone[start] {
      var waiting = [(index: start, depth: 0)]
      while let (index, depth) = waiting.popLast() {
        if isDone[index] { continue }
        isDone[index] = true
        var list = lists[index]
        list.depth = depth
        ordered.append(list)
        waiting += (below[Array(list.list.utf8)] ?? []).reversed().map { ($0, depth + 1) }
      }
    }
    return ordered
  }

  // MARK: Sections and items

  mutating func readList(at index: Int, section: SectionID?) throws(StoreError) {
    let name = outline.lists[index].list
    let list: ListID
    do { list = try ListID(name) } catch {
      return outline.findings.append(.unreadable("list \"\(name)\"", error))
    }
    var reader = self
    let read = try repository.read(list: list, "read \"\(list)\"") { stored in
      try reader.read(stored, section, into: index)
      return reader
    }
    self = read
  }

  private mutating func read(_ stored: StoredList, _ section: SectionID?, into index: Int) throws {
    outline.lists[index].revision = stored.revision
    outline.lists[index].sectionCount = stored.sectionCount
    outline.lists[index].gapCount = stored.gapCount
    let place = "list \"\(stored.list)\""
    do {
      outline.lists[index].itemCount =
        try stored.statements("SELECT coalesce(sum(itemCount), 0) FROM section WHERE list = ?")
        .first(stored.row) { try $0.integer(0) }
    } catch { outline.findings.append(.unreadable(place + ": its items", error)) }
    if let section {
      guard let (found, number) = try stored.section(section) else {
        throw stored.notFound(section)
      }
      return try read(found, at: number, of: stored, into: index)
    }
    var number = 0
    try stored.forEachSection { section in
      guard sectionCount < mostSections else {
        outline.isCut = true
        return false
      }
      sectionCount += 1
      try read(section, at: number, of: stored, into: index)
      number += 1
      return true
    } unreadable: { error in
      outline.findings.append(.unreadable(place + ": its sections", error))
      number += 1
    }
  }

  private mutating func read(
    _ section: StoredList.Section, at number: Int?, of stored: StoredList, into index: Int
  ) throws {
    let place = "list \"\(stored.list)\", section \"\(section.section)\""
    var facts = Inspection.Outline.Section(
      section: section.section.rawValue, index: number, itemCount: section.itemCount)
    var layout: UInt64?
    do {
      let attributes = try stored.attributes(of: section)
      facts.visibility = attributes.visibility.rawValue
      facts.layout = attributes.layout.map(Inspection.LayoutFacts.init)
      layout = attributes.layout.stableHash
    } catch { outline.findings.append(.unreadable(place, error)) }
    let first = search == nil ? max(0, items.lowerBound - passedItems) : 0
    let end =
      search == nil
      ? max(first, min(section.itemCount, items.upperBound - passedItems)) : section.itemCount
    if search == nil, items.upperBound - passedItems < section.itemCount {
      outline.nextItem = items.upperBound
    }
    try stored.forEachItem(of: section, in: first..<end) { index, member in
      do {
        guard try isToldNext(member, of: stored) else { return }
        facts.items.append(try item(member, at: index, of: stored, layout))
      } catch {
        outline.findings.append(.unreadable("\(place), item \"\(member.name)\"", error))
      }
    } unreadable: { range, error in
      let what = range.isEmpty ? "its end" : "items \(range.lowerBound) to \(range.upperBound - 1)"
      outline.findings.append(.unreadable("\(place): \(what)", error))
    }
    passedItems += section.itemCount
    if search == nil || !facts.items.isEmpty { outline.lists[index].sections.append(facts) }
  }

  /// Whether an item has the text that is looked for and is among those that are told; counts it.
  private mutating func isToldNext(
    _ member: StoredList.Member, of stored: StoredList
  ) throws -> Bool {
    guard let search else { return true }
    var contents: [String?] = []
    if !search.fits(id: member.name, contents: []) {
      let stores = try StoredContent(member.content, stored.statements)
      contents = [stores.content, stores.action]
      guard search.fits(id: member.name, contents: contents) else { return false }
    }
    let number = outline.matchCount ?? 0
    outline.matchCount = number + 1
    if number == items.upperBound { outline.nextItem = number }
    return items.contains(number)
  }

  private func item(
    _ member: StoredList.Member, at index: Int, of stored: StoredList, _ layout: UInt64?
  ) throws -> Inspection.Outline.Item {
    var facts = Inspection.Outline.Item(
      item: member.name, index: index, cell: try stored.cellName(member.cell).rawValue,
      contentRevision: member.contentRevision)
    let isGap = facts.cell == Gap.cell.rawValue
    guard isLong || isGap else { return facts }
    let stores = try StoredContent(member.content, stored.statements)
    facts.gap = Inspection.GapFacts(cell: facts.cell, content: stores.content, content)
    guard isLong else { return facts }
    facts.type = stores.type
    facts.content = Inspection.ContentFacts(stores.content, content)
    facts.action = stores.action.flatMap { Inspection.ContentFacts($0, content) }
    facts.sizes = try Inspection.SizeFacts.sizes(
      ofItem: member.row, stored.statements,
      .init(
        cell: member.cell, content: UInt64(bitPattern: Int64(member.contentRevision)),
        layout: layout))
    return facts
  }
}

/// A row of `content` as it is stored, which need not be JSON.
struct StoredContent {
  var type: String?
  var action: String?
  var content: String

  /// - Throws: `SQLITE_CORRUPT` if there is no such row.
  init(_ row: Int, _ statements: Statements) throws {
    let found = try statements("SELECT type, action, content FROM content WHERE id = ?")
      .first(row) { row in
        (try row.textIfPresent(0), try row.textIfPresent(1), try row.text(2))
      }
    guard let found else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "content \(row) is missing")
    }
    (type, action, content) = found
  }
}
