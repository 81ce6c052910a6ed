import ListModel
import StoreFiles

/// Reads the rows of tables from the pages of a database, also where pages between them are lost.
///
/// First the tree of each table is walked from its root. Pages that no tree leads to are looked at
/// only if a tree has holes: a page belongs to the one table with a hole that all its rows fit.
/// Without that rule, pages that were given free would bring back deleted rows.
final class RowScanner {
  /// What was found of one table.
  struct Tally {
    /// Rows that were read.
    var rowCount = 0
    /// Of these, rows of pages that no other page led to.
    var strayRowCount = 0
    /// Rows that are there and can't be read.
    var damagedRowCount = 0
    /// The places of its tree where a page is missing.
    var holes: [KeyRange] = []
  }

  /// The ids of rows in a part of a tree: all above one, up to and with another.
  struct KeyRange {
    var above: Int64?
    var upTo: Int64?

    func contains(_ rowid: Int64) -> Bool {
      above.map { rowid > $0 } != false && upTo.map { rowid <= $0 } != false
    }
  }

  /// A row that was read.
  struct Row {
    var rowid: Int64
    var record: [StoredValue]
    fileprivate var overflowPages: [Int] = []
  }

  typealias Take = (TableShape, Row) throws -> Void

  private enum Claim: UInt8 { case none, tree, overflow, free }

  private let image: PageImage
  private var claims: [Claim]
  private(set) var tallies: [String: Tally] = [:]
  /// Pages that fit several tables with holes, whose rows were not taken.
  private(set) var ambiguousPageCount = 0
  /// Lists and sections whose own data is no JSON; they were taken without it.
  private(set) var lostDataCount = 0

  private static let greatestDepth = 20

  init(_ image: PageImage) {
    self.image = image
    claims = Array(repeating: .none, count: image.pageCount + 1)
    // SQLite never uses the page with its locks.
    let lockPage = (1 << 30) / image.pageSize + 1
    if claims.indices.contains(lockPage) { claims[lockPage] = .free }
  }

  // MARK: Trees

  /// Reads the rows of a table by its tree.
  ///
  /// `root`: The page of its root; a page that can't be it leaves the whole table as a hole.
  func walk(_ table: TableShape, from root: Int, _ take: Take) throws {
    if tallies[table.name] == nil { tallies[table.name] = Tally() }
    try walk(root, of: table, in: KeyRange(), depth: 0, take)
  }

  private func walk(
    _ number: Int, of table: TableShape, in range: KeyRange, depth: Int, _ take: Take
  ) throws {
    guard depth < Self.greatestDepth, claims.indices.contains(number), number > 0,
      claims[number] == .none, let page = try page(number), page.kind == table.kind
    else { return addHole(range, in: table) }
    let isOfRows = page.isLeaf || page.kind == .key
    let found = isOfRows ? try rows(of: page, fitting: table, in: range) : []
    if isOfRows, found.isEmpty, !page.cells.isEmpty { return addHole(range, in: table) }
    claims[number] = .tree
    if isOfRows {
      tallies[table.name]?.damagedRowCount += page.cells.count + page.lostCellCount - found.count
    }
    for row in found { try deliver(row, of: table, take) }
    if page.isLeaf { return }
    if page.lostCellCount > 0 { addHole(range, in: table) }
    var above = range.above
    for offset in page.cells {
      guard let cell = try page.cell(at: offset, overflow: { _, _ in [] }) else {
        addHole(range, in: table)
        continue
      }
      var below = KeyRange(above: above, upTo: cell.rowid)
      if table.kind == .key {
        below = KeyRange()
      } else if !range.contains(cell.rowid) || above.map({ cell.rowid <= $0 }) == true {
        // The key is damaged, so it bounds nothing.
        below = range
      } else {
        above = cell.rowid
      }
      try walk(cell.child, of: table, in: below, depth: depth + 1, take)
    }
    try walk(
      page.lastChild, of: table, in: KeyRange(above: above, upTo: range.upTo), depth: depth + 1,
      take)
  }

  private func page(_ number: Int) throws -> TreePage? {
    TreePage(try image.page(number), number: number, usableSize: image.usableSize)
  }

  private func addHole(_ range: KeyRange, in table: TableShape) {
    tallies[table.name]?.holes.append(range)
  }

  private func deliver(_ row: Row, of table: TableShape, isStray: Bool = false, _ take: Take) throws
  {
    for page in row.overflowPages { claims[page] = .overflow }
    tallies[table.name]?.rowCount += 1
    if isStray { tallies[table.name]?.strayRowCount += 1 }
    try take(table, row)
  }

  // MARK: Pages that no tree leads to

  /// Reads the pages that no tree leads to, for the tables whose trees have holes.
  func readStrayPages(_ tables: [TableShape], _ take: Take) throws {
    let broken = tables.filter { tallies[$0.name]?.holes.isEmpty == false }
    if broken.isEmpty { return }
    try claimFreePages()
    for number in 1..<claims.count where claims[number] == .none {
      guard let page = try page(number), page.isLeaf || page.kind == .key, !page.cells.isEmpty
      else {
        continue
      }
      var candidates: [(table: TableShape, rows: [Row])] = []
      for table in broken where table.kind == page.kind {
        let rows = try rows(of: page, fitting: table, in: KeyRange())
        // One damaged row does not make it the page of another table.
        guard rows.count * 2 > page.cells.count else { continue }
        let missing = rows.filter { row in
          table.kind == .key
            || tallies[table.name]?.holes.contains { $0.contains(row.rowid) } == true
        }
        if !missing.isEmpty { candidates.append((table, missing)) }
      }
      if candidates.count > 1, let usual = candidates.first(where: { $0.table.usualRoot == number })
      {
        candidates = [usual]
      }
      guard candidates.count <= 1 else {
        ambiguousPageCount += 1
        continue
      }
      for (table, rows) in candidates {
        claims[number] = .tree
        tallies[table.name]?.damagedRowCount += page.cells.count + page.lostCellCount - rows.count
        for row in rows { try deliver(row, of: table, isStray: true, take) }
      }
    }
  }

  /// Reads the pages that hold deleted rows of tables with rowids; to be called last.
  ///
  /// They are free, or no tree leads to them.
  func readFreePages(_ tables: [TableShape], _ take: Take) throws {
    claims = claims.map { $0 == .free ? .none : $0 }
    for number in 1..<claims.count where claims[number] == .none {
      guard let page = try page(number), page.isLeaf, page.kind == .rowid else { continue }
      let found = try tables.map { ($0, try rows(of: page, fitting: $0, in: KeyRange())) }
        .filter { !$0.1.isEmpty }
      guard found.count == 1 else { continue }
      for (table, rows) in found { for row in rows { try take(table, row) } }
    }
  }

  /// Notes the pages of SQLite's list of free pages, as far as it can be read.
  private func claimFreePages() throws {
    guard let header = image.header else { return }
    var trunk = header.firstFreePage
    while claims.indices.contains(trunk), trunk > 0, claims[trunk] == .none {
      claims[trunk] = .free
      let bytes = try image.page(trunk)
      let count = min(bytes[4..<8].bigEndianInteger, image.usableSize / 4 - 2)
      for index in 0..<count {
        let leaf = bytes[(8 + 4 * index)..<(12 + 4 * index)].bigEndianInteger
        if claims.indices.contains(leaf), claims[leaf] == .none { claims[leaf] = .free }
      }
      trunk = bytes[0..<4].bigEndianInteger
    }
  }

  // MARK: Rows

  /// The rows of a page that can be rows of a table, with ascending ids.
  private func rows(
    of page: TreePage, fitting table: TableShape, in range: KeyRange
  ) throws -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(page.cells.count)
    for offset in page.cells {
      var pages: [Int] = []
      let cell = try page.cell(at: offset) { first, count throws(StoreError) in
        try overflow(from: first, count, &pages)
      }
      guard let cell, var record = StoredValue.record(cell.payload), table.fits(record),
        range.contains(cell.rowid) || table.kind == .key
      else { continue }
      if table.dropUnsoundData(in: &record) { lostDataCount += 1 }
      guard table.hasSoundTexts(record) else { continue }
      rows.append(Row(rowid: cell.rowid, record: record, overflowPages: pages))
    }
    return table.kind == .key ? rows : rows.withAscendingIDs
  }

  /// Reads the rest of a record from a chain of pages; `nil` if a page of it is lost.
  private func overflow(
    from first: Int, _ count: Int, _ pages: inout [Int]
  ) throws(StoreError) -> [UInt8]? {
    let size = image.usableSize - 4
    guard count <= size * image.pageCount else { return nil }
    var bytes: [UInt8] = []
    var next = first
    while bytes.count < count {
      // A page that belongs to something else ends the chain, and so does one of the chain itself.
      guard next > 0, claims.indices.contains(next), claims[next] == .none,
        pages.count <= count / size,
        next > 1
      else { return nil }
      pages.append(next)
      let page = try image.page(next)
      bytes += page[4..<(4 + min(size, count - bytes.count))]
      next = page[0..<4].bigEndianInteger
    }
    // The last page of a chain names no other.
    return next == 0 ? bytes : nil
  }
}

extension [RowScanner.Row] {
  /// Without the rows whose ids stand out of the order of a page.
  fileprivate var withAscendingIDs: Self {
    if indices.dropFirst().allSatisfy({ self[$0 - 1].rowid < self[$0].rowid }) { return self }
    return indices.filter { index in
      (index == 0 || self[index - 1].rowid < self[index].rowid)
        && (index == count - 1 || self[index].rowid < self[index + 1].rowid)
    }.map { self[$0] }
  }
}
