public import BatchUpdates
public import Foundation
public import ListItems
public import ListLayout
public import ListModel
import ListStore
public import ListSync
public import ListViews
public import Providers

/// Shows a list in a view and keeps the view up to date: the part that ``CollectionAdapter`` and
/// ``TableAdapter`` share.
///
/// Make one of these two. An adapter is the data source and the delegate of its view. The view does
/// not retain it: keep it as long as the view shows the list.
@MainActor public class ListAdapter: NSObject {
  /// The list; of a derived one, ``/ListSync/ShowableList/shown``.
  public private(set) var list: LiveList
  /// The list as the view shows it; during an update, already as it is after the update.
  public var provider: Provider { screen.provider }
  /// Which items are selected, by identity: what the user, ``select(_:)`` and the view's own methods
  /// selected.
  ///
  /// The view's editing mode has a selection of its own. The one from before comes back after it.
  public var selection: ItemSelection { screenSelection.current }
  /// What happens when users do something to items.
  public var handlers: ItemHandlers { screen.handlers }
  /// How many cells, headers and footers were measured because the store had no size of them.
  public var measurementCount: Int { sizes.measurer.count }
  /// Called with each problem: an item that can't be decoded, a cell name that nobody registered
  /// (each once), a store that can't be read or written.
  ///
  /// Problems from before you set this are reported when you do, the first 100 of them.
  public var onProblem: ((any Error) -> Void)? {
    get { screen.problems.handler }
    set { screen.problems.handler = newValue }
  }

  /// Called after the view shows another revision of the list: when the animations of the batch
  /// update have ended, or at once after a reload.
  ///
  /// A place to scroll to a new item, or to show and hide an empty state. Revisions in which
  /// nothing visible changed are not reported.
  public var onUpdate: ((BatchUpdate) -> Void)? {
    get { updates.onUpdate }
    set { updates.onUpdate = newValue }
  }

  /// The layout of sections for which the store has none; `nil`: that of the view's layout.
  public var defaultMetrics: SectionMetrics? {
    get { sizes.defaultMetrics }
    set {
      sizes.defaultMetrics = newValue
      updates.sizesChanged()
    }
  }
  /// The assumed length of an item, in points, while none of its section was measured.
  ///
  /// It is also the length of an item whose cell can't be measured, where neither the app's delegate
  /// nor the view's layout has a size for it.
  public var estimatedLength: Double {
    get { sizes.estimatedLength }
    set { sizes.estimatedLength = newValue }
  }
  /// Whether the visible items stay where they are when something is inserted or deleted above
  /// them.
  ///
  /// At the very beginning of the content new items come into sight instead.
  public var keepsScrollPosition: Bool {
    get { updates.keepsScrollPosition }
    set { updates.keepsScrollPosition = newValue }
  }
  /// Whether updates are animated.
  ///
  /// They are not while the user has Reduce Motion on, whatever this says.
  public var animatesUpdates: Bool {
    get { updates.isAnimated }
    set { updates.isAnimated = newValue }
  }
  /// Whether the list opens at its end and stays there, as a chat does.
  ///
  /// While its end is in sight, whatever is added there comes into sight: items, a keyboard, a cell
  /// that grows. When the user has scrolled away, the visible items stay where they are, at the very
  /// beginning too: a page that is put above moves nothing. A place of the last launch comes first.
  ///
  /// Set it when the adapter is made.
  public var sticksToEnd: Bool {
    get { screenSelection.sticksToEnd }
    set {
      screenSelection.sticksToEnd = newValue
      // The view may have been given its data before.
      if screenSelection.needsSize { screen.host.disconnect() } else { restore() }
    }
  }
  /// Whether the user may move an item to another place; `nil`: no item may be moved.
  public var canMove: ((ItemID) -> Bool)? {
    get { updates.canMove }
    set { updates.canMove = newValue }
  }
  /// Called instead of an edit of ``list`` when the user drops an item at another place, with its
  /// section and its place there.
  ///
  /// The view shows it there already. If the closure does not move the item, or throws, it goes back;
  /// ``onProblem`` gets the error. By default the adapter moves the item in ``list``, which sends the
  /// edit if ``/ListSync/LiveList/sendsEdits`` says so.
  public var onMove: ((ItemID, SectionID, Place<ItemID>) throws -> Void)? {
    get { updates.onMove }
    set { updates.onMove = newValue }
  }
  /// The shortest time between two updates that the adapter makes by itself: by default a frame at
  /// 60 Hz.
  ///
  /// The first commit after a rest is shown at once; all commits that follow within the interval are
  /// one update at its end. ``update(animated:)`` does not wait. An update that is animated also waits for
  /// the animations of the one before. While the view is in no window, commits wait until it is,
  /// and are shown then by one reload.
  public var updateInterval = LiveList.updateInterval
  /// Holds updates back, for instance while a gesture of the app relies on paths.
  public var holdsUpdates: Bool {
    get { updates.isHeld }
    set { updates.isHeld = newValue }
  }

  /// Makes a view that stands for one item that is not loaded, to be seen in a gap whose
  /// ``/ListModel/Gap/count`` is known; `nil`: two grey bars.
  ///
  /// Such a gap is as long as its items would be, at the mean length of the section's items. The adapter
  /// makes as many views as are in sight, and uses them again. An app that registers a cell for
  /// ``/ListModel/Gap/cell`` shows gaps by that one, in the size that it has.
  ///
  /// Set it when the adapter is made.
  public var gapPlaceholder: (@MainActor () -> UIView)? {
    get { views.gapPlaceholder }
    set { views.gapPlaceholder = newValue }
  }

  let screen: ListScreen
  let sizes: ListSizes
  let views: DisplayedViews
  let screenSelection: ScreenSelection
  let updates: ViewUpdates
  let neededPages: NeededPages
  /// What the user looked at before everything was placed anew; `nil` if nothing is.
  var eye: ListScreen.Place?
  private let prefetching = ItemPrefetch()
  /// The app's own delegate.
  weak var appDelegate: (any UIScrollViewDelegate)? { didSet { appDelegateChanged() } }
  /// Which of the app delegate's methods the view was told of.
  var forwarding = DelegateForwarding()
  private var following: Task<Void, Never>?
  private var followingDeliveries: Task<Void, Never>?
  /// Where an animated scroll leads to.
  private var arrival: (() -> CGPoint?)?

  /// Shows a list in a host.
  ///
  /// `screen`: The name under which the store keeps the selection and the scroll position; `nil`:
  /// it does not.
  init(
    _ list: LiveList, in host: any ListHost, views: ViewRegistry, handlers: ItemHandlers?,
    screen: String?
  ) throws(StoreError) {
    var list = list
    // The view has no hidden sections.
    list.policy.hidesSections = true
    // The stream comes first, so that no commit falls between reading and it.
    let revisions = list.signals()
    self.list = list
    // What is saved comes before the list, which keeps its connection to the store: so one is enough.
    let saved = try SavedScreen(screen, of: list)
    self.screen = try ListScreen(list, in: host, views: views, handlers: handlers)
    screenSelection = ScreenSelection(self.screen, saved)
    sizes = ListSizes(self.screen)
    self.views = DisplayedViews(self.screen)
    updates = ViewUpdates(self.screen, sizes, self.views, screenSelection)
    neededPages = NeededPages(self.screen)
    super.init()
    updates.onSizesChange = { [weak self] in self?.noteEye() }
    updates.onShown = { [weak self] in self?.neededPages.checkSoon() }
    neededPages.onChange = { [weak self] in self?.checkPages() }
    sizes.sizeOfApp = { [weak self] in self?.sizeOfApp(at: $0) }
    follow(revisions)
    if let view = host.view {
      let watch = ViewWatch.watch(of: view)
      watch.onBeforeResize = { [weak self] in self?.noteEye() }
      watch.onLayout = { [weak self] in self?.restoreEye() }
      watch.onAppear = { [weak self] in self?.updates.viewAppeared() }
      watch.onResize = { [weak self] in self?.viewSizeChanged() }
    }
  }

  /// Updates the view after commits of ``list``.
  private func follow(_ revisions: AsyncStream<Int>) {
    following?.cancel()
    followingDeliveries?.cancel()
    following = LiveList.observe(revisions) { [weak self, list] in
      var ahead: LiveList.Advance?
      // Nothing retains the adapter while another thread reads.
      if let provider = self?.updates.providerToAdvance { ahead = await list.advanced(provider) }
      // Meanwhile the view may have got another list.
      if Task.isCancelled { return nil }
      self?.updates.commitArrived(ahead)
      return self?.updateInterval
    }
    views.refreshDeliveries()
    neededPages.follow()
    if list.sendsEdits {
      let changes = list.deliveryChanges()
      followingDeliveries = Task { [weak self] in
        for await _ in changes { self?.views.refreshDeliveries() }
      }
    }
  }

  /// Shows another list in the same view, from now on: one that is derived from the list, or the list
  /// itself again.
  ///
  /// ```swift
  /// try adapter.show(showsUnread ? unread : inbox)
  /// ```
  ///
  /// One update leads from what the view shows to the other list, now or when the running update or
  /// drag has ended: a batch where not more differs than ``/BatchUpdates/UpdatePolicy/budget`` allows,
  /// else a reload. Items that both have stay selected. The types of the other list should be among
  /// those of ``handlers``; views of its headers are registered if the view has none of their names.
  ///
  /// - Parameter list: A list of the same Repository.
  /// - Complexity: O(*n* log *n*), *n* items of both lists.
  public func show(_ list: some ShowableList) {
    var next = list.shown
    next.policy.hidesSections = true
    let revisions = next.signals()
    screen.views.add(missingOf: registry(of: next))
    screenSelection.follow(next)
    (self.list, screen.list) = (next, next)
    follow(revisions)
    updates.react(to: .commitArrived)
  }

  /// The views of a list's types, for the kind of view that this is.
  func registry(of list: LiveList) -> ViewRegistry { screen.views.registry }

  /// The size that the app's delegate or the view's layout has for an item; `nil` for none.
  func sizeOfApp(at indexPath: IndexPath) -> CGSize? { nil }

  /// The view has another size.
  func viewSizeChanged() { restore() }

  /// Shows the list where it was at the last launch, with what was selected.
  ///
  /// A view that has no size yet shows nothing until it has one: it would show, and measure, the
  /// beginning of the list first.
  func restore() {
    if !screen.host.isConnected {
      if screenSelection.needsSize { return }
      screen.host.connect()
      updates.viewAppeared()
    }
    screenSelection.restore()
  }

  deinit {
    following?.cancel()
    followingDeliveries?.cancel()
  }

  /// Asks for the pages that are needed now, and shows what became of others.
  func checkPages() {
    guard list.pages != nil else { return }
    neededPages.check()
    for gap in screen.gapPlaces.values where views.cells.view(of: gap.id) != nil {
      views.setState(list.pageState(of: gap.id), ofGap: gap.id)
    }
  }

  /// The list was scrolled.
  func scrolled() {
    // A view that gets another size moves its content by itself.
    if eye == nil { screenSelection.scrolled() }
    neededPages.checkSoon()
    views.showVisibleParts(of: screen.gapPlaces.values.lazy.map(\.id))
  }

  /// The list has come to rest.
  func cameToRest() {
    // What came into sight last may be longer than was assumed: then the end is somewhat farther.
    if screenSelection.isAtEnd {
      screen.host.view?.layoutIfNeeded()
      if !screen.isAtEnd { restore() }
    }
    neededPages.checkSoon()
    screenSelection.saveSoon()
  }

  // MARK: What is shown

  /// The item at a path of the view, also during an update; `nil` if there is none.
  public func item(at indexPath: IndexPath) -> Item? { screen.item(at: indexPath) }

  /// The id of the item at a path of the view; `nil` if there is none.
  public func itemID(at indexPath: IndexPath) -> ItemID? { screen.itemID(at: indexPath) }

  /// The name of the cell that shows the item at a path of the view: the stored one, or the one that
  /// ``/ListItems/ViewRegistry`` has for it.
  ///
  /// - Returns: `nil` if there is no such item, or the fallback shows it.
  public func cellName(at indexPath: IndexPath) -> CellName? {
    guard let path = screen.display.listPath(of: ItemPath(indexPath)) else { return nil }
    return screen.cellName(ofItemAt: path, in: screen.display.sectionID(at: indexPath.section))
  }

  /// The view's path of an item; `nil` if the list does not have it, or hides its section.
  public func indexPath(of item: ItemID) -> IndexPath? { screen.indexPath(of: item) }

  /// Selects an item, as the view's own method does: no handler is called.
  ///
  /// An item that the list does not have is not selected. In a view that allows one selected item,
  /// it replaces the one before.
  public func select(_ item: ItemID) { screenSelection.select(item) }

  /// Deselects an item, as the view's own method does: no handler is called.
  public func deselect(_ item: ItemID) { screenSelection.deselect(item) }

  /// Sets the state of an item that its cell shows and that the store does not have, such as a
  /// download's progress.
  ///
  /// A cell on display shows it at once, with the item's
  /// ``/ListItems/ListItem/configure(_:with:)``; other cells when they come on display. Nothing is
  /// logged, measured or reloaded. The adapter forgets the state when the item is deleted.
  ///
  /// - Parameters:
  ///   - state: The state; `nil` for none: then the cell is configured anew.
  ///   - item: The item. It may be one that the adapter does not show yet.
  public func setState(_ state: (any Sendable)?, of item: ItemID) {
    views.setState(state, of: item)
  }

  /// The state that ``setState(_:of:)`` gave an item; `nil` if it has none.
  public func state(of item: ItemID) -> (any Sendable)? { views.state(of: item) }

  /// How far what the user did to an item is on its way to the server; `nil` if the server has it, or
  /// if the list does not ``/ListSync/LiveList/sendsEdits``.
  ///
  /// Cells get it by ``/ListItems/ListItem/configure(_:with:)``, at first and when it changes.
  public func delivery(of item: ItemID) -> LiveList.Delivery? { views.delivery(of: item) }

  /// Brings the view to the newest revision of the list: now, or when the running update or drag
  /// has ended.
  ///
  /// The adapter does this by itself after commits, also of other processes: see
  /// ``updateInterval``. Call it to show the app's own commit before the method that made it
  /// returns; nested lists on display come along.
  ///
  /// - Parameter animated: Whether this update is animated, as ``animatesUpdates`` says otherwise.
  public func update(animated: Bool = true) {
    if !animated { updates.skipsAnimation = true }
    updates.react(to: .commitArrived)
    for adapter in views.nested.adapters { adapter.update(animated: animated) }
  }

  /// Saves the selection and the scroll position, now.
  ///
  /// The adapter does this by itself after each selection and each scroll by the user, on another
  /// thread. Call it in an app that is about to be suspended. It saves those of nested lists on
  /// display, too.
  ///
  /// - Throws: ``/ListModel/StoreError`` if the store can't be written.
  public func saveViewState() throws(StoreError) {
    try screenSelection.save()
    for adapter in views.nested.adapters { try adapter.saveViewState() }
  }

  // MARK: Scrolling

  /// Where in the visible part an item is scrolled to.
  public enum ScrollPosition: Hashable, Sendable {
    /// At the top; at the left in a list that scrolls horizontally.
    case start
    /// In the middle.
    case center
    /// At the bottom; at the right in a list that scrolls horizontally.
    case end
    /// As near as possible to where it is: an item in sight stays there.
    case nearest
  }

  /// Scrolls to an item, as far as the content goes.
  ///
  /// Unlike the view's own method it arrives there also where items on the way were never measured.
  /// They are not measured for it either.
  ///
  /// - Parameters:
  ///   - item: The item. Nothing happens if the view does not have it.
  ///   - position: Where in the visible part.
  ///   - animated: Whether the user sees how it gets there.
  public func scroll(
    to item: ItemID, at position: ScrollPosition = .nearest, animated: Bool = false
  ) {
    scroll(animated: animated) { [screen] in screen.contentOffset(showing: item, at: position) }
  }

  /// Scrolls to the end of the list.
  ///
  /// - Parameter animated: Whether the user sees how it gets there.
  public func scrollToEnd(animated: Bool = false) {
    scroll(animated: animated) { [screen] in screen.contentOffset(showing: .end) }
  }

  private func scroll(animated: Bool, to target: @escaping () -> CGPoint?) {
    guard screen.host.isConnected, let view = screen.host.view else { return }
    view.layoutIfNeeded()
    guard animated, screen.host.isOnScreen, let offset = target() else {
      screen.scroll(to: target)
      return screenSelection.scrolled()
    }
    arrival = target
    neededPages.isAnimating = true
    view.setContentOffset(offset, animated: true)
  }

  /// An animated scroll ended, about where it should: what came into sight was measured meanwhile.
  func scrollingAnimationEnded() {
    if let arrival { screen.scroll(to: arrival) }
    arrival = nil
    neededPages.isAnimating = false
    screenSelection.scrolled()
    cameToRest()
  }

  /// What is around the content changed, for instance because a keyboard came.
  func insetsChanged() { if screenSelection.isAtEnd { restore() } }

  // MARK: Events

  /// Calls the handlers of an event, for instance after a tap on a button in a cell.
  ///
  /// `value`: The value of the control that the user used.
  public func handle(_ event: ItemEvent, of item: ItemID, value: (any Sendable)? = nil) {
    screen.handle(event, of: item, value: value)
  }

  /// Calls the handlers of an event of a header, a footer or another view of a section, if the
  /// section has it.
  ///
  /// `value`: The value of the control that the user used.
  public func handle(
    _ event: ItemEvent, of kind: Supplementary.Kind, in section: SectionID,
    value: (any Sendable)? = nil
  ) {
    screen.handle(event, of: SupplementaryID(kind: kind, section: section), value: value)
  }

  // MARK: Prefetching

  /// Reads items that will be visible soon, on another thread.
  func prefetch(_ indexPaths: [IndexPath]) {
    let (paths, keys) = sizes.keys(ofItemsAt: indexPaths)
    if !paths.isEmpty { prefetching.add(paths, of: provider, sizedFor: keys) }
  }

  /// Leaves out items that will not be visible soon after all.
  func cancelPrefetching(_ indexPaths: [IndexPath]) {
    prefetching.remove(indexPaths.compactMap { screen.display.listPath(of: ItemPath($0)) })
  }

  // MARK: For tests

  /// Asks for the pages that are needed now, instead of soon.
  package func checkPagesNow() { checkPages() }

  /// Whether the list stands at its end, and stays there.
  package var standsAtEnd: Bool { screenSelection.isAtEnd }

  /// Waits until the items that the view announced are read.
  package func finishPrefetching() { prefetching.finish() }

  /// How often cells were bound to items and unbound from them.
  ///
  /// The difference is the number of cells on display.
  package var bindings: (bound: Int, unbound: Int, shown: Int) { views.cells.counts }

  /// As ``bindings``, of headers, footers and other supplementary views.
  package var supplementaryBindings: (bound: Int, unbound: Int, shown: Int) {
    views.supplementaries.counts
  }

  /// Whether the view is between two stages of an update: its cells may still show the list before
  /// it.
  package var isBetweenStages: Bool { screen.display.interim != nil }
}
