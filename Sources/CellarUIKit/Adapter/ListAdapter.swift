public import BatchUpdates
public import Foundation
public import ListItems
public import ListLayout
public import ListModel
import ListStore
public import ListSync
public import Providers
import ListViews

/// Shows a list in a view and keeps the view up to date: the part that ``CollectionAdapter`` and
/// ``TableAdapter`` share.
///
/// Make one of these two. An adapter is the data source and the delegate of its view. The view does
/// not retain it: keep it as long as the view shows the list.
@MainActor public class ListAdapter: NSObject {
  /// The list.
  public let list: LiveList
  /// The list as the view shows it; during an update, already as it is after the update.
  public var provider: Provider { display.provider }
  /// Which items are selected, by identity.
  ///
  /// The view's editing mode has a selection of its own. The one from before comes back after it.
  public internal(set) var selection: ItemSelection
  /// What happens when users do something to items.
  public let handlers: ItemHandlers
  /// How many cells, headers and footers were measured because the store had no size of them.
  public var measurementCount: Int { measurer.count }
  /// Called with each problem: an item that can't be decoded, a cell name that nobody registered
  /// (each once), a store that can't be read or written.
  ///
  /// Problems from before you set this are reported when you do.
  public var onProblem: ((any Error) -> Void)? {
    get { problems.handler }
    set { problems.handler = newValue }
  }

  /// Called after the view shows another revision of the list: when the animations of the batch
  /// update have ended, or at once after a reload.
  ///
  /// A place to scroll to a new item, or to show and hide an empty state. Revisions in which
  /// nothing visible changed are not reported.
  public var onUpdate: ((BatchUpdate) -> Void)?

  /// The layout of sections for which the store has none; `nil`: that of the view's layout.
  public var defaultMetrics: SectionMetrics? { didSet { sizesDidChange() } }
  /// The assumed length of an item, in points, while none of its section was measured.
  public var estimatedLength = 44.0
  /// Whether the visible items stay where they are when something is inserted or deleted above
  /// them.
  ///
  /// At the very beginning of the content new items come into sight instead.
  public var keepsScrollPosition = true
  /// Whether the user may move an item to another place; `nil`: no item may be moved.
  public var canMove: ((ItemID) -> Bool)?
  /// The shortest time between two updates that the adapter makes by itself: by default a frame at
  /// 60 Hz.
  ///
  /// The first commit after a rest is shown at once; all commits that follow within the interval are
  /// one update at its end. ``update()`` does not wait. An update that is animated also waits for
  /// the animations of the one before. While the view is in no window, commits wait until it is,
  /// and are shown then by one reload.
  public var updateInterval = LiveList.updateInterval
  /// Holds updates back, for instance while a gesture of the app relies on paths.
  public var holdsUpdates = false { didSet { if !holdsUpdates { react(to: .pauseEnded) } } }

  let host: any ListHost
  let views: RegisteredViews
  let measurer: SizeMeasurer
  let screen: SavedScreen
  let problems: ProblemReports
  let prefetching = ItemPrefetch()
  /// The cells on display; `nil` is the value of a fallback.
  let bound = BoundViews<UIView, ItemID, (any ListItem)?>()
  /// The headers, footers and other supplementary views on display.
  let boundSupplementaries = BoundViews<
    UIView, SupplementaryRefresh.Place, any ListSupplementary
  >()
  /// The cell that was configured last.
  var configured: ConfiguredCell?
  /// The states of items that the store does not have.
  var states: [ItemID: any Sendable] = [:]
  /// Whether any item ever had a state.
  var hasHadStates = false
  /// The lists that are shown in cells of the items that own them.
  var nestedLists: [NestedList] = []
  /// Their adapters, by cell on display.
  var nestedAdapters: [ObjectIdentifier: [CollectionAdapter]] = [:]
  /// The items that the view shows by the fallback, because they can't be decoded.
  var undecodableItems: Set<ItemID> = []
  /// What the view displays of the list.
  var display: DisplayedList { didSet { measurer.forgetEstimates() } }
  /// Whether the view may be updated now.
  var state = UpdateState.idle
  /// The item that keeps its place on the screen during an update.
  var anchor: ListViewState.Anchor?
  /// The headers and footers that an update has to refresh.
  var supplementaries = SupplementaryRefresh()
  /// The app's own delegate.
  weak var appDelegate: (any UIScrollViewDelegate)? { didSet { appDelegateChanged() } }
  /// Which of the app delegate's methods the view was told of.
  var forwarding = DelegateForwarding()
  /// The selection from before the view's editing mode; `nil` outside of it.
  var selectionBeforeEditing: ItemSelection?
  /// Called when editing mode began or ended.
  var editingDidChange: (() -> Void)?
  /// Whether ``noticeEditing()`` will be called soon.
  var isNoticingEditing = false
  /// Waits for the end of editing mode.
  var editingWatch: Task<Void, Never>?
  /// Waits for the end of a drag.
  var dragWatch: Task<Void, Never>?
  private var following: Task<Void, Never>?

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
    // Listening comes first, so that no commit falls between reading and listening.
    let revisions = list.repository.revisions(of: list.id)
    display = DisplayedList(try list.provider())
    self.screen = try SavedScreen(screen, of: list)
    selection = self.screen.state.selection
    self.list = list
    self.host = host
    self.handlers = handlers ?? ItemHandlers(list.types)
    problems = ProblemReports()
    self.views = RegisteredViews(views, in: host, reportingTo: problems)
    measurer = SizeMeasurer(list, in: host, views: views, reportingTo: problems)
    super.init()
    following = LiveList.hear(revisions) { [weak self] in
      self?.commitArrived()
      return self?.updateInterval
    }
    if let view = host.view {
      ViewWatch.watch(of: view).onAppear = { [weak self] in self?.viewAppeared() }
    }
    measurer.onChange = { [weak self] in self?.sizesDidChange() }
  }

  deinit {
    following?.cancel()
    dragWatch?.cancel()
    editingWatch?.cancel()
  }

  /// Keeps the sizes that cells gave themselves while they were on display.
  ///
  /// For a view whose layout does not report them.
  func keepSizesOnDisplay() {}

  // MARK: What is shown

  /// The item at a path of the view, also during an update; `nil` if there is none.
  public func item(at indexPath: IndexPath) -> Item? {
    display.listPath(of: ItemPath(indexPath)).flatMap { provider.item(at: $0) }
  }

  /// The id of the item at a path of the view; `nil` if there is none.
  public func itemID(at indexPath: IndexPath) -> ItemID? {
    display.listPath(of: ItemPath(indexPath)).flatMap { provider.itemID(at: $0) }
  }

  /// The view's path of an item; `nil` if the list does not have it, or hides its section.
  public func indexPath(of item: ItemID) -> IndexPath? { display.path(of: item)?.indexPath }

  /// How often cells were bound to items and unbound from them.
  ///
  /// The difference is the number of cells on display.
  package var bindings: (bound: Int, unbound: Int, shown: Int) {
    (bound.bindCount, bound.unbindCount, bound.count)
  }

  /// As ``bindings``, of headers, footers and other supplementary views.
  package var supplementaryBindings: (bound: Int, unbound: Int, shown: Int) {
    (
      boundSupplementaries.bindCount, boundSupplementaries.unbindCount,
      boundSupplementaries.count
    )
  }

  /// Whether the view is between two stages of an update: its cells may still show the list before
  /// it.
  package var isBetweenStages: Bool { display.interim != nil }
}
