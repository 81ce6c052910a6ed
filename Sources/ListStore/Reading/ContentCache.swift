import ListModel

/// The contents of items that were asked for lately, by the handles of a Provider.
///
/// In pages of 32 handles; beyond a number of pages the one used longest ago goes.
struct ContentCache: Sendable {
  private var pages: [Int32: Page] = [:]
  private var clock = 0

  /// What an item shows, without its cell.
  struct Content: Sendable {
    var type: TypeName?
    var action: Action?
    var content: JSON
  }

  private struct Page: Sendable {
    var contents: [Content?] = .init(repeating: nil, count: Int(ContentCache.pageSize))
    var usedAt = 0
  }

  static let pageSize: Int32 = 32
  /// About four screens on a large tablet, and what was scrolled over before them.
  static let maximumPageCount = 64
  /// As many that stand one behind the other are kept, wherever they begin in a page.
  static let maximumItemCount = (maximumPageCount - 1) * Int(pageSize)

  /// The handles that share a page with one.
  static func page(of handle: Int32) -> Range<Int32> {
    let first = handle / pageSize * pageSize
    return first..<(first + pageSize)
  }

  mutating func content(of handle: Int32) -> Content? {
    let number = handle / Self.pageSize
    guard let content = pages[number]?.contents[Int(handle % Self.pageSize)] else { return nil }
    clock += 1
    pages[number]?.usedAt = clock
    return content
  }

  func hasContent(of handle: Int32) -> Bool {
    pages[handle / Self.pageSize]?.contents[Int(handle % Self.pageSize)] != nil
  }

  mutating func set(_ content: Content, of handle: Int32) {
    let number = handle / Self.pageSize
    clock += 1
    if pages[number] == nil, pages.count >= Self.maximumPageCount,
      let oldest = pages.min(by: { $0.value.usedAt < $1.value.usedAt })
    {
      pages[oldest.key] = nil
    }
    pages[number, default: Page()].contents[Int(handle % Self.pageSize)] = content
    pages[number]?.usedAt = clock
  }

  mutating func forget(_ handle: Int32) {
    pages[handle / Self.pageSize]?.contents[Int(handle % Self.pageSize)] = nil
  }
}
