public import Foundation

/// The selection, changed by the app or by the user.
extension UICollectionView {
  /// The paths of the selected items; empty and never `nil`, as in UIKit.
  public var indexPathsForSelectedItems: [IndexPath]? { selection.sorted() }

  /// Selects an item, without telling the delegate.
  ///
  /// - Parameters:
  ///   - indexPath: The item; `nil` deselects all items.
  ///   - animated: Has no effect here.
  ///   - scrollPosition: The position to scroll it to; empty means no scrolling.
  public func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    guard allowsSelectionNow else { return }
    guard let indexPath else {
      for path in selection { setSelected(false, at: path) }
      return
    }
    if !allowsSeveralNow {
      for path in selection where path != indexPath { setSelected(false, at: path) }
    }
    setSelected(true, at: indexPath)
    if !scrollPosition.isEmpty {
      scrollToItem(at: indexPath, at: scrollPosition, animated: animated)
    }
  }

  /// Deselects an item, without telling the delegate.
  ///
  /// - Parameters:
  ///   - indexPath: The item.
  ///   - animated: Has no effect here.
  public func deselectItem(at indexPath: IndexPath, animated: Bool) {
    setSelected(false, at: indexPath)
  }

  private func setSelected(_ isSelected: Bool, at path: IndexPath) {
    if isSelected { selection.insert(path) } else { selection.remove(path) }
    cells[path]?.isSelected = isSelected
  }

  // MARK: By the user

  /// Whether the user may select several items in the current mode.
  private var allowsSeveralNow: Bool {
    isEditing ? allowsMultipleSelectionDuringEditing : allowsMultipleSelection
  }

  /// Whether the user may select items in the current mode.
  private var allowsSelectionNow: Bool {
    isEditing
      ? allowsSelectionDuringEditing || allowsMultipleSelectionDuringEditing : allowsSelection
  }

  /// Touches an item.
  ///
  /// Highlighting comes first, selection last.
  func touchDown(at path: IndexPath) {
    guard allowsSelectionNow, session.exists(UpdatePlace(path)), highlighted == nil,
      delegate?.collectionView(self, shouldHighlightItemAt: path) ?? true
    else { return }
    highlighted = path
    cells[path]?.isHighlighted = true
    delegate?.collectionView(self, didHighlightItemAt: path)
  }

  /// Lifts the finger, on the item or elsewhere.
  func touchUp(inside: Bool) {
    guard let path = highlighted else { return }
    guard inside else { return unhighlight(path) }
    let wasSelected = selection.contains(path)
    if allowsSeveralNow, wasSelected {
      let deselects = delegate?.collectionView(self, shouldDeselectItemAt: path) ?? true
      unhighlight(path)
      guard deselects else { return }
      setSelected(false, at: path)
      delegate?.collectionView(self, didDeselectItemAt: path)
      return
    }
    let selects = delegate?.collectionView(self, shouldSelectItemAt: path) ?? true
    unhighlight(path)
    guard selects else { return }
    if !allowsSeveralNow {
      for other in selection.sorted() where other != path {
        setSelected(false, at: other)
        delegate?.collectionView(self, didDeselectItemAt: other)
      }
    }
    setSelected(true, at: path)
    delegate?.collectionView(self, didSelectItemAt: path)
  }

  private func unhighlight(_ path: IndexPath) {
    highlighted = nil
    cells[path]?.isHighlighted = false
    delegate?.collectionView(self, didUnhighlightItemAt: path)
  }
}
