import BatchUpdates
import TestSupport
import Testing

/// A stage and the places that the message about it has to name.
private struct MessageCase: CustomTestStringConvertible {
  let rule: LegalityRule
  let question: LegalityQuestion
  let places: [String]

  var testDescription: String { "\(rule) \(question)" }

  init(
    _ rule: LegalityRule, _ before: [Int], _ after: [Int], _ operations: LegalityOperation...,
    names places: String...
  ) {
    self.rule = rule
    self.question = LegalityQuestion(before, after, operations)
    self.places = places
  }
}

private let boundsCases = [
  MessageCase(.negativeCount, [1, -1], [1], names: "section 1", "-1", "before"),
  MessageCase(.negativeCount, [1], [-2], names: "section 0", "-2", "after"),
  MessageCase(
    .deleteSectionOutOfBounds, [1, 1], [1], .deleteSection(2), names: "section 2", "before"),
  MessageCase(.deleteItemOutOfBounds, [2], [1], .deleteItem(0, 2), names: "[0, 2]", "before"),
  MessageCase(.insertSectionOutOfBounds, [1], [1, 1], .insertSection(2), names: "at 2", "after"),
  MessageCase(.insertItemOutOfBounds, [2], [3], .insertItem(0, 3), names: "[0, 3]", "after"),
  MessageCase(
    .moveSectionOutOfBounds, [1], [1], .moveSection(1, 0), names: "section 1", "to 0", "before"),
  MessageCase(
    .moveSectionOutOfBounds, [1], [1], .moveSection(0, 1), names: "section 0", "to 1", "after"),
  MessageCase(
    .moveItemOutOfBounds, [1], [1], .moveItem(0, 1, to: 0, 0), names: "[0, 1]", "[0, 0]", "before"),
  MessageCase(
    .moveItemOutOfBounds, [1], [1], .moveItem(0, 0, to: 0, 1), names: "[0, 0]", "[0, 1]", "after"),
  MessageCase(
    .reloadSectionOutOfBounds, [1], [1], .reloadSection(1), names: "section 1", "before"),
  MessageCase(
    .reloadSectionOutOfBounds, [1, 1], [1], .reloadSection(1), names: "section 1", "at 1", "after"),
  MessageCase(.reloadItemOutOfBounds, [1], [1], .reloadItem(0, 1), names: "[0, 1]", "before"),
  MessageCase(
    .reloadItemOutOfBounds, [1, 2], [1, 1], .reloadItem(1, 1), names: "[1, 1]", "after"),
  MessageCase(
    .reloadItemOutOfBounds, [2, 1], [1, 2], .moveItem(0, 0, to: 1, 0), .reloadItem(0, 1),
    names: "[0, 1]", "without the moves", "after"),
  MessageCase(
    .reconfigureItemOutOfBounds, [1], [1], .reconfigureItem(0, 1), names: "[0, 1]", "before"),
  MessageCase(
    .updateSectionOutOfBounds, [1], [1], .updateSection(1), names: "section 1", "after"),
]

private let contradictionCases = [
  MessageCase(
    .deleteAndReload, [1, 1], [1], .deleteSection(1), .reloadSection(1), names: "section 1"),
  MessageCase(.deleteAndReload, [2], [1], .deleteItem(0, 1), .reloadItem(0, 1), names: "[0, 1]"),
  MessageCase(
    .deleteAndMove, [1, 1, 1], [1, 1], .deleteSection(2), .moveSection(2, 0),
    names: "section 2", "to 0"),
  MessageCase(
    .deleteAndMove, [3], [2], .deleteItem(0, 1), .moveItem(0, 1, to: 0, 0),
    names: "[0, 1]", "[0, 0]"),
  MessageCase(
    .insertAndMove, [1, 1], [1, 1, 1], .insertSection(0), .moveSection(1, 0),
    names: "at 0", "section 1"),
  MessageCase(
    .insertAndMove, [1, 1, 1], [1, 1, 1], .moveSection(0, 1), .reloadSection(1),
    names: "reload of section 1", "at 1", "section 0"),
  MessageCase(
    .insertAndMove, [2], [3], .insertItem(0, 2), .moveItem(0, 0, to: 0, 2),
    names: "[0, 2]", "[0, 0]"),
  MessageCase(
    .insertAndMove, [3], [2], .deleteItem(0, 0), .reloadItem(0, 1), .moveItem(0, 2, to: 0, 0),
    names: "reload of [0, 1]", "[0, 0]", "[0, 2]"),
  MessageCase(
    .reloadAndMove, [1, 1], [1, 1], .reloadSection(0), .moveSection(0, 1),
    names: "section 0", "to 1"),
  MessageCase(
    .reloadAndMove, [2], [2], .reloadItem(0, 0), .moveItem(0, 0, to: 0, 1),
    names: "[0, 0]", "[0, 1]"),
  MessageCase(
    .moveToTwoPlaces, [1, 1, 1], [1, 1, 1], .moveSection(0, 1), .moveSection(0, 2),
    names: "section 0", "1 and 2"),
  MessageCase(
    .moveToTwoPlaces, [3], [3], .moveItem(0, 0, to: 0, 1), .moveItem(0, 0, to: 0, 2),
    names: "[0, 0]", "[0, 1]", "[0, 2]"),
  MessageCase(
    .moveFromTwoPlaces, [1, 1, 1], [1, 1, 1], .moveSection(0, 2), .moveSection(1, 2),
    names: "0 and 1", "to 2"),
  MessageCase(
    .moveFromTwoPlaces, [3], [3], .moveItem(0, 0, to: 0, 2), .moveItem(0, 1, to: 0, 2),
    names: "[0, 0]", "[0, 1]", "[0, 2]"),
  MessageCase(
    .reloadInDeletedSection, [1, 1], [1], .deleteSection(1), .reloadItem(1, 0),
    names: "[1, 0]", "section 1"),
]

private let countCases = [
  MessageCase(.sectionCountMismatch, [1, 1], [1, 1, 1], names: "3 sections", "2 before", "after"),
  MessageCase(
    .itemCountMismatch, [1, 2], [1, 2], .deleteItem(1, 0), names: "section 1", "2 items", "gives 1"),
  MessageCase(
    .itemCountMismatch, [1, 2], [1, 2], .moveSection(0, 1), names: "section 0", "section 1"),
]

private let doubledCases = [
  MessageCase(
    .duplicateDelete, [1, 1, 1], [1], .deleteSection(1), .deleteSection(1), names: "section 1"),
  MessageCase(.duplicateDelete, [3], [1], .deleteItem(0, 1), .deleteItem(0, 1), names: "[0, 1]"),
  MessageCase(
    .duplicateInsert, [1], [1, 1, 1], .insertSection(1), .insertSection(1),
    names: "at 1", "UITableView"),
  MessageCase(
    .duplicateInsert, [2], [4], .insertItem(0, 1), .insertItem(0, 1),
    names: "[0, 1]", "UITableView"),
  MessageCase(
    .duplicateReload, [1, 1], [1, 1], .reloadSection(1), .reloadSection(1), names: "section 1"),
  MessageCase(.duplicateReload, [2], [2], .reloadItem(0, 1), .reloadItem(0, 1), names: "[0, 1]"),
]

private let hazardCases = [
  MessageCase(
    .moveOutOfDeletedSection, [1, 2], [3], .deleteSection(0), .moveItem(0, 0, to: 0, 2),
    names: "[0, 0]", "[0, 2]", "section 0", "deleted", "after"),
  MessageCase(
    .moveIntoInsertedSection, [2], [1, 1], .insertSection(1), .moveItem(0, 1, to: 1, 0),
    names: "[0, 1]", "[1, 0]", "section 1", "inserted", "after"),
  MessageCase(
    .moveTouchesReloadedSection, [2, 1], [1, 2], .reloadSection(0), .moveItem(0, 0, to: 1, 0),
    names: "[0, 0]", "[1, 0]", "section 0"),
  MessageCase(
    .moveTouchesReloadedSection, [0, 2, 1], [3, 0], .deleteSection(0), .reloadSection(1),
    .moveItem(2, 0, to: 0, 2), names: "[2, 0]", "[0, 2]", "section 1", "at 0"),
  MessageCase(
    .redundantOperationWithReload, [1, 3], [3], .deleteSection(0), .deleteItem(0, 0),
    .reloadItem(1, 2), names: "delete at [0, 0]", "reload of [1, 2]", "[0, 1]", "[0, 2]", "after"),
  MessageCase(
    .redundantOperationWithReload, [0, 5], [0, 1, 5], .insertSection(1), .insertItem(1, 0),
    .reloadItem(1, 0), names: "insert at [1, 0]", "reload of [1, 0]", "[2, 1]", "[2, 0]", "after"),
  MessageCase(
    .reloadWithMove, [3], [3], .reloadItem(0, 1), .moveItem(0, 0, to: 0, 2),
    names: "reload of [0, 1]", "item [0, 1]", "item [0, 0]", "after"),
  MessageCase(
    .reloadWithSectionMove, [1, 2], [3, 0], .moveSection(1, 0), .reloadItem(0, 0),
    names: "reload of [0, 0]", "at [0, 0]", "section 0", "section 1"),
  MessageCase(
    .reloadWithSectionMove, [1, 2, 3], [1, 4, 1], .moveSection(0, 2), .reloadItem(1, 0),
    names: "reload of [1, 0]", "item [1, 0]", "item [0, 0]", "after"),
  MessageCase(
    .reloadInMovedSection, [2, 2], [2, 2], .moveSection(1, 0), .reloadItem(0, 0),
    .reloadItem(1, 1), names: "[1, 1]", "section 1", "to 0"),
  MessageCase(
    .reloadOfDisplacedSection, [1, 1, 1], [1, 1, 1], .moveSection(0, 2), .reloadSection(1),
    names: "reload of section 1", "section 0", "after"),
  MessageCase(
    .insertInMovedSection, [1, 2], [3, 1], .moveSection(1, 0), .insertItem(0, 2),
    names: "[0, 2]", "section 0", "section 1"),
  MessageCase(
    .deleteInMovedSection, [1, 2], [1, 1], .moveSection(1, 0), .deleteItem(1, 1),
    names: "[1, 1]", "section 1", "to 0"),
  MessageCase(
    .moveInMovedSection, [1, 2], [2, 1], .moveSection(1, 0), .moveItem(1, 0, to: 0, 1),
    names: "[1, 0]", "[0, 1]", "section 1 moves to 0", "after"),
  MessageCase(
    .moveInMovedSection, [1, 2, 1], [3, 1, 0], .moveSection(1, 0), .moveItem(2, 0, to: 0, 0),
    names: "[2, 0]", "[0, 0]", "section 1 moves to 0", "after"),
  MessageCase(
    .moveOutOfSectionMovedOntoItself, [2, 1], [1, 2], .moveSection(0, 0),
    .moveItem(0, 0, to: 1, 0), names: "section 0 moves onto itself", "[0, 0]", "[1, 0]", "after"),
  MessageCase(
    .moveBetweenShiftedSections, [1, 2, 3], [1, 4], .deleteSection(0), .moveItem(1, 0, to: 1, 1),
    names: "[1, 0]", "[1, 1]", "section 0", "after"),
  MessageCase(
    .reloadBeyondNewCount, [4], [3], .deleteItem(0, 0), .reloadItem(0, 3),
    names: "[0, 3]", "iOS 15"),
  MessageCase(
    .reconfigureWithStructure, [2], [1], .deleteItem(0, 0), .reconfigureItem(0, 1),
    names: "[0, 1]", "before"),
]

private let refusalCases = [
  MessageCase(.mixedStage, [3], [2], .deleteItem(0, 2), .reloadItem(0, 1), names: "[0, 1]"),
  MessageCase(
    .mixedStage, [1, 1], [1, 1], .moveSection(0, 1), .updateSection(1), names: "section 1"),
  MessageCase(
    .mixedStage, [1, 1], [1, 1], .moveSection(0, 1), .updateSection(0), .updateSection(1),
    names: "section 0"),
  MessageCase(
    .duplicateOperation, [3], [3], .moveItem(0, 0, to: 0, 1), .moveItem(0, 0, to: 0, 1),
    names: "[0, 0]"),
  MessageCase(
    .duplicateOperation, [1, 1], [1, 1], .moveSection(1, 0), .moveSection(1, 0),
    names: "section 1"),
  MessageCase(
    .duplicateOperation, [3], [3], .reconfigureItem(0, 1), .reconfigureItem(0, 1),
    names: "[0, 1]"),
  MessageCase(
    .duplicateOperation, [3], [3], .reconfigureItem(0, 1), .reloadItem(0, 1), names: "[0, 1]"),
  MessageCase(
    .duplicateOperation, [1], [1], .updateSection(0), .updateSection(0), names: "section 0"),
  MessageCase(
    .redundantOperation, [3, 1], [3], .deleteSection(1), .deleteItem(1, 0), names: "[1, 0]"),
  MessageCase(
    .redundantOperation, [3], [3, 1], .insertSection(1), .insertItem(1, 0), names: "[1, 0]"),
  MessageCase(
    .moveBetweenSectionsWithSectionOperations, [1, 2, 3], [3, 2], .deleteSection(0),
    .moveItem(2, 0, to: 0, 1), names: "[2, 0]", "[0, 1]"),
  // The first of several.
  MessageCase(
    .moveBetweenSectionsWithSectionOperations, [1, 2, 4], [4, 2], .deleteSection(0),
    .moveItem(2, 0, to: 0, 1), .moveItem(2, 1, to: 0, 2), names: "item [2, 0] moves to [0, 1]"),
  MessageCase(.moveOntoItself, [1, 1], [1, 1], .moveSection(1, 1), names: "section 1"),
  MessageCase(.moveOntoItself, [2], [2], .moveItem(0, 1, to: 0, 1), names: "[0, 1]"),
]

/// A message says what the view does and names all that did it.
@Suite struct LegalityMessageTests {
  private static let cases =
    boundsCases + contradictionCases + countCases + doubledCases + hazardCases + refusalCases

  @Test(arguments: cases)
  fileprivate func theMessageIsOneSentenceThatNamesThePlaces(_ example: MessageCase) throws {
    let asked = example.question.verdict
    let verdict = try asked == .ok ? #require(example.question.refusal) : asked
    let message = verdict.message
    #expect(verdict.rule == example.rule, "\(message)")
    #expect(message.hasSuffix(".") && message.count { $0 == "." } == 1, "\(message)")
    #expect(!message.contains("\n"))
    #expect(
      message.hasPrefix(
        verdict.outcome == .raise
          ? "UICollectionView raises: " : "UICollectionView may accept this, but "))
    for place in example.places { #expect(message.contains(place), "\(place) in: \(message)") }
  }

  @Test func everyRuleHasAMessage() {
    #expect(Set(Self.cases.map(\.rule)) == Set(LegalityRule.all))
  }
}
