import GRDB
package import ListModel

// A derived list borrows the items of its source: they have the same rows of sizes and contents.
extension ListRows {
  /// The member of the order that an item is; `nil` if the list does not have it.
  func member(of item: ItemID) throws -> Block.Member? {
    guard let row = try items.find(item) else { return nil }
    return try tree.block(row.block).members.first { $0.id == row.id }
  }

  /// How many items the list has.
  func itemTotal() throws -> Int {
    var count = 0
    try forEachSection { count += $0.itemCount }
    return count
  }

  /// Makes an item name the rows that the source has of it now.
  ///
  /// If the item looks as it did, nothing of that is in the log: its state stays, also where the
  /// source has written the same content otherwise.
  ///
  /// `isSame`: Whether it looks the same in the source; if not, an update follows.
  func borrowAnew(
    _ item: ItemID, at path: ItemPath, _ lent: Block.Member, isSame: Bool
  ) throws {
    let section = try sectionRow(at: path.section)
    let place = try tree.place(path.item, root: section.root)
    let old = place.leaf.members[place.offset]
    var new = old
    new.id = lent.id
    borrowedAnew.append(item)
    if isSame { try statements.keep(old.content, forList: id) }
    if new.id != old.id {
      try sums.removeItem(old.id, storedIn: tree.displacedItems[old.id]?.from ?? place.leaf.id)
      tree.forgetItem(old.id)
      try items.delete(old)
    }
    place.leaf.replace(new, at: place.offset)
    tree.touch(place.leaf)
    if new.id != old.id {
      try items.borrow(new.id, in: place.leaf.id)
      borrowed[new.id] = place.leaf.id
    }
  }

  /// Adds the sizes of borrowed items to the sums of their blocks.
  func countBorrowedSizes() throws {
    for (item, block) in borrowed {
      try sums.addItem(item, toBlock: tree.currentBlock(ofItem: item, stored: block))
    }
    borrowed = [:]
  }
}

extension Statements {
  /// Has lists find their items that are derived from one which gets another source.
  ///
  /// They have borrowed them of the source before. What has the same ids in the other one has other rows.
  package func noteRows(ofListsDerivedFrom list: ListID) throws {
    for derived in try derivedLists() where derived.source == list {
      if let target = try rows(derived.list) {
        try target.forEachSection { row in
          try target.forEachMember(of: row) { member in
            target.items.note(formerRow: member.id, of: try ItemID(member.name))
          }
        }
      }
      try noteRows(ofListsDerivedFrom: derived.list)
    }
  }
}

extension ListRows {
  /// The lists that have items of this one, too: what it is derived from, and what is derived from it
  /// or from that.
  func relatives() throws -> [ListRows] {
    let all = try statements.derivedLists()
    if all.isEmpty { return [] }
    var root = list
    while let derived = all.first(where: { $0.list == root }) { root = derived.source }
    var family: [ListID] = [root]
    var next = 0
    while next < family.count {
      family += all.filter { $0.source == family[next] }.map(\.list)
      next += 1
    }
    return try family.filter { $0 != list }.compactMap { try statements.rows($0) }
  }
}
