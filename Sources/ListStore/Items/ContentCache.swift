import ListModel
import ListTables

/// The contents of the items that a Provider was asked for lately, by handle.
///
/// Contents are kept in pages of 32 handles. When there are too many pages, the page whose last use
/// is longest ago goes.
struct ContentCache: Sendable {
  private var pages: [Int32: Page] = [:]
  private var clock = 0

  typealias Content = ItemContents.Content

  private struct Page: Sendable {
    var contents: [Content?] = .init(repeating: nil, count: Int(ContentCache.pageSize))
    var usedAt = 0
  }

  static let pageSize: Int32 = 32
  /// Enough for about four screens of a large tablet, and for what was scrolled past before them.
  static let maximumPageCount = 64
  /// This many consecutive items are kept together, wherever in a page the first one is.
  static let maximumItemCount = (maximumPageCount - 1) * Int(pageSize)

  /// The handles of the page that has a handle.
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
