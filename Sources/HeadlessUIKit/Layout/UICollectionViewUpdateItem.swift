public import Foundation

/// One operation of a batch update, for a layout.
@MainActor open class UICollectionViewUpdateItem: NSObject {
  /// What happens to an item or a section.
  public enum Action: Int, Sendable {
    /// It is inserted.
    case insert = 0
    /// It is deleted.
    case delete = 1
    /// It is replaced.
    case reload = 2
    /// It moves.
    case move = 3
    /// Nothing happens.
    case none = 4
  }

  /// The path before the update; `nil` for an insertion.
  ///
  /// The item of a whole section is `NSNotFound`.
  public let indexPathBeforeUpdate: IndexPath?
  /// The path after the update; `nil` for a deletion.
  ///
  /// The item of a whole section is `NSNotFound`.
  public let indexPathAfterUpdate: IndexPath?
  /// The operation.
  public let updateAction: Action

  init(_ action: Action, before: UpdatePlace?, after: UpdatePlace?) {
    func path(_ place: UpdatePlace) -> IndexPath {
      IndexPath(item: place.isSection ? NSNotFound : place.item, section: place.section)
    }
    indexPathBeforeUpdate = before.map(path)
    indexPathAfterUpdate = after.map(path)
    updateAction = action
  }
}
