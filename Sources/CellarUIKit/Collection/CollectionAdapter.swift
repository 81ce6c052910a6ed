public import Foundation
public import ListModel
import ListStore
public import ListSync
public import Providers
public import StoreSchema

#if canImport(UIKit)
  public import UIKit
#else
  public import HeadlessUIKit
#endif

/// Shows a list in a collection view: answers its questions from one revision, and brings it from each
/// revision to the next by what changed.
///
/// It is the view's data source and delegate as long as it lives; the view does not keep it.
///
/// - Note: So far it shows cells: sizes, headers and footers come with a later version.
@MainActor public final class CollectionAdapter: NSObject {
  /// The list.
  public let list: LiveList
  /// The list as the view shows it; while an update is performed, as it will be after it.
  public internal(set) var provider: Provider
  /// Which items are selected, by identity.
  public internal(set) var selection = ItemSelection(.single)
  /// Is told of what can't be shown as it is stored: unknown cells, contents that can't be read.
  ///
  /// Each unknown cell is told of once.
  public var onProblem: ((any Error) -> Void)?

  weak var view: UICollectionView?
  let views: ViewRegistry
  let handlers: ItemHandlers?
  var ledger = RegistrationLedger()
  let bound = BoundCells<UICollectionViewCell>()
  /// Where things stand between two stages.
  var interim: InterimList?
  /// Whether the view performs an update whose end it has not told.
  var isUpdating = false
  /// Whether the list went on meanwhile.
  var isBehind = false
  private var following: Task<Void, Never>?

  /// Shows a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The view; it gets this as its data source and delegate.
  ///   - views: What cell names stand for; `nil`: the cells of the list's item types.
  ///   - handlers: What to do when users do something.
  /// - Throws: ``StoreError`` if the list can't be read.
  public init(
    _ list: LiveList, in view: UICollectionView, views: ViewRegistry? = nil,
    handlers: ItemHandlers? = nil
  ) throws(StoreError) {
    self.list = list
    self.view = view
    self.handlers = handlers
    if let views {
      self.views = views
    } else {
      var views = ViewRegistry(fallback: .type(UICollectionViewCell.self))
      views.register(list.types.all)
      self.views = views
    }
    // Listening first: what is committed from here on is told.
    let revisions = list.repository.revisions(of: list.id)
    provider = try list.provider()
    super.init()
    for registration in self.views.requiredRegistrations() { register(registration) }
    view.dataSource = self
    view.delegate = self
    following = Task { [weak self] in
      for await _ in revisions { self?.update() }
    }
  }

  deinit { following?.cancel() }

  /// How often cells were bound to items and unbound from them: equal but for those on display.
  public var bindings: (bound: Int, unbound: Int, shown: Int) {
    (bound.bindCount, bound.unbindCount, bound.count)
  }

  /// The item that the view shows at a path, also while it performs an update; `nil` if there is none.
  public func item(at indexPath: IndexPath) -> Item? {
    path(indexPath).flatMap { provider.item(at: $0) }
  }

  /// Whether the view is between two stages: cells may show what was before.
  package var isBetweenStages: Bool { interim != nil }

  /// The cell that shows an item; `nil` if none does.
  public func cell(of item: ItemID) -> UICollectionViewCell? { bound.cell(of: item) }

  // MARK: Places

  /// Where what the view asks about is in ``provider``.
  func path(_ indexPath: IndexPath) -> ItemPath? {
    let path = ItemPath(section: indexPath.section, item: indexPath.item)
    guard let interim else { return path }
    return interim.pathAfterUpdate(of: path)
  }

  func itemID(at indexPath: IndexPath) -> ItemID? {
    path(indexPath).flatMap { provider.itemID(at: $0) }
  }

  // MARK: Registering

  /// Tells the view of a registration, once.
  func register(_ registration: ViewRegistration) {
    guard let view, ledger.add(registration), case .cell = registration.role else { return }
    let identifier = registration.reuseIdentifier
    switch registration.source {
    case .type(let type): view.register(type, forCellWithReuseIdentifier: identifier)
    case .factory(let make):
      view.register(type(of: make()), forCellWithReuseIdentifier: identifier)
    case .nib(let name, let bundle):
      view.register(
        UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) }),
        forCellWithReuseIdentifier: identifier)
    }
  }
}
