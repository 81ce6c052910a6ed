import BatchUpdates
import ListModel

/// What the handles of an outline stand for: sections and items, found by handle and by id.
///
/// A copy shares what neither side changes.
struct ListContents: Sendable {
  private var sections = PagedArray<SectionRecord?>()
  /// The items, in pages.
  private var items = PagedArray<ContiguousArray<Item?>>()
  private var sectionTable: IdentityTable
  private var itemTable: IdentityTable

  /// A section without its items.
  struct SectionRecord: Sendable {
    let id: SectionID
    var attributes: SectionAttributes
  }

  /// How many items a page holds: few, because the first change after a copy copies the page.
  private static let pageSize = 16

  /// Takes the contents of a list, with the handles that `ListOutline(counts:)` gives to them.
  ///
  /// - Complexity: O(*n*), *n* items and sections.
  init(_ tree: ListTree) {
    sectionTable = IdentityTable(expecting: tree.sections.count)
    itemTable = IdentityTable(expecting: tree.sections.reduce(0) { $0 + $1.items.count })
    for (index, section) in tree.sections.enumerated() {
      insert(SectionRecord(id: section.id, attributes: section.attributes), at: Int32(index))
      load(section.items)
    }
  }

  private mutating func load(_ loaded: [Item]) {
    let pagesInBlock = ListOutline.blockSize / Self.pageSize
    for start in stride(from: 0, to: loaded.count, by: Self.pageSize) {
      let page = loaded[start..<min(start + Self.pageSize, loaded.count)]
      let first = Int32(items.count * Self.pageSize)
      items.append(ContiguousArray(page.map(Optional.some)))
      for (offset, item) in page.enumerated() { enter(item.id, first + Int32(offset)) }
    }
    // The next section begins with a block of its own.
    while items.count % pagesInBlock != 0 { items.append([]) }
  }

  // MARK: Sections

  /// - Parameter handle: Of a section that is there.
  subscript(section handle: Int32) -> SectionRecord? { sections[Int(handle)] }

  func handle(of id: SectionID) -> Int32? {
    sectionTable.find(hash: id.hashValue) { sections[Int($0)]?.id == id }
  }

  mutating func insert(_ section: SectionRecord, at handle: Int32) {
    while sections.count <= Int(handle) { sections.append(nil) }
    sections[Int(handle)] = section
    sectionTable.insert(handle, hash: section.id.hashValue) { [sections] in
      sections[Int($0)]?.id.hashValue ?? 0
    }
  }

  mutating func removeSection(_ handle: Int32) {
    guard let section = sections[Int(handle)] else { return }
    sectionTable.remove(handle, hash: section.id.hashValue)
    sections[Int(handle)] = nil
  }

  mutating func setAttributes(_ attributes: SectionAttributes, of handle: Int32) {
    sections[Int(handle)]?.attributes = attributes
  }

  // MARK: Items

  /// - Parameter handle: Of an item that is there.
  subscript(item handle: Int32) -> Item? {
    items[Int(handle) / Self.pageSize][Int(handle) % Self.pageSize]
  }

  func hasItem(_ id: ItemID, at handle: Int32) -> Bool {
    items[Int(handle) / Self.pageSize][Int(handle) % Self.pageSize]?.id == id
  }

  func handle(of id: ItemID) -> Int32? {
    itemTable.find(hash: id.hashValue) { hasItem(id, at: $0) }
  }

  mutating func insert(_ item: Item, at handle: Int32) {
    let page = Int(handle) / Self.pageSize
    let offset = Int(handle) % Self.pageSize
    while items.count <= page { items.append([]) }
    while items[page].count <= offset { items[page].append(nil) }
    items[page][offset] = item
    enter(item.id, handle)
  }

  mutating func removeItem(_ handle: Int32) {
    let page = Int(handle) / Self.pageSize
    let offset = Int(handle) % Self.pageSize
    guard let id = items[page][offset]?.id else { return }
    itemTable.remove(handle, hash: id.hashValue)
    items[page][offset] = nil
  }

  mutating func setState(_ state: ItemState, of handle: Int32) {
    items[Int(handle) / Self.pageSize][Int(handle) % Self.pageSize]?.state = state
  }

  private mutating func enter(_ id: ItemID, _ handle: Int32) {
    itemTable.insert(handle, hash: id.hashValue) { [items] handle in
      items[Int(handle) / Self.pageSize][Int(handle) % Self.pageSize]?.id.hashValue ?? 0
    }
  }
}
