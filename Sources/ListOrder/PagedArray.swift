/// An array in pages, so that a copy shares the pages that neither side changes.
///
/// A write to a shared page copies that page and the table of pages, not the elements.
///
/// `Array`, and `Deque` of swift-collections, copy every element at the first write after a copy; the
/// rope of swift-collections shares nodes, but finds an index in O(log *n*), not in O(1).
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
