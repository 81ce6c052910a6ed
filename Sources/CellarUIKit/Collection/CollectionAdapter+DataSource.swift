public import Foundation
public import ListModel
import ListSync
public import Providers

#if canImport(UIKit)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

extension CollectionAdapter: UICollectionViewDataSource {
  /// How many sections there are.
  public func numberOfSections(in collectionView: UICollectionView) -> Int {
    interim?.numberOfSections ?? provider.numberOfSections
  }

  /// How many items a section holds.
  public func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    interim?.numberOfItems(inSection: section) ?? provider.numberOfItems(inSection: section)
  }

  /// The cell of an item, which shows it.
  public func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let item = item(at: indexPath)
    // What can't be read is shown by the fallback.
    let resolution = views.cell(item?.state.cell ?? "unreadable", type: item?.state.type)
    register(resolution.registration)
    let cell = collectionView.dequeueReusableCell(
      withReuseIdentifier: resolution.registration.reuseIdentifier, for: indexPath)
    if ledger.addUnresolved(resolution), let name = resolution.unresolvedName {
      onProblem?(UnknownCell(name: name))
    }
    if let item, resolution.unresolvedName == nil { configure(cell, with: item) }
    return cell
  }

  private func configure(_ cell: UICollectionViewCell, with item: Item) {
    do throws(ItemTypeError) {
      try list.types.value(of: item).configure(anyCell: cell)
    } catch {
      onProblem?(error)
    }
  }
}

/// A cell name that nobody registered; the fallback shows its items.
public struct UnknownCell: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name in the store.
  public let name: String

  /// What is wrong, and what to do.
  public var description: String {
    "no cell is registered as \"\(name)\"; register one, or an alias for the one that it is now"
  }
}

extension CollectionAdapter: UICollectionViewDelegate {
  /// Binds the cell to its item.
  public func collectionView(
    _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    guard let id = itemID(at: indexPath) else { return }
    bound.bind(cell, to: id)
  }

  /// Unbinds the cell from the item that it was bound to, wherever that is now.
  public func collectionView(
    _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {
    bound.unbind(cell)
  }

  /// Selects the item, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath
  ) {
    guard let id = itemID(at: indexPath) else { return }
    selection.mode = collectionView.allowsMultipleSelection ? .multiple : .single
    selection.select(id)
    handle(.select, of: id)
  }

  /// Deselects the item, and calls its handlers.
  public func collectionView(
    _ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath
  ) {
    guard let id = itemID(at: indexPath) else { return }
    selection.deselect(id)
    handle(.deselect, of: id)
  }

  /// Handles something that a user does to an item, for instance with a button in its cell.
  public func handle(_ event: ItemEvent, of item: ItemID) {
    do throws(ItemTypeError) {
      try handlers?.handle(event, of: item, in: provider)
    } catch {
      onProblem?(error)
    }
  }
}
