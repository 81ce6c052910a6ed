import ListModel

/// A row of `block`: consecutive members of an order, and their count.
///
/// A block of level 0 holds the members themselves. A block of a higher level holds the blocks
/// below it.
package final class Block {
  let id: Int
  let list: Int
  /// The section whose items it orders; `nil` if it orders the list's sections.
  let section: Int?
  let level: Int
  /// `nil` at the root.
  var parent: Int?
  /// Empty above level 0.
  package private(set) var members: [Member] = []
  /// How many bytes the members take in the row, give or take a few.
  private(set) var byteCount = 0
  /// Empty on level 0.
  var children: [Child] = []
  /// How many members are in it and in the blocks below.
  var count: Int
  /// Whether its row must be written.
  var isChanged = false
  /// Whether the store has a row of it.
  var isStored: Bool

  /// A section or an item.
  ///
  /// The members of a block that was read share the bytes of their names, so that reading it makes
  /// no string for each.
  package struct Member {
    /// Its row.
    package var id: Int
    /// The name as it is in the column: as a JSON string, with its quotes.
    let quotedName: ArraySlice<UInt8>
    /// The row of an item's cell; 0 for a section.
    package var cell = 0
    /// The content revision of an item; 0 for a section.
    package var contentRevision = 0
    /// The row of an item's content.
    package var content: Int

    /// The id of the section or the item.
    package var name: String { String(decoding: utf8, as: UTF8.self) }
    var hash: UInt64 { utf8.withUnsafeBytes { XXHash64.hash($0) } }

    init(id: Int, name: String, cell: Int = 0, contentRevision: Int = 0) {
      self.init(id: id, quotedName: JSONWriter.quotedUTF8(name)[...])
      self.cell = cell
      self.contentRevision = contentRevision
    }

    /// - Precondition: The name is a JSON string.
    init(id: Int, quotedName: ArraySlice<UInt8>) {
      self.id = id
      self.quotedName = quotedName
      content = id
    }

    /// An item's state in the tables.
    package var state: StoredState {
      StoredState(cell: cell, contentRevision: contentRevision, content: content)
    }

    mutating func set(_ state: StoredState) {
      cell = state.cell
      contentRevision = state.contentRevision
      content = state.content
    }

    /// About how many bytes it takes in its block's row.
    var byteCount: Int {
      var count = quotedName.count + 5 + id.digitCount + cell.digitCount
      if contentRevision != 0 || content != id { count += 1 + contentRevision.digitCount }
      if content != id { count += 1 + content.digitCount }
      return count
    }

    /// The name itself.
    var utf8: ArraySlice<UInt8> {
      let hasEscapes = quotedName.withUnsafeBufferPointer { $0.contains(UInt8(ascii: "\\")) }
      guard hasEscapes else { return quotedName.dropFirst().dropLast() }
      do { return Array(try JSONNode(parsing: Array(quotedName)).string().utf8)[...] } catch {
        preconditionFailure("no JSON string: \(error)")
      }
    }
  }

  /// A block that another one holds.
  package struct Child {
    /// Its row.
    package var block: Int
    /// How many members are in it and below it, as the block above counts them.
    package var count: Int
  }

  /// A block with more members, or with members of more bytes, is split in two.
  static let maximumMembers = 64
  /// Rows of this size fill a page of 4,096 bytes in pairs.
  static let maximumByteCount = 1_990
  /// A block with more children is split in two.
  static let maximumChildren = 200

  /// The largest count that is accepted: a damaged file can hold any number, and a Provider's
  /// handles have 32 bits.
  static let levels = 0...20
  static let greatestCount = Int(Int32.max)

  init(
    id: Int, list: Int, section: Int?, level: Int, parent: Int?, count: Int = 0, isStored: Bool
  ) {
    self.id = id
    self.list = list
    self.section = section
    self.level = level
    self.parent = parent
    self.count = count
    self.isStored = isStored
  }

  /// The number of its entries: members or children.
  var entryCount: Int { level == 0 ? members.count : children.count }
  var maximumEntries: Int { level == 0 ? Self.maximumMembers : Self.maximumChildren }

  /// Sets the members that were read.
  func setMembers(_ members: [Member], byteCount: Int) {
    self.members = members
    self.byteCount = byteCount
  }

  func insert(_ member: Member, at offset: Int) {
    members.insert(member, at: offset)
    byteCount += member.byteCount
  }

  func insert(_ new: some Collection<Member>, at offset: Int) {
    members.insert(contentsOf: new, at: offset)
    byteCount += new.reduce(0) { $0 + $1.byteCount }
  }

  func remove(at offset: Int) -> Member {
    let member = members.remove(at: offset)
    byteCount -= member.byteCount
    return member
  }

  /// Removes the members from an offset on.
  func removeMembers(from offset: Int) -> [Member] {
    let removed = Array(members[offset...])
    members.removeSubrange(offset...)
    byteCount -= removed.reduce(0) { $0 + $1.byteCount }
    return removed
  }

  /// Changes the state of a member.
  func set(_ state: StoredState, at offset: Int) {
    byteCount -= members[offset].byteCount
    members[offset].set(state)
    byteCount += members[offset].byteCount
  }

  /// Puts another row of the same item in the place of a member.
  func replace(_ member: Member, at offset: Int) {
    byteCount += member.byteCount - members[offset].byteCount
    members[offset] = member
  }

  /// Whether a member can be added without a split.
  func hasRoom(for member: Member) -> Bool {
    members.count < Self.maximumMembers
      && byteCount + member.byteCount <= Self.maximumByteCount
  }

  /// How full it is: 1 for a block that is to be split when something is added.
  var load: Double {
    let count = Double(entryCount) / Double(maximumEntries)
    return level == 0 ? max(count, Double(byteCount) / Double(Self.maximumByteCount)) : count
  }
}

extension Int {
  /// How many decimal digits a number of at least 0 has.
  fileprivate var digitCount: Int {
    var count = 1
    var rest = self
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}
