import BatchUpdates
import Foundation
import ListItems
import ListModel
import ListSync
import Providers

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

extension ListAdapter {
  /// Brings the view to the list as it is; once the running update has ended, if there is one, and what
  /// the user drags is dropped.
  ///
  /// It comes by itself after each commit of the list's Repository; this is for what others committed.
  public func update() {
    guard host.view != nil else { return }
    guard !mustWait else {
      isBehind = true
      if host.hasActiveDrag { waitForEndOfDrag() }
      return
    }
    isBehind = false
    if hasOtherSizes { sizesDidChange() }
    var next = provider
    let batch: BatchUpdate
    do throws(StoreError) { batch = try list.advance(&next) } catch {
      report(error)
      return
    }
    if showsUnreadable {
      showsUnreadable = false
      return reload(to: next)
    }
    switch batch.mode {
    case .none: provider = next
    case .reload: reload(to: next)
    case .batch(let stages):
      // A view that nobody sees has nothing to animate.
      if host.isOnScreen { perform(stages, of: batch, to: next) } else { reload(to: next) }
    }
  }

  /// Whether the view can't be told anything now.
  var mustWait: Bool { isUpdating || isReordering || holdsUpdates || host.hasActiveDrag }

  /// Looks again while something is dragged: the view tells nobody but the app's drag delegate when that
  /// ends.
  private func waitForEndOfDrag() {
    guard waiting == nil else { return }
    waiting = Task { [weak self] in
      while self?.host.hasActiveDrag == true {
        try? await Task.sleep(nanoseconds: 100_000_000)
        if Task.isCancelled { return }
      }
      self?.waiting = nil
      if self?.isBehind == true { self?.update() }
    }
  }

  /// Has the view ask for everything.
  func reload(to next: Provider) {
    provider = next
    interim = nil
    suppressed = []
    mustReload = false
    host.reloadData()
    restoreSelection()
  }

  /// Performs the stages one right after another, each with the data swapped inside.
  private func perform(_ stages: [Stage], of batch: BatchUpdate, to next: Provider) {
    isUpdating = true
    // What waits to be laid out or loaded would be counted with the batch.
    host.view?.layoutIfNeeded()
    willPerform(next)
    for (number, stage) in stages.enumerated() {
      let isLast = number == stages.count - 1
      let between = isLast ? nil : next.interim(after: number, of: batch)
      host.perform { [self] in
        provider = next
        interim = between
        refreshSupplementaries(of: stage.updateSections)
        host.tell(stage)
      } completion: { [weak self] in
        if isLast { self?.didUpdate() }
      }
    }
    if !suppressed.isEmpty { showSuppressed() }
    didPerform()
    restoreSelection()
  }

  private func didUpdate() {
    isUpdating = false
    if mustReload { reload(to: provider) }
    if isBehind { update() }
  }

  /// Has the headers, footers and the like of sections show what they show now.
  private func refreshSupplementaries(of sections: [Int]) {
    for index in sections {
      for kind in shownKinds {
        guard let shown = host.visibleView(of: kind, inSection: index) else { continue }
        if let stored = supplementary(kind, inSection: index), shows(shown, stored, kind: kind) {
          configure(shown, with: stored, kind: kind)
        } else {
          suppressed.insert(.init(kind: kind, section: index))
        }
      }
    }
  }

  /// Whether a view is of the class that shows what is stored.
  private func shows(_ view: UIView, _ stored: Supplementary, kind: Supplementary.Kind) -> Bool {
    host.reuseIdentifier(of: view)
      == host.identifier(of: registration(for: stored.view, kind: kind))
  }

  /// Has the view make the headers and footers that were left out for a moment: they are of another
  /// class now, which a batch can't tell.
  ///
  /// Where the layout did not leave them out, it takes a reload, once the update has ended.
  private func showSuppressed() {
    host.view?.layoutIfNeeded()
    let places = suppressed
    suppressed = []
    relayout(sections: Set(places.map(\.section)).sorted())
    host.view?.layoutIfNeeded()
    for place in places {
      guard let view = host.visibleView(of: place.kind, inSection: place.section) else { continue }
      let stored = supplementary(place.kind, inSection: place.section)
      let isRight = stored.map { shows(view, $0, kind: place.kind) }
      if isRight ?? (host.reuseIdentifier(of: view) == Self.emptyViewIdentifier) { continue }
      mustReload = true
    }
  }

  /// Selects again what is selected, wherever it is now.
  func restoreSelection() {
    selection.keep(in: provider)
    let wanted = Set(selection.items.compactMap { indexPath(of: $0) })
    let shown = Set(host.selectedPaths)
    for path in shown where !wanted.contains(path) { host.deselect(path) }
    for path in wanted where !shown.contains(path) { host.select(path) }
  }
}

extension ShownList {
  /// Whether a view has an item.
  func shows(_ item: ItemID) -> Bool {
    provider.path(of: item).flatMap { shownPath(of: $0) } != nil
  }
}
