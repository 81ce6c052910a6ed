/// An array in pages, so that a copy shares the pages that neither side changes.
///
/// A write to a shared page copies that page and the table of pages, not the elements. Inlinable, or
/// each access from another module would look up how to copy an element.
package struct PagedArray<Element: Sendable>: Sendable {
  @usableFromInline package var pages: ContiguousArray<ContiguousArray<Element>> = []
  /// How many elements there are.
  @usableFromInline package var count = 0

  /// An array without elements.
  @inlinable package init() {}

  /// - Parameter index: Less than the count.
  @inlinable package subscript(index: Int) -> Element {
    get { pages[index >> 6][index & 63] }
    _modify { yield &pages[index >> 6][index & 63] }
  }

  /// Adds an element at the end.
  @inlinable package mutating func append(_ element: Element) {
    if count & 63 == 0 { pages.append([]) }
    pages[count >> 6].append(element)
    count += 1
  }
}
