import BatchUpdates
import ListOrder
import TestSupport

/// A list that is asked for its counts and says how often.
///
/// `@unchecked`: the one test that makes it asks it, on one thread.
final class AskedSections: CountedSections, @unchecked Sendable {
  let sectionCount: Int
  private(set) var questions = 0

  init(sectionCount: Int) { self.sectionCount = sectionCount }

  func itemCount(inSection index: Int) -> Int {
    questions += 1
    return Self.itemCount(inSection: index)
  }

  /// From 20 to 119, without any order.
  static func itemCount(inSection index: Int) -> Int { 20 + index &* 7_919 % 100 }
}

extension LegalityQuestion {
  /// The counts before and after, taken at random from their own places in one base, from others
  /// where it says the same, and said anew.
  func sharedCounts(
    using random: inout SeededGenerator
  ) -> (before: SectionCounts, after: SectionCounts) {
    var numbers = before
    if random.oneIn(2) { numbers += after }
    if random.oneIn(4) { numbers.append(random.below(5)) }
    let root = SectionCounts(numbers)
    let shared = random.oneIn(2)
    // Counts of parts are a base of their own when they are shared again.
    let before = shared ? Self.counts(before, sharing: root, &random) : SectionCounts(before)
    let base = shared && random.oneIn(3) || random.oneIn(6) ? before : root
    return (before, Self.counts(after, sharing: base, &random))
  }

  private static func counts(
    _ numbers: [Int], sharing base: SectionCounts, _ random: inout SeededGenerator
  ) -> SectionCounts {
    var builder = SectionCounts.Builder(sharing: base)
    var next = 0
    for number in numbers {
      let places = base.indices.filter { base[$0] == number }
      let place =
        places.contains(next) && !random.oneIn(4)
        ? next : random.oneIn(3) ? nil : places.randomElement(using: &random)
      if let place {
        builder.append(shared: place..<place + 1)
        next = place + 1
      } else {
        builder.append(number)
        next += 1
      }
    }
    return builder.finish()
  }

  func verdict(_ counts: (before: SectionCounts, after: SectionCounts)) -> LegalityVerdict {
    LegalityCheck.verdict(
      of: stage, reloadingSections: reloadSections, before: counts.before, after: counts.after)
  }

  func refusal(_ counts: (before: SectionCounts, after: SectionCounts)) -> LegalityVerdict? {
    LegalityCheck.refusal(of: stage, before: counts.before, after: counts.after)
  }

  /// The same stage of a list with more sections, which nothing touches, before and behind.
  func padded(using random: inout SeededGenerator) -> LegalityQuestion {
    let front = (0..<random.below(12)).map { _ in random.below(4) }
    let back = (0..<random.below(12)).map { _ in random.below(4) }
    return LegalityQuestion(
      front + before + back, front + after + back,
      operations.map { $0.inSections(shiftedBy: front.count) })
  }
}

extension LegalityOperation {
  fileprivate func inSections(shiftedBy step: Int) -> LegalityOperation {
    switch self {
    case .deleteSection(let section): .deleteSection(section + step)
    case .insertSection(let section): .insertSection(section + step)
    case .moveSection(let from, let to): .moveSection(from + step, to + step)
    case .reloadSection(let section): .reloadSection(section + step)
    case .updateSection(let section): .updateSection(section + step)
    case .deleteItem(let section, let item): .deleteItem(section + step, item)
    case .insertItem(let section, let item): .insertItem(section + step, item)
    case .moveItem(let section, let item, let toSection, let toItem):
      .moveItem(section + step, item, to: toSection + step, toItem)
    case .reloadItem(let section, let item): .reloadItem(section + step, item)
    case .reconfigureItem(let section, let item): .reconfigureItem(section + step, item)
    }
  }
}
