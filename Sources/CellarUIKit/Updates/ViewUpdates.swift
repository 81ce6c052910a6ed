import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListStore
import ListSync
import ListViews
import Providers

/// Brings a view from one revision of its list to the next, when it may be updated.
@MainActor final class ViewUpdates {
  /// Whether the visible items stay where they are when something is inserted or deleted above
  /// them.
  var keepsScrollPosition = true
  /// Whether the app holds updates back.
  var isHeld = false { didSet { if !isHeld { react(to: .pauseEnded) } } }
  /// Whether the user sees a menu of an item.
  var hasOpenMenu = false { didSet { if !hasOpenMenu { react(to: .pauseEnded) } } }
  /// Whether updates are animated.
  var isAnimated = true
  /// Whether the next update is not animated, whatever the others are.
  var skipsAnimation = false
  /// Whether the user may move an item to another place; `nil`: no item may be moved.
  var canMove: ((ItemID) -> Bool)?
  /// Makes the edit of a user who deletes an item; `nil`: an edit of the list.
  var onDelete: ((ItemID) throws -> Void)?
  /// Makes the edit of a user who moves an item; `nil`: an edit of the list.
  var onMove: ((ItemID, SectionID, Place<ItemID>) throws -> Void)?
  /// Called after the view shows another revision of the list.
  var onUpdate: ((BatchUpdate) -> Void)?
  /// Called when the view may show something else than before.
  var onShown: (() -> Void)?
  /// Called before the view places everything anew, because sizes changed.
  var onSizesChange: (() -> Void)?
  /// What keeps its place on the screen during an update.
  private(set) var place: ListScreen.Place?
  let screen: ListScreen
  let sizes: ListSizes
  let views: DisplayedViews
  private let selection: ScreenSelection
  /// Whether the view may be updated now.
  private var state = UpdateState.idle
  /// The update that was read off the main thread.
  private var ahead: LiveList.Advance?
  /// Waits for the end of a drag.
  private var dragWatch: Task<Void, Never>?
  /// Waits to read the list again, which could not be read.
  private var retry: Task<Void, Never>?
  /// How often in a row it could not be read.
  private var failures = 0

  init(
    _ screen: ListScreen, _ sizes: ListSizes, _ views: DisplayedViews, _ selection: ScreenSelection
  ) {
    self.screen = screen
    self.sizes = sizes
    self.views = views
    self.selection = selection
    sizes.measurer.onChange = { [weak self] in self?.sizesChanged() }
    views.onUnreadableItem = { [weak self] in self?.itemUnreadable() }
  }

  deinit {
    dragWatch?.cancel()
    retry?.cancel()
  }

  var list: LiveList { screen.list }
  var host: any ListHost { screen.host }
  var provider: Provider { screen.provider }

  // MARK: When

  /// The revision that an update would begin with now; `nil` if the view can't be updated now.
  var providerToAdvance: Provider? {
    state == .idle && !isPaused && host.isOnScreen ? provider : nil
  }

  /// Shows a commit that somebody made, unless nobody sees the view.
  ///
  /// `ahead`: The update to it, if another thread has read the log already.
  func commitArrived(_ ahead: LiveList.Advance?) {
    guard host.isOnScreen else {
      _ = state.handle(.commitArrived, isPaused: true)
      return
    }
    self.ahead = ahead
    react(to: .commitArrived)
    self.ahead = nil
  }

  /// Shows the commits that came while the view was in no window.
  ///
  /// By a reload: nobody saw what they changed.
  func viewAppeared() {
    if host.isOnScreen, !isPaused, case .waiting(let next) = state, next.contains(.advance) {
      react(to: .viewOutdated)
    }
    onShown?()
  }

  /// Has the view placed again, now or when it may be updated.
  func sizesChanged() {
    sizes.forgetEstimates()
    react(to: .sizesChanged)
  }

  /// Has an item measured and placed again that has the same content.
  func sizeChanged(of item: ItemID) {
    guard state == .idle, !isPaused, let indexPath = screen.indexPath(of: item) else {
      return sizesChanged()
    }
    host.relayout(itemAt: indexPath)
    sizes.keepSizesOnDisplay()
  }

  private func itemUnreadable() {
    if !state.pending.contains(.reload) {
      let reason = reasonForUnreadableItems
      if failures == 0 {
        screen.problems.report(UnreadableItems(list: list.id, cause: reason))
      }
      if reason?.code != .closed { retryLater() }
    }
    react(to: .itemUnreadable)
  }

  /// Why the store gives no items; `nil` if it can be read.
  private var reasonForUnreadableItems: StoreError? {
    do throws(StoreError) { _ = try list.repository.revision(of: list.id) } catch { return error }
    return nil
  }

  /// Passes an event to the state, and does the work that the state returns.
  func react(to event: UpdateState.Event) {
    guard host.view != nil else { return }
    let work = state.handle(event, isPaused: isPaused)
    if case .waiting = state { watchDrag() }
    if work.contains(.advance) { return advance(work) }
    if work.contains(.relayout) {
      // Sizes may change in the middle of the view's layout. Work that waited does not come there.
      if event == .sizesChanged {
        onSizesChange?()
        host.relayout()
      } else {
        relayoutInPlace()
      }
    }
  }

  /// Whether a drag, a menu or the app holds updates back.
  private var isPaused: Bool { isHeld || hasOpenMenu || host.hasActiveDrag }

  /// Polls until a drag has ended: UIKit reports its end to the app's drag delegate only.
  private func watchDrag() {
    guard dragWatch == nil, host.hasActiveDrag else { return }
    dragWatch = Task { [weak self] in
      while self?.host.hasActiveDrag == true {
        try? await Task.sleep(nanoseconds: 100_000_000)
        if Task.isCancelled { return }
      }
      self?.dragWatch = nil
      self?.react(to: .pauseEnded)
    }
  }

  // MARK: How

  /// Places everything again; the visible items stay where they are.
  private func relayoutInPlace() {
    guard let place = placeToKeep(in: screen.display.shown) else { return host.relayout() }
    host.animate { [self] in
      host.relayout()
      host.view?.layoutIfNeeded()
      screen.scroll(to: place)
    }
  }

  /// What has to stay where it is when the view goes to another list; `nil` for nothing.
  ///
  /// The place of the last launch goes along, if it is in a gap.
  private func placeToKeep(in next: ShownList) -> ListScreen.Place? {
    if selection.isAtEnd { return .end }
    guard keepsScrollPosition else { return nil }
    if let first = screen.firstInSight(among: next, countsBeginning: selection.sticksToEnd) {
      return .item(first)
    }
    guard let missing = screen.missingInSight,
      let place = screen.place(of: missing, in: next.provider)
    else { return nil }
    selection.missingItem(in: missing.gap, isAt: place)
    return place
  }

  /// Shows the newest revision of the list, and does what else has to be done.
  private func advance(_ work: UpdateState.Work) {
    var next = provider
    let batch: BatchUpdate
    do throws(StoreError) {
      // While it was read, something else may have updated the view.
      if let ahead, ahead.from == next.token, ahead.batch.from == next.revision {
        (next, batch) = (ahead.provider, ahead.batch)
      } else {
        batch = try list.advance(&next)
      }
    } catch {
      // Once: later attempts fail alike.
      if failures == 0 { screen.problems.report(error) }
      if error.code != .closed { retryLater() }
      // A closed store has nothing to reload: what is on display is the last to be seen of it.
      if work.contains(.reload), error.code != .closed { return reload(provider) }
      if work.contains(.relayout) { relayoutInPlace() }
      return
    }
    selection.takeOver()
    views.forgetStates(notIn: next)
    screen.isChanging = true
    defer {
      screen.isChanging = false
      onShown?()
    }
    let focus = KeptFocus(in: views)
    defer {
      views.refreshDeliveries()
      focus.restore(in: views)
    }
    switch batch.mode {
    // Without a window there is nothing to animate.
    case .batch(let stages) where host.isOnScreen && !work.contains(.reload):
      animating {
        perform(stages, of: batch, to: next, afterRelayout: work.contains(.relayout))
      }
    case .none where !work.contains(.reload):
      screen.display.show(next)
      if work.contains(.relayout) { relayoutInPlace() }
    case .none, .reload, .batch:
      reload(next)
      // Another list may be at a revision of the same number.
      if batch.to != batch.from || batch.mode != .none { onUpdate?(batch) }
    }
  }

  /// Shows the list again after a pause, should nothing else have it shown before: a disk that fails may
  /// work again.
  ///
  /// The pause doubles from one attempt in vain to the next.
  private func retryLater() {
    if retry != nil { return }
    let seconds = min(1 << failures, 64)
    failures = min(failures + 1, 6)
    retry = Task { [weak self] in
      try? await Task.sleep(for: .seconds(seconds))
      guard let self, !Task.isCancelled else { return }
      retry = nil
      react(to: .commitArrived)
      host.view?.layoutIfNeeded()
      if retry == nil { failures = 0 }
    }
  }

  /// Makes changes with animations, unless the app or the user does without.
  private func animating(_ changes: () -> Void) {
    defer { skipsAnimation = false }
    if isAnimated, !skipsAnimation, !UIAccessibility.isReduceMotionEnabled { return changes() }
    UIView.performWithoutAnimation(changes)
  }

  /// Loads a revision with new cells.
  private func reload(_ next: Provider) {
    let place = placeToKeep(in: next.shown)
    screen.gaps = ShownGaps(next)
    screen.display.show(next)
    screen.supplementaries.bringBack()
    views.forgetUndecodableItems()
    views.endReconfiguring()
    host.reloadData()
    if let place {
      host.view?.layoutIfNeeded()
      screen.scroll(to: place)
    }
    selection.restoreSelection()
  }

  /// Performs stages without waiting for animations in between.
  ///
  /// Each stage is a batch update. Inside it, the display changes before the view's methods are
  /// called.
  ///
  /// `relayouts`: Whether everything is placed again first. That may leave too little content for
  /// the place of the first item in sight, which the update then restores.
  private func perform(
    _ stages: [Stage], of batch: BatchUpdate, to next: Provider, afterRelayout relayouts: Bool
  ) {
    react(to: .batchBegan)
    // A pending layout or reload would be counted as part of the batch update.
    host.view?.layoutIfNeeded()
    place = placeToKeep(in: next.shown)
    if !host.changesSupplementariesInUpdates {
      keepSupplementaries(ofSections: stages.last?.updateSections ?? [], until: DisplayedList(next))
    }
    host.animate { [self] in
      if relayouts {
        host.relayout()
        host.view?.layoutIfNeeded()
      }
      perform(stages, of: batch, showing: next)
      correctSupplementaries()
      // Items around it may have been measured since the view asked, and headers may have come.
      if let place, !host.asksForContentOffset || !screen.isInPlace(place) {
        screen.scroll(to: place)
      }
    }
    place = nil
    selection.restoreSelection()
  }

  private func perform(_ stages: [Stage], of batch: BatchUpdate, showing next: Provider) {
    for (number, stage) in stages.enumerated() {
      let isLast = number == stages.count - 1
      let between = isLast ? nil : next.interim(after: number, of: batch)
      host.perform { [self] in
        let before = screen.display
        screen.display.show(next, interim: between)
        screen.gaps.follow(stage, in: screen.display)
        refreshSupplementaries(inSections: stage.updateSections)
        host.apply(views.exchangingCells(of: stage, from: before))
      } completion: { [weak self] in
        guard isLast, let self else { return }
        views.endReconfiguring()
        sizes.keepSizesOnDisplay()
        // First, because the next update may be a reload, which is over at once.
        onUpdate?(batch)
        react(to: .batchEnded)
      }
    }
  }
}
