import Foundation
import ListItems
import ListModel
import ListSync
import ListViews
import Providers

/// What a screen keeps beside the list, beyond its own life: the selection and the scroll position.
///
/// Editing mode has a selection of its own: a view deselects its items when the mode begins and when
/// it ends.
@MainActor final class ScreenSelection {
  private var selection: ItemSelection
  /// Called when editing mode began or ended.
  var onEditing: (() -> Void)?
  /// The screen's name; `nil` if nothing is saved.
  var name: String? { saved.name }
  private let screen: ListScreen
  private let saved: SavedScreen
  /// The selection from before the view's editing mode; `nil` outside of it.
  private var selectionBeforeEditing: ItemSelection?
  /// Whether ``noticeEditing()`` will be called soon.
  private var isNoticingEditing = false
  /// Waits for the end of editing mode.
  private var editingWatch: Task<Void, Never>?

  init(_ screen: ListScreen, _ saved: SavedScreen) {
    self.screen = screen
    self.saved = saved
    selection = saved.state.selection
  }

  deinit { editingWatch?.cancel() }

  private var host: any ListHost { screen.host }

  /// Saves under another list from now on; the selection stays, of the items that it has.
  func follow(_ list: LiveList) { saved.list = list }

  // MARK: Saving and restoring

  /// Saves the selection and the scroll position, now.
  func save() throws(StoreError) {
    takeOver()
    try saved.save(state)
  }

  /// Saves the selection and the scroll position, soon.
  func saveSoon() {
    takeOver()
    saved.saveSoon(state, reportingTo: screen.problems)
  }

  private var state: ListViewState {
    // Until the list is scrolled to where it was, that place is still the one to save. A list that
    // stands at its end opens there, whatever comes.
    let anchor =
      isAtEnd
      ? nil
      : saved.placeToReach ?? screen.firstInSight(among: screen.display.shown)
        ?? screen.gapInSight
    return ListViewState(selection: selectionBeforeEditing ?? selection, anchor: anchor)
  }

  /// Where the list has to be, unless somebody scrolled it: where it was at the last launch, or its
  /// end.
  private var place: ListScreen.Place? {
    isAtEnd ? .end : saved.place(at: host.view?.contentOffset).map(screen.place(savedAs:))
  }

  /// Whether the list's place is what has to stay in sight, or its end.
  var holdsPlace: Bool { isAtEnd || saved.holdsPlace(at: host.view?.contentOffset) }

  /// Whether the list has to be scrolled, and the view has no size for that yet.
  var needsSize: Bool { place != nil && !host.hasSize }

  /// Whether the list opens at its end and stays there.
  var sticksToEnd = false {
    didSet {
      let isAtEnd = sticksToEnd && saved.place(at: host.view?.contentOffset) == nil
      standing = isAtEnd ? .atEnd : .elsewhere
    }
  }
  /// Whether the list stands at its end, and has to stay there.
  var isAtEnd: Bool { standing == .atEnd || standing == .beyondEnd && screen.isAtEnd }
  private var standing = Standing.elsewhere

  /// Where the list was when it was scrolled last.
  private enum Standing {
    case elsewhere
    case atEnd
    /// Beyond the end that the view knew then: it bounces, or what came into sight above is longer than was
    /// assumed, and the view moved by that much before it knew how far the end had gone.
    case beyondEnd
  }

  /// Where the list was scrolled to last.
  private var lastOffset = CGPoint.zero

  /// Notes whether the list was scrolled away from its end, or back.
  func scrolled() {
    guard let view = host.view else { return }
    let offset = view.contentOffset
    let goesBack = host.axis == .vertical ? offset.y < lastOffset.y : offset.x < lastOffset.x
    lastOffset = offset
    if screen.isChanging { return }
    if view.isDragging || view.isDecelerating { saved.leavePlace() }
    // What comes into sight there may be longer than was assumed: the end goes, not the user.
    if sticksToEnd {
      if standing == .atEnd, !goesBack { return }
      standing = screen.isBeyondEnd ? .beyondEnd : screen.isAtEnd ? .atEnd : .elsewhere
    }
  }

  /// Notes that the user has dragged the list, perhaps to where it was.
  func dragged() {
    saved.leavePlace()
    scrolled()
  }

  /// Notes where an update brings the missing item that is in sight, which may come with it.
  func missingItem(in gap: ItemID, isAt place: ListScreen.Place) {
    guard saved.place(at: host.view?.contentOffset)?.item == gap, let anchor = place.anchor else {
      return
    }
    saved.movePlace(to: anchor)
  }

  /// Selects the items that were selected, and scrolls to where the list was.
  func restore() {
    allowAsManyAsTheView()
    restoreSelection()
    guard let place, let view = host.view, host.hasSize else { return }
    let outer = screen.isChanging
    screen.isChanging = true
    screen.open(at: place)
    screen.isChanging = outer
    saved.arrived(at: view.contentOffset, isAbove: screen.isAbove(place))
  }

  /// Selects in the view what ``selection`` has, wherever that is now.
  func restoreSelection() {
    if !host.isConnected || noticeEditing() { return }
    selection.keep(in: screen.provider)
    selectionBeforeEditing?.keep(in: screen.provider)
    let wanted = Set(selection.items.compactMap { screen.indexPath(of: $0) })
    let selected = Set(host.selectedPaths)
    for path in selected where !wanted.contains(path) { host.deselect(path) }
    for path in wanted where !selected.contains(path) { host.select(path) }
  }

  // MARK: The app

  /// What is selected in the view now, and the items of hidden sections that were selected.
  var current: ItemSelection {
    takeOver()
    return selection
  }

  func select(_ item: ItemID) {
    if screen.provider.path(of: item) == nil { return }
    takeOver()
    allowAsManyAsTheView()
    selection.select(item)
    selectionChanged()
  }

  func deselect(_ item: ItemID) {
    takeOver()
    selection.deselect(item)
    selectionChanged()
  }

  /// Shows the selection in the view, after an update if one is under way.
  private func selectionChanged() {
    if !screen.isChanging { restoreSelection() }
    saveSoon()
  }

  /// Takes over what is selected in the view: the app may have selected and deselected items there.
  ///
  /// In the midst of an update the view's paths are not the list's: it is done before.
  func takeOver() {
    if !host.isConnected || screen.isChanging || noticeEditing() { return }
    let inView = host.selectedPaths.sorted().compactMap { screen.itemID(at: $0) }
    for item in selection.items where !inView.contains(item) && screen.indexPath(of: item) != nil {
      selection.deselect(item)
    }
    if inView.allSatisfy(selection.contains) { return }
    allowAsManyAsTheView()
    for item in inView { selection.select(item) }
  }

  private func allowAsManyAsTheView() {
    selection.mode = host.allowsMultipleSelection ? .multiple : .single
  }

  // MARK: The user

  func didSelect(at indexPath: IndexPath) {
    guard let id = screen.itemID(at: indexPath) else { return }
    // What the user selects first in editing mode stays selected.
    if noticeEditing() { host.select(indexPath) }
    allowAsManyAsTheView()
    selection.select(id)
    screen.handle(.select, of: id)
  }

  func didDeselect(at indexPath: IndexPath) {
    guard let id = screen.itemID(at: indexPath) else { return }
    if noticeEditing() { host.deselect(indexPath) }
    selection.deselect(id)
    screen.handle(.deselect, of: id)
  }

  // MARK: Editing mode

  /// Notices that the view's editing mode began or ended.
  ///
  /// - Returns: Whether it did.
  @discardableResult private func noticeEditing() -> Bool {
    guard host.isEditing != (selectionBeforeEditing != nil) else { return false }
    if let before = selectionBeforeEditing {
      selectionBeforeEditing = nil
      selection = before
    } else {
      selectionBeforeEditing = selection
      selection = ItemSelection()
      watchEditing()
    }
    allowAsManyAsTheView()
    restoreSelection()
    onEditing?()
    return true
  }

  /// Notices editing mode after the view has it: a table asks for the controls of its rows when the
  /// mode begins.
  func noticeEditingSoon() {
    guard !isNoticingEditing else { return }
    isNoticingEditing = true
    Task { [weak self] in
      self?.isNoticingEditing = false
      self?.noticeEditing()
    }
  }

  /// Polls until editing mode has ended: UIKit reports its end to nobody.
  private func watchEditing() {
    editingWatch?.cancel()
    editingWatch = Task { [weak self] in
      while self?.host.isEditing == true {
        try? await Task.sleep(nanoseconds: 100_000_000)
        if Task.isCancelled { return }
      }
      self?.noticeEditing()
    }
  }
}
