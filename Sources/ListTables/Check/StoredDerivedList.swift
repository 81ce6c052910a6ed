import DerivedLists
import GRDB
import ListModel

/// How a derived list is not what its definition makes of its source.
struct DerivedDifference: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A row of `derivedList`, to be compared with the list and its source.
struct StoredDerivedList {
  let derived: DerivedListRow
  /// The list's row.
  let row: Int

  /// What is compared of an item.
  private struct Element {
    var row: Int
    var name: UInt64
    var state: StoredState

    init(_ member: Block.Member) {
      (row, name, state) = (member.id, member.hash, member.state)
    }
  }

  /// Derives the list anew, and compares.
  ///
  /// `known`: All derived lists.
  ///
  /// - Throws: ``DerivedDifference`` with the first one.
  func check(_ known: Set<ListID>, _ statements: Statements) throws {
    try checkDefinition(known)
    if derived.isUnfinished { return }
    guard let target = try ListRows(statements, derived.list) else { return }
    let source = try ListRows(statements, derived.source)
    try checkRevision(target, source)
    guard let source, source.revision > 0 else {
      if target.sectionTotal > 0 {
        throw DerivedDifference("its source is not there, and it is not empty")
      }
      return
    }
    if derived.followedRevision == nil, statements.canDerive(derived) {
      try compare(target, source)
    } else {
      try compareWhatIsKnown(target, source)
    }
  }

  /// Of a list that is behind, or whose closures are not here, compares the items that it has.
  private func compareWhatIsKnown(_ target: ListRows, _ source: ListRows) throws {
    if let followed = derived.followedRevision, !(0...source.revision ~= followed) {
      throw DerivedDifference(
        "it is behind at revision \(followed) of its source, which has had \(source.revision)")
    }
    var lent: [Int: Element] = [:]
    try source.forEachUncheckedSection { row, known in
      try source.forEachItem(of: row, &known) { lent[$0.id] = Element($0) }
    }
    let kept = try keptContents(target.statements)
    var section = 0
    try target.forEachUncheckedSection { row, known in
      var index = 0
      try target.forEachItem(of: row, &known) { member in
        let (element, place) = (Element(member), "[\(section), \(index)]")
        guard let there = lent[member.id], there.name == element.name else {
          throw Self.difference("item", try Self.name(element, in: target), place, nil)
        }
        // An earlier content, or cell, is what the closures have read.
        let isThere = element.state.content == there.state.content
        guard isThere || kept.contains(element.state.content) else {
          throw DerivedDifference(
            "item \(ShownText.quoted(try Self.name(element, in: target))) at \(place) has a content "
              + "that its source has no longer, and nothing keeps it")
        }
        index += 1
      }
      section += 1
    }
  }

  /// The definition is that of this list, and of two parts none is missing.
  private func checkDefinition(_ known: Set<ListID>) throws {
    let definition = derived.definition
    let whole = DerivedListRow.whole(of: definition.list)
    let (list, source, other): (ListID, ListID, ListID?) =
      switch derived.part {
      case .all: (definition.list, definition.source, nil)
      case .whole: (whole, definition.source, definition.list)
      case .first: (definition.list, whole, whole)
      // Of whichever list it is the draft.
      case .draft, .made:
        (derived.list.isHidden ? derived.list : whole, derived.source, nil)
      }
    guard derived.list == list, derived.source == source,
      derived.part.isDraft || (definition.limit == nil) == (derived.part == .all)
    else {
      throw DerivedDifference(
        "its definition is that of list \(ShownText.quoted(definition.list.rawValue))")
    }
    if let other, !known.contains(other) {
      throw DerivedDifference(
        derived.part == .first
          ? "the hidden list of all its items is missing"
          : "list \(ShownText.quoted(other.rawValue)), which has the first items of it, is missing")
    }
  }

  /// Its last commit follows no revision that the source has not had; its log goes forward through the
  /// source's.
  private func checkRevision(_ target: ListRows, _ source: ListRows?) throws {
    let statements = target.statements
    let named = try derived.part == .first ? statements.rows(derived.definition.source) : source
    let last = named?.revision ?? 0
    let sourceRevision = try statements.sourceRevision(of: derived.list)
    guard 0...max(0, last) ~= sourceRevision else {
      throw DerivedDifference(
        "it follows revision \(sourceRevision) of its source, which has had \(last)")
    }
    let wrong = try statements(
      """
      SELECT min(revision) FROM (
        SELECT revision, sourceRevision, lag(sourceRevision, 1, 0) OVER (ORDER BY revision) AS before
        FROM listCommit WHERE list = ? AND revision > ?)
      WHERE sourceRevision IS NULL OR sourceRevision < before
      """
    ).first(target.id, target.logFloor) { try $0.integerIfPresent(0) }
    if let wrong = wrong ?? nil {
      throw DerivedDifference(
        "revision \(wrong) in its log follows no revision of its source, or an earlier one")
    }
  }

  // MARK: Sections

  private func compare(_ target: ListRows, _ source: ListRows) throws {
    let wanted = try DerivedTree(derived.rule, of: source, asksIndexes: false) {
      Element($0.member)
    }
    if try target.listMeta() != nil { throw DerivedDifference("it has data of its own") }
    let kept = try keptContents(target.statements)
    var unnamed = kept
    var index = 0
    try target.forEachUncheckedSection { row, known in
      let next = wanted.sections.indices.contains(index) ? wanted.sections[index] : nil
      guard let next, next.id == row.section else {
        throw Self.difference("section", row.section.rawValue, "\(index)", next?.id.rawValue)
      }
      let place = "section \(ShownText.quoted(row.section.rawValue)) at \(index)"
      guard try target.attributes(of: row.id).isEquivalent(to: next.attributes) else {
        throw DerivedDifference(
          "\(place) has another header, layout or own data than by its definition")
      }
      var values: [ValueKey: Int] = [:]
      try target.statements.forEachValue(ofSection: row.id) { value, count in
        let (sum, overflow) = values[value, default: 0].addingReportingOverflow(count)
        values[value] = overflow ? .max : sum
      }
      guard values == wanted.counts[row.section] ?? [:] else {
        throw DerivedDifference("\(place): the values that are counted are not those of its items")
      }
      var found: [Element] = []
      try target.forEachItem(of: row, &known) { member in
        found.append(Element(member))
        if !kept.isEmpty { unnamed.remove(member.content) }
      }
      try compare(found, next.items, of: target, source, at: index, kept)
      index += 1
    }
    if index < wanted.sections.count {
      throw Self.difference("section", nil, "\(index)", wanted.sections[index].id.rawValue)
    }
    if !unnamed.isEmpty {
      throw DerivedDifference(
        "contents that are kept for it, and that no item of it names: \(unnamed.count)")
    }
  }

  private static func difference(
    _ noun: String, _ found: String?, _ place: String, _ wanted: String?
  ) -> DerivedDifference {
    let (found, wanted) = (found.map(ShownText.quoted), wanted.map(ShownText.quoted))
    return DerivedDifference(
      "it has \(found.map { "\(noun) \($0)" } ?? "no \(noun)") at \(place), by its definition "
        + (wanted ?? "none"))
  }

  // MARK: Items

  /// Compares the items of a section.
  private func compare(
    _ found: [Element], _ wanted: [Element], of target: ListRows, _ source: ListRows,
    at section: Int, _ kept: Set<Int>
  ) throws {
    for index in 0..<max(found.count, wanted.count) {
      let here = found.indices.contains(index) ? found[index] : nil
      let there = wanted.indices.contains(index) ? wanted[index] : nil
      let place = "[\(section), \(index)]"
      guard let here, let there, here.name == there.name else {
        throw Self.difference(
          "item", try here.map { try Self.name($0, in: target) }, place,
          try there.map { try Self.name($0, in: source) })
      }
      if here.row == there.row, here.state == there.state { continue }
      let item = "item \(ShownText.quoted(try Self.name(here, in: target))) at \(place)"
      guard here.row == there.row else {
        throw DerivedDifference("\(item) is not the one of its source: it has another row")
      }
      guard try looksTheSame(here.state, there.state, target.statements) else {
        throw DerivedDifference("\(item) has another cell or content than in its source")
      }
      guard kept.contains(here.state.content) else {
        throw DerivedDifference(
          "\(item) has a content that its source has no longer, and nothing keeps it")
      }
    }
  }

  /// The contents that the list names and its source has written otherwise.
  private func keptContents(_ statements: Statements) throws -> Set<Int> {
    var kept: Set<Int> = []
    try statements("SELECT content FROM keptContent WHERE list = ? AND leftAt IS NULL")
      .forEach(row) { kept.insert(try $0.integer(0)) }
    return kept
  }

  private func looksTheSame(
    _ lhs: StoredState, _ rhs: StoredState, _ statements: Statements
  ) throws -> Bool {
    if lhs.content == rhs.content || lhs.cell != rhs.cell { return false }
    let cell = try statements.cellName(lhs.cell)
    let contents = try ItemContents(statements)
    let states = try [lhs, rhs].map { state in
      let content = try contents.content(state.content)
      return ItemState(
        cell: cell, content: content.content, type: content.type, action: content.action)
    }
    return states[0].isEquivalent(to: states[1])
  }

  /// The id of an item; its row's number if that is lost.
  private static func name(_ item: Element, in list: ListRows) throws -> String {
    // Of its place, because a derived list has no other row with its id.
    let found = try list.statements(
      """
      SELECT json_extract(value, '$[1]') FROM block JOIN json_each(members)
      WHERE list = ? AND level = 0 AND section IS NOT NULL AND json_extract(value, '$[0]') = ?
      """
    ).first(list.id, item.row) { try $0.textIfPresent(0) }
    return (found ?? nil) ?? "row \(item.row)"
  }
}
