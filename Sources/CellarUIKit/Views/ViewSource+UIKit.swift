import Foundation
public import ListItems
public import ListSync
import ListViews

extension ViewRegistration {
  /// The class to register: the source's own, or that of the view that its factory makes; `nil` for
  /// a nib and for a prototype.
  @MainActor var type: AnyClass? {
    switch source {
    case .type(let type): type
    case .factory(let make): Swift.type(of: make(reuseIdentifier))
    case .nib, .prototype: nil
    }
  }

  /// The nib to register; `nil` for other sources.
  @MainActor var nib: UINib? {
    guard case .nib(let name, let bundle) = source else { return nil }
    return UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) })
  }

  /// Whether the view's storyboard has it already.
  var isPrototype: Bool {
    if case .prototype = source { true } else { false }
  }
}

extension ViewRegistry {
  /// The views of a list's types, as an adapter has them by itself: to add a decoration, a nib or a
  /// prototype to.
  ///
  /// ```swift
  /// var views = ViewRegistry(of: shelf, for: .collectionView)
  /// views.register("Card", kind: ViewRegistry.decorationKind, .type(CardView.self))
  /// let adapter = try CollectionAdapter(shelf, in: view, views: views)
  /// ```
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - host: The kind of view that shows it; its plain cell is the fallback.
  public init(of list: some ShowableList, for host: Host) {
    let list = list.shown
    switch host {
    case .collectionView:
      self.init(
        fallback: .type(UICollectionViewCell.self),
        supplementaryFallback: .type(UICollectionReusableView.self))
    case .tableView:
      self.init(
        fallback: .type(UITableViewCell.self),
        supplementaryFallback: .type(UITableViewHeaderFooterView.self))
    }
    register(list.types.all)
    register(list.supplementaryTypes.all)
  }
}
