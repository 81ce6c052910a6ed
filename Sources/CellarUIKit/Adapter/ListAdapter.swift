import BatchUpdates
public import Foundation
public import ListLayout
public import ListModel
import ListStore
public import ListSync
public import Providers
public import ListItems

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// What the adapters for collection and table views have in common: the list that the view shows, at one
/// revision, what is selected in it, and who is told.
///
/// Make a ``CollectionAdapter`` or a ``TableAdapter``. It is the view's data source and delegate as long
/// as it lives; the view does not keep it.
@MainActor public class ListAdapter: NSObject {
  /// The list.
  public let list: LiveList
  /// The list as the view shows it; while an update is performed, as it will be after it.
  public internal(set) var provider: Provider {
    didSet {
      shown = provider.shown
      estimatedLengths = [:]
    }
  }
  /// Which items are selected, by identity.
  public internal(set) var selection = ItemSelection(.single)
  /// What happens when users do something to items.
  public let handlers: ItemHandlers
  /// How many cells, headers and footers had to be measured, because no size of them was kept.
  public internal(set) var measurementCount = 0
  /// Is told of what can't be shown as it is stored, of unknown cells (each once), and of a store that
  /// can't be read or written.
  ///
  /// What happened before this is set is told when it is.
  public var onProblem: ((any Error) -> Void)? {
    didSet {
      guard let onProblem else { return }
      let problems = untold
      untold = []
      for problem in problems { onProblem(problem) }
    }
  }

  /// How sections are placed that don't say it themselves; `nil`: as the view's layout says.
  public var defaultMetrics: SectionMetrics? { didSet { sizesDidChange() } }
  /// How long an item is, in points, of which nothing is known yet.
  public var estimatedLength = 44.0
  /// Whether what is seen stays where it is when something is inserted or deleted above it.
  ///
  /// At the very top, or in a view that scrolls horizontally at the leading edge, what is new comes into
  /// sight instead.
  public var keepsScrollPosition = true
  /// Whether the user may move an item to another place; `nil`: nobody may move any.
  public var canMove: ((ItemID) -> Bool)?
  /// Holds updates back, while a gesture of the app's needs the paths to stay as they are.
  public var holdsUpdates = false { didSet { if !holdsUpdates, isBehind { update() } } }

  /// ``provider`` without the sections that are hidden: what the view counts.
  private(set) var shown: ShownList
  let host: any ListHost
  let views: ViewRegistry
  var ledger = RegistrationLedger()
  let bound = BoundCells<UIView>()
  let templates: TemplateViews
  /// Where things stand between two stages.
  var interim: InterimList? { didSet { estimatedLengths = [:] } }
  /// What was asked of the store's sums for this revision: a table asks it of every row.
  var estimatedLengths: [EstimatePlace: Double] = [:]
  /// Whether the view performs an update whose end it has not told.
  var isUpdating = false
  /// Whether the list went on meanwhile.
  var isBehind = false
  /// Whether what is placed is to be placed again then.
  var hasOtherSizes = false
  /// Whether the user carries an item.
  var isReordering = false
  /// Of the view that is shown where a layout asks for one that the store does not have: nobody's name.
  static let emptyViewIdentifier = "\0empty"
  /// The kinds of headers, footers and the like that the view was given one of.
  var shownKinds: Set<Supplementary.Kind> = []
  /// Whether the view is to load everything anew once the running update has ended.
  var mustReload = false
  /// Whether the fallback is shown for items that could not be read: with the next update all is asked for
  /// again.
  var showsUnreadable = false
  /// Headers and footers that the view is to make anew: they are left out for a moment.
  var suppressed: Set<SupplementaryPlace> = []
  /// What sizes depend on, and the traits that say so.
  var latestTraits: UITraitCollection?
  var latestEnvironment = LayoutEnvironment()
  /// Waits for the end of a drag.
  var waiting: Task<Void, Never>?
  /// The name of the screen in the store; `nil`: what is selected and seen is not kept.
  let screen: String?
  /// What was kept last.
  var savedState: ListViewState
  /// Where the list was scrolled to last time, until it is again.
  var pendingAnchor: ScrollAnchor?
  let saving = DispatchQueue(label: "Cellar view state", qos: .utility)
  private var untold: [any Error] = []
  private var following: Task<Void, Never>?
  private var textSize: Observation?

  /// A header, a footer or another view of a section.
  struct SupplementaryPlace: Hashable {
    var kind: Supplementary.Kind
    var section: Int
  }

  /// What an estimate is of: a section of the view's, and what its items have to fit.
  struct EstimatePlace: Hashable {
    var section: Int
    var key: SizeKey
  }

  /// Shows a list in a host.
  init(
    _ list: LiveList, in host: any ListHost, views: ViewRegistry, templates: TemplateViews,
    handlers: ItemHandlers?, screen: String?
  ) throws(StoreError) {
    var list = list
    // The view is not shown hidden sections.
    list.policy.hidesSections = true
    self.list = list
    self.host = host
    self.views = views
    self.templates = templates
    self.handlers = handlers ?? ItemHandlers(list.types)
    // Listening first: what is committed from here on is told.
    let revisions = list.repository.revisions(of: list.id)
    provider = try list.provider()
    shown = provider.shown
    self.screen = screen
    savedState =
      try screen.map { name throws(StoreError) in try list.viewState(view: name) } ?? .init()
    selection = savedState.selection
    pendingAnchor = savedState.anchor
    super.init()
    for registration in views.requiredRegistrations() { register(registration) }
    following = Task { [weak self] in
      for await _ in revisions { self?.update() }
    }
    textSize = Observation(of: UIContentSizeCategory.didChangeNotification) { [weak self] in
      #if canImport(UIKit) && !os(watchOS)
        // UIKit posts it on the main thread; others may not.
        guard Thread.isMainThread else {
          Task { @MainActor in self?.layoutEnvironmentDidChange() }
          return
        }
      #endif
      // Without UIKit views post it themselves, on the main actor, whose thread may be any.
      MainActor.assumeIsolated { self?.layoutEnvironmentDidChange() }
    }
  }

  deinit {
    following?.cancel()
    waiting?.cancel()
  }

  // MARK: What is shown

  /// The item that the view shows at a path, also while it performs an update; `nil` if there is none.
  public func item(at indexPath: IndexPath) -> Item? {
    path(indexPath).flatMap { provider.item(at: $0) }
  }

  /// The id of the item that the view shows at a path; `nil` if there is none.
  public func itemID(at indexPath: IndexPath) -> ItemID? {
    path(indexPath).flatMap { provider.itemID(at: $0) }
  }

  /// Where the view shows an item; `nil` if the list does not have it, or hides its section.
  public func indexPath(of item: ItemID) -> IndexPath? {
    if let interim { return interim.path(of: item)?.indexPath }
    return provider.path(of: item).flatMap { shown.shownPath(of: $0) }?.indexPath
  }

  /// How often cells were bound to items and unbound from them: equal but for those on display.
  public var bindings: (bound: Int, unbound: Int, shown: Int) {
    (bound.bindCount, bound.unbindCount, bound.count)
  }

  /// Whether the view is between two stages: cells may show what was before.
  package var isBetweenStages: Bool { interim != nil }

  // MARK: Places

  /// How many sections the view shows.
  var sectionCount: Int { interim?.numberOfSections ?? shown.numberOfSections }

  /// How many items the view shows in a section.
  func itemCount(inSection index: Int) -> Int {
    interim?.numberOfItems(inSection: index) ?? shown.numberOfItems(inSection: index)
  }

  /// Where what the view asks about is in ``provider``.
  func path(_ indexPath: IndexPath) -> ItemPath? {
    let path = ItemPath(section: indexPath.section, item: indexPath.item)
    guard let interim else { return shown.listPath(of: path) }
    return interim.pathAfterUpdate(of: path)
  }

  /// Where a section that the view asks about is in ``provider``.
  func section(_ index: Int) -> Int? {
    guard let interim else { return shown.listIndex(ofSection: index) }
    return interim.indexAfterUpdate(ofSection: index)
  }

  /// The attributes of a section that the view asks about.
  func attributes(ofSection index: Int) -> SectionAttributes? {
    section(index).flatMap { provider.attributes(ofSection: $0) }
  }

  /// What a section has of a kind, as the view is to find it.
  func supplementary(_ kind: Supplementary.Kind, inSection index: Int) -> Supplementary? {
    if suppressed.contains(.init(kind: kind, section: index)) { return nil }
    return attributes(ofSection: index).flatMap { $0[storedKind(kind, in: $0)] }
  }

  /// The kind under which a section has a view of a kind: an earlier name of it, maybe.
  func storedKind(
    _ kind: Supplementary.Kind, in attributes: SectionAttributes
  ) -> Supplementary.Kind {
    if attributes[kind] != nil { return kind }
    return attributes.supplementaryKinds.first { knownKind($0) == kind } ?? kind
  }

  /// The kind that a stored one stands for today.
  func knownKind(_ kind: Supplementary.Kind) -> Supplementary.Kind {
    Supplementary.Kind(rawValue: views.known(kind.rawValue)) ?? kind
  }

  // MARK: Cells

  /// What the view has to dequeue for an item; the fallback for one that can't be read.
  func registration(for item: Item?) -> ViewRegistration {
    let resolution = views.cell(item?.state.cell ?? "unreadable", type: item?.state.type)
    register(resolution.registration)
    if item != nil {
      report(resolution)
    } else if !showsUnreadable {
      showsUnreadable = true
      report(UnreadableItems(list: list.id))
    }
    return resolution.registration
  }

  /// What the view has to dequeue for a header, a footer or the like.
  func registration(for view: ViewName, kind: Supplementary.Kind) -> ViewRegistration {
    let resolution = views.supplementary(view, kind: kind.rawValue)
    register(resolution.registration)
    report(resolution)
    return resolution.registration
  }

  /// What a layout has to register for a decoration.
  func registration(forDecoration view: ViewName) -> ViewRegistration {
    let resolution = views.supplementary(view, kind: ViewRegistry.decorationKind)
    report(resolution)
    return resolution.registration
  }

  private func report(_ resolution: ViewRegistry.Resolution) {
    if ledger.addUnresolved(resolution), let name = resolution.unresolvedName {
      report(UnknownView(name: name, role: resolution.registration.role))
    }
  }

  private func register(_ registration: ViewRegistration) {
    if ledger.add(registration) { host.register(registration) }
  }

  /// Has a cell show an item; the fallback is left as it is.
  func configure(_ cell: UIView, with item: Item) {
    guard views.cell(item.state.cell, type: item.state.type).unresolvedName == nil else { return }
    do throws(ItemTypeError) {
      try list.types.value(of: item).configure(anyCell: cell)
    } catch {
      report(error)
    }
    connect(cell, to: item.id)
  }

  /// Has a header, a footer or the like show what is stored; the fallback is left as it is.
  func configure(_ view: UIView, with supplementary: Supplementary, kind: Supplementary.Kind) {
    guard views.supplementary(supplementary.view, kind: kind.rawValue).unresolvedName == nil else {
      return
    }
    do throws(SupplementaryTypeError) {
      try list.supplementaryTypes.value(of: supplementary).configure(anyView: view)
    } catch {
      report(error)
    }
  }

  /// Lets the cell's controls reach the handlers.
  private func connect(_ cell: UIView, to item: ItemID) {
    guard let cell = cell as? any ControlEventSource else { return }
    cell.onControlEvent = { [weak self] name in self?.handle(.control(name), of: item) }
  }

  /// A cell comes on display.
  func willDisplay(_ cell: UIView, at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    bound.bind(cell, to: id)
    if pendingAnchor != nil {
      // The view has a size now; but it is in the midst of its layout.
      Task { [weak self] in self?.restoreViewState() }
    }
  }

  /// A cell left; the path that the view says may be another item's by now.
  func didEndDisplaying(_ cell: UIView) {
    bound.unbind(cell)
    (cell as? any ControlEventSource)?.onControlEvent = nil
  }

  // MARK: Events

  /// Handles something that a user does to an item, for instance with a button in its cell.
  public func handle(_ event: ItemEvent, of item: ItemID) {
    do throws(ItemTypeError) {
      try handlers.handle(event, of: item, in: provider)
    } catch {
      report(error)
    }
  }

  func didSelect(at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
    selection.select(id)
    saveViewStateSoon()
    handle(.select, of: id)
  }

  func didDeselect(at indexPath: IndexPath) {
    guard let id = itemID(at: indexPath) else { return }
    selection.deselect(id)
    saveViewStateSoon()
    handle(.deselect, of: id)
  }

  /// The menu of the platform for an item; `nil` if it has none.
  @available(tvOS 17.0, *)
  func menu(forItemAt indexPath: IndexPath) -> UIContextMenuConfiguration? {
    guard let id = itemID(at: indexPath) else { return nil }
    let menu: ItemMenu?
    do throws(ItemTypeError) { menu = try handlers.menu(of: id, in: provider) } catch {
      report(error)
      return nil
    }
    guard let menu, !menu.actions.isEmpty else { return nil }
    return UIContextMenuConfiguration(identifier: nil, previewProvider: nil) { [weak self] _ in
      UIMenu(
        title: menu.title,
        children: menu.actions.map { entry in
          var attributes: UIAction.Attributes = entry.isDestructive ? .destructive : []
          if !entry.isEnabled { attributes.insert(.disabled) }
          return UIAction(title: entry.title, attributes: attributes) { _ in
            self?.handle(entry.event, of: id)
          }
        })
    }
  }

  // MARK: Problems

  func report(_ problem: any Error) {
    if let onProblem { onProblem(problem) } else { untold.append(problem) }
  }

  // MARK: For subclasses

  /// The app's own delegate.
  var appDelegate: (any UIScrollViewDelegate)? { nil }

  /// Has the view place everything again.
  func relayout() {}

  /// Has the view ask for the size of an item again.
  func relayout(itemAt indexPath: IndexPath) { relayout() }

  /// Has the view place the headers and footers of sections again.
  func relayout(sections: [Int]) { relayout() }

  /// The stages of an update are performed from here on.
  func willPerform(_ next: Provider) {}

  /// The stages of an update were performed; their animations are not over.
  func didPerform() {}
}

/// A name in the store that nobody registered; the fallback is shown in its place.
public struct UnknownView: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name in the store.
  public let name: String
  /// What the view is for.
  public let role: ViewRole

  /// What is wrong, and what to do.
  public var description: String {
    switch role {
    case .cell:
      "no cell is registered as \"\(name)\"; register one, or an alias for the one that it is now"
    case .supplementary(let kind):
      "no view of kind \"\(kind)\" is registered as \"\(name)\"; register one, or an alias for the one "
        + "that it is now"
    }
  }
}

/// Items that the store did not give when a view asked for them; the fallback is shown in their place.
///
/// It is told of once until the next update. The store's file was damaged or taken away, or the list was changed after
/// `Repository.suspend()`.
public struct UnreadableItems: Error, Hashable, Sendable, CustomStringConvertible {
  /// The list that has them.
  public let list: ListID

  /// What is wrong, and what to do.
  public var description: String {
    "items of list \"\(list)\" can't be read; they are asked for again with the next update. Where that "
      + "does not help, check the store with `cellar inspect summary`"
  }
}

extension ItemPath {
  /// The path as UIKit has it.
  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
