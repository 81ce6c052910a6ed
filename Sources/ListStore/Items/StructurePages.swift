import ListModel

/// The rows, cells, revisions and names of the items that were read, by the handles of a Provider:
/// 24 bytes an item, and its name.
///
/// Entries are in pages of 64 handles; a page is made when its first item is read. A `Dictionary`
/// would hash each handle, and a `String` takes 16 bytes or more beside the name.
struct StructurePages: Sendable {
  /// Chapters of 64 pages.
  private var chapters: ContiguousArray<ContiguousArray<Page>> = []

  struct Entry: Sendable {
    // 48 bits each, in parts: an Int would be aligned to 8 bytes and round an entry up to 32 bytes.
    private var rowLow: UInt32 = 0
    private var contentLow: UInt32 = 0
    private var rowHigh: UInt16 = 0
    private var contentHigh: UInt16 = 0
    let contentRevision: UInt32
    let cell: UInt32
    fileprivate var nameStart: UInt16 = 0
    fileprivate var nameLength: UInt16 = 0

    /// The item's row; 0 if the item was not read.
    var row: Int { Int(rowHigh) << 32 | Int(rowLow) }
    /// The row of its content.
    var content: Int { Int(contentHigh) << 32 | Int(contentLow) }

    /// `row`, `content`: At most ``Statements/greatestRowID``.
    init(row: Int = 0, content: Int = 0, contentRevision: UInt32 = 0, cell: UInt32 = 0) {
      rowLow = UInt32(truncatingIfNeeded: row)
      rowHigh = UInt16(truncatingIfNeeded: row >> 32)
      contentLow = UInt32(truncatingIfNeeded: content)
      contentHigh = UInt16(truncatingIfNeeded: content >> 32)
      self.contentRevision = contentRevision
      self.cell = cell
    }
  }

  /// Items that were read together.
  struct Items: Sendable {
    fileprivate typealias Element = (handle: Int32, entry: Entry)
    fileprivate var entries: ContiguousArray<Element> = []
    /// The names of all, one after another.
    fileprivate var names: ContiguousArray<UInt8> = []

    var count: Int { entries.count }

    /// No items yet.
    init(count: Int) {
      entries.reserveCapacity(count)
      names.reserveCapacity(24 * count)
    }

    /// Adds an item, whose name has at most 256 bytes.
    mutating func append(_ entry: Entry, name: UnsafeRawBufferPointer, of handle: Int32) {
      var entry = entry
      entry.nameLength = UInt16(truncatingIfNeeded: name.count)
      entries.append((handle, entry))
      names.append(contentsOf: name)
    }
  }

  /// Empty if none of its items was read.
  fileprivate struct Page: Sendable {
    var entries: ContiguousArray<Entry> = []
    var names: ContiguousArray<UInt8> = []
  }

  fileprivate static let pageSize = 64
  private static let pageBits = 6
  private static let chapterBits = 12

  private static func page(_ handle: Int32) -> Int {
    (Int(handle) & ((1 << chapterBits) - 1)) >> pageBits
  }
  fileprivate static func slot(_ handle: Int32) -> Int { Int(handle) & (pageSize - 1) }

  private func hasPage(_ handle: Int32) -> Bool {
    let chapter = Int(handle) >> Self.chapterBits
    return chapter < chapters.count && !chapters[chapter].isEmpty
      && !chapters[chapter][Self.page(handle)].entries.isEmpty
  }

  /// The entry of an item; `nil` if it was not read.
  subscript(handle: Int32) -> Entry? {
    guard hasPage(handle) else { return nil }
    let entry = chapters[Int(handle) >> Self.chapterBits][Self.page(handle)]
      .entries[Self.slot(handle)]
    return entry.row == 0 ? nil : entry
  }

  /// Calls a closure with the name of an item, as UTF-8; `nil` if the item was not read.
  func withName<Result>(
    of handle: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard hasPage(handle) else { return nil }
    let page = chapters[Int(handle) >> Self.chapterBits][Self.page(handle)]
    let entry = page.entries[Self.slot(handle)]
    guard entry.row != 0 else { return nil }
    let start = Int(entry.nameStart)
    return try page.names.withUnsafeBytes { bytes in
      try body(
        UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(entry.nameLength))]))
    }
  }

  /// Stores items; those that are there stay.
  mutating func add(_ items: Items) {
    items.names.withUnsafeBytes { names in
      var entries = items.entries[...]
      var start = 0
      while let handle = entries.first?.handle {
        // Items that were read together are neighbours in the list, and often in a page.
        let ofPage = entries.prefix { $0.handle >> Self.pageBits == handle >> Self.pageBits }
        entries = entries.dropFirst(ofPage.count)
        let chapter = Int(handle) >> Self.chapterBits
        while chapters.count <= chapter { chapters.append([]) }
        if chapters[chapter].isEmpty {
          chapters[chapter] = .init(
            repeating: Page(), count: 1 << (Self.chapterBits - Self.pageBits))
        }
        let end = ofPage.reduce(start) { $0 + Int($1.entry.nameLength) }
        chapters[chapter][Self.page(handle)].add(
          ofPage, names: UnsafeRawBufferPointer(rebasing: names[start..<end]))
        start = end
      }
    }
  }

  /// Forgets the entry of an item.
  mutating func forget(_ handle: Int32) {
    guard hasPage(handle) else { return }
    chapters[Int(handle) >> Self.chapterBits][Self.page(handle)].entries[Self.slot(handle)] =
      Entry()
  }
}

extension StructurePages.Page {
  /// Stores items of the page; those that are there stay.
  ///
  /// `added`: The names of all, one after another.
  fileprivate mutating func add(
    _ items: ArraySlice<StructurePages.Items.Element>, names added: UnsafeRawBufferPointer
  ) {
    if entries.isEmpty {
      entries = .init(repeating: StructurePages.Entry(), count: StructurePages.pageSize)
    }
    // Names of forgotten items stay in the page until there is no room.
    if names.count + added.count > Int(UInt16.max) { tidy() }
    // An array that grows by itself doubles, and half of that may stay empty.
    let needed = names.count + added.count
    if names.capacity < needed { names.reserveCapacity(needed + 256) }
    var start = 0
    for item in items {
      var entry = item.entry
      let name = start..<(start + Int(entry.nameLength))
      start = name.upperBound
      let slot = StructurePages.slot(item.handle)
      if entries[slot].row != 0 { continue }
      entry.nameStart = UInt16(truncatingIfNeeded: names.count)
      names.append(contentsOf: UnsafeRawBufferPointer(rebasing: added[name]))
      entries[slot] = entry
    }
  }

  /// Drops the names that no entry has.
  private mutating func tidy() {
    var kept: ContiguousArray<UInt8> = []
    for slot in entries.indices where entries[slot].row != 0 {
      let start = Int(entries[slot].nameStart)
      entries[slot].nameStart = UInt16(truncatingIfNeeded: kept.count)
      kept.append(contentsOf: names[start..<(start + Int(entries[slot].nameLength))])
    }
    names = kept
  }
}
