import DerivedLists
import GRDB
package import ListModel

// Each derived list is derived anew, as a whole, and compared with its rows. The updates that follow
// single commits of its source share nothing with that.
extension StoreCheck {
  /// Checks that every derived list is what its definition makes of its source, and that what belongs
  /// to derived lists belongs to one.
  ///
  /// - Complexity: O(*n* log *n*), *n* items of the sources of all derived lists.
  func checkDerivedLists() throws {
    try attempt("derived lists", .derived) {
      let all = try readDerivedLists()
      if let circle = DerivedList.circle(in: all.map(\.derived)) {
        list = circle
        report(.derived, "it is derived from itself")
      }
      let known = Set(all.map(\.derived.list))
      for stored in all {
        list = stored.derived.list
        try attempt("it", .derived) {
          do { try stored.check(known, statements) } catch let difference as Difference {
            report(.derived, difference.message)
          }
        }
      }
      list = nil
      try checkLostDefinitions()
    }
    list = nil
  }

  /// Reads the definitions; what can't be read is told.
  private func readDerivedLists() throws -> [StoredDerivedList] {
    var found: [StoredDerivedList] = []
    try statements(
      """
      SELECT name, source, ordinal, part, definition, list, sourceRevision
      FROM derivedList JOIN list ON list.id = list ORDER BY ordinal, part DESC
      """
    ).forEach { row in
      list = try? ListID(row.text(0))
      try attempt("its definition", .derived) {
        found.append(
          StoredDerivedList(
            derived: try DerivedList(row), row: try row.integer(5),
            sourceRevision: try row.integer(6)))
      }
    }
    list = nil
    return found
  }

  /// Every commit of a derived list names the source's: so does a list whose definition is lost.
  private func checkLostDefinitions() throws {
    for lost in try statements.listsWithoutDefinition() {
      list = DerivedList.isHidden(lost) ? nil : lost
      report(
        .derived,
        list == nil
          ? "a hidden list is there for the sake of no derived list"
          : "it was derived from another list, and its definition is lost")
    }
    list = nil
  }

  /// Lists that are not derived have items of their own.
  func checkSharedItems() throws {
    // One that was derived, and was told of, shares those of its source.
    guard try statements.listsWithoutDefinition().isEmpty else { return }
    try statements(
      """
      SELECT list.name, count(*) FROM (
        SELECT max(list) AS later FROM item WHERE list NOT IN (SELECT list FROM derivedList)
        GROUP BY id HAVING count(DISTINCT list) > 1) JOIN list ON list.id = later
      GROUP BY later
      """
    ).forEach { row in
      list = try ListID(row.text(0))
      report(.rows, "items whose rows another list has, too: \(try row.integer(1))")
    }
    list = nil
  }
}

extension Statements {
  /// The lists that were derived, by their last commits, or are hidden, and have no definition.
  package func listsWithoutDefinition() throws -> [ListID] {
    var lists: [ListID] = []
    try self(
      """
      SELECT name FROM list WHERE id NOT IN (SELECT list FROM derivedList)
        AND (name GLOB char(1) || 'whole *' OR EXISTS (SELECT 1 FROM listCommit
          WHERE list = list.id AND revision > list.revision - 64 AND sourceRevision IS NOT NULL))
      """
    ).forEach { lists.append(try ListID($0.text(0))) }
    return lists
  }

  /// The lists with a limit, by the hidden ones of which they have the first items.
  func shownLists() throws -> [ListID: ListID] {
    var lists: [ListID: ListID] = [:]
    try self(
      "SELECT source, name FROM derivedList JOIN list ON list.id = list WHERE part = 'first'"
    )
    .forEach { row in
      if let source = try? ListID(row.text(0)) { lists[source] = try? ListID(row.text(1)) }
    }
    return lists
  }
}

/// How a derived list is not what its definition makes of its source.
private struct Difference: Error {
  let message: String

  init(_ message: String) { self.message = message }
}

/// A row of `derivedList`.
private struct StoredDerivedList {
  let derived: DerivedList
  let row: Int
  let sourceRevision: Int

  /// What is compared of an item.
  private struct Element {
    var row: Int
    var name: UInt64
    var state: StoredState

    init(_ member: Block.Member) {
      (row, name, state) = (member.id, member.hash, member.state)
    }
  }

  /// `known`: All derived lists.
  func check(_ known: Set<ListID>, _ statements: Statements) throws {
    try checkDefinition(known)
    guard let target = try ListRows(statements, derived.list) else { return }
    let source = try ListRows(statements, derived.source)
    try checkRevision(target, source)
    guard let source, source.revision > 0 else {
      if target.sectionTotal > 0 {
        throw Difference("its source is not there, and it is not empty")
      }
      return
    }
    try compare(target, source)
  }

  /// The definition is that of this list, and of two parts none is missing.
  private func checkDefinition(_ known: Set<ListID>) throws {
    let definition = derived.definition
    let whole = try DerivedList.whole(of: definition.list)
    let (list, source, other): (ListID, ListID, ListID?) =
      switch derived.part {
      case .all: (definition.list, definition.source, nil)
      case .whole: (whole, definition.source, definition.list)
      case .first: (definition.list, whole, whole)
      }
    guard derived.list == list, derived.source == source,
      (definition.limit == nil) == (derived.part == .all)
    else {
      throw Difference(
        "its definition is that of list \(ShownText.quoted(definition.list.rawValue))")
    }
    if let other, !known.contains(other) {
      throw Difference(
        derived.part == .first
          ? "the hidden list of all its items is missing"
          : "list \(ShownText.quoted(other.rawValue)), which has the first items of it, is missing")
    }
  }

  /// What it says of the source's revision is what its last commit says, and is not later than the
  /// source; its log goes forward through the source's.
  private func checkRevision(_ target: ListRows, _ source: ListRows?) throws {
    let statements = target.statements
    let last =
      try derived.part == .first
      ? statements.sourceRevision(of: derived.source) : source?.revision ?? 0
    guard 0...max(0, last) ~= sourceRevision else {
      throw Difference("it follows revision \(sourceRevision) of its source, which has had \(last)")
    }
    let followed = try statements.sourceRevision(of: derived.list, at: target.revision)
    if let followed, followed != sourceRevision {
      throw Difference(
        "it says that it follows revision \(sourceRevision) of its source, and its last commit "
          + "says \(followed)")
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
      throw Difference(
        "revision \(wrong) in its log follows no revision of its source, or an earlier one")
    }
  }

  // MARK: Sections

  private func compare(_ target: ListRows, _ source: ListRows) throws {
    let wanted = try DerivedTree(derived.rule, of: source) { member, _, _ in Element(member) }
    if try target.listMeta() != nil { throw Difference("it has data of its own") }
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
        throw Difference("\(place) has another header, layout or own data than by its definition")
      }
      var values: [ValueKey: Int] = [:]
      try target.statements.forEachValue(ofSection: row.id) { value, count in
        let (sum, overflow) = values[value, default: 0].addingReportingOverflow(count)
        values[value] = overflow ? .max : sum
      }
      guard values == wanted.values[row.section] ?? [:] else {
        throw Difference("\(place): the values that are counted are not those of its items")
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
      throw Difference(
        "contents that are kept for it, and that no item of it names: \(unnamed.count)")
    }
  }

  private static func difference(
    _ noun: String, _ found: String?, _ place: String, _ wanted: String?
  ) -> Difference {
    let (found, wanted) = (found.map(ShownText.quoted), wanted.map(ShownText.quoted))
    return Difference(
      "it has \(found.map { "\(noun) \($0)" } ?? "no \(noun)") at \(place), by its definition "
        + (wanted ?? "none"))
  }

  // MARK: Items

  /// Compares the items of a section.
  private func compare(
    _ found: [Element], _ wanted: [Element], of target: ListRows, _ source: ListRows,
    at section: Int, _ kept: Set<Int>
  ) throws {
    var (found, wanted) = (found, wanted)
    // Systems have other rules for the order of a locale.
    if derived.rule.sort.contains(where: \.isLocalized) {
      found.sort { $0.row < $1.row }
      wanted.sort { $0.row < $1.row }
    }
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
        throw Difference("\(item) is not the one of its source: it has another row")
      }
      guard try looksTheSame(here.state, there.state, target.statements) else {
        throw Difference("\(item) has another cell or content than in its source")
      }
      guard kept.contains(here.state.content) else {
        throw Difference(
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
    try list.statements("SELECT name FROM item WHERE list = ? AND id = ?")
      .first(list.id, item.row) { try $0.text(0) } ?? "row \(item.row)"
  }
}

extension DerivedDefinition.SortTerm {
  fileprivate var isLocalized: Bool {
    if case .localized = collation { return true }
    return false
  }
}
