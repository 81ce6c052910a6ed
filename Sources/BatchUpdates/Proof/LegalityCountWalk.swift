import ListOrder

/// How many items sections gain or lose; most sections neither.
struct LegalitySectionChanges {
  private var entries: [Entry] = []

  struct Entry {
    /// The index after.
    let section: Int
    /// How many items the section gains; negative if it loses some.
    var change: Int
  }

  mutating func add(_ change: Int, to section: Int) {
    if let last = entries.indices.last, entries[last].section == section {
      entries[last].change += change
    } else {
      entries.append(Entry(section: section, change: change))
    }
  }

  /// The sections whose count changes, ascending and without duplicates.
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

/// Compares the counts of all sections that stay, in their order after, and skips those that both
/// lists share.
///
/// The sections between two operations are consecutive before and after. The walk goes over them
/// segment by segment of the counts. A segment that both counts take from the same place of the
/// same base has equal counts and is skipped; the counts of any other segment are compared one by
/// one.
/// - Complexity: O(*b* log *b* + *c*), *b* operations, *c* parts of the counts, where the counts
///   after share those before; else O(sections).
struct LegalityCountWalk {
  private let sections: LegalitySectionMap
  private let sharesBase: Bool
  private var before: Cursor
  private var after: Cursor
  private let changes: [LegalitySectionChanges.Entry]
  /// How many of the changes belong to sections that the walk has passed.
  private var changePosition = 0

  /// - Parameters:
  ///   - sections: Maps sections before to sections after.
  ///   - before: How many items each section holds before.
  ///   - after: How many items each section holds after.
  ///   - changes: How many items the operations add to sections, ascending by the index after,
  ///     without duplicates.
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

  /// The first section after, of those that stay, whose counts do not add up; `nil` if all do.
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
        // Only for sections that are deleted twice; else as many sections stay as there are
        // indexes.
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

  /// Compares sections that are consecutive before and after.
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

  /// The first section from an index on whose count changes.
  private mutating func firstChange(from section: Int) -> Int? {
    while changePosition < changes.count, changes[changePosition].section < section {
      changePosition += 1
    }
    return changePosition < changes.count ? changes[changePosition].section : nil
  }

  private mutating func change(of section: Int) -> Int {
    firstChange(from: section) == section ? changes[changePosition].change : 0
  }

  /// A position in counts that only moves forward.
  private struct Cursor {
    let counts: SectionCounts
    private var position = 0

    init(counts: SectionCounts) { self.counts = counts }

    /// The segment of a section, and how many sections the segment has from that one on.
    ///
    /// The section is not less than in the call before.
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
  /// The index in the base of the count of a section; `nil` if the section has a count of its own.
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
