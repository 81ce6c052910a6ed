import BatchUpdates
import Foundation
import HeadlessUIKit
import ListModel
import TestSupport
import Testing

/// Each rule that UIKit has for a batch, on a collection view and on a table view, with UIKit's
/// text; and as Cellar's own check says it, which knows neither view.
@MainActor @Suite struct UpdateRuleTests {
  /// The operations that both views have.
  enum Operation {
    case deleteSection(Int), insertSection(Int), reloadSection(Int), moveSection(Int, Int)
    case delete(IndexPath), insert(IndexPath), reload(IndexPath), reconfigure(IndexPath)
    case move(IndexPath, IndexPath)

    @MainActor func tell(_ view: UICollectionView) {
      switch self {
      case .deleteSection(let section): view.deleteSections([section])
      case .insertSection(let section): view.insertSections([section])
      case .reloadSection(let section): view.reloadSections([section])
      case .moveSection(let from, let to): view.moveSection(from, toSection: to)
      case .delete(let path): view.deleteItems(at: [path])
      case .insert(let path): view.insertItems(at: [path])
      case .reload(let path): view.reloadItems(at: [path])
      case .reconfigure(let path): view.reconfigureItems(at: [path])
      case .move(let from, let to): view.moveItem(at: from, to: to)
      }
    }

    @MainActor func tell(_ view: UITableView) {
      switch self {
      case .deleteSection(let section): view.deleteSections([section], with: .automatic)
      case .insertSection(let section): view.insertSections([section], with: .automatic)
      case .reloadSection(let section): view.reloadSections([section], with: .automatic)
      case .moveSection(let from, let to): view.moveSection(from, toSection: to)
      case .delete(let path): view.deleteRows(at: [path], with: .automatic)
      case .insert(let path): view.insertRows(at: [path], with: .automatic)
      case .reload(let path): view.reloadRows(at: [path], with: .automatic)
      case .reconfigure(let path): view.reconfigureRows(at: [path])
      case .move(let from, let to): view.moveRow(at: from, to: to)
      }
    }

    /// The operation as Cellar's check and the oracle take it.
    var legality: LegalityOperation {
      switch self {
      case .deleteSection(let section): .deleteSection(section)
      case .insertSection(let section): .insertSection(section)
      case .reloadSection(let section): .reloadSection(section)
      case .moveSection(let from, let to): .moveSection(from, to)
      case .delete(let path): .deleteItem(path.section, path.item)
      case .insert(let path): .insertItem(path.section, path.item)
      case .reload(let path): .reloadItem(path.section, path.item)
      case .reconfigure(let path): .reconfigureItem(path.section, path.item)
      case .move(let from, let to): .moveItem(from.section, from.item, to: to.section, to.item)
      }
    }
  }

  /// Expects what Cellar's own check says, and the oracle.
  private func expectVerdict(
    _ outcome: LegalityVerdict.Outcome, _ rule: LegalityRule?, _ before: [Int], _ after: [Int],
    _ operations: [Operation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let question = LegalityQuestion(before, after, operations.map(\.legality))
    let verdict = question.verdict
    #expect(LegalityOracle.outcome(of: question) == outcome, sourceLocation: sourceLocation)
    #expect(verdict.outcome == outcome, "\(verdict.message)", sourceLocation: sourceLocation)
    #expect(verdict.rule == rule, "\(verdict.message)", sourceLocation: sourceLocation)
  }

  /// What the collection view raises, and what the table view does.
  private func raised(
    _ before: [Int], _ after: [Int], _ operations: [Operation]
  ) -> (collection: [HeadlessException], table: [HeadlessException]) {
    let screen = ShelfScreen(before)
    screen.view.headless.expectedContent = nil
    let collection = HeadlessException.raised {
      screen.update(after) { view in for operation in operations { operation.tell(view) } }
    }
    #expect(screen.view.headless.isFrozen == !collection.isEmpty)
    let tableScreen = TableScreen(before)
    tableScreen.view.headless.expectedContent = nil
    let table = HeadlessException.raised {
      tableScreen.update(after) { view in for operation in operations { operation.tell(view) } }
    }
    #expect(tableScreen.view.headless.isFrozen == !table.isEmpty)
    return (collection, table)
  }

  private func expectRaise(
    _ before: [Int], _ after: [Int], _ operations: [Operation], _ rule: LegalityRule,
    _ reason: String, name: HeadlessException.Name = .internalInconsistency,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (collection, table) = raised(before, after, operations)
    let rows = reason.replacing("item ", with: "row ").replacing("items ", with: "rows ")
      .replacing("an row", with: "a row")
    #expect(collection.map(\.reason) == [reason], sourceLocation: sourceLocation)
    #expect(table.map(\.reason) == [rows], sourceLocation: sourceLocation)
    #expect(collection.map(\.name) == [name], sourceLocation: sourceLocation)
    // Not each version of UIKit raises this one: Cellar never relies on it.
    let outcome: LegalityVerdict.Outcome =
      reason.hasPrefix("cannot move an item") ? .unsafe : .raise
    expectVerdict(outcome, rule, before, after, operations, sourceLocation: sourceLocation)
  }

  private func expectHazard(
    _ before: [Int], _ after: [Int], _ operations: [Operation], _ rule: LegalityRule,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (collection, table) = raised(before, after, operations)
    #expect(collection.map(\.name) == [.hazard], sourceLocation: sourceLocation)
    #expect(table.map(\.name) == [.hazard], sourceLocation: sourceLocation)
    expectVerdict(.unsafe, rule, before, after, operations, sourceLocation: sourceLocation)
  }

  private func expectLegal(
    _ before: [Int], _ after: [Int], _ operations: [Operation],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (collection, table) = raised(before, after, operations)
    #expect(collection == [], sourceLocation: sourceLocation)
    #expect(table == [], sourceLocation: sourceLocation)
    expectVerdict(.ok, nil, before, after, operations, sourceLocation: sourceLocation)
  }

  private func path(_ section: Int, _ item: Int) -> String {
    "<NSIndexPath> {length = 2, path = \(section) - \(item)}"
  }

  // MARK: Places

  @Test func deletedSectionsMustHaveBeenThere() {
    expectRaise(
      [1, 1], [1], [.deleteSection(2)], .deleteSectionOutOfBounds,
      "attempt to delete section 2, but there are only 2 sections before the update")
    expectLegal([1, 1], [1], [.deleteSection(1)])
  }

  @Test func deletedItemsMustHaveBeenThere() {
    expectRaise(
      [1, 1], [1, 1], [.delete(at(2, 0))], .deleteItemOutOfBounds,
      "attempt to delete item 0 from section 2, but there are only 2 sections before the update")
    expectRaise(
      [3], [2], [.delete(at(0, 3))], .deleteItemOutOfBounds,
      "attempt to delete item 3 from section 0 which only contains 3 items before the update")
    expectLegal([3], [2], [.delete(at(0, 2))])
  }

  @Test func insertedSectionsMustBeThere() {
    expectRaise(
      [1], [1, 1], [.insertSection(2)], .insertSectionOutOfBounds,
      "attempt to insert section 2 but there are only 2 sections after the update")
    expectLegal([1], [1, 1], [.insertSection(1)])
  }

  @Test func insertedItemsMustBeThere() {
    expectRaise(
      [1], [2], [.insert(at(1, 0))], .insertItemOutOfBounds,
      "attempt to insert item 0 into section 1, but there are only 1 sections after the update")
    expectRaise(
      [1], [2], [.insert(at(0, 2))], .insertItemOutOfBounds,
      "attempt to insert item 2 into section 0, but there are only 2 items in section 0 after the "
        + "update")
    expectLegal([1], [2], [.insert(at(0, 1))])
  }

  @Test func movesMustBeginAndEndSomewhere() {
    expectRaise(
      [1, 1], [1, 1], [.moveSection(2, 0)], .moveSectionOutOfBounds,
      "attempt to move section 2, but there are only 2 sections before the update")
    expectRaise(
      [1, 1], [1, 1], [.moveSection(0, 2)], .moveSectionOutOfBounds,
      "attempt to to move section 2, but there are only 2 sections after the update")
    expectRaise(
      [2], [2], [.move(at(0, 2), at(0, 0))], .moveItemOutOfBounds,
      "attempt to move index path (\(path(0, 2))) that does not exist - there are only 2 items in "
        + "section 0 before the update")
    expectRaise(
      [2], [2], [.move(at(0, 0), at(0, 2))], .moveItemOutOfBounds,
      "attempt to move index path (\(path(0, 0))) to index path (\(path(0, 2))) that does not "
        + "exist - there are only 2 items in section 0 after the update")
    expectLegal([2], [2], [.move(at(0, 0), at(0, 1))])
  }

  // MARK: Contradictions

  @Test func nothingIsDeletedAndReloaded() {
    expectRaise(
      [3], [2], [.delete(at(0, 1)), .reload(at(0, 1))], .deleteAndReload,
      "attempt to delete and reload the same index path (\(path(0, 1)))")
    expectRaise(
      [1, 1], [1], [.deleteSection(1), .reloadSection(1)], .deleteAndReload,
      "attempt to delete and reload the same section (1)")
  }

  @Test func nothingIsDeletedAndMoved() {
    expectRaise(
      [3], [2], [.delete(at(0, 1)), .move(at(0, 1), at(0, 0))], .deleteAndMove,
      "attempt to perform a delete and a move from the same index path (\(path(0, 1)))")
    expectRaise(
      [1, 1], [1], [.deleteSection(1), .moveSection(1, 0)], .deleteAndMove,
      "attempt to perform a delete and a move from the same section (1)")
  }

  @Test func nothingIsInsertedWhereSomethingMovesTo() {
    expectRaise(
      [2], [3], [.insert(at(0, 1)), .move(at(0, 0), at(0, 1))], .insertAndMove,
      "attempt to perform an insert and a move to the same index path (\(path(0, 1)))")
    expectRaise(
      [1, 1], [1, 1, 1], [.insertSection(0), .moveSection(1, 0)], .insertAndMove,
      "attempt to perform an insert and a move to the same section (0)")
  }

  @Test func aReloadIsADeleteToAMoveOfTheSame() {
    expectRaise(
      [3], [3], [.reload(at(0, 1)), .move(at(0, 1), at(0, 0))], .reloadAndMove,
      "attempt to perform a delete and a move from the same index path (\(path(0, 1)))")
    expectRaise(
      [1, 1], [1, 1], [.reloadSection(1), .moveSection(1, 0)], .reloadAndMove,
      "attempt to perform a delete and a move from the same section (1)")
  }

  @Test func oneSourceHasOneTarget() {
    expectRaise(
      [3], [3], [.move(at(0, 0), at(0, 1)), .move(at(0, 0), at(0, 2))], .moveToTwoPlaces,
      "attempt to move item at index path \(path(0, 0)) to both \(path(0, 1)) and \(path(0, 2))")
    expectRaise(
      [1, 1, 1], [1, 1, 1], [.moveSection(0, 1), .moveSection(0, 2)], .moveToTwoPlaces,
      "attempt to move section 0 to both section 1 and section 2")
  }

  @Test func oneTargetHasOneSource() {
    expectRaise(
      [3], [3], [.move(at(0, 0), at(0, 2)), .move(at(0, 1), at(0, 2))], .moveFromTwoPlaces,
      "attempt to move both item at index path \(path(0, 0)) and \(path(0, 1)) to \(path(0, 2))")
    expectRaise(
      [1, 1, 1], [1, 1, 1], [.moveSection(0, 2), .moveSection(1, 2)], .moveFromTwoPlaces,
      "attempt to move both section 0 and section 1 to section 2")
  }

  @Test func aMoveToldTwiceIsOne() {
    expectLegal([3], [3], [.move(at(0, 0), at(0, 2)), .move(at(0, 0), at(0, 2))])
    expectLegal([3], [3], [.move(at(0, 1), at(0, 1))])
  }

  @Test func aTableDropsWhatItIsToldTwiceAndACollectionCountsIt() {
    let deletes = raised([3], [2], [.delete(at(0, 1)), .delete(at(0, 1))])
    #expect(deletes.table.isEmpty)
    #expect(deletes.collection.first?.detail.contains("(0 inserted, 2 deleted)") == true)
    expectVerdict(.raise, .itemCountMismatch, [3], [2], [.delete(at(0, 1)), .delete(at(0, 1))])
    let counted = raised([3], [1], [.delete(at(0, 1)), .delete(at(0, 1))])
    #expect(counted.collection.map(\.name) == [.hazard])
    #expect(counted.table.map(\.name) == [.internalInconsistency])
    expectVerdict(.unsafe, .duplicateDelete, [3], [1], [.delete(at(0, 1)), .delete(at(0, 1))])
    let inserts = raised([1], [2], [.insert(at(0, 1)), .insert(at(0, 1))])
    expectVerdict(.raise, .itemCountMismatch, [1], [2], [.insert(at(0, 1)), .insert(at(0, 1))])
    #expect(inserts.table.isEmpty)
    #expect(inserts.collection.map(\.name) == [.internalInconsistency])
  }

  // MARK: Across structure

  @Test func nothingMovesOutOfADeletedSectionOrIntoANewOne() {
    expectRaise(
      [1, 1], [2], [.deleteSection(1), .move(at(1, 0), at(0, 1))], .moveOutOfDeletedSection,
      "cannot move an item from a deleted section (1)")
    expectRaise(
      [2], [1, 1], [.insertSection(1), .move(at(0, 1), at(1, 0))], .moveIntoInsertedSection,
      "cannot move an item into a newly inserted section (1)")
  }

  @Test func whatGoesWithItsSectionMayBeToldOfToo() {
    expectLegal([1, 2], [1], [.deleteSection(1), .delete(at(1, 0))])
    expectLegal([1], [1, 2], [.insertSection(1), .insert(at(1, 0))])
  }

  @Test func nothingIsReloadedInADeletedSection() {
    let (collection, table) = raised([1, 1], [1], [.deleteSection(1), .reload(at(1, 0))])
    expectVerdict(
      .raise, .reloadInDeletedSection, [1, 1], [1], [.deleteSection(1), .reload(at(1, 0))])
    #expect(collection.map(\.name) == [.internalInconsistency])
    #expect(table.map(\.name) == [.internalInconsistency])
  }

  @Test func reloadsAreTakenApartWithoutMoves() {
    // The insert half of the reload lands where the other item moves to.
    expectRaise(
      [3], [3], [.reload(at(0, 1)), .move(at(0, 2), at(0, 1))], .insertAndMove,
      "attempt to perform an insert and a move to the same index path (\(path(0, 1)))")
    // It lands on another item.
    expectHazard([3], [3], [.reload(at(0, 1)), .move(at(0, 0), at(0, 2))], .reloadWithMove)
    // In a section that moves, the counts are those of two sections.
    let moved = raised([1, 3], [3, 1], [.moveSection(0, 1), .reload(at(0, 0))])
    expectVerdict(
      .raise, .itemCountMismatch, [1, 3], [3, 1], [.moveSection(0, 1), .reload(at(0, 0))])
    #expect(!moved.collection.isEmpty && !moved.table.isEmpty)
    expectRaise(
      [1, 1, 1], [1, 1, 1], [.reloadSection(1), .moveSection(2, 1)], .insertAndMove,
      "attempt to perform an insert and a move to the same section (1)")
    expectHazard(
      [1, 1, 1], [1, 1, 1], [.reloadSection(1), .moveSection(0, 2)], .reloadOfDisplacedSection)
  }

  @Test func aReloadedSectionSwallowsWhatHappensInIt() {
    expectLegal([2], [3], [.reloadSection(0), .insert(at(0, 1))])
    expectLegal([2], [3], [.reloadSection(0)])
    expectLegal([2], [2], [.reloadSection(0), .reload(at(0, 1))])
    expectRaise(
      [2, 1], [2, 1], [.reloadSection(0), .move(at(0, 0), at(0, 1))], .moveTouchesReloadedSection,
      "cannot move an item from a deleted section (0)")
  }

  @Test func nothingChangesInASectionThatMoves() {
    expectHazard([1, 2], [3, 1], [.moveSection(1, 0), .insert(at(0, 0))], .insertInMovedSection)
    expectHazard([1, 2], [1, 1], [.moveSection(1, 0), .delete(at(1, 0))], .deleteInMovedSection)
    expectHazard(
      [1, 2], [2, 1], [.moveSection(1, 0), .move(at(1, 0), at(0, 1))], .moveInMovedSection)
    expectLegal([1, 2], [2, 1], [.moveSection(1, 0)])
    expectHazard([2], [2], [.moveSection(0, 0), .move(at(0, 0), at(0, 1))], .moveInMovedSection)
  }

  @Test func sectionsAndItemsOfOthersChangeTogether() {
    expectLegal(
      [2, 2, 1], [1, 2, 3],
      [.moveSection(2, 0), .delete(at(0, 0)), .insert(at(1, 1)), .insert(at(2, 0))])
    expectLegal([2, 2], [1, 3], [.move(at(0, 0), at(1, 2))])
    expectLegal(
      [2, 2], [2, 2], [.move(at(0, 0), at(1, 1)), .delete(at(1, 0)), .insert(at(0, 0))])
  }

  @Test func aReloadBeyondTheNewCountIsIgnored() {
    expectHazard([3], [2], [.delete(at(0, 0)), .reload(at(0, 2))], .reloadBeyondNewCount)
    expectLegal([3], [2], [.delete(at(0, 2)), .reload(at(0, 0))])
  }

  @Test func reconfiguringIsAtOnceAndAlone() {
    expectHazard([3], [2], [.delete(at(0, 0)), .reconfigure(at(0, 1))], .reconfigureWithStructure)
    expectLegal([3], [3], [.reconfigure(at(0, 1)), .reload(at(0, 2))])
    expectRaise(
      [3], [3], [.reconfigure(at(0, 3))], .reconfigureItemOutOfBounds,
      "attempt to delete item 3 from section 0 which only contains 3 items before the update")
  }

  // MARK: Counts

  @Test func countsMustAddUp() {
    let (collection, table) = raised([4], [1], [.delete(at(0, 1)), .insert(at(0, 0))])
    expectVerdict(.raise, .itemCountMismatch, [4], [1], [.delete(at(0, 1)), .insert(at(0, 0))])
    #expect(
      collection.map(\.reason) == [
        """
        Invalid batch updates detected: the number of sections and/or items returned by the data \
        source before and/or after performing the batch updates are inconsistent with the updates.
        Data source before updates = { 1 section with item counts: [4] }
        Data source after updates = { 1 section with item counts: [1] }
        Updates = [
        \tDelete item (0 - 1),
        \tInsert item (0 - 0)
        ]
        """
      ])
    #expect(
      collection.map(\.detail) == [
        "Invalid update: invalid number of items in section 0. The number of items contained in an "
          + "existing section after the update (1) must be equal to the number of items contained "
          + "in that section before the update (4), plus or minus the number of items inserted or "
          + "deleted from that section (1 inserted, 1 deleted) and plus or minus the number of "
          + "items moved into or out of that section (0 moved in, 0 moved out)."
      ])
    #expect(table.first?.reason.contains("1 section with row counts: [4]") == true)
    #expect(table.first?.detail.contains("invalid number of rows in section 0") == true)
  }

  @Test func sectionCountsMustAddUp() {
    let (collection, table) = raised([1], [1, 1], [])
    expectVerdict(.raise, .sectionCountMismatch, [1], [1, 1], [])
    #expect(
      collection.map(\.detail) == [
        "Invalid update: invalid number of sections. The number of sections contained in the "
          + "collection view after the update (2) must be equal to the number of sections contained "
          + "in the collection view before the update (1), plus or minus the number of sections "
          + "inserted or deleted (0 inserted, 0 deleted)."
      ])
    #expect(table.first?.detail.contains("contained in the table view after") == true)
  }

  @Test func anEmptyBatchChecksToo() {
    let (collection, table) = raised([2], [3], [])
    expectVerdict(.raise, .itemCountMismatch, [2], [3], [])
    #expect(collection.count == 1)
    #expect(table.count == 1)
    expectLegal([2], [2], [])
  }
}
