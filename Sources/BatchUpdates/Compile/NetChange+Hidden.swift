import ListModel
import ListOrder

extension NetChange {
  /// The sections that a view does not show after the change.
  ///
  /// - Parameter visibilities: The sections before whose visibility is not `.shown`.
  /// - Returns: Indexes after.
  /// - Complexity: O((*c* + *v*) log *c*), *c* segments, *v* sections with another visibility.
  func hiddenSections(with visibilities: [SetVisibility]) -> HiddenSections {
    if visibilities.isEmpty, self.visibilities.isEmpty { return HiddenSections([]) }
    let spans = spans
    var after: [Int: SectionAttributes.Visibility] = [:]
    if !visibilities.isEmpty {
      let old = spans.filter { $0.old >= 0 }.sorted { $0.old < $1.old }
      for known in visibilities {
        let position = old.partitioningIndex { $0.old + $0.count > known.section }
        // A section without a span was deleted.
        guard position < old.count, old[position].old <= known.section else { continue }
        after[old[position].new + known.section - old[position].old] = known.visibility
      }
    }
    for set in self.visibilities { after[set.section] = set.visibility }
    let hidden = after.filter { section, visibility in
      visibility != .shown && visibility.hides(itemCount: itemCount(after: section, spans))
    }
    return HiddenSections(hidden.keys.sorted())
  }

  /// Sections that are consecutive before and after.
  private struct Span {
    /// The index before of the first one; -1 if it was inserted.
    var old: Int
    /// The index after of the first one.
    var new: Int
    var count: Int
    /// How many items the one section holds after; -1 if all hold as many as before.
    var itemCount = -1
  }

  /// The spans in the order of their indexes after.
  private var spans: [Span] {
    var spans: [Span] = []
    spans.reserveCapacity(sections.count)
    var new = 0
    for segment in sections {
      let span =
        switch segment {
        case .unchanged(let first, let count): Span(old: first, new: new, count: count)
        case .inserted(let items): Span(old: -1, new: new, count: 1, itemCount: items)
        case .survivor(let position):
          Span(
            old: survivors[position].old, new: new, count: 1,
            itemCount: survivors[position].countAfter)
        }
      spans.append(span)
      new += span.count
    }
    return spans
  }

  private func itemCount(after section: Int, _ spans: [Span]) -> Int {
    let position = spans.partitioningIndex { $0.new + $0.count > section }
    guard position < spans.count else { return 0 }
    let span = spans[position]
    return span.itemCount >= 0 ? span.itemCount : before[span.old + section - span.new]
  }
}
