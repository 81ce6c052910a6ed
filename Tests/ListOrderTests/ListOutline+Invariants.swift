import ListModel
import ListOrder

extension ListOutline {
  /// Checks the sequences, and that each handle is found at its path.
  ///
  /// - Throws: ``BrokenInvariant``.
  /// - Complexity: O(*n* log *n*), *n* items.
  func checkInvariants() throws(BrokenInvariant) {
    var total = 0
    var seen: Set<Int32> = []
    for index in 0..<sectionCount {
      let handle = section(at: index)
      guard self.index(ofSection: handle) == index else {
        throw BrokenInvariant("section \(handle) is at \(index), not found there")
      }
      var paths: [(Int32, ItemPath)] = []
      forEachRun(inSection: handle) { run in
        for item in run.first..<run.first + Int32(run.count) {
          paths.append((item, ItemPath(section: index, item: paths.count)))
        }
      }
      for (item, path) in paths {
        guard seen.insert(item).inserted, self.path(ofItem: item) == path,
          self.item(at: path) == item
        else { throw BrokenInvariant("item \(item) is at \(path), not found there") }
      }
      total += paths.count
    }
    guard total == itemCount else {
      throw BrokenInvariant("holds \(total) items, counts \(itemCount)")
    }
    try checkSequences()
  }
}
