/// A rule of `UICollectionView` that a stage can break.
///
/// Found in exception texts, in the order in which exceptions are raised, and in what other libraries
/// learnt to avoid; not on a device of every version.
///
/// - SeeAlso: [performBatchUpdates](https://developer.apple.com/documentation/uikit/uicollectionview/performbatchupdates(_:completion:))
public struct LegalityRule: Hashable, Sendable, CustomStringConvertible {
  /// A stable name: scripts may compare it.
  public let name: String

  private init(_ name: String) { self.name = name }

  /// The name.
  public var description: String { name }
}

// MARK: - Places that do not exist

extension LegalityRule {
  /// A section has a negative count, which no data source can mean.
  public static let negativeCount = LegalityRule("negativeCount")
  /// Raises: a deleted section is not in the list before.
  public static let deleteSectionOutOfBounds = LegalityRule("deleteSectionOutOfBounds")
  /// Raises: a deleted item, or its section, is not in the list before.
  public static let deleteItemOutOfBounds = LegalityRule("deleteItemOutOfBounds")
  /// Raises: an inserted section is not in the list after.
  public static let insertSectionOutOfBounds = LegalityRule("insertSectionOutOfBounds")
  /// Raises: an inserted item, or its section, is not in the list after.
  public static let insertItemOutOfBounds = LegalityRule("insertItemOutOfBounds")
  /// Raises: a section moves from an index that the list before, or to one that the list after
  /// does not have.
  public static let moveSectionOutOfBounds = LegalityRule("moveSectionOutOfBounds")
  /// Raises: an item moves from a path that the list before, or to one that the list after does
  /// not have.
  public static let moveItemOutOfBounds = LegalityRule("moveItemOutOfBounds")
  /// Raises: a reloaded section is not in the list before, or the index at which its reload
  /// inserts it is not in the list after.
  public static let reloadSectionOutOfBounds = LegalityRule("reloadSectionOutOfBounds")
  /// Raises: a reloaded item is not in the list before, or the path at which its reload inserts
  /// it, found without regard to moves, is not in the list after.
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
  /// Raises: something is inserted where something else moves to, be it by the insert that a
  /// reload is made of.
  public static let insertAndMove = LegalityRule("insertAndMove")
  /// Raises: an item or a section is reloaded and moved; its reload deletes it first.
  public static let reloadAndMove = LegalityRule("reloadAndMove")
  /// Raises: one source moves to two targets.
  public static let moveToTwoPlaces = LegalityRule("moveToTwoPlaces")
  /// Raises: two sources move to one target.
  public static let moveFromTwoPlaces = LegalityRule("moveFromTwoPlaces")
  /// Raises: an item is reloaded in a section that is deleted.
  ///
  /// The insert that the reload is made of ends up in another section, or nowhere.
  public static let reloadInDeletedSection = LegalityRule("reloadInDeletedSection")
}

// MARK: - Counts

extension LegalityRule {
  /// Raises: sections before − deleted + inserted is not sections after.
  public static let sectionCountMismatch = LegalityRule("sectionCountMismatch")
  /// Raises: in a section that stays, items before − deleted − moved out + inserted + moved in is
  /// not items after; a reload counts as a delete and an insert where UIKit puts them.
  public static let itemCountMismatch = LegalityRule("itemCountMismatch")
  /// Raises: a section moves onto its own index, and an item of it moves to another section.
  ///
  /// The view lays out the section's items anew, the moved one among them, and asks for an index
  /// path beyond the last.
  public static let moveOutOfSectionMovedOntoItself = LegalityRule(
    "moveOutOfSectionMovedOntoItself")
}

// MARK: - What some version accepts, and then goes wrong

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
  /// Unsafe: an item moves out of, into or inside a section that is reloaded, which is a section
  /// deleted and inserted.
  public static let moveTouchesReloadedSection = LegalityRule("moveTouchesReloadedSection")
  /// Unsafe: an item is deleted in a deleted section, or inserted in an inserted one, beside a
  /// reload in the section after it.
  ///
  /// The section swallows it, but not before it has shifted the reload, so that another item gets
  /// the new cell.
  public static let redundantOperationWithReload = LegalityRule("redundantOperationWithReload")
  /// Unsafe: a reload beside moves of other items.
  ///
  /// Its insert lands where the item would be without the moves, so that another item gets the new
  /// cell.
  public static let reloadWithMove = LegalityRule("reloadWithMove")
  /// Unsafe: an item is reloaded in a section that moved sections displace; its insert lands in
  /// another section.
  public static let reloadWithSectionMove = LegalityRule("reloadWithSectionMove")
  /// Unsafe: an item is reloaded in a section that moves.
  public static let reloadInMovedSection = LegalityRule("reloadInMovedSection")
  /// Unsafe: a section is reloaded where moved sections displace it; its insert lands on another
  /// section.
  public static let reloadOfDisplacedSection = LegalityRule("reloadOfDisplacedSection")
  /// Unsafe: an item is inserted in a section that moves.
  ///
  /// The moved items are laid out over it.
  public static let insertInMovedSection = LegalityRule("insertInMovedSection")
  /// Unsafe: an item is deleted in a section that moves.
  ///
  /// Its cell is animated twice and stays.
  public static let deleteInMovedSection = LegalityRule("deleteInMovedSection")
  /// Unsafe: an item moves out of, into or inside a section that moves.
  public static let moveInMovedSection = LegalityRule("moveInMovedSection")
  /// Unsafe: an item moves from one section to another whose index after the update is the first
  /// one's index before it; a view that compares the bare indexes does not count it.
  public static let moveBetweenShiftedSections = LegalityRule("moveBetweenShiftedSections")
  /// Unsafe: beside deletes, an item is reloaded whose index before is not below its section's
  /// count after.
  ///
  /// From iOS 15 on the view ignores the reload.
  public static let reloadBeyondNewCount = LegalityRule("reloadBeyondNewCount")
  /// Unsafe: items are reconfigured beside operations that move items about.
  ///
  /// The view reconfigures at once, at the path before, and gets the item that the new list has
  /// there.
  public static let reconfigureWithStructure = LegalityRule("reconfigureWithStructure")
}

// MARK: - What Cellar does not emit, though the view may accept it

extension LegalityRule {
  /// Outside the safe subset: structure and content are in one stage.
  public static let mixedStage = LegalityRule("mixedStage")
  /// Outside the safe subset: an operation is in the stage twice, or an item is reloaded and
  /// reconfigured.
  public static let duplicateOperation = LegalityRule("duplicateOperation")
  /// Outside the safe subset: an item is deleted with its section, or inserted with it.
  public static let redundantOperation = LegalityRule("redundantOperation")
  /// Outside the safe subset: an item changes its section beside section operations.
  public static let moveBetweenSectionsWithSectionOperations = LegalityRule(
    "moveBetweenSectionsWithSectionOperations")
  /// Outside the safe subset: something moves onto its own place, and would be there without.
  public static let moveOntoItself = LegalityRule("moveOntoItself")
}

extension LegalityRule {
  /// Every rule, each once.
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
