import ListModel

/// A row of `block`: consecutive members of an order, and their count.
///
/// A block of level 0 holds the members themselves. A block of a higher level holds the blocks
/// below it.
final class Block {
  let id: Int
  let list: Int
  /// The section whose items it orders; `nil` if it orders the list's sections.
  let section: Int?
  let level: Int
  /// `nil` at the root.
  var parent: Int?
  /// Empty above level 0.
  var members: [Member] = []
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
  struct Member {
    var id: Int
    /// The name as it is in the column: as a JSON string, with its quotes.
    let quotedName: ArraySlice<UInt8>
    /// The row of an item's cell; 0 for a section.
    var cell = 0
    /// The content revision of an item; 0 for a section.
    var contentRevision = 0

    var name: String { String(decoding: utf8, as: UTF8.self) }
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
    }

    /// The name itself.
    private var utf8: ArraySlice<UInt8> {
      guard quotedName.contains(UInt8(ascii: "\\")) else {
        return quotedName.dropFirst().dropLast()
      }
      do { return Array(try JSONNode(parsing: Array(quotedName)).string().utf8)[...] } catch {
        preconditionFailure("no JSON string: \(error)")
      }
    }
  }

  struct Child {
    var block: Int
    var count: Int
  }

  /// A block with more members is split in two.
  ///
  /// 64 members with names of 20 bytes take 2.5 KB, so writing a block writes one page.
  static let maximumMembers = 64
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
}
