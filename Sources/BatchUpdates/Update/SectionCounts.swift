package import ListOrder

/// How many items each section of a list holds.
///
/// The counts after a change refer to the counts before it for all sections that did not change. So
/// they take memory for the changed sections, not for the whole list.
public struct SectionCounts: Sendable {
  /// The counts that the shared segments refer to.
  package let base: Base
  /// All sections, in order; each segment ends where the next one starts.
  package let segments: [Segment]
  /// How many sections there are.
  public let count: Int

  /// The counts of an earlier list, which later counts share.
  package final class Base: Sendable {
    /// The list that knows the counts.
    package let sections: any CountedSections
    /// The first section with a negative count; only counts that a caller made up have one.
    package let firstNegative: Int?

    fileprivate init(_ sections: some CountedSections, firstNegative: Int?) {
      self.sections = sections
      self.firstNegative = firstNegative
    }
  }

  /// Either consecutive sections whose counts are shared, or one section with its own count.
  package struct Segment: Sendable {
    /// The index of the first section.
    package let start: Int
    /// The counts of the sections.
    package let content: Content

    /// Where the counts of a segment are.
    package enum Content: Sendable {
      /// In the base, from the section at an index on.
      case shared(from: Int)
      /// Here: the count of one section.
      case own(Int)
    }
  }

  /// The counts of an array, one for each section.
  public init(_ counts: [Int]) {
    self.init(
      ArrayOfCounts(counts: counts), firstNegative: counts.firstIndex { $0 < 0 })
  }

  /// The counts of a list as it is now.
  ///
  /// - Parameter sections: The list. None of its counts is negative; they are read only when asked
  ///   for.
  package init(_ sections: some CountedSections) {
    self.init(sections, firstNegative: nil)
  }

  private init(_ sections: some CountedSections, firstNegative: Int?) {
    base = Base(sections, firstNegative: firstNegative)
    count = sections.sectionCount
    segments = count == 0 ? [] : [Segment(start: 0, content: .shared(from: 0))]
  }

  private init(_ builder: Builder) {
    base = builder.base
    segments = builder.segments
    count = builder.count
  }

  /// Builds counts that share parts of others.
  package struct Builder {
    fileprivate let base: Base
    fileprivate var segments: [Segment] = []
    fileprivate var count = 0
    private var sharedEnd = -1

    /// Starts without sections.
    ///
    /// - Parameter before: The counts to share.
    package init(sharing before: SectionCounts) { base = before.asBase }

    /// Appends sections whose counts did not change.
    ///
    /// - Parameter sections: Their indexes in the shared counts.
    package mutating func append(shared sections: Range<Int>) {
      if sections.isEmpty { return }
      if sections.lowerBound != sharedEnd {
        segments.append(Segment(start: count, content: .shared(from: sections.lowerBound)))
      }
      sharedEnd = sections.upperBound
      count += sections.count
    }

    /// Appends a section with a count of its own.
    package mutating func append(_ itemCount: Int) {
      segments.append(Segment(start: count, content: .own(itemCount)))
      sharedEnd = -1
      count += 1
    }

    /// The counts that were built.
    package func finish() -> SectionCounts { SectionCounts(self) }
  }

  /// A base that has the same sections as these counts.
  private var asBase: Base {
    if segments.isEmpty, base.sections.sectionCount == 0 { return base }
    if segments.count == 1, case .shared(from: 0) = segments[0].content,
      base.sections.sectionCount == count
    {
      return base
    }
    return Base(self, firstNegative: firstNegative)
  }

  /// The first section whose count is negative.
  ///
  /// - Complexity: O(*c*), *c* parts; O(sections) where the base has a negative count.
  package var firstNegative: Int? {
    for (position, segment) in segments.enumerated() {
      switch segment.content {
      case .own(let items): if items < 0 { return segment.start }
      case .shared(let first):
        guard let negative = base.firstNegative else { continue }
        let next = position + 1 < segments.count ? segments[position + 1].start : count
        let end = first + next - segment.start
        for section in first..<end
        where section >= negative && base.sections.itemCount(inSection: section) < 0 {
          return segment.start + section - first
        }
      }
    }
    return nil
  }
}

private struct ArrayOfCounts: CountedSections {
  let counts: [Int]

  var sectionCount: Int { counts.count }
  func itemCount(inSection index: Int) -> Int { counts[index] }
}

extension SectionCounts: CountedSections {
  /// How many sections there are.
  package var sectionCount: Int { count }
  /// How many items a section holds.
  package func itemCount(inSection index: Int) -> Int { self[index] }
}

extension SectionCounts: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// How many sections there are.
  public var endIndex: Int { count }

  /// How many items a section holds.
  ///
  /// - Complexity: O(log *c*), *c* sections changed.
  public subscript(index: Int) -> Int {
    precondition(index >= 0 && index < count, "section out of bounds")
    let segment = segments[position(of: index)]
    return switch segment.content {
    case .own(let items): items
    case .shared(let first): base.sections.itemCount(inSection: first + index - segment.start)
    }
  }

  /// The position of the segment that holds the section at an index.
  private func position(of index: Int) -> Int {
    segments.partitioningIndex { $0.start > index } - 1
  }
}

extension SectionCounts: Hashable {
  /// Compares the numbers; where they are stored does not matter.
  public static func == (lhs: SectionCounts, rhs: SectionCounts) -> Bool {
    lhs.elementsEqual(rhs)
  }

  /// Hashes the numbers; where they are stored does not matter.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for items in self { hasher.combine(items) }
  }
}

extension SectionCounts: ExpressibleByArrayLiteral, CustomStringConvertible {
  /// The counts of a literal, one for each section.
  public init(arrayLiteral counts: Int...) { self.init(counts) }

  /// The counts as an array's description.
  public var description: String { Array(self).description }
}
