package import ListModel
import ListOrder

/// The sections of a list that a view does not show.
///
/// It converts indexes and paths between the list, which counts all sections, and the view, which
/// counts the shown ones.
///
/// - Complexity: Each method is O(log *h*), *h* hidden sections.
package struct HiddenSections: Hashable, Sendable {
  /// Their indexes in the list, ascending.
  package let indexes: [Int]

  /// The hidden sections at the given indexes in the list, ascending.
  package init(_ indexes: [Int]) { self.indexes = indexes }

  /// Whether the view shows all sections.
  package var isEmpty: Bool { indexes.isEmpty }

  /// Whether the section at an index in the list is hidden.
  package func contains(_ index: Int) -> Bool {
    let position = position(of: index)
    return position < indexes.count && indexes[position] == index
  }

  /// The index in the view of the section at an index in the list; `nil` if it is hidden.
  package func shownIndex(of index: Int) -> Int? {
    let position = position(of: index)
    return position < indexes.count && indexes[position] == index ? nil : index - position
  }

  /// The path in the view of the item at a path in the list; `nil` if its section is hidden.
  package func shownPath(of path: ItemPath) -> ItemPath? {
    shownIndex(of: path.section).map { ItemPath(section: $0, item: path.item) }
  }

  /// The index in the list of the section at an index in the view.
  package func listIndex(ofShown index: Int) -> Int {
    // `indexes[p] - p` shown sections are before the hidden section number *p*.
    index + indexes.indices.partitioningIndex { indexes[$0] - $0 > index }
  }

  /// The path in the list of the item at a path in the view.
  package func listPath(ofShown path: ItemPath) -> ItemPath {
    ItemPath(section: listIndex(ofShown: path.section), item: path.item)
  }

  /// The first hidden index in a range, or the end of the range.
  func next(in range: Range<Int>) -> Int {
    let position = position(of: range.lowerBound)
    return position < indexes.count ? min(indexes[position], range.upperBound) : range.upperBound
  }

  private func position(of index: Int) -> Int { indexes.partitioningIndex { $0 >= index } }
}

extension SectionCounts {
  /// The counts of the sections that are not hidden.
  ///
  /// - Complexity: O(*h*), *h* hidden sections.
  package func shown(_ hidden: HiddenSections) -> SectionCounts {
    if hidden.isEmpty { return self }
    var counts = Builder(sharing: self)
    var next = 0
    for index in hidden.indexes {
      counts.append(shared: next..<index)
      next = index + 1
    }
    counts.append(shared: next..<count)
    return counts.finish()
  }
}

extension ListTree {
  /// The list without its hidden sections.
  package var shown: ListTree {
    var tree = self
    tree.sections.removeAll(where: \.isHidden)
    return tree
  }
}
