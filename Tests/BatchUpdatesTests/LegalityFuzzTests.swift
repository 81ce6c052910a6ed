import BatchUpdates
import ListModel
import TestSupport
import Testing

/// No stage and no counts make the check trap, and none makes it work for the items' number.
@Suite struct LegalityFuzzTests {
  private static let wild: [Int] = [
    .min, .min + 1, -1_000_000_000, -2, -1, 0, 1, 2, 3, 1_000_000_000, .max - 2, .max - 1, .max,
  ]

  @Test(arguments: 0..<4 as Range<UInt64>)
  func wildNumbersDoNotTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for run in 0..<3_000 {
      // Some runs have wild counts and tame operations, so that they get past the bounds.
      let tame = random.oneIn(2)
      func number() -> Int {
        tame || random.oneIn(2) ? random.below(4) : Self.wild.randomElement(using: &random) ?? 0
      }
      func count() -> Int {
        random.oneIn(3)
          ? Self.wild.suffix(tame ? 8 : 13).randomElement(using: &random) ?? 0 : random.below(5)
      }
      let before = (0..<random.below(5)).map { _ in count() }
      var question = LegalityQuestion(
        before, random.oneIn(2) ? before : (0..<random.below(5)).map { _ in count() }, [])
      for _ in 0..<random.below(7) {
        switch random.below(10) {
        case 0: question.add(.deleteSection(number()))
        case 1: question.add(.insertSection(number()))
        case 2: question.add(.moveSection(number(), number()))
        case 3: question.add(.reloadSection(number()))
        case 4: question.add(.updateSection(number()))
        case 5: question.add(.deleteItem(number(), number()))
        case 6: question.add(.insertItem(number(), number()))
        case 7: question.add(.moveItem(number(), number(), to: number(), number()))
        case 8: question.add(.reloadItem(number(), number()))
        default: question.add(.reconfigureItem(number(), number()))
        }
      }
      let verdict = question.verdict
      #expect(
        (verdict.outcome == .ok) == verdict.message.isEmpty, "seed \(seed), run \(run): \(question)"
      )
      #expect((verdict.outcome == .ok) == (verdict.rule == nil))
      if verdict.outcome != .ok, question.reloadSections.isEmpty {
        #expect(question.refusal == verdict, "seed \(seed), run \(run): \(question)")
      }
    }
  }

  @Test func endsOfTheNumbersAreOutOfBoundsOrCounted() {
    #expect(LegalityQuestion([.max], [.max], []).verdict == .ok)
    #expect(
      LegalityQuestion([.max], [.max], [.reloadItem(0, .max - 1)]).verdict == .ok)
    #expect(
      LegalityQuestion([.max], [.max], [.reloadItem(0, .max)]).verdict.rule
        == .reloadItemOutOfBounds)
    #expect(
      LegalityQuestion([.max], [.max], [.insertItem(0, 0)]).verdict.message
        == "UICollectionView raises: section 0 has \(Int.max) items after the update, "
        + "but \(Int.max) before + 1 inserted gives more than there can be.")
    #expect(
      LegalityQuestion(
        [.max], [.max], [.insertItem(0, 0), .insertItem(0, 1), .reloadItem(0, .max - 1)]
      ).verdict.rule == .reloadItemOutOfBounds)
    #expect(
      LegalityQuestion([1], [1], [.deleteSection(.min), .insertSection(.max)]).verdict.rule
        == .deleteSectionOutOfBounds)
  }

  /// Ends at once and uses no memory, or this test takes hours.
  @Test func hugeCountsCostNothing() {
    let huge = 1_000_000_000_000
    #expect(LegalityQuestion([huge], [huge - 1], [.deleteItem(0, huge - 1)]).verdict == .ok)
    #expect(
      LegalityQuestion(
        [huge, huge], [huge, huge], [.moveItem(0, 5, to: 0, huge - 1), .reloadItem(0, 2)]
      ).verdict == .ok)
    #expect(
      LegalityQuestion(
        [huge, huge], [huge, huge], [.moveItem(0, 5, to: 0, huge - 1), .reloadItem(0, 7)]
      ).verdict.rule == .reloadWithMove)
  }

  /// Tens of thousands of operations, and the worst case of reloads that redundant deletes shift,
  /// take a moment even without optimisation.
  @Test func manyOperationsAreNotSquared() {
    let count = 20_000
    var question = LegalityQuestion([count * 3], [count * 3 - count], [])
    for position in 0..<count {
      question.add(.deleteItem(0, position * 2))
      question.add(.reloadItem(0, position * 2 + 1))
    }
    #expect(question.verdict == .ok)

    var chain = LegalityQuestion(Array(repeating: 1, count: count) + [count * 2], [count * 2], [])
    for position in 0..<count {
      chain.add(.deleteSection(position))
      chain.add(.deleteItem(position, 0))
      chain.add(.reloadItem(count, position + count))
    }
    #expect(chain.verdict.rule == .redundantOperationWithReload)
  }
}
