import BatchUpdates
import TestSupport
import Testing

/// A stage and what becomes of it.
private struct RuleCase: CustomTestStringConvertible {
  let row: String
  let rule: LegalityRule?
  let outcome: LegalityVerdict.Outcome
  let question: LegalityQuestion

  var testDescription: String { "\(row) \(rule?.name ?? "ok") \(question)" }

  static func raise(
    _ row: String, _ rule: LegalityRule, _ before: [Int], _ after: [Int],
    _ operations: LegalityOperation...
  ) -> RuleCase {
    RuleCase(
      row: row, rule: rule, outcome: .raise,
      question: LegalityQuestion(before, after, operations))
  }

  static func unsafe(
    _ row: String, _ rule: LegalityRule, _ before: [Int], _ after: [Int],
    _ operations: LegalityOperation...
  ) -> RuleCase {
    RuleCase(
      row: row, rule: rule, outcome: .unsafe,
      question: LegalityQuestion(before, after, operations))
  }

  static func ok(
    _ row: String, _ before: [Int], _ after: [Int], _ operations: LegalityOperation...
  ) -> RuleCase {
    RuleCase(
      row: row, rule: nil, outcome: .ok, question: LegalityQuestion(before, after, operations))
  }
}

private let boundsCases: [RuleCase] = [
  .raise("R1", .deleteSectionOutOfBounds, [1, 1], [1], .deleteSection(2)),
  .raise("R1", .deleteSectionOutOfBounds, [1, 1], [1], .deleteSection(-1)),
  .ok("R1", [1, 1], [1], .deleteSection(1)),
  .raise("R2", .deleteItemOutOfBounds, [1], [0], .deleteItem(1, 0)),
  .raise("R2", .deleteItemOutOfBounds, [1], [0], .deleteItem(0, 1)),
  .raise("R2", .deleteItemOutOfBounds, [1], [0], .deleteItem(0, -1)),
  .raise("R2", .deleteItemOutOfBounds, [1, 1], [1], .deleteSection(0), .deleteItem(0, 1)),
  .ok("R2", [1], [0], .deleteItem(0, 0)),
  .raise("R3", .insertSectionOutOfBounds, [1], [1, 1], .insertSection(2)),
  .ok("R3", [1], [1, 1], .insertSection(1)),
  .raise("R4", .insertItemOutOfBounds, [1], [2], .insertItem(1, 0)),
  .raise("R4", .insertItemOutOfBounds, [1], [2], .insertItem(0, 2)),
  .ok("R4", [1], [2], .insertItem(0, 1)),
  .raise("R5", .moveSectionOutOfBounds, [1, 1], [1, 1], .moveSection(2, 0)),
  .raise("R5", .moveSectionOutOfBounds, [1, 1], [1, 1], .moveSection(0, 2)),
  .ok("R5", [1, 2], [2, 1], .moveSection(0, 1)),
  .raise("R5", .moveItemOutOfBounds, [2], [2], .moveItem(0, 2, to: 0, 0)),
  .raise("R5", .moveItemOutOfBounds, [2], [2], .moveItem(0, 0, to: 0, 2)),
  .raise("R5", .moveItemOutOfBounds, [2], [2], .moveItem(0, 0, to: 1, 0)),
  .ok("R5", [2], [2], .moveItem(0, 0, to: 0, 1)),
  .raise("R1 of a reload", .reloadSectionOutOfBounds, [1], [1], .reloadSection(1)),
  .ok("R1 of a reload", [1], [4], .reloadSection(0)),
  .raise("R2 of a reload", .reloadItemOutOfBounds, [1], [1], .reloadItem(0, 1)),
  .raise("R2 of a reload", .reloadItemOutOfBounds, [1], [1], .reloadItem(1, 0)),
  .ok("R2 of a reload", [1], [1], .reloadItem(0, 0)),
  .raise("reconfigure", .reconfigureItemOutOfBounds, [1], [1], .reconfigureItem(0, 1)),
  .ok("reconfigure", [1], [1], .reconfigureItem(0, 0)),
  .raise("update", .updateSectionOutOfBounds, [1], [1], .updateSection(1)),
  .raise("update", .updateSectionOutOfBounds, [1, 1], [1], .updateSection(1), .deleteSection(0)),
  .ok("update", [1], [1], .updateSection(0)),
  .raise("counts", .negativeCount, [-1], [-1]),
  .raise("counts", .negativeCount, [1], [.min]),
  .ok("counts", [0], [0]),
]

private let contradictionCases: [RuleCase] = [
  .raise("R6", .deleteAndReload, [2], [1], .deleteItem(0, 1), .reloadItem(0, 1)),
  .raise("R6", .deleteAndReload, [1, 1], [1], .deleteSection(1), .reloadSection(1)),
  .ok("R6", [3], [2], .deleteItem(0, 2), .reloadItem(0, 1)),
  .raise("R7", .deleteAndMove, [3], [2], .deleteItem(0, 1), .moveItem(0, 1, to: 0, 0)),
  .raise("R7", .deleteAndMove, [1, 1, 1], [1, 1], .deleteSection(0), .moveSection(0, 1)),
  .ok("R7", [3], [2], .deleteItem(0, 0), .moveItem(0, 2, to: 0, 0)),
  .raise("R8", .insertAndMove, [2], [3], .insertItem(0, 2), .moveItem(0, 0, to: 0, 2)),
  .raise("R8", .insertAndMove, [1, 1], [1, 1, 1], .insertSection(0), .moveSection(1, 0)),
  .ok("R8", [2], [3], .insertItem(0, 1), .moveItem(0, 0, to: 0, 2)),
  .raise("R9", .reloadAndMove, [2], [2], .reloadItem(0, 0), .moveItem(0, 0, to: 0, 1)),
  .raise("R9", .reloadAndMove, [1, 1], [1, 1], .reloadSection(0), .moveSection(0, 1)),
  .ok("R9", [2, 2], [2, 2], .reloadItem(1, 0), .moveItem(0, 0, to: 0, 1)),
  .raise(
    "R10", .moveToTwoPlaces, [3], [3], .moveItem(0, 0, to: 0, 1), .moveItem(0, 0, to: 0, 2)),
  .raise("R10", .moveToTwoPlaces, [1, 1, 1], [1, 1, 1], .moveSection(0, 1), .moveSection(0, 2)),
  .raise(
    "R11", .moveFromTwoPlaces, [3], [3], .moveItem(0, 0, to: 0, 2), .moveItem(0, 1, to: 0, 2)),
  .raise("R11", .moveFromTwoPlaces, [1, 1, 1], [1, 1, 1], .moveSection(0, 2), .moveSection(1, 2)),
  .ok("R10, R11", [3], [3], .moveItem(0, 0, to: 0, 2), .moveItem(0, 2, to: 0, 0)),
  .ok("R12", [3], [3], .moveItem(0, 0, to: 0, 2), .moveItem(0, 0, to: 0, 2)),
  .ok("R12", [1, 2], [2, 1], .moveSection(0, 1), .moveSection(0, 1)),
  .raise("R18", .reloadInDeletedSection, [1, 1], [1], .deleteSection(1), .reloadItem(1, 0)),
  .raise("R18", .reloadInDeletedSection, [1, 1], [2], .deleteSection(1), .reloadItem(1, 0)),
  .ok("R18", [1, 1], [1], .deleteSection(0), .reloadItem(1, 0)),
]

private let countCases: [RuleCase] = [
  .raise("R34", .sectionCountMismatch, [1, 1], [1]),
  .raise("R34", .sectionCountMismatch, [1], [1, 1, 1], .insertSection(1)),
  .raise("R34", .itemCountMismatch, [2], [2], .deleteItem(0, 0)),
  .raise("R34", .itemCountMismatch, [2], [3]),
  .raise("R34", .itemCountMismatch, [2, 2], [1, 2], .moveItem(0, 0, to: 1, 0)),
  .raise("R34", .itemCountMismatch, [2, 5], [2], .deleteSection(0)),
  .raise("R34", .itemCountMismatch, [2, 5], [2, 5], .moveSection(0, 1)),
  .ok("R34", [2, 5], [5], .deleteSection(0)),
  .ok("R34", [], []),
  .raise("R13", .itemCountMismatch, [3], [2], .deleteItem(0, 0), .deleteItem(0, 0)),
  .unsafe("R13", .duplicateDelete, [3], [1], .deleteItem(0, 0), .deleteItem(0, 0)),
  .raise("R13", .sectionCountMismatch, [1, 1], [1], .deleteSection(0), .deleteSection(0)),
  .unsafe("R13", .duplicateDelete, [1, 1, 1], [1], .deleteSection(0), .deleteSection(0)),
  .ok("R13", [3], [1], .deleteItem(0, 0), .deleteItem(0, 1)),
  .raise("R14", .itemCountMismatch, [2], [3], .insertItem(0, 0), .insertItem(0, 0)),
  .unsafe("R14", .duplicateInsert, [2], [4], .insertItem(0, 0), .insertItem(0, 0)),
  .unsafe("R14", .duplicateInsert, [1], [1, 1, 1], .insertSection(1), .insertSection(1)),
  .ok("R14", [2], [4], .insertItem(0, 0), .insertItem(0, 1)),
  .unsafe("R13, R14", .duplicateReload, [2], [2], .reloadItem(0, 1), .reloadItem(0, 1)),
  .unsafe("R13, R14", .duplicateReload, [2, 1], [2, 1], .reloadSection(0), .reloadSection(0)),
  .ok("R13, R14", [2], [2], .reloadItem(0, 0), .reloadItem(0, 1)),
]

private let structureCases: [RuleCase] = [
  .unsafe(
    "R15", .moveOutOfDeletedSection, [1, 1], [2], .deleteSection(0), .moveItem(0, 0, to: 0, 0)),
  .raise("R15", .itemCountMismatch, [1, 1], [1], .deleteSection(0), .moveItem(0, 0, to: 0, 0)),
  .ok("R15", [1, 1], [2], .deleteSection(0), .insertItem(0, 0)),
  .unsafe(
    "R16", .moveIntoInsertedSection, [2, 1], [2, 0, 1], .insertSection(2),
    .moveItem(1, 0, to: 2, 0)),
  .raise(
    "R16", .itemCountMismatch, [2, 1], [2, 1, 1], .insertSection(2), .moveItem(1, 0, to: 2, 0)),
  .ok("R16", [2, 1], [2, 0, 1], .insertSection(2), .deleteItem(1, 0)),
  .ok("R17", [1, 2], [1], .deleteSection(1), .deleteItem(1, 0), .deleteItem(1, 1)),
  .ok("R17", [1, 2], [1], .deleteSection(1), .deleteItem(1, 0), .deleteItem(1, 0)),
  .ok("R17", [1], [1, 1], .insertSection(1), .insertItem(1, 0)),
  .raise("R17", .insertItemOutOfBounds, [1], [1, 1], .insertSection(1), .insertItem(1, 1)),
  .unsafe(
    "R17", .redundantOperationWithReload, [0, 5], [0, 1, 5], .insertSection(1), .insertItem(1, 0),
    .reloadItem(1, 0)),
  .raise(
    "R17", .reloadItemOutOfBounds, [0, 5], [0, 1, 5], .insertSection(1), .insertItem(1, 0),
    .reloadItem(1, 4)),
  .raise(
    "R17", .reloadItemOutOfBounds, [1, 1], [1], .deleteSection(0), .deleteItem(0, 0),
    .reloadItem(1, 0)),
  .ok("R17", [2, 1], [2], .deleteSection(1), .deleteItem(1, 0), .reloadItem(0, 0)),
  .unsafe(
    "R17", .redundantOperationWithReload, [1, 2], [2], .deleteSection(0), .deleteItem(0, 0),
    .reloadItem(1, 1)),
  .ok("R17", [0, 5], [0, 1, 5], .insertSection(1), .reloadItem(1, 0)),
  .unsafe(
    "R26", .insertInMovedSection, [1, 2], [3, 1], .moveSection(1, 0), .insertItem(0, 0)),
  .raise("R26", .itemCountMismatch, [1, 2], [2, 1], .moveSection(1, 0), .insertItem(0, 0)),
  .ok("R26", [1, 2], [2, 2], .moveSection(1, 0), .insertItem(1, 0)),
  .unsafe(
    "R27", .deleteInMovedSection, [1, 1, 2, 1, 1], [1, 1, 1, 1, 1], .moveSection(2, 4),
    .deleteItem(2, 0)),
  .ok("R27", [1, 2, 1], [1, 1, 1], .moveSection(2, 0), .deleteItem(1, 0)),
  .unsafe(
    "R28", .moveInMovedSection, [1, 2], [2, 1], .moveSection(1, 0), .moveItem(1, 0, to: 0, 1)),
  .unsafe(
    "R28", .moveInMovedSection, [1, 2, 1], [3, 1, 0], .moveSection(1, 0),
    .moveItem(2, 0, to: 0, 0)),
  .unsafe(
    "R28", .moveInMovedSection, [1, 2, 1], [1, 1, 2], .moveSection(1, 0),
    .moveItem(1, 0, to: 2, 0)),
  .ok("R28", [1, 2], [2, 1], .moveSection(0, 1), .moveItem(1, 0, to: 0, 1)),
  .ok("R29", [1, 2], [1, 2], .moveSection(1, 1)),
  .unsafe("R29", .insertInMovedSection, [1, 2], [1, 3], .moveSection(1, 1), .insertItem(1, 0)),
  .unsafe("R29", .deleteInMovedSection, [1, 2], [1, 1], .moveSection(1, 1), .deleteItem(1, 0)),
  .unsafe(
    "R29", .moveInMovedSection, [1, 2], [1, 2], .moveSection(1, 1), .moveItem(1, 0, to: 1, 1)),
  .raise(
    "R29", .moveOutOfSectionMovedOntoItself, [2, 1], [1, 2], .moveSection(0, 0),
    .moveItem(0, 0, to: 1, 0)),
  .raise(
    "R29", .moveOutOfSectionMovedOntoItself, [1, 1, 1], [1, 0, 2], .moveSection(1, 1),
    .moveItem(1, 0, to: 2, 1)),
  .unsafe(
    "R29", .moveInMovedSection, [2, 1], [3, 0], .moveSection(0, 0), .moveItem(1, 0, to: 0, 0)),
  .ok("R30", [2], [2], .moveItem(0, 0, to: 0, 0)),
  .ok(
    "R31", [2, 3, 1, 4], [7, 4, 3, 2], .deleteSection(0), .insertSection(0), .moveSection(3, 1),
    .deleteItem(1, 0), .insertItem(2, 1), .moveItem(1, 2, to: 2, 0), .insertItem(3, 1)),
  .ok("R31", [1, 2, 3], [3, 2], .deleteSection(0), .moveItem(2, 0, to: 0, 0)),
  .unsafe(
    "1.3", .moveBetweenShiftedSections, [1, 2, 3], [1, 4], .deleteSection(0),
    .moveItem(1, 0, to: 1, 0)),
  .ok("R32", [2, 3], [3, 2], .moveItem(1, 0, to: 0, 0)),
]

private let reloadCases: [RuleCase] = [
  .ok("R19", [3, 1], [3, 1], .reloadSection(0), .reloadItem(0, 1)),
  .raise("R19", .reloadItemOutOfBounds, [3], [1], .reloadSection(0), .reloadItem(0, 2)),
  .raise("R20", .insertAndMove, [3], [3], .reloadItem(0, 0), .moveItem(0, 2, to: 0, 0)),
  .raise(
    "R20", .reloadItemOutOfBounds, [2, 1], [1, 2], .reloadItem(0, 1), .moveItem(0, 0, to: 1, 0)),
  .unsafe("R20", .reloadWithMove, [3], [3], .reloadItem(0, 1), .moveItem(0, 0, to: 0, 2)),
  .ok("R20", [4], [4], .reloadItem(0, 0), .moveItem(0, 1, to: 0, 3)),
  .raise("R21", .itemCountMismatch, [1, 2, 3], [2, 3, 1], .moveSection(0, 2), .reloadItem(1, 0)),
  .unsafe(
    "R21", .reloadWithSectionMove, [1, 2, 3], [1, 4, 1], .moveSection(0, 2), .reloadItem(1, 0)),
  .unsafe("R21", .reloadWithSectionMove, [1, 2], [3, 0], .moveSection(1, 0), .reloadItem(0, 0)),
  .ok("R21", [1, 2, 3, 1], [1, 2, 1, 3], .moveSection(2, 3), .reloadItem(0, 0)),
  .raise("R22", .itemCountMismatch, [2, 3], [3, 2], .moveSection(1, 0), .reloadItem(1, 0)),
  .unsafe(
    "R22", .reloadInMovedSection, [2, 2], [2, 2], .moveSection(1, 0), .reloadItem(0, 0),
    .reloadItem(1, 0)),
  .unsafe("R29", .reloadInMovedSection, [2], [2], .moveSection(0, 0), .reloadItem(0, 0)),
  .unsafe(
    "R23", .reloadOfDisplacedSection, [1, 1, 1], [1, 1, 1], .moveSection(0, 2),
    .reloadSection(1)),
  .raise("R23", .insertAndMove, [1, 1, 1], [1, 1, 1], .moveSection(0, 1), .reloadSection(1)),
  .raise("R23", .itemCountMismatch, [1, 1, 5], [1, 5, 1], .moveSection(0, 2), .reloadSection(1)),
  .ok("R23", [1, 1, 1], [1, 1, 1], .moveSection(1, 2), .reloadSection(0)),
  .ok("R23", [1, 1], [1], .deleteSection(0), .reloadSection(1)),
  .ok("R24", [3], [4], .reloadSection(0), .insertItem(0, 3), .deleteItem(0, 0)),
  .unsafe(
    "R25", .moveTouchesReloadedSection, [2, 1], [2, 1], .reloadSection(0),
    .moveItem(0, 0, to: 0, 1)),
  .unsafe(
    "R25", .moveTouchesReloadedSection, [2, 1], [1, 2], .reloadSection(0),
    .moveItem(0, 0, to: 1, 0)),
  .unsafe(
    "R25", .moveTouchesReloadedSection, [2, 1], [3, 0], .reloadSection(0),
    .moveItem(1, 0, to: 0, 0)),
  .ok("R25", [2, 2], [2, 2], .reloadSection(0), .moveItem(1, 0, to: 1, 1)),
  .unsafe("R33", .reloadBeyondNewCount, [4], [3], .deleteItem(0, 0), .reloadItem(0, 3)),
  .ok("R33", [4], [3], .deleteItem(0, 0), .reloadItem(0, 2)),
  .unsafe(
    "reconfigure", .reconfigureWithStructure, [2], [1], .deleteItem(0, 0), .reconfigureItem(0, 1)),
  .unsafe(
    "reconfigure", .reconfigureWithStructure, [2], [1], .reloadSection(0), .reconfigureItem(0, 0)),
  .ok("reconfigure", [2], [2], .reloadSection(0), .reconfigureItem(0, 0)),
  .ok("reconfigure", [2], [2], .reloadItem(0, 0), .reconfigureItem(0, 1), .updateSection(0)),
]

/// Stages that a view accepts and Cellar does not emit, next to some that it does.
private let refusalCases: [RuleCase] = [
  .unsafe("2.1 S2", .mixedStage, [3], [2], .deleteItem(0, 2), .reloadItem(0, 0)),
  .unsafe("2.1 S2", .mixedStage, [3], [2], .deleteItem(0, 2), .updateSection(0)),
  .ok("2.1 S2", [3], [3], .updateSection(0), .reloadItem(0, 0), .reconfigureItem(0, 1)),
  .ok("2.1 S2", [3], [3], .updateSection(0)),
  .unsafe("2.1 S2", .duplicateOperation, [3], [3], .updateSection(0), .updateSection(0)),
  .unsafe("2.1 S2", .duplicateOperation, [3], [3], .reconfigureItem(0, 1), .reconfigureItem(0, 1)),
  .unsafe("2.1 S2", .duplicateOperation, [3], [3], .reconfigureItem(0, 1), .reloadItem(0, 1)),
  .unsafe("2.1 a", .redundantOperation, [3, 1], [3], .deleteSection(1), .deleteItem(1, 0)),
  .unsafe("2.1 a", .redundantOperation, [3], [3, 1], .insertSection(1), .insertItem(1, 0)),
  .ok("2.1 a", [3, 2], [1, 2], .deleteSection(1), .insertSection(0), .deleteItem(0, 0)),
  .unsafe(
    "2.1 c", .moveBetweenSectionsWithSectionOperations, [1, 2, 3], [3, 2], .deleteSection(0),
    .moveItem(2, 0, to: 0, 0)),
  .ok("2.1 c", [1, 2, 3], [2, 3], .deleteSection(0), .moveItem(2, 0, to: 1, 1)),
  .ok("2.1 c", [2, 3], [3, 2], .moveItem(1, 0, to: 0, 0)),
  .unsafe(
    "2.1 d", .duplicateOperation, [3], [3], .moveItem(0, 0, to: 0, 1), .moveItem(0, 0, to: 0, 1)),
  .unsafe("2.1 d", .duplicateOperation, [1, 1], [1, 1], .moveSection(0, 1), .moveSection(0, 1)),
  .unsafe(
    "2.1 d", .duplicateOperation, [2], [2], .moveItem(0, 1, to: 0, 0), .moveItem(0, 0, to: 0, 1),
    .moveItem(0, 1, to: 0, 0)),
  .unsafe("2.1 d", .moveOntoItself, [2], [2], .moveItem(0, 1, to: 0, 1)),
  .unsafe("2.1 d", .moveOntoItself, [1, 2], [2], .deleteSection(0), .moveItem(1, 1, to: 0, 1)),
  .unsafe("2.1 d", .moveOntoItself, [1, 2], [1, 2], .moveSection(1, 1)),
  .ok(
    "2.1 d", [5], [5], .moveItem(0, 0, to: 0, 3), .moveItem(0, 1, to: 0, 4),
    .moveItem(0, 2, to: 0, 2)),
  .ok(
    "2.1 d", [0, 1, 2, 3, 4], [3, 4, 2, 0, 1], .moveSection(0, 3), .moveSection(1, 4),
    .moveSection(2, 2)),
]

@Suite struct LegalityRuleTests {
  @Test(
    arguments: boundsCases + contradictionCases + countCases + structureCases + reloadCases)
  fileprivate func verdictFollowsTheRule(_ example: RuleCase) {
    let verdict = example.question.verdict
    #expect(verdict.outcome == example.outcome, "\(verdict.message)")
    #expect(verdict.rule == example.rule, "\(verdict.message)")
    if verdict.outcome != .ok {
      let start = verdict.outcome == .raise ? "UICollectionView raises: " : "UICollectionView may"
      #expect(verdict.message.hasPrefix(start) && verdict.message.hasSuffix("."))
      if example.question.reloadSections.isEmpty { #expect(example.question.refusal == verdict) }
    } else {
      #expect(verdict == .ok)
    }
  }

  @Test(arguments: refusalCases)
  fileprivate func refusalKeepsToTheSafeSubset(_ example: RuleCase) {
    #expect(example.question.verdict == .ok)
    let refusal = example.question.refusal
    #expect(refusal?.rule == example.rule)
    #expect((refusal?.outcome ?? .ok) == example.outcome)
  }

  @Test func everyRuleHasAnExampleAndANameOfItsOwn() {
    let examples =
      boundsCases + contradictionCases + countCases + structureCases + reloadCases + refusalCases
    #expect(Set(examples.compactMap(\.rule)) == Set(LegalityRule.all))
    #expect(Set(LegalityRule.all.map(\.name)).count == LegalityRule.all.count)
  }

  @Test func messagesSayWhatTheViewWouldFind() {
    #expect(
      LegalityQuestion([2], [2], [.deleteItem(0, 0)]).verdict.message
        == "UICollectionView raises: section 0 has 2 items after the update, "
        + "but 2 before − 1 deleted gives 1.")
    #expect(
      LegalityQuestion([1, 1], [1, 1, 1], []).verdict.message
        == "UICollectionView raises: there are 3 sections after the update, "
        + "but 2 before, and no operation changes that.")
    #expect(
      LegalityQuestion([3], [3], [.reloadItem(0, 1), .moveItem(0, 0, to: 0, 2)]).verdict.message
        == "UICollectionView may accept this, but the reload of [0, 1], made without the moves, "
        + "draws item [0, 1] anew instead of item [0, 0], which keeps its old cell, "
        + "paths after the update.")
  }

  /// What is wrong first counts, and a raise before a hazard.
  @Test func theFirstReasonIsGiven() {
    let both = LegalityQuestion([3], [9], [.deleteItem(0, 7), .insertItem(0, 9)])
    #expect(both.verdict.rule == .deleteItemOutOfBounds)
    let hazardAndRaise = LegalityQuestion(
      [2, 2], [2, 9], [.moveSection(0, 1), .deleteItem(0, 0), .insertItem(1, 0)])
    #expect(hazardAndRaise.verdict.rule == .itemCountMismatch)
  }
}
