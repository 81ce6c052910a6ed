import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListSync
import Providers
import ListViews

extension ListAdapter {
  /// Brings the view to the newest revision of the list: now, or when the running update or drag
  /// has ended.
  ///
  /// The adapter does this by itself after commits, also of other processes: see
  /// ``updateInterval``. Call it to show the app's own commit before the method that made it
  /// returns; nested lists on display come along.
  public func update() {
    react(to: .commitArrived)
    for adapter in nestedAdapters.values.joined() { adapter.update() }
  }

  /// Shows a commit that the adapter heard of, unless nobody sees the view.
  func commitArrived() {
    if host.isOnScreen { return react(to: .commitArrived) }
    _ = state.handle(.commitArrived, isPaused: true)
  }

  /// Shows the commits that came while the view was in no window.
  ///
  /// By a reload: nobody saw what they changed.
  func viewAppeared() {
    guard !isPaused, case .waiting(let next) = state, next.contains(.advance) else { return }
    react(to: .viewOutdated)
  }

  /// Passes an event to the state, and does the work that the state returns.
  func react(to event: UpdateState.Event) {
    guard host.view != nil else { return }
    let work = state.handle(event, isPaused: isPaused)
    if case .waiting = state { watchDrag() }
    if work.contains(.advance) { return advance(work) }
    if work.contains(.relayout) {
      // Sizes may change in the middle of the view's layout. Work that waited does not come there.
      if event == .sizesChanged { host.relayout() } else { relayoutInPlace() }
    }
  }

  /// Whether a drag or the app holds updates back.
  var isPaused: Bool { holdsUpdates || host.hasActiveDrag }

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

  /// Places everything again; the visible items stay where they are.
  private func relayoutInPlace() {
    guard keepsScrollPosition, let anchor = firstInSight(among: display.shown) else {
      return host.relayout()
    }
    host.animate { [self] in
      host.relayout()
      host.view?.layoutIfNeeded()
      scroll(to: anchor)
    }
  }

  /// Shows the newest revision of the list, and does what else has to be done.
  private func advance(_ work: UpdateState.Work) {
    var next = provider
    let batch: BatchUpdate
    do throws(StoreError) { batch = try list.advance(&next) } catch {
      problems.report(error)
      if work.contains(.reload) { return reload(provider) }
      if work.contains(.relayout) { relayoutInPlace() }
      return
    }
    forgetStates(notIn: next)
    switch batch.mode {
    // Without a window there is nothing to animate.
    case .batch(let stages) where host.isOnScreen && !work.contains(.reload):
      perform(stages, of: batch, to: next, afterRelayout: work.contains(.relayout))
    case .none where !work.contains(.reload):
      display.show(next)
      if work.contains(.relayout) { relayoutInPlace() }
    case .none, .reload, .batch:
      reload(next)
      if batch.to != batch.from { onUpdate?(batch) }
    }
  }

  /// Loads a revision with new cells.
  private func reload(_ next: Provider) {
    let anchor = keepsScrollPosition ? firstInSight(among: next.shown) : nil
    display.show(next)
    supplementaries.bringBack()
    // The view asks for all its cells anew.
    undecodableItems = []
    host.reloadData()
    if let anchor {
      host.view?.layoutIfNeeded()
      scroll(to: anchor)
    }
    restoreSelection()
  }

  /// Performs stages without waiting for animations in between.
  ///
  /// Each stage is a batch update. Inside it, ``display`` changes before the view's methods are
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
    anchor = keepsScrollPosition ? firstInSight(among: next.shown) : nil
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
      if let anchor, !host.asksForContentOffset || !isInPlace(anchor) { scroll(to: anchor) }
    }
    anchor = nil
    restoreSelection()
  }

  private func perform(_ stages: [Stage], of batch: BatchUpdate, showing next: Provider) {
    for (number, stage) in stages.enumerated() {
      let isLast = number == stages.count - 1
      let between = isLast ? nil : next.interim(after: number, of: batch)
      host.perform { [self] in
        let before = display
        display.show(next, interim: between)
        refreshSupplementaries(inSections: stage.updateSections)
        host.apply(exchangingCells(of: reloadingUndecodableItems(of: stage), from: before))
      } completion: { [weak self] in
        guard isLast, let self else { return }
        keepSizesOnDisplay()
        // First, because the next update may be a reload, which is over at once.
        onUpdate?(batch)
        react(to: .batchEnded)
      }
    }
  }

  // MARK: Supplementary views

  /// Gives visible headers, footers and the like the content that they have now, or leaves them out
  /// of the layout if they need another class.
  private func refreshSupplementaries(inSections sections: [Int]) {
    for index in sections {
      for kind in supplementaries.kinds {
        guard let view = host.visibleView(of: kind, inSection: index) else { continue }
        if let stored = supplementary(kind, inSection: index), isView(view, of: stored, kind) {
          if let value = supplementaryView(for: stored, kind: kind).value { show(value, in: view) }
        } else if let place = place(of: kind, inSection: index),
          supplementaries.keptSize(place) == nil
        {
          supplementaries.leaveOut(place)
        }
      }
    }
  }

  /// Keeps the layout of headers and footers during an update that adds or removes some, or gives
  /// them another class.
  ///
  /// `sections`: Their indexes after the update. `next`: The list after the update.
  private func keepSupplementaries(ofSections sections: [Int], until next: DisplayedList) {
    for index in sections {
      guard let id = next.sectionID(at: index),
        let old = display.index(ofSection: id), let after = next.attributes(ofSection: index)
      else { continue }
      for kind in [Supplementary.Kind.header, .footer] {
        let place = SupplementaryRefresh.Place(kind: kind, section: id)
        let now = supplementary(kind, inSection: old)
        let then = after[views.storedKind(kind, in: after)]
        if now == nil, then != nil {
          supplementaries.leaveOut(place)
        } else if let now,
          registration(for: now, kind: kind) != then.map({ registration(for: $0, kind: kind) }),
          let size = size(of: kind, inSection: old)
        {
          supplementaries.keep(size, of: place)
        }
      }
    }
  }

  /// Gives headers and footers the layout that they could not get during the update.
  private func correctSupplementaries() {
    if !supplementaries.isPending { return }
    host.view?.layoutIfNeeded()
    supplementaries.leaveOutKept()
    if !host.changesSupplementariesInUpdates {
      // Views of the old class go.
      host.relayout()
      host.view?.layoutIfNeeded()
    }
    let places = supplementaries.bringBack().compactMap { place in
      display.index(ofSection: place.section).map { (kind: place.kind, index: $0) }
    }
    host.relayout(sections: Set(places.map(\.index)).sorted())
    host.view?.layoutIfNeeded()
    // Some layouts keep the old view. Then only a reload replaces it.
    for (kind, index) in places {
      guard let view = host.visibleView(of: kind, inSection: index) else { continue }
      if let stored = supplementary(kind, inSection: index) {
        if isView(view, of: stored, kind) { continue }
      } else if host.reuseIdentifier(of: view) == CollectionHost.emptyViewIdentifier {
        continue
      }
      return react(to: .viewOutdated)
    }
  }

  /// The place of a supplementary view in a section of the view; `nil` if there is no such section.
  func place(
    of kind: Supplementary.Kind, inSection index: Int
  ) -> SupplementaryRefresh.Place? {
    display.sectionID(at: index).map { SupplementaryRefresh.Place(kind: kind, section: $0) }
  }

  /// Whether a view has the class that a supplementary view needs.
  private func isView(_ view: UIView, of stored: Supplementary, _ kind: Supplementary.Kind) -> Bool
  {
    host.reuseIdentifier(of: view)
      == host.identifier(of: registration(for: stored, kind: kind))
  }
}
