package import DerivedLists
import GRDB
package import ListModel

extension ListRows {
  /// The sections that a definition makes of this list, and where their items stand in it, counted
  /// through its sections: the same as by ``sections(_:)``, sooner.
  ///
  /// What an index answers is not asked of the items, and the contents are read of those items alone of
  /// which something else is asked.
  ///
  /// - Parameters:
  ///   - definition: The definition.
  ///   - order: The order of the list, if it is known; it is afterwards.
  /// - Returns: The sections.
  /// - Throws: `SQLITE_CORRUPT` for rows that contradict each other.
  /// - Complexity: O(*n* + *b*), *n* items of the list in order, *b* bytes of contents that are read.
  package func sections(
    _ definition: DerivedDefinition, in order: inout ItemOrder?
  ) throws -> [(id: SectionID, attributes: SectionAttributes, places: [Int])] {
    // The order has no names, and closures read items.
    if definition.paths.contains(where: { !$0.isStored }) { return try sections(definition) }
    var known = try order ?? ItemOrder(of: self)
    defer { order = known }
    var room = definition.limit ?? .max
    return try selection(definition, &known).sections.compactMap { section in
      let places = section.items.count > room ? Array(section.items[..<room]) : section.items
      room -= places.count
      if places.isEmpty, !section.items.isEmpty, definition.dropsEmptySections { return nil }
      return (section.id, section.attributes, places)
    }
  }

  /// The keys of an item of a list, which it is ordered by.
  func storedKeys(of member: Block.Member, _ rule: DerivedDefinition) throws -> [ValueKey] {
    var item = StoredItem(try statements.searcher())
    item.cell = try statements.cellName(member.cell)
    let select = try statements("SELECT content, type FROM content WHERE id = ?")
    select.bind(member.content, at: 1)
    let keys = try select.first { row in
      try row.withBytes(0) { content in
        try row.withBytesIfPresent(1) { type in
          item.content = StoredJSON(content)
          item.type = type
          return rule.sortKeys(of: item)
        }
      }
    }
    guard let keys else { throw DatabaseError.corrupt("content \(member.content) is missing") }
    return keys
  }

  /// The items that a definition selects, in their sections, by their indexes among the items of all
  /// sections of this list, and the values that they are grouped by.
  ///
  /// `note`: Is given each item that is selected, by its index, with the number of its value, and the row of
  /// its content: the columns id, content, type, action.
  func selection(
    _ definition: DerivedDefinition, _ order: inout ItemOrder,
    note: ((Int, _ value: Int?, StatementRow) throws -> Void)? = nil
  ) throws -> (sections: [DerivedGroups<Int>.Section], values: [ValueKey]) {
    let (candidates, answered) = try candidates(for: definition, in: order)
    var selection = try Selection(definition, knowing: answered, of: order, statements)
    if try note == nil && knowsKeys(for: selection, of: candidates, in: &order) {
      try selection.ask(candidates, in: order)
    } else if selection.readsContents || note != nil {
      order.sortByContent()
      let readsTypes = selection.readsTypes
      try forEachContent(of: candidates, in: order) { entry, row in
        let selected = try row.withBytes(1) { content in
          guard readsTypes else {
            return try selection.ask(entry.item, entry.cell, nil, content)
          }
          return try row.withBytesIfPresent(2) { type in
            try selection.ask(entry.item, entry.cell, type, content)
          }
        }
        if let selected, let note { try note(Int(entry.item), selected.value, row) }
      }
    } else {
      for index in order.items.indices where candidates.contains(index) {
        let cell = order.items[index].cell
        _ = try selection.ask(Int32(index), cell, nil, nil)
      }
    }
    return try selection.sections(of: self)
  }

  /// Whether the keys of all items are known that a selection asks for, so that no content is read.
  ///
  /// They are read once, if the selection asks all items.
  private func knowsKeys(
    for selection: Selection, of candidates: Candidates, in order: inout ItemOrder
  ) throws -> Bool {
    guard selection.readsContents, !selection.searches else { return false }
    let unknown = selection.paths.filter { order.keys[$0] == nil }
    if !unknown.isEmpty {
      guard candidates.count == order.items.count else { return false }
      order.sortByContent()
      var columns = unknown.map { _ in KeyColumn(count: order.items.count) }
      var item = StoredItem(try statements.searcher())
      var cell: UInt32?
      try forEachContent(of: candidates, in: order) { entry, row in
        if entry.cell != cell { item.cell = try statements.cellName(Int(entry.cell)) }
        cell = entry.cell
        item.section = order.section(of: Int(entry.item))
        try row.withBytes(1) { content in
          try row.withBytesIfPresent(2) { type in
            item.content = StoredJSON(content)
            item.type = type
            for (index, path) in unknown.enumerated() { columns[index].append(item, at: path) }
          }
        }
      }
      for (path, column) in zip(unknown, columns) { order.keys[path] = column }
    }
    return selection.paths.allSatisfy { order.keys[$0]?.isUsable == true }
  }

  /// The items that can be in a list, and what need not be asked of them.
  ///
  /// An index finds the items that ``DerivedLists/Searcher`` finds, and no others: it has the words of the
  /// same texts from the same tokenizer, texts are apart in it, and it is asked for the searcher's phrases.
  /// That holds as long as no other program has written to the store.
  private func candidates(
    for definition: DerivedDefinition, in order: ItemOrder
  ) throws -> (Candidates, answered: Set<Search>) {
    var candidates = Candidates(count: order.items.count)
    var answered: Set<Search> = []
    for search in definition.requiredSearches {
      if try statements.searcher().phrases(of: search.text).isEmpty {
        answered.insert(search)
      } else if let rows = try rowsMatching(search) {
        candidates.keep(rows, of: order.items)
        if try !isBypassed() { answered.insert(search) }
      }
    }
    return (candidates, answered)
  }

  /// Calls a closure with the rows of `content` of items, in any order.
  private func forEachContent(
    of candidates: Candidates, in order: ItemOrder,
    _ body: (ItemOrder.ContentEntry, StatementRow) throws -> Void
  ) throws {
    guard candidates.count > 0, let first = order.contents.first, let last = order.contents.last
    else { return }
    if candidates.count < (last.content - first.content) / Self.rowsPassedInALookup {
      let select = try statements("SELECT id, content, type, action FROM content WHERE id = ?")
      for entry in order.contents where candidates.contains(Int(entry.item)) {
        select.bind(entry.content, at: 1)
        let found: Void? = try select.first { try body(entry, $0) }
        if found == nil { throw DatabaseError.missingContent(entry.content) }
      }
      return
    }
    try order.contents.withUnsafeBufferPointer { contents in
      var next = 0
      try statements("SELECT id, content, type, action FROM content WHERE id BETWEEN ? AND ?")
        .forEach(first.content, last.content) { row in
          let content = try row.integer(0)
          while next < contents.count, contents[next].content <= content {
            let entry = contents[next]
            next += 1
            if !candidates.contains(Int(entry.item)) { continue }
            guard entry.content == content else {
              throw DatabaseError.missingContent(entry.content)
            }
            try body(entry, row)
          }
        }
      if let left = contents[next...].first(where: { candidates.contains(Int($0.item)) }) {
        throw DatabaseError.missingContent(left.content)
      }
    }
  }

  /// How many rows can be read one after another while one is looked up.
  private static var rowsPassedInALookup: Int { 8 }
}

/// Items of a list, by their indexes.
private struct Candidates {
  /// `nil`: all of them.
  private var isThere: [Bool]?
  private(set) var count: Int

  /// All items.
  init(count: Int) { self.count = count }

  func contains(_ index: Int) -> Bool { isThere?[index] ?? true }

  /// Takes out those that are not among some.
  ///
  /// `all`: The items of the list.
  mutating func keep(_ rows: FoundRows, of all: ContiguousArray<ItemOrder.Entry>) {
    let kept = all.indices.map { contains($0) && rows.contains(all[$0].row) }
    isThere = kept
    count = kept.count { $0 }
  }
}

extension DatabaseError {
  fileprivate static func missingContent(_ row: Int) -> DatabaseError {
    .corrupt("content \(row) is missing")
  }
}

/// The items of a list that a definition selects, found in any order.
private struct Selection {
  /// Whether something is asked of the items' types or contents.
  let readsContents: Bool
  /// Whether something is asked of their types.
  let readsTypes: Bool
  /// Where it reads items.
  let paths: Set<ValuePath>
  /// Whether texts are looked for that no index has found.
  let searches: Bool
  private let definition: DerivedDefinition
  private let statements: Statements
  private let order: ItemOrder
  private let questions: [Condition]
  private let readsSections: Bool
  /// Where the value is that an item is grouped by.
  private let sectionPath: ValuePath?
  /// Whether an item's place is not that in the source alone.
  private let isOrdered: Bool
  /// The selected items, if they are ordered.
  private var groups: DerivedGroups<Int>
  /// Of each item of the list, whether it is selected, if they are not.
  private var isSelected: [Bool] = []
  /// The item that was asked last; the cell is mostly that of the next one, too.
  private var item: StoredItem
  private var cell: UInt32?
  private var isGap = true

  /// What is known of an item that was selected.
  struct Selected {
    /// The number of the value that it is grouped by; `nil` if it is by none.
    var value: Int?
  }

  init(
    _ definition: DerivedDefinition, knowing answered: Set<Search>, of order: ItemOrder,
    _ statements: Statements
  ) throws {
    self.definition = definition
    self.statements = statements
    self.order = order
    item = StoredItem(try statements.searcher())
    questions = definition.conditions(knowing: answered)
    paths = Set(questions.flatMap(\.paths) + definition.orderPaths)
    searches = paths.contains(.rank) || questions.contains { !$0.searches.isEmpty }
    readsSections = paths.contains(.section)
    sectionPath = definition.sectionPath
    readsTypes = paths.contains(.type)
    readsContents = paths.contains { path in
      switch path {
      case .content, .type, .rank: true
      case .cell, .section, .id, .computed: false
      }
    }
    groups = DerivedGroups(definition)
    isOrdered = !definition.orderPaths.isEmpty
    if isOrdered {
      for section in order.sections { groups.begin(section.id) }
    } else {
      isSelected = [Bool](repeating: false, count: order.items.count)
    }
  }

  /// Selects an item if the conditions hold for it.
  ///
  /// - Returns: `nil` if they don't.
  mutating func ask(
    _ index: Int32, _ cell: UInt32, _ type: UnsafeRawBufferPointer?,
    _ content: UnsafeRawBufferPointer?
  ) throws -> Selected? {
    if try isGap(cell) { return nil }
    if readsSections { item.section = order.section(of: Int(index)) }
    item.type = type
    item.content = content.flatMap { StoredJSON($0) }
    guard questions.hold(for: item) else { return nil }
    return select(index, definition.sortKeys(of: item), sectionPath.map { item.key(at: $0) })
  }

  /// Selects the items for which the conditions hold, of some.
  ///
  /// `order`: Has the keys at all paths.
  mutating func ask(_ candidates: Candidates, in order: ItemOrder) throws {
    let answers = questions.answers(order.contents.count, in: order.keys)
    for (number, entry) in order.contents.enumerated()
    where answers[number] && candidates.contains(Int(entry.item)) {
      if try isGap(entry.cell) { continue }
      func key(_ path: ValuePath) -> ValueKey { order.keys[path]?[number] ?? .null }
      _ = select(entry.item, definition.sortKeys(key), sectionPath.map(key))
    }
  }

  private mutating func select(
    _ index: Int32, _ keys: [ValueKey], _ value: ValueKey?
  ) -> Selected {
    let index = Int(index)
    guard isOrdered else {
      isSelected[index] = true
      return Selected(value: nil)
    }
    return Selected(
      value: groups.add(
        index, at: index, keys: keys, value: value, from: order.section(of: index)))
  }

  /// The sections that the selected items make, and the values that these are grouped by.
  func sections(of source: ListRows) throws -> ([DerivedGroups<Int>.Section], [ValueKey]) {
    var groups = groups
    if !isOrdered {
      for section in order.sections {
        groups.begin(section.id)
        groups.add(section.items.filter { isSelected[$0] }, from: section.id)
      }
    }
    return (try groups.sections(of: source), groups.values.map(\.key))
  }

  private mutating func isGap(_ cell: UInt32) throws -> Bool {
    if cell != self.cell {
      item.cell = try statements.cellName(Int(cell))
      isGap = item.cell == Gap.cell
      self.cell = cell
    }
    return isGap
  }
}
