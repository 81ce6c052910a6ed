import Foundation
public import ListModel
import ListStore
import ListTables

// Facts of lists as they were at an earlier revision, which is compared with its digest.
extension Inspection {
  /// A list at a revision, with its sections and items in order.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - revision: The revision, which the log must reach.
  ///   - section: A section of the list; `nil` for all.
  ///   - sections: The most sections that are told.
  ///   - items: Which items are told, counted over all that are asked for, from 0.
  ///   - text: Items are told only with this text in their id or content, and sections with such
  ///     items; `nil` for all.
  ///   - isLong: Whether contents and actions are told, too. Sizes are those of now, and are not.
  ///   - content: How much is told of contents and actions.
  /// - Returns: The list; sections and items that were not asked for are left out.
  /// - Throws: `StoreError` as ``tree(of:at:)``, or with
  ///   ``/ListModel/StoreError/Code/sectionNotFound``.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes after that revision.
  public func outline(
    of list: ListID, at revision: Int, section: SectionID? = nil, sections: Int = 10_000,
    items: Range<Int> = 0..<1_000, matching text: String? = nil, isLong: Bool = false,
    content: ContentDetail = .hash
  ) throws(StoreError) -> Outline {
    let tree = try tree(of: list, at: revision)
    var chosen = tree.sections.enumerated().map { ($0, $1) }
    if let section {
      chosen.removeAll { $0.1.id != section }
      if chosen.isEmpty {
        throw StoreError(
          .sectionNotFound,
          "list \"\(list)\" has no section \"\(section)\" at revision \(revision)",
          file: file.path)
      }
    }
    let search = text.map(TextSearch.init)
    var outline = Outline(file: file.path, isCut: chosen.count > sections)
    var facts = Outline.List(
      list: list.rawValue, depth: 0, revision: tree.revision, sectionCount: tree.sections.count,
      itemCount: tree.itemCounts.reduce(0, +), gapCount: tree.gapCount())
    var number = 0
    for (index, section) in chosen.prefix(sections) {
      var told = Outline.Section(
        section: section.id.rawValue, index: index, itemCount: section.items.count,
        visibility: section.attributes.visibility.rawValue,
        layout: section.attributes.layout.map(LayoutFacts.init))
      for (place, item) in section.items.enumerated() where search?.fits(item) != false {
        if items.contains(number) {
          let state = StateFacts(item.state, content)
          told.items.append(
            Outline.Item(
              item: item.id.rawValue, index: place, cell: state.cell,
              contentRevision: state.contentRevision, type: isLong ? state.type : nil,
              content: isLong ? state.content : nil, action: isLong ? state.action : nil,
              gap: state.gap))
        } else if number == items.upperBound {
          outline.nextItem = number
        }
        number += 1
      }
      if search == nil || !told.items.isEmpty { facts.sections.append(told) }
    }
    if search != nil { outline.matchCount = number }
    outline.lists = [facts]
    return outline
  }

  /// What an item was at a revision: where it was, what it showed, and its history up to there.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - list: Its list.
  ///   - revision: The revision, which the log must reach.
  ///   - last: The most commits of its history.
  ///   - content: How much is told of contents.
  /// - Returns: What is known, without sizes, which are those of now.
  /// - Throws: `StoreError` as ``tree(of:at:)``; with
  ///   ``/ListModel/StoreError/Code/itemNotFound`` if neither the list nor its log up to there has
  ///   the item.
  /// - Complexity: O(*n* + *k* · log *n*), *n* items, *k* changes.
  public func facts(
    ofItem item: ItemID, in list: ListID, at revision: Int, last: Int = 20,
    content: ContentDetail = .hash
  ) throws(StoreError) -> ItemFacts {
    let tree = try tree(of: list, at: revision)
    var facts = ItemFacts(
      file: file.path, list: list.rawValue, revision: tree.revision, item: item.rawValue,
      isThere: false)
    for (index, section) in tree.sections.enumerated() {
      guard let place = section.items.firstIndex(where: { $0.id == item }) else { continue }
      let state = StateFacts(section.items[place].state, content)
      facts.isThere = true
      facts.place = Timeline.Place(ItemPath(section: index, item: place))
      facts.place?.section = section.id.rawValue
      facts.layout = section.attributes.layout.map(LayoutFacts.init)
      (facts.cell, facts.type, facts.contentRevision, facts.content, facts.action) =
        (state.cell, state.type, state.contentRevision, state.content, state.action)
      facts.gap = state.gap
    }
    let logged = try history(
      of: list, matching: CommitFilter(item: item.rawValue, upTo: revision), last: last,
      content: content)
    (facts.history, facts.findings) = (logged.history, logged.findings)
    if !facts.isThere, facts.history?.commits.isEmpty != false {
      throw try naming { () throws(StoreError) in
        try lists().read(list: list, "read item \"\(item)\"") { $0.notFound(item) }
      }
    }
    return facts
  }
}
