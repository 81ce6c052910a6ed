import ListModel
import StoreFiles

/// A page of a b-tree, whatever its bytes are: every offset and length is checked.
///
/// - SeeAlso: [B-tree pages](https://sqlite.org/fileformat2.html#b_tree_pages).
struct TreePage {
  /// What the tree orders its rows by.
  enum Kind {
    /// A table with rowids; only the leaves have rows.
    case rowid
    /// A `WITHOUT ROWID` table or an index: each page has rows.
    case key
  }

  let kind: Kind
  let isLeaf: Bool
  /// The child behind the last cell; 0 on a leaf.
  let lastChild: Int
  /// The offsets of the cells that are within the page, in their order.
  let cells: [Int]
  /// How many cells are not within the page.
  let lostCellCount: Int
  private let bytes: [UInt8]
  private let usableSize: Int

  /// `nil` if the bytes are not a page of a b-tree.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - number: Its number; page 1 begins with the header of the file.
  ///   - usableSize: How many of the bytes hold data.
  init?(_ bytes: [UInt8], number: Int, usableSize: Int) {
    let start = number == 1 ? 100 : 0
    switch bytes[start] {
    case 13: (kind, isLeaf) = (.rowid, true)
    case 5: (kind, isLeaf) = (.rowid, false)
    case 10: (kind, isLeaf) = (.key, true)
    case 2: (kind, isLeaf) = (.key, false)
    default: return nil
    }
    let count = bytes[(start + 3)..<(start + 5)].bigEndianInteger
    let head = start + (isLeaf ? 8 : 12)
    guard head + 2 * count <= usableSize else { return nil }
    lastChild = isLeaf ? 0 : bytes[(start + 8)..<(start + 12)].bigEndianInteger
    let places = (0..<count).map { bytes[(head + 2 * $0)..<(head + 2 * $0 + 2)].bigEndianInteger }
    cells = places.filter { (head + 2 * count..<usableSize - 3).contains($0) }
    lostCellCount = count - cells.count
    self.bytes = bytes
    self.usableSize = usableSize
  }

  /// The content of a cell.
  struct Cell {
    /// The page below, for the rows before this cell; 0 on a leaf.
    var child = 0
    /// The row's id, or the greatest one of the page below; 0 in a tree that has none.
    var rowid: Int64 = 0
    /// The bytes of the record; empty on an inner page of a tree with rowids.
    var payload: ArraySlice<UInt8> = []
  }

  /// Reads a cell.
  ///
  /// - Parameters:
  ///   - offset: One of ``cells``.
  ///   - overflow: Reads the rest of a record from other pages: from the first page, so many bytes.
  /// - Returns: `nil` if its lengths don't fit the page.
  /// - Throws: What `overflow` throws.
  func cell(
    at offset: Int,
    overflow: (_ first: Int, _ count: Int) throws(StoreError) -> [UInt8]?
  ) throws(StoreError) -> Cell? {
    var cell = Cell()
    var start = offset
    if !isLeaf {
      cell.child = bytes[offset..<(offset + 4)].bigEndianInteger
      start += 4
    }
    var reader = VarintReader(bytes[start..<usableSize])
    if kind == .rowid, !isLeaf {
      guard let key = reader.nextSigned() else { return nil }
      cell.rowid = key
      return cell
    }
    guard let length = reader.next(), length <= Self.greatestLength else { return nil }
    if kind == .rowid {
      guard let rowid = reader.nextSigned() else { return nil }
      cell.rowid = rowid
    }
    let local = localLength(of: length)
    guard local <= usableSize - reader.position else { return nil }
    let end = reader.position + local
    cell.payload = bytes[reader.position..<end]
    if local == length { return cell }
    guard end + 4 <= usableSize,
      let rest = try overflow(bytes[end..<(end + 4)].bigEndianInteger, length - local)
    else { return nil }
    cell.payload = (cell.payload + rest)[...]
    return cell
  }

  /// As for all connections to files from unknown sources.
  private static let greatestLength = 512 << 20

  /// How many bytes of a record are in its cell.
  private func localLength(of length: Int) -> Int {
    let most = kind == .rowid ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    if length <= most { return length }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rest = least + (length - least) % (usableSize - 4)
    return rest <= most ? rest : least
  }
}
