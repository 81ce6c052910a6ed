package import BatchUpdates
package import ListModel

/// Makes items of a list a gap again, so that it keeps at most so many.
///
/// What goes is what is furthest from what is in sight, in whole stretches between the ends of pages: there a
/// server can be asked for it again.
package struct PageTrim {
  /// How much may stay.
  package var limit: Page.Limit
  /// Where pages ended.
  package var ends: [ItemID: PageCursors]
  /// Items in sight, or where a screen will be opened again; if the list has none of them, the newest items.
  package var eyes: Set<ItemID>
  /// Items that stay wherever they stand.
  package var kept: Set<ItemID>
  /// Whether the newest items stand at the end of the list.
  package var isNewestAtEnd: Bool
  /// Where items stand in the server's list of their section, as the last page has told.
  package var positions: [ItemID: Int] = [:]

  /// Items that are so near what is in sight stay: a screen would ask for them again at once.
  package var margin = 200

  package init(
    to limit: Page.Limit, ends: [ItemID: PageCursors], eyes: Set<ItemID>, kept: Set<ItemID> = [],
    isNewestAtEnd: Bool = false
  ) {
    self.limit = limit
    self.ends = ends
    self.eyes = eyes
    self.kept = kept
    self.isNewestAtEnd = isNewestAtEnd
  }

  private struct Row {
    var id: ItemID
    var section: SectionID
    var gap: Gap?
    /// What it counts.
    var weight: Int
    /// Its position in the server's list, if that is known.
    var offset: Int?
  }

  /// Items between two ends of pages, by their places in all rows.
  private struct Stretch {
    var rows: Range<Int>
    var weight: Int
    var distance: Int
  }

  /// Changes a list that has more than the limit: down to 7/8 of it, so that the next pages find room.
  ///
  /// `joiner`: Notes what is changed.
  ///
  /// - Returns: How many items became a gap.
  /// - Complexity: O(*n* log *n*), *n* items of the list.
  package func apply<List: ListLookup>(
    to list: inout ListOverlay<List>, _ joiner: inout GapJoiner, newGap: () -> ItemID
  ) throws -> Int {
    if case .items(let most) = limit, try itemCount(of: list) <= most { return 0 }
    let rows = try rows(of: list)
    let amount =
      switch limit {
      case .items(let items): items
      case .bytes(let bytes): bytes
      }
    let total = rows.reduce(0) { $0 + $1.weight }
    guard total > amount else { return 0 }
    var excess = total - amount / 8 * 7
    let stretches = stretches(of: rows).sorted { $0.distance > $1.distance }
    var isGone = rows.map { $0.gap != nil }
    var goneCount = 0
    for stretch in stretches where excess > 0 && stretch.distance > margin {
      if stretch.rows.contains(where: { kept.contains(rows[$0].id) }) { continue }
      guard canAskAgain(for: stretch.rows, rows, isGone) else { continue }
      for index in stretch.rows { isGone[index] = true }
      excess -= stretch.weight
      goneCount += stretch.rows.count
      try replace(stretch.rows, of: rows, in: &list, &joiner, newGap())
    }
    return goneCount
  }

  private func itemCount<List: ListLookup>(of list: ListOverlay<List>) throws -> Int {
    try (0..<list.sectionCount()).reduce(-list.gapCount()) { count, index in
      try count + list.itemCount(inSection: list.sectionID(at: index), at: index)
    }
  }

  private func rows<List: ListLookup>(of list: ListOverlay<List>) throws -> [Row] {
    var rows: [Row] = []
    for index in 0..<(try list.sectionCount()) {
      let section = try list.sectionID(at: index)
      let start = rows.count
      var position = Position(countedFrom: start)
      for item in 0..<(try list.itemCount(inSection: section, at: index)) {
        let path = ItemPath(section: index, item: item)
        let id = try list.itemID(at: path)
        if try list.isGap(at: path) {
          let gap = Gap(readable: try list.state(of: id, at: path).content)
          position.meet(gap.offset, &rows)
          rows.append(Row(id: id, section: section, gap: gap, weight: 0, offset: position.offset))
          position.pass(gap.count)
        } else {
          let weight =
            switch limit {
            case .items: 1
            case .bytes: try list.state(of: id, at: path).content.text.utf8.count
            }
          position.meet(positions[id], &rows)
          rows.append(Row(id: id, section: section, weight: weight, offset: position.offset))
          position.pass(1)
        }
      }
      if !position.isTold { for index in start..<rows.count { rows[index].offset = nil } }
    }
    return rows
  }

  /// A position in the server's list of a section, as rows are counted.
  private struct Position {
    var offset: Int? = 0
    /// Whether the server has told any.
    var isTold = false
    /// The first row that was counted since.
    private var first: Int

    init(countedFrom row: Int) { first = row }

    /// Goes on from what the server has told.
    ///
    /// If the rows are not as many, some of them are the app's alone: nobody knows where the others stand.
    mutating func meet(_ told: Int?, _ rows: inout [Row]) {
      guard let told else { return }
      if told != offset { for index in first..<rows.count { rows[index].offset = nil } }
      (offset, isTold, first) = (told, true, rows.count)
    }

    mutating func pass(_ count: Int?) {
      offset = count.flatMap { count in offset.map { $0 &+ count } }
    }
  }

  private func stretches(of rows: [Row]) -> [Stretch] {
    var eyes = rows.indices.filter { self.eyes.contains(rows[$0].id) }
    if eyes.isEmpty { eyes = [isNewestAtEnd ? rows.count - 1 : 0] }
    var stretches: [Stretch] = []
    var start = 0
    var nextEye = 0
    for index in rows.indices {
      let next = index + 1
      let ends =
        next == rows.count || rows[index].gap != nil || rows[next].gap != nil
        || rows[index].section != rows[next].section || self.ends[rows[index].id]?.after != nil
        || self.ends[rows[next].id]?.before != nil
      guard ends else { continue }
      if rows[index].gap == nil {
        while nextEye < eyes.count, eyes[nextEye] < start { nextEye += 1 }
        let above = nextEye > 0 ? start - eyes[nextEye - 1] : Int.max
        let below = nextEye < eyes.count ? max(0, eyes[nextEye] - index) : Int.max
        stretches.append(
          Stretch(
            rows: start..<next, weight: rows[start..<next].reduce(0) { $0 + $1.weight },
            distance: min(above, below)))
      }
      start = next
    }
    return stretches
  }

  /// Whether the gap that comes instead of a stretch has a cursor.
  private func canAskAgain(for stretch: Range<Int>, _ rows: [Row], _ isGone: [Bool]) -> Bool {
    let section = rows[stretch.lowerBound].section
    var (above, below) = (stretch.lowerBound, stretch.upperBound - 1)
    func isIn(_ index: Int) -> Bool {
      rows.indices.contains(index) && rows[index].section == section
    }
    // The gap takes in those beside it, as it is going to.
    while isIn(above - 1), isGone[above - 1] { above -= 1 }
    while isIn(below + 1), isGone[below + 1] { below += 1 }
    let after =
      if let gap = rows[above].gap { gap.after } else {
        isIn(above - 1) ? ends[rows[above - 1].id]?.after : nil
      }
    let before =
      if let gap = rows[below].gap { gap.before } else {
        isIn(below + 1) ? ends[rows[below + 1].id]?.before : nil
      }
    return after != nil || before != nil
  }

  private func replace<List: ListLookup>(
    _ stretch: Range<Int>, of rows: [Row], in list: inout ListOverlay<List>,
    _ joiner: inout GapJoiner, _ id: ItemID
  ) throws {
    let first = rows[stretch.lowerBound]
    let section = first.section
    func neighbour(_ index: Int) -> PageCursors? {
      rows.indices.contains(index) && rows[index].section == section ? ends[rows[index].id] : nil
    }
    let gap = Gap(
      after: neighbour(stretch.lowerBound - 1)?.after,
      before: neighbour(stretch.upperBound)?.before, count: stretch.count, offset: first.offset)
    let item = Item(id: id, cell: Gap.cell, content: gap.content)
    let changes: [Change] =
      [.insertItem(item, in: section, at: .before(first.id))]
      + rows[stretch].map { .deleteItem($0.id) }
    for change in changes {
      let entry = try list.apply(change).get()
      try joiner.note(entry, in: list)
    }
  }
}
