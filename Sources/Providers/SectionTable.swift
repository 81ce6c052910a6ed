import ListModel
import ListOrder

/// The sections of a list, found by handle and by id.
///
/// A copy shares what neither side changes.
struct SectionTable: Sendable {
  /// Pages of sections, by handle.
  private var pages: ContiguousArray<ContiguousArray<Section?>> = []
  private var table: IdentityTable

  /// A section without its items.
  struct Section: Sendable {
    let id: SectionID
    /// `nil` where a store has them: they are read when they are first asked for.
    var attributes: SectionAttributes?
  }

  private static let pageBits = 5

  /// Takes sections with the handles that `ListOutline(counts:)` gives to them: 0, 1, 2 and so on.
  init(_ sections: [Section]) {
    table = IdentityTable(expecting: sections.count)
    for (index, section) in sections.enumerated() { insert(section, at: Int32(index)) }
  }

  /// The section of a handle, which is of one that is there.
  subscript(handle: Int32) -> Section? {
    get { pages[Int(handle) >> Self.pageBits][Self.slot(of: handle)] }
    set { pages[Int(handle) >> Self.pageBits][Self.slot(of: handle)] = newValue }
  }

  private static func slot(of handle: Int32) -> Int { Int(handle) & ((1 << pageBits) - 1) }

  func handle(of id: SectionID) -> Int32? {
    table.find(hash: id.hashValue) { self[$0]?.id == id }
  }

  mutating func insert(_ section: Section, at handle: Int32) {
    while pages.count <= Int(handle) >> Self.pageBits {
      pages.append(.init(repeating: nil, count: 1 << Self.pageBits))
    }
    self[handle] = section
    table.insert(handle, hash: section.id.hashValue) { [pages] handle in
      pages[Int(handle) >> Self.pageBits][Self.slot(of: handle)]?.id.hashValue ?? 0
    }
  }

  mutating func remove(_ handle: Int32) {
    guard let section = self[handle] else { return }
    table.remove(handle, hash: section.id.hashValue)
    self[handle] = nil
  }
}
