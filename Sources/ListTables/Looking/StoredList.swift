import GRDB
package import ListModel

/// A list as its rows have it, for whoever looks at a store: read part by part, and nothing of it
/// is compared with a digest.
package struct StoredList {
  let rows: ListRows

  /// The list that rows are of.
  package init(rows: ListRows) { self.rows = rows }

  /// The list's id.
  package var list: ListID { rows.list }
  /// The list's row.
  package var row: Int { rows.id }
  /// The number of the list's last commit.
  package var revision: Int { rows.revision }
  /// The revision after which the log begins.
  package var logFloor: Int { rows.logFloor }
  /// The number of sections that the list's row counts.
  package var sectionCount: Int { rows.sectionTotal }
  /// The number of gaps that the list's row counts.
  package var gapCount: Int { rows.gapTotal }
  /// The statements of the connection, for queries beside the rows.
  package var statements: Statements { rows.statements }

  /// A section, without its attributes.
  package struct Section: Sendable {
    /// The section's id.
    package var section: SectionID
    /// Its row.
    package var row: Int
    /// The number of items that its row counts.
    package var itemCount: Int
    /// The block that has its place.
    package var block: Int
    /// The block over its items.
    package var root: Int

    init(_ row: SectionRow) {
      section = row.section
      self.row = row.id
      itemCount = row.itemCount
      block = row.block
      root = row.root
    }
  }

  /// An item as its block has it.
  package struct Member: Sendable {
    /// The item's id, as the block has it.
    package var name: String
    package var row: Int
    /// The block of level 0 that holds the item.
    package var block: Int
    /// The row of the cell.
    package var cell: Int
    /// How often its content has changed.
    package var contentRevision: Int
    /// The row of the content.
    package var content: Int
  }
}

extension StoredList {
  /// Calls a closure with the sections in their order, until it returns `false`.
  ///
  /// - Parameters:
  ///   - body: Takes a section; returns whether it takes another one.
  ///   - unreadable: Is called for a section, or for all sections that are left.
  /// - Throws: What a closure throws.
  package func forEachSection(
    _ body: (Section) throws -> Bool, unreadable: (any Error) throws -> Void
  ) throws {
    struct Enough: Error {}
    do {
      try rows.forEachMember(ofOrder: rows.root, in: nil) { member in
        let section: Section
        do { section = Section(try rows.sectionRow(id: member.id)) } catch {
          return try unreadable(error)
        }
        guard try body(section) else { throw Enough() }
      }
    } catch is Enough {
    } catch {
      try unreadable(error)
    }
  }

  /// A section and its index; the index is `nil` if the order of the sections is damaged.
  package func section(_ id: SectionID) throws -> (section: Section, index: Int?)? {
    guard let row = try rows.sectionRow(id) else { return nil }
    return (Section(row), try? rows.index(of: row))
  }

  /// Calls a closure with the items of a section at some indexes, in order.
  ///
  /// Reads the blocks that hold them, and those above. A block that can't be read hides no other.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - range: Indexes in the section; those that it does not have are left out.
  ///   - body: Takes an index and the item there.
  ///   - unreadable: Is called with indexes whose items can't be read.
  /// - Throws: What a closure throws.
  package func forEachItem(
    of section: Section, in range: Range<Int>, _ body: (Int, Member) throws -> Void,
    unreadable: (Range<Int>, any Error) throws -> Void
  ) throws {
    var order = OrderReader()
    let end = min(range.upperBound, section.itemCount)
    var index = range.lowerBound
    while index < end {
      let placed: OrderReader.PlacedBlock
      do {
        placed = try order.placedBlock(
          holding: index, root: section.root, count: section.itemCount, rows.statements)
      } catch { return try unreadable(index..<end, error) }
      let (members, failure) = members(of: placed, order)
      for (place, member) in zip(placed.start..., members) where index..<end ~= place {
        try body(place, member)
      }
      let next = min(end, placed.start + placed.count)
      let unread = max(index, placed.start + members.count)
      if let failure { try unreadable(min(unread, next)..<next, failure) }
      index = max(next, index + 1)
    }
  }

  /// The members of a block of level 0, up to what can't be read.
  private func members(
    of placed: OrderReader.PlacedBlock, _ order: OrderReader
  ) -> (members: [Member], failure: (any Error)?) {
    var members: [Member] = []
    do {
      try order.forEachItem(in: placed, rows.statements) { row, name, state in
        members.append(
          Member(
            name: String(decoding: name, as: UTF8.self), row: row, block: placed.block,
            cell: state.cell, contentRevision: state.contentRevision, content: state.content))
      }
      return (members, nil)
    } catch { return (members, error) }
  }

  // MARK: Single items

  /// The row of an item and the block that has its place; `nil` if the list has no such item.
  package func row(of item: ItemID) throws -> (row: Int, block: Int)? {
    try rows.items.find(item).map { ($0.id, $0.block) }
  }

  /// An item as its block has it.
  package func member(_ row: Int, in block: Int) throws -> Member {
    guard let member = try rows.tree.block(block).members.first(where: { $0.id == row }) else {
      throw DatabaseError.corrupt("block \(block) does not hold item \(row)")
    }
    return Member(
      name: member.name, row: row, block: block, cell: member.cell,
      contentRevision: member.contentRevision, content: member.content)
  }

  /// The section and the path of an item; `nil` if the list has no such item.
  package func place(of item: ItemID) throws -> (section: SectionID, path: ItemPath)? {
    try rows.location(of: item).map { ($0.section, $0.path) }
  }

  /// The name of a cell.
  package func cellName(_ row: Int) throws -> CellName { try rows.statements.cellName(row) }

  /// The attributes of a section.
  package func attributes(of section: Section) throws -> SectionAttributes {
    try rows.attributes(of: section.row)
  }

  /// The error for an item that is not there; it names those that may have been meant.
  package func notFound(_ item: ItemID) -> StoreError {
    StoreError(
      .itemNotFound,
      "list \"\(list)\" has no item \"\(item)\"" + rows.hint(for: .unknownItem(item)))
  }

  /// The error for a section that is not there; it names those that may have been meant.
  package func notFound(_ section: SectionID) -> StoreError {
    StoreError(
      .sectionNotFound,
      "list \"\(list)\" has no section \"\(section)\"" + rows.hint(for: .unknownSection(section)))
  }
}
