import BatchUpdates
package import ListModel
import ListOrder

// The order of items by their handles, for an item source that reads many items at once.
extension Provider {
  func hasSection(_ index: Int) -> Bool { index >= 0 && index < outline.sectionCount }

  func hasItem(at path: ItemPath) -> Bool {
    path.item >= 0 && path.item < numberOfItems(inSection: path.section)
  }

  /// The handle at each path; `nil` where there is no item.
  package func handles(at paths: [ItemPath]) -> [Int32?] { outline.items(at: paths) }

  /// Calls a closure with the handles of a range of a section's items, in order, as runs of
  /// consecutive handles.
  ///
  /// `range`: Indexes of items that the section has.
  /// `index`: The section's index.
  package func forEachRun(
    of range: Range<Int>, inSection index: Int, _ body: (Range<Int32>) -> Void
  ) {
    outline.forEachRun(of: range, inSection: index) { run in
      body(run.first..<run.first + Int32(run.count))
    }
  }
}
