import ListModel
import ListOrder

/// What the handles of an outline stand for: sections and items, found by handle and by id.
///
/// Sections are in memory. So are items, or else ``stored`` reads them: then what is here about items
/// is empty. A copy shares what neither side changes.
struct ListContents: Sendable {
  private var sections: ContiguousArray<ContiguousArray<SectionRecord?>> = []
  /// Pages of items, in chapters: a change copies one page, its chapter and the chapters' table.
  private var items: ContiguousArray<ContiguousArray<ContiguousArray<Item?>>> = []
  private var sectionTable: IdentityTable
  private var itemTable: IdentityTable
  /// The items, if they are in a store.
  var stored: (any StoredItems)?

  /// A section without its items.
  struct SectionRecord: Sendable {
    let id: SectionID
    /// `nil` where they are read from the store when they are asked for.
    var attributes: SectionAttributes?
  }

  /// How many items a page holds: few, because the first change after a copy copies the page.
  private static let pageBits = 3
  private static let chapterBits = 8
  private static let sectionPageBits = 5

  /// Takes the contents of a list, with the handles that `ListOutline(counts:)` gives to them.
  ///
  /// - Complexity: O(*n*), *n* items and sections.
  init(_ tree: ListTree) {
    sectionTable = IdentityTable(expecting: tree.sections.count)
    itemTable = IdentityTable(expecting: tree.sections.reduce(0) { $0 + $1.items.count })
    var next: Int32 = 0
    for (index, section) in tree.sections.enumerated() {
      insert(SectionRecord(id: section.id, attributes: section.attributes), at: Int32(index))
      for (offset, item) in section.items.enumerated() { insert(item, at: next + Int32(offset)) }
      // The next section begins with a block of its own.
      let blocks = (section.items.count + ListOutline.blockSize - 1) / ListOutline.blockSize
      next += Int32(blocks * ListOutline.blockSize)
    }
  }

  /// Takes sections whose items are in a store, with the handles that `ListOutline(counts:)` gives to
  /// them.
  init(sections ids: [SectionID], items: any StoredItems) {
    sectionTable = IdentityTable(expecting: ids.count)
    itemTable = IdentityTable()
    stored = items
    for (index, id) in ids.enumerated() {
      insert(SectionRecord(id: id, attributes: nil), at: Int32(index))
    }
  }

  // MARK: Sections

  /// The section of a handle, which must be of one that is there.
  subscript(section handle: Int32) -> SectionRecord? {
    get { sections[Int(handle) >> Self.sectionPageBits][Self.sectionSlot(of: handle)] }
    set { sections[Int(handle) >> Self.sectionPageBits][Self.sectionSlot(of: handle)] = newValue }
  }

  private static func sectionSlot(of handle: Int32) -> Int {
    Int(handle) & ((1 << sectionPageBits) - 1)
  }

  func handle(of id: SectionID) -> Int32? {
    sectionTable.find(hash: id.hashValue) { self[section: $0]?.id == id }
  }

  mutating func insert(_ section: SectionRecord, at handle: Int32) {
    while sections.count <= Int(handle) >> Self.sectionPageBits {
      sections.append(.init(repeating: nil, count: 1 << Self.sectionPageBits))
    }
    self[section: handle] = section
    sectionTable.insert(handle, hash: section.id.hashValue) { [sections] handle in
      sections[Int(handle) >> Self.sectionPageBits][Self.sectionSlot(of: handle)]?.id.hashValue ?? 0
    }
  }

  mutating func removeSection(_ handle: Int32) {
    guard let section = self[section: handle] else { return }
    sectionTable.remove(handle, hash: section.id.hashValue)
    self[section: handle] = nil
  }

  mutating func setAttributes(_ attributes: SectionAttributes, of handle: Int32) {
    self[section: handle]?.attributes = attributes
  }

  // MARK: Items

  /// The item of a handle, which must be of one that is there.
  subscript(item handle: Int32) -> Item? {
    items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]
  }

  private static func page(of handle: Int32) -> Int {
    (Int(handle) & ((1 << chapterBits) - 1)) >> pageBits
  }

  private static func slot(of handle: Int32) -> Int { Int(handle) & ((1 << pageBits) - 1) }

  func itemID(at handle: Int32) -> ItemID? {
    items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.id
  }

  func hasItem(_ id: ItemID, at handle: Int32) -> Bool {
    items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.id == id
  }

  /// Whether an item may have this id: of one in a store that was not read nothing is known.
  func mayBe(_ id: ItemID, at handle: Int32) -> Bool {
    stored.map { $0.isLoaded(id, as: handle) ?? true } ?? hasItem(id, at: handle)
  }

  func handle(of id: ItemID) -> Int32? {
    itemTable.find(hash: id.hashValue) { hasItem(id, at: $0) }
  }

  mutating func insert(_ item: Item, at handle: Int32) {
    let chapter = Int(handle) >> Self.chapterBits
    let page = Self.page(of: handle)
    while items.count <= chapter { items.append([]) }
    while items[chapter].count <= page {
      items[chapter].append(.init(repeating: nil, count: 1 << Self.pageBits))
    }
    items[chapter][page][Self.slot(of: handle)] = item
    itemTable.insert(handle, hash: item.id.hashValue) { [items] handle in
      items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.id
        .hashValue ?? 0
    }
  }

  mutating func removeItem(_ handle: Int32) {
    guard let id = itemID(at: handle) else { return }
    itemTable.remove(handle, hash: id.hashValue)
    items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)] = nil
  }

  mutating func setState(_ state: ItemState, of handle: Int32) {
    items[Int(handle) >> Self.chapterBits][Self.page(of: handle)][Self.slot(of: handle)]?.state =
      state
  }
}
