import ListOrder

/// How many items sections gain or lose, most of them none.
struct LegalitySectionChanges {
  private var entries: [Entry] = []

  struct Entry {
    /// An index after.
    let section: Int
    /// How many items it has more than before.
    var change: Int
  }

  mutating func add(_ change: Int, to section: Int) {
    if let last = entries.indices.last, entries[last].section == section {
      entries[last].change += change
    } else {
      entries.append(Entry(section: section, change: change))
    }
  }

  /// The sections whose count changes, ascending, each once.
  ///
  /// - Complexity: O(*c* log *c*), *c* changes; less where they were added in order.
  var nonzero: [Entry] {
    if entries.isSorted(by: { $0.section < $1.section }) {
      return entries.contains { $0.change == 0 } ? entries.filter { $0.change != 0 } : entries
    }
    var sums = LegalitySectionChanges()
    sums.entries.reserveCapacity(entries.count)
    for entry in entries.sorted(by: { $0.section < $1.section }) {
      sums.add(entry.change, to: entry.section)
    }
    return sums.entries.filter { $0.change != 0 }
  }
}

/// Compares the counts of all sections that stay, in their order after, without a look at those
/// that both lists share.
///
/// The sections between two operations follow one another before and after. Such a stretch is
/// walked part by part, as the counts have them: a part that both counts take from the same place
/// of the same base has the same counts, and is not asked for them; any other is compared count by
/// count.
/// - Complexity: O(*b* log *b* + *c*), *b* operations, *c* parts of the counts, where the counts
///   after share those before; else O(sections).
struct LegalityCountWalk {
  private let sections: LegalitySectionMap
  private let sharesBase: Bool
  private var before: Cursor
  private var after: Cursor
  private let changes: [LegalitySectionChanges.Entry]
  /// How many of the changes are of sections that were passed.
  private var changePosition = 0

  /// - Parameters:
  ///   - sections: Which section is which.
  ///   - before: How many items each section holds before.
  ///   - after: How many items each section holds after.
  ///   - changes: How many items sections are to gain, ascending by their index after, each once.
  init(
    sections: LegalitySectionMap, before: SectionCounts, after: SectionCounts,
    changes: [LegalitySectionChanges.Entry]
  ) {
    self.sections = sections
    sharesBase = before.base === after.base
    self.before = Cursor(counts: before)
    self.after = Cursor(counts: after)
    self.changes = changes
  }

  /// The first section after, of those that stay, whose items do not add up; `nil` if all do.
  mutating func firstUnbalancedSection() -> Int? {
    var new = 0
    var old = 0
    var leaving = 0
    for stop in 0...sections.taken.count {
      let end = stop < sections.taken.count ? sections.taken[stop] : sections.after
      while new < end {
        while leaving < sections.leaving.count, sections.leaving[leaving] == old {
          leaving += 1
          old += 1
        }
        let oldEnd =
          leaving < sections.leaving.count ? sections.leaving[leaving] : sections.before
        let length = min(end - new, oldEnd - old)
        // As many are to stay as there are indexes for them, unless some are deleted twice.
        if length <= 0 { break }
        if let section = firstUnbalanced(from: new, to: new + length, before: old) {
          return section
        }
        new += length
        old += length
      }
      if stop < sections.taken.count {
        if let source = sections.source(ofMoveTo: end),
          after.counts[end] &- before.counts[source] != change(of: end)
        {
          return end
        }
        new = end + 1
      }
    }
    return nil
  }

  /// Looks at sections that follow one another before and after.
  private mutating func firstUnbalanced(from start: Int, to end: Int, before old: Int) -> Int? {
    let shift = old - start
    var new = start
    while new < end {
      let (partAfter, lengthAfter) = after.part(at: new)
      let (partBefore, lengthBefore) = before.part(at: new + shift)
      let partEnd = new + min(end - new, lengthAfter, lengthBefore)
      if sharesBase, let first = partAfter.baseIndex(of: new),
        first == partBefore.baseIndex(of: new + shift)
      {
        if let section = firstChange(from: new), section < partEnd { return section }
      } else {
        for section in new..<partEnd {
          let items = after.counts.itemCount(of: section, in: partAfter)
          let itemsBefore = before.counts.itemCount(of: section + shift, in: partBefore)
          if items &- itemsBefore != change(of: section) { return section }
        }
      }
      new = partEnd
    }
    return nil
  }

  /// The first section from an index on that is to change.
  private mutating func firstChange(from section: Int) -> Int? {
    while changePosition < changes.count, changes[changePosition].section < section {
      changePosition += 1
    }
    return changePosition < changes.count ? changes[changePosition].section : nil
  }

  private mutating func change(of section: Int) -> Int {
    firstChange(from: section) == section ? changes[changePosition].change : 0
  }

  /// A place in counts that only goes on.
  private struct Cursor {
    let counts: SectionCounts
    private var position = 0

    init(counts: SectionCounts) { self.counts = counts }

    /// The part that a section is in, and how many sections of it are left from there on.
    ///
    /// The section is not less than when it was asked last.
    mutating func part(at section: Int) -> (SectionCounts.Segment, length: Int) {
      while position + 1 < counts.segments.count, counts.segments[position + 1].start <= section {
        position += 1
      }
      let next = position + 1
      return (
        counts.segments[position],
        (next < counts.segments.count ? counts.segments[next].start : counts.count) - section
      )
    }
  }
}

extension SectionCounts.Segment {
  /// Where the base has the count of a section; `nil` if the section has its own.
  fileprivate func baseIndex(of section: Int) -> Int? {
    guard case .shared(let first) = content else { return nil }
    return first + section - start
  }
}

extension SectionCounts {
  fileprivate func itemCount(of section: Int, in segment: Segment) -> Int {
    switch segment.content {
    case .own(let items): items
    case .shared(let first): base.sections.itemCount(inSection: first + section - segment.start)
    }
  }
}
