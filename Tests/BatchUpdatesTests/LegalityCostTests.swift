import BatchUpdates
import ListModel
import ListOrder
import TestSupport
import Testing

/// The check looks at what a stage changes and at nothing else, and still misses no wrong count.
///
/// What it says of counts that are written down is compared with the oracle in `LegalityModelTests`.
@Suite struct LegalityCostTests {
  // MARK: Counts that share

  @Test(arguments: 300..<303 as Range<UInt64>)
  func sharedCountsGetTheVerdictOfCountsWrittenDown(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var seen: [LegalityVerdict.Outcome: Int] = [:]
    for run in 0..<3_000 {
      var question = LegalityQuestion.random(using: &random)
      if random.oneIn(2) { question = question.padded(using: &random) }
      let counts = question.sharedCounts(using: &random)
      #expect(Array(counts.before) == question.before && Array(counts.after) == question.after)
      let verdict = question.verdict(counts)
      seen[verdict.outcome, default: 0] += 1
      #expect(verdict == question.verdict, "seed \(seed), run \(run): \(question)")
      if question.reloadSections.isEmpty {
        #expect(
          question.refusal(counts) == question.refusal, "seed \(seed), run \(run): \(question)")
      }
    }
    for outcome in [LegalityVerdict.Outcome.ok, .unsafe, .raise] {
      #expect(seen[outcome, default: 0] > 100, "\(seen)")
    }
  }

  @Test(arguments: 400..<402 as Range<UInt64>)
  func aWrongCountInAnySectionIsFound(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for run in 0..<500 {
      let question = LegalityTreePair(using: &random).question.padded(using: &random)
      #expect(question.refusal(question.sharedCounts(using: &random)) == nil, "\(question)")
      for section in question.after.indices
      where !question.stage.insertSections.contains(section) {
        var damaged = question
        damaged.after[section] += random.oneIn(2) ? 1 : 2
        let refusal = damaged.refusal(damaged.sharedCounts(using: &random))
        #expect(refusal?.outcome == .raise, "seed \(seed), run \(run): \(damaged)")
        #expect(refusal == damaged.refusal, "seed \(seed), run \(run): \(damaged)")
      }
    }
  }

  @Test(arguments: 500..<503 as Range<UInt64>)
  func wildCountsThatAreSharedDoNotTrap(seed: UInt64) {
    let wild: [Int] = [.min, .min + 1, -2, -1, 0, 1, 2, 3, .max - 1, .max]
    var random = SeededGenerator(seed: seed)
    for run in 0..<3_000 {
      func number() -> Int {
        random.oneIn(8) ? wild.randomElement(using: &random) ?? 0 : random.below(4)
      }
      let before = (0..<random.below(6)).map { _ in number() }
      let after = random.oneIn(2) ? before : (0..<random.below(6)).map { _ in number() }
      var question = LegalityQuestion(before, after, [])
      for _ in 0..<random.below(5) {
        switch random.below(6) {
        case 0: question.add(.deleteSection(number()))
        case 1: question.add(.insertSection(number()))
        case 2: question.add(.moveSection(number(), number()))
        case 3: question.add(.deleteItem(number(), number()))
        case 4: question.add(.moveItem(number(), number(), to: number(), number()))
        default: question.add(.reloadItem(number(), number()))
        }
      }
      #expect(
        question.verdict(question.sharedCounts(using: &random)) == question.verdict,
        "seed \(seed), run \(run): \(question)")
    }
  }

  /// Wrong answers of a list make wrong verdicts, and nothing worse.
  @Test func listsThatBreakTheirPromiseDoNotTrap() {
    struct Lie: CountedSections {
      let sectionCount: Int
      let items: Int
      func itemCount(inSection index: Int) -> Int { items }
    }
    var random = SeededGenerator(seed: 600)
    for _ in 0..<3_000 {
      let items = [Int.min, -1, 0, 3, .max].randomElement(using: &random) ?? 0
      let before = SectionCounts(Lie(sectionCount: 1_000, items: items))
      var question = LegalityQuestion([], [], [])
      for _ in 0..<random.below(4) {
        let section = [0, 1, 998, 999, 1_000, .max].randomElement(using: &random) ?? 0
        switch random.below(5) {
        case 0: question.add(.deleteSection(section))
        case 1: question.add(.insertSection(section))
        case 2: question.add(.moveSection(section, random.below(2)))
        case 3: question.add(.deleteItem(section, 0))
        default: question.add(.reloadItem(section, 0))
        }
      }
      let verdict = question.verdict((before, before))
      #expect((verdict == .ok) == verdict.message.isEmpty)
    }
  }

  // MARK: Cost

  /// Ten operations of seven kinds in each of some groups of sections, which lie far apart.
  private func stage(
    groups: Int, of before: SectionCounts
  ) -> (stage: Stage, after: SectionCounts.Builder) {
    var stage = Stage()
    var after = SectionCounts.Builder(sharing: before)
    let items = AskedSections.itemCount(inSection:)
    let distance = before.count / groups
    for group in 0..<groups {
      let first = group * distance
      stage.deleteItems += [3, 7].map { ItemPath(section: first, item: $0) }
      stage.insertItems += [0, 5].map { ItemPath(section: first + 1, item: $0) }
      stage.moveItems.append(
        Stage.Move(
          from: ItemPath(section: first + 2, item: 1), to: ItemPath(section: first + 2, item: 9)))
      stage.deleteItems.append(ItemPath(section: first + 2, item: 15))
      stage.insertItems.append(ItemPath(section: first + 2, item: 12))
      stage.deleteSections.append(first + 3)
      stage.insertSections.append(first + 4)
      stage.moveSections.append(Stage.Move(from: first + 5, to: first + 6))
      after.append(items(first) - 2)
      after.append(items(first + 1) + 2)
      after.append(items(first + 2))
      after.append(shared: first + 4..<first + 5)
      after.append(1_000)
      after.append(shared: first + 6..<first + 7)
      after.append(shared: first + 5..<first + 6)
      after.append(shared: first + 7..<first + distance)
    }
    after.append(shared: groups * distance..<before.count)
    return (stage, after)
  }

  /// How many sections are asked for their count while a stage of ten times as many operations as
  /// there are groups is proven.
  private func questions(groups: Int, sections: Int) -> Int {
    let list = AskedSections(sectionCount: sections)
    let before = SectionCounts(list)
    let (stage, after) = stage(groups: groups, of: before)
    #expect(stage.operationCount == groups * 10)
    #expect(list.questions == 0)
    let refusal = LegalityCheck.refusal(of: stage, before: before, after: after.finish())
    #expect(refusal == nil, "\(refusal?.message ?? "")")
    return list.questions
  }

  /// A walk over the sections, be it a single one, would be of a hundred million questions.
  @Test func aThousandOperationsAskForNoMoreThanTheyChange() {
    #expect(questions(groups: 100, sections: 100_000_000) <= 1_000)
  }

  @Test func theNumberOfSectionsDoesNotMatter() {
    let few = questions(groups: 1, sections: 10)
    #expect(few <= 10)
    #expect(questions(groups: 1, sections: 1_000_000) == few)
    #expect(questions(groups: 100, sections: 1_000) == few * 100)
    #expect(questions(groups: 100, sections: 1_000_000) == few * 100)
  }

  @Test func contentAsksOncePerSection() {
    let list = AskedSections(sectionCount: 100_000_000)
    let counts = SectionCounts(list)
    var stage = Stage()
    for section in 0..<100 {
      for item in 0..<5 {
        stage.reloadItems.append(ItemPath(section: section * 1_000_000, item: item))
        stage.reconfigureItems.append(ItemPath(section: section * 1_000_000, item: item + 5))
      }
    }
    #expect(LegalityCheck.refusal(of: stage, before: counts, after: counts) == nil)
    #expect(list.questions <= 500)
  }

  @Test func aWrongCountFarFromEveryOperationIsFound() {
    let list = AskedSections(sectionCount: 100_000_000)
    let before = SectionCounts(list)
    for far in [8, 500_000, 77_777_777, 99_999_999] {
      let (stage, right) = stage(groups: 10, of: before)
      let counts = right.finish()
      var wrong = SectionCounts.Builder(sharing: before)
      for (position, segment) in counts.segments.enumerated() {
        let next = position + 1
        let end = next < counts.segments.count ? counts.segments[next].start : counts.count
        switch segment.content {
        case .own(let items): wrong.append(items)
        case .shared(let first):
          let base = first..<first + end - segment.start
          guard segment.start..<end ~= far else {
            wrong.append(shared: base)
            continue
          }
          wrong.append(shared: base.lowerBound..<first + far - segment.start)
          wrong.append(counts[far] + 1)
          wrong.append(shared: first + far - segment.start + 1..<base.upperBound)
        }
      }
      let refusal = LegalityCheck.refusal(of: stage, before: before, after: wrong.finish())
      #expect(refusal?.rule == .itemCountMismatch)
      #expect(refusal?.message.contains("section \(far) has") == true)
    }
    #expect(list.questions < 4 * 200)
  }

  /// A part that is shared from the wrong place is no proof.
  @Test func aShiftWithoutOperationsIsFound() {
    let before = SectionCounts(AskedSections(sectionCount: 1_000_000))
    var after = SectionCounts.Builder(sharing: before)
    after.append(shared: 0..<500_000)
    after.append(shared: 500_001..<1_000_000)
    after.append(shared: 500_000..<500_001)
    let refusal = LegalityCheck.refusal(of: Stage(), before: before, after: after.finish())
    #expect(refusal?.message.contains("section 500000 has") == true)
  }
}
