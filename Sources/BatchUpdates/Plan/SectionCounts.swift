package import ListOrder

/// How many items each section of a list holds.
///
/// The counts of a list after some changes share what the changes left alone with the counts before
/// them: they cost memory for the changed sections, not for the list.
public struct SectionCounts: Sendable {
  /// The counts that the shared parts are in.
  package let base: Base
  /// In order, without gaps; each ends where the next starts.
  package let segments: [Segment]
  /// How many sections there are.
  public let count: Int

  /// The counts of a list as it was, to share parts of.
  package final class Base: Sendable {
    package let sections: any CountedSections
    /// The first section whose count is negative, which no list has but numbers may say.
    package let firstNegative: Int?

    fileprivate init(_ sections: some CountedSections, firstNegative: Int?) {
      self.sections = sections
      self.firstNegative = firstNegative
    }
  }

  /// Sections that follow one another, all shared or one of its own.
  package struct Segment: Sendable {
    /// The index of the first section.
    package let start: Int
    package let content: Content

    package enum Content: Sendable {
      /// As the sections from an index of the base on.
      case shared(from: Int)
      /// One section with its own count.
      case own(Int)
    }
  }

  /// The counts of a list that shares nothing.
  public init(_ counts: [Int]) {
    self.init(
      ArrayOfCounts(counts: counts), firstNegative: counts.firstIndex { $0 < 0 })
  }

  /// The counts of a list, as they are now.
  ///
  /// - Parameter sections: A list: it promises that no count is negative, and none is asked for.
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

  /// Puts counts together from parts of others.
  package struct Builder {
    fileprivate let base: Base
    fileprivate var segments: [Segment] = []
    fileprivate var count = 0
    private var sharedEnd = -1

    /// - Parameter before: The counts to share parts of.
    package init(sharing before: SectionCounts) { base = before.asBase }

    /// Appends sections that are as they were.
    ///
    /// - Parameter sections: Indexes in the counts that are shared.
    package mutating func append(shared sections: Range<Int>) {
      if sections.isEmpty { return }
      if sections.lowerBound != sharedEnd {
        segments.append(Segment(start: count, content: .shared(from: sections.lowerBound)))
      }
      sharedEnd = sections.upperBound
      count += sections.count
    }

    /// Appends a section of some items.
    package mutating func append(_ itemCount: Int) {
      segments.append(Segment(start: count, content: .own(itemCount)))
      sharedEnd = -1
      count += 1
    }

    package func finish() -> SectionCounts { SectionCounts(self) }
  }

  /// A base whose indexes are this one's.
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
  package var sectionCount: Int { count }
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

  /// The segment that an index is in.
  private func position(of index: Int) -> Int {
    segments.partitioningIndex { $0.start > index } - 1
  }
}

extension SectionCounts: Hashable {
  /// Compares counts, wherever they come from.
  public static func == (lhs: SectionCounts, rhs: SectionCounts) -> Bool {
    lhs.elementsEqual(rhs)
  }

  /// Hashes counts, wherever they come from.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for items in self { hasher.combine(items) }
  }
}

extension SectionCounts: ExpressibleByArrayLiteral, CustomStringConvertible {
  /// Counts written down.
  public init(arrayLiteral counts: Int...) { self.init(counts) }

  /// As an array.
  public var description: String { Array(self).description }
}
