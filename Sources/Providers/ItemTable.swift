import BatchUpdates
import ListModel
import ListOrder

/// The items of a list that is in memory, found by handle and by id.
///
/// A copy shares what neither side changes.
struct ItemTable: Sendable {
  /// Pages of items, in chapters: a change copies one page, its chapter and the chapters' table.
  private var chapters: ContiguousArray<ContiguousArray<ContiguousArray<Item?>>> = []
  private var table: IdentityTable

  /// How many items a page holds: few, because the first change after a copy copies the page.
  private static let pageBits = 3
  private static let chapterBits = 8

  /// No items.
  init() { table = IdentityTable() }

  /// Takes the items of a list, with the handles that `ListOutline(counts:)` gives to them.
  ///
  /// - Complexity: O(*n*), *n* items.
  init(_ tree: ListTree) {
    table = IdentityTable(expecting: tree.itemCounts.reduce(0, +))
    var next: Int32 = 0
    for section in tree.sections {
      for (offset, item) in section.items.enumerated() { insert(item, at: next + Int32(offset)) }
      // The next section begins with a block of its own.
      let blocks = (section.items.count + ListOutline.blockSize - 1) / ListOutline.blockSize
      next += Int32(blocks * ListOutline.blockSize)
    }
  }

  /// The item of a handle, which is of one that is there.
  subscript(handle: Int32) -> Item? {
    chapters[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]
  }

  /// The id of a handle's item: as ``subscript(_:)`` gives it, without a copy of the item.
  func id(of handle: Int32) -> ItemID? {
    chapters[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.id
  }

  private static func page(of handle: Int32) -> Int {
    (Int(handle) & ((1 << chapterBits) - 1)) >> pageBits
  }

  private static func slot(of handle: Int32) -> Int { Int(handle) & ((1 << pageBits) - 1) }

  func handle(of id: ItemID) -> Int32? {
    table.find(hash: id.hashValue) { self.id(of: $0) == id }
  }

  mutating func insert(_ item: Item, at handle: Int32) {
    let chapter = Int(handle) >> Self.chapterBits
    let page = Self.page(of: handle)
    while chapters.count <= chapter { chapters.append([]) }
    while chapters[chapter].count <= page {
      chapters[chapter].append(.init(repeating: nil, count: 1 << Self.pageBits))
    }
    chapters[chapter][page][Self.slot(of: handle)] = item
    table.insert(handle, hash: item.id.hashValue) { [chapters] handle in
      chapters[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.id
        .hashValue ?? 0
    }
  }

  mutating func setState(_ state: ItemState, of handle: Int32) {
    chapters[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.state =
      state
  }

  mutating func remove(_ handle: Int32) {
    guard let id = id(of: handle) else { return }
    table.remove(handle, hash: id.hashValue)
    chapters[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)] = nil
  }
}
