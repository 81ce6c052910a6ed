import ListModel

/// A row of `block`: a stretch of an order, counted.
///
/// In level 0 it holds the members themselves, above it the blocks below.
final class Block {
  let id: Int
  let list: Int
  /// Whose items it orders; `nil` where it orders the list's sections.
  let section: Int?
  let level: Int
  /// `nil` at the root.
  var parent: Int?
  /// Of level 0.
  var members: [Member] = []
  /// Above level 0.
  var children: [Child] = []
  /// How many members are in it and below.
  var count: Int
  /// Whether its row must be written.
  var isChanged = false
  /// Whether the store has a row of it.
  var isStored: Bool

  /// A section, or an item.
  ///
  /// Those of a block that was read share the bytes of their names, so that reading it makes no text
  /// for each.
  struct Member {
    var id: Int
    /// The name as the column has it: JSON, with its quotes.
    let quotedName: ArraySlice<UInt8>
    /// The row of an item's cell; 0 for a section.
    var cell = 0
    /// An item's; 0 for a section.
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

  /// A split makes two of more than so many members.
  ///
  /// 64 of 20 bytes take 2.5 KB: a write of a block is a write of one page.
  static let maximumMembers = 64
  /// Of more than so many children, likewise.
  static let maximumChildren = 200

  /// A file can hold any number: levels and counts are calculated with from here, and a Provider
  /// numbers what it shows by 32 bits.
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

  /// Entries of its own: members or children.
  var entryCount: Int { level == 0 ? members.count : children.count }
  var maximumEntries: Int { level == 0 ? Self.maximumMembers : Self.maximumChildren }
}
