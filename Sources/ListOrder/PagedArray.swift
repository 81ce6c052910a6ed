/// An array in pages of 64 elements: a copy shares the pages that neither side changes.
///
/// The first write after a copy copies one page and the table of pages, not all elements. `Array`,
/// and `Deque` of swift-collections, would copy every element. `Rope` of swift-collections shares
/// its nodes too, but finds an index in O(log *n*) instead of O(1).
struct PagedArray<Element: Sendable>: Sendable {
  private var pages: ContiguousArray<ContiguousArray<Element>> = []
  private(set) var count = 0

  private static var pageBits: Int { 6 }
  private static var pageSize: Int { 1 << pageBits }

  /// - Parameter index: Less than the count.
  subscript(index: Int) -> Element {
    get { pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
    _modify { yield &pages[index >> Self.pageBits][index & (Self.pageSize - 1)] }
  }

  mutating func append(_ element: Element) {
    if count & (Self.pageSize - 1) == 0 { pages.append([]) }
    pages[count >> Self.pageBits].append(element)
    count += 1
  }
}
