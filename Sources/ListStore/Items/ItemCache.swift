import ListModel
import ListTables

/// What was read of a list in a store, or measured: the answers that need no read.
struct ItemCache: Sendable {
  var structure = StructurePages()
  var contents = ContentCache()
  var sizes = SizeCache()
  /// The names of cells, by their rows.
  var cells: [Int: CellName] = [:]
  var attributes: [SectionID: SectionAttributes] = [:]
  private var layouts: [SectionID: UInt64] = [:]
  /// The handles of items whose ids were asked for lately: those on the screen are among them.
  private var recentHandles: [ItemID: Int32] = [:]
  var failureCount = 0

  /// The id of an item; `nil` if the item was not read.
  func itemID(of handle: Int32) throws -> ItemID? {
    try structure.withName(of: handle) { try ItemID(String(decoding: $0, as: UTF8.self)) }
  }

  /// Whether an item has this id; `nil` if the item was not read.
  func isLoaded(_ id: ItemID, as handle: Int32) -> Bool? {
    structure.withName(of: handle) { name in
      var text = id.rawValue
      return text.withUTF8 { $0.elementsEqual(name) }
    }
  }

  /// The handle of an item whose id was asked for lately.
  func recentHandle(of id: ItemID) -> Int32? {
    // It may be another item's by now.
    recentHandles[id].flatMap { isLoaded(id, as: $0) == true ? $0 : nil }
  }

  /// Remembers the handle of an item whose id was asked for.
  mutating func note(_ id: ItemID, _ handle: Int32) {
    // Several screens of items; what is on the screen is asked for again when it comes on display.
    if recentHandles.count >= 1_024 { recentHandles.removeAll(keepingCapacity: true) }
    recentHandles[id] = handle
  }

  /// The cell and the content revision of an item; `nil` if the item was not read.
  func cell(of handle: Int32) -> (cell: CellName, contentRevision: Int)? {
    guard let entry = structure[handle], let cell = cells[Int(entry.cell)] else { return nil }
    return (cell, Int(entry.contentRevision))
  }

  /// The row of an item's content; `nil` if the item was not read.
  func contentRow(of handle: Int32) -> Int? { structure[handle].map { Int($0.content) } }

  /// An item; `nil` if it or its content was not read.
  mutating func item(of handle: Int32) throws -> Item? {
    guard let (cell, contentRevision) = cell(of: handle),
      let content = contents.content(of: handle), let id = try itemID(of: handle)
    else { return nil }
    return Item(
      id: id,
      state: ItemState(
        cell: cell, content: content.content, type: content.type, action: content.action,
        contentRevision: contentRevision))
  }

  /// The hash of a section's layout; `nil` if the section was not read.
  mutating func layout(of section: SectionID) -> UInt64? {
    if let layout = layouts[section] { return layout }
    let layout = attributes[section]?.layout.stableHash
    layouts[section] = layout
    return layout
  }

  /// Forgets what may be different at the next revision: the sections, and these items.
  mutating func begin(forgetting handles: Set<Int32>) {
    attributes = [:]
    layouts = [:]
    sizes.recountKeptSizes()
    for handle in handles {
      structure.forget(handle)
      sizes.forget(handle)
      contents.forget(handle)
    }
  }
}
