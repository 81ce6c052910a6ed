/// A rule of `UICollectionView` that a stage can break.
///
/// The rules come from the texts of UIKit's exceptions, from the order in which it raises them, and
/// from the workarounds of other libraries. They were not tried on devices of every version.
///
/// - SeeAlso:
///   [performBatchUpdates](https://developer.apple.com/documentation/uikit/uicollectionview/performbatchupdates(_:completion:))
public struct LegalityRule: Hashable, Sendable, CustomStringConvertible {
  /// A stable name, which scripts may compare.
  public let name: String

  private init(_ name: String) { self.name = name }

  /// The name.
  public var description: String { name }
}

// MARK: - Places that do not exist

extension LegalityRule {
  /// Raises: a section has a negative count.
  public static let negativeCount = LegalityRule("negativeCount")
  /// Raises: a deleted section is not in the list before.
  public static let deleteSectionOutOfBounds = LegalityRule("deleteSectionOutOfBounds")
  /// Raises: a deleted item, or its section, is not in the list before.
  public static let deleteItemOutOfBounds = LegalityRule("deleteItemOutOfBounds")
  /// Raises: an inserted section is not in the list after.
  public static let insertSectionOutOfBounds = LegalityRule("insertSectionOutOfBounds")
  /// Raises: an inserted item, or its section, is not in the list after.
  public static let insertItemOutOfBounds = LegalityRule("insertItemOutOfBounds")
  /// Raises: the source of a moved section is not in the list before, or its target is not in the
  /// list after.
  public static let moveSectionOutOfBounds = LegalityRule("moveSectionOutOfBounds")
  /// Raises: the source of a moved item is not in the list before, or its target is not in the list
  /// after.
  public static let moveItemOutOfBounds = LegalityRule("moveItemOutOfBounds")
  /// Raises: a reloaded section is not in the list before, or the index at which its reload
  /// inserts it is not in the list after.
  public static let reloadSectionOutOfBounds = LegalityRule("reloadSectionOutOfBounds")
  /// Raises: a reloaded item is not in the list before, or the path at which its reload inserts it
  /// is not in the list after.
  ///
  /// The view finds that path without regard to moves.
  public static let reloadItemOutOfBounds = LegalityRule("reloadItemOutOfBounds")
  /// Raises: a reconfigured item is not in the list before.
  public static let reconfigureItemOutOfBounds = LegalityRule("reconfigureItemOutOfBounds")
  /// Raises: a section whose attributes changed is not in the list after.
  public static let updateSectionOutOfBounds = LegalityRule("updateSectionOutOfBounds")
}

// MARK: - Operations that contradict each other

extension LegalityRule {
  /// Raises: an item or a section is deleted and reloaded.
  public static let deleteAndReload = LegalityRule("deleteAndReload")
  /// Raises: an item or a section is deleted and moved.
  public static let deleteAndMove = LegalityRule("deleteAndMove")
  /// Raises: an item or a section is inserted, by an insert or by a reload, where another one moves
  /// to.
  public static let insertAndMove = LegalityRule("insertAndMove")
  /// Raises: an item or a section is reloaded and moved.
  ///
  /// The reload deletes it first.
  public static let reloadAndMove = LegalityRule("reloadAndMove")
  /// Raises: one source moves to two targets.
  public static let moveToTwoPlaces = LegalityRule("moveToTwoPlaces")
  /// Raises: two sources move to one target.
  public static let moveFromTwoPlaces = LegalityRule("moveFromTwoPlaces")
  /// Raises: an item is reloaded in a section that is deleted.
  ///
  /// The reload would insert the item in another section, or nowhere.
  public static let reloadInDeletedSection = LegalityRule("reloadInDeletedSection")
}

// MARK: - Counts

extension LegalityRule {
  /// Raises: sections before − deleted + inserted is not sections after.
  public static let sectionCountMismatch = LegalityRule("sectionCountMismatch")
  /// Raises: in a section that stays, items before − deleted − moved out + inserted + moved in is
  /// not items after.
  ///
  /// A reload counts as a delete and an insert, at the places where UIKit puts them.
  public static let itemCountMismatch = LegalityRule("itemCountMismatch")
  /// Raises: a section moves onto its own index, and an item of it moves to another section.
  ///
  /// The view lays out the section's items anew, the moved one among them, and asks for an index
  /// path beyond the last.
  public static let moveOutOfSectionMovedOntoItself = LegalityRule(
    "moveOutOfSectionMovedOntoItself")
}

// MARK: - Stages that some version accepts and then shows wrong

extension LegalityRule {
  /// Unsafe: one item or section is deleted twice and counts twice, which corrupts the view's map
  /// of items.
  public static let duplicateDelete = LegalityRule("duplicateDelete")
  /// Unsafe: one place is inserted twice and counts twice; `UITableView` counts it once.
  public static let duplicateInsert = LegalityRule("duplicateInsert")
  /// Unsafe: a reload is given twice, so that its delete and its insert count twice.
  public static let duplicateReload = LegalityRule("duplicateReload")
  /// Unsafe: an item moves out of a deleted section.
  ///
  /// Versions differ between raising and reloading everything.
  public static let moveOutOfDeletedSection = LegalityRule("moveOutOfDeletedSection")
  /// Unsafe: an item moves into an inserted section.
  ///
  /// Versions differ between raising and reloading everything.
  public static let moveIntoInsertedSection = LegalityRule("moveIntoInsertedSection")
  /// Unsafe: an item moves out of, into or inside a section that is reloaded.
  ///
  /// The reload deletes the section and inserts another one.
  public static let moveTouchesReloadedSection = LegalityRule("moveTouchesReloadedSection")
  /// Unsafe: an item is deleted in a deleted section, or inserted in an inserted one, and an item
  /// of the next section is reloaded.
  ///
  /// The view ignores the delete or insert in the end, but shifts the reload by it first. So
  /// another item gets the new cell.
  public static let redundantOperationWithReload = LegalityRule("redundantOperationWithReload")
  /// Unsafe: an item is reloaded while other items move.
  ///
  /// The view inserts the new cell where the item would be without the moves, so another item gets
  /// it.
  public static let reloadWithMove = LegalityRule("reloadWithMove")
  /// Unsafe: an item is reloaded in a section whose index changes because other sections move.
  ///
  /// The view inserts the new cell in another section.
  public static let reloadWithSectionMove = LegalityRule("reloadWithSectionMove")
  /// Unsafe: an item is reloaded in a section that moves.
  public static let reloadInMovedSection = LegalityRule("reloadInMovedSection")
  /// Unsafe: a section is reloaded whose index changes because other sections move.
  ///
  /// The view inserts it at the index of another section.
  public static let reloadOfDisplacedSection = LegalityRule("reloadOfDisplacedSection")
  /// Unsafe: an item is inserted in a section that moves.
  ///
  /// The view lays the moved items out over the inserted one.
  public static let insertInMovedSection = LegalityRule("insertInMovedSection")
  /// Unsafe: an item is deleted in a section that moves.
  ///
  /// The view animates its cell twice, and the cell stays.
  public static let deleteInMovedSection = LegalityRule("deleteInMovedSection")
  /// Unsafe: an item moves out of, into or inside a section that moves.
  public static let moveInMovedSection = LegalityRule("moveInMovedSection")
  /// Unsafe: an item moves to another section, and the index of that section after the update is
  /// the index of the item's section before it.
  ///
  /// A view that compares the bare indexes does not count the move.
  public static let moveBetweenShiftedSections = LegalityRule("moveBetweenShiftedSections")
  /// Unsafe: an item is reloaded whose index before is not less than its section's count after.
  ///
  /// From iOS 15 on the view ignores the reload.
  public static let reloadBeyondNewCount = LegalityRule("reloadBeyondNewCount")
  /// Unsafe: an item is reconfigured in a stage that also deletes, inserts or moves.
  ///
  /// The view reconfigures at once, with the item that the new list has at the old path.
  public static let reconfigureWithStructure = LegalityRule("reconfigureWithStructure")
}

// MARK: - Stages that the view may accept, but Cellar does not make

extension LegalityRule {
  /// Outside the safe subset: a stage changes structure and content.
  public static let mixedStage = LegalityRule("mixedStage")
  /// Outside the safe subset: an operation occurs twice, or an item is both reloaded and
  /// reconfigured.
  public static let duplicateOperation = LegalityRule("duplicateOperation")
  /// Outside the safe subset: an item is deleted with its section, or inserted with it.
  public static let redundantOperation = LegalityRule("redundantOperation")
  /// Outside the safe subset: an item changes its section while sections are deleted, inserted or
  /// moved.
  public static let moveBetweenSectionsWithSectionOperations = LegalityRule(
    "moveBetweenSectionsWithSectionOperations")
  /// Outside the safe subset: an item or a section moves onto its own index, where it would be
  /// anyway.
  public static let moveOntoItself = LegalityRule("moveOntoItself")
}

extension LegalityRule {
  /// All rules.
  package static let all: [LegalityRule] = [
    negativeCount, deleteSectionOutOfBounds, deleteItemOutOfBounds, insertSectionOutOfBounds,
    insertItemOutOfBounds, moveSectionOutOfBounds, moveItemOutOfBounds, reloadSectionOutOfBounds,
    reloadItemOutOfBounds, reconfigureItemOutOfBounds, updateSectionOutOfBounds,
    deleteAndReload, deleteAndMove, insertAndMove, reloadAndMove, moveToTwoPlaces,
    moveFromTwoPlaces, reloadInDeletedSection,
    sectionCountMismatch, itemCountMismatch, moveOutOfSectionMovedOntoItself,
    duplicateDelete, duplicateInsert, duplicateReload, moveOutOfDeletedSection,
    moveIntoInsertedSection, moveTouchesReloadedSection, redundantOperationWithReload,
    reloadWithMove, reloadWithSectionMove, reloadInMovedSection, reloadOfDisplacedSection,
    insertInMovedSection, deleteInMovedSection, moveInMovedSection, moveBetweenShiftedSections,
    reloadBeyondNewCount, reconfigureWithStructure,
    mixedStage, duplicateOperation, redundantOperation, moveBetweenSectionsWithSectionOperations,
    moveOntoItself,
  ]
}
