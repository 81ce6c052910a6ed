import Foundation
import ListItems
import ListModel
import ListStore
import ListSync

/// What the store remembers of one screen: which items are selected, and where it is scrolled to.
@MainActor final class SavedScreen {
  /// What the store has.
  private(set) var state: ListViewState
  /// Where the screen was scrolled to at the last launch, for as long as nobody scrolls it from
  /// there: in each size that it gets until then, it is brought there again.
  private var lastPlace: ListViewState.Anchor?
  /// The content offset of ``lastPlace``; `nil` until the screen was brought there.
  private var offsetOfPlace: CGPoint?
  /// Whether the content was long enough for ``lastPlace``.
  private var isReached = false
  /// The list under which it is saved.
  var list: LiveList
  /// The screen's name; `nil` if nothing is saved.
  let name: String?
  /// Whether the last state may not be written yet.
  private var waits = false

  /// Reads what the store has of a screen.
  ///
  /// `name`: The screen's; `nil`: nothing is read or saved.
  init(_ name: String?, of list: LiveList) throws(StoreError) {
    self.name = name
    self.list = list
    state =
      try name.map { name throws(StoreError) in try list.viewState(view: name) } ?? ListViewState()
    lastPlace = state.anchor
  }

  /// Where the screen was at the last launch, until it was brought there.
  var placeToReach: ListViewState.Anchor? { offsetOfPlace == nil ? lastPlace : nil }

  /// Whether the screen has yet to get where it was at the last launch: from there on, what is in
  /// sight counts, which may be another item.
  ///
  /// `offset`: The content offset; with another than the screen was brought to, somebody scrolled.
  func hasYetToArrive(at offset: CGPoint?) -> Bool { !isReached && place(at: offset) != nil }

  /// Where the screen still has to be, at a content offset; `nil` if somebody scrolled it.
  func place(at offset: CGPoint?) -> ListViewState.Anchor? {
    offsetOfPlace == nil || offsetOfPlace == offset ? lastPlace : nil
  }

  /// Notes the content offset of the place that the screen was brought to.
  ///
  /// `isReached`: Whether the content was long enough for the place.
  func arrived(at offset: CGPoint, isReached: Bool) {
    offsetOfPlace = offset
    self.isReached = isReached
  }

  /// Notes that somebody scrolled: what comes back to the same offset is not what was left there.
  func leavePlace() { if offsetOfPlace != nil { lastPlace = nil } }

  func save(_ state: @autoclosure () -> ListViewState) throws(StoreError) {
    guard let name else { return }
    let isNew = changed(state()) != nil
    if isNew || waits { try list.save(self.state, view: name) }
    waits = false
  }

  func saveSoon(
    _ state: @autoclosure () -> ListViewState, reportingTo problems: ProblemReports
  ) {
    guard !list.repository.isReadOnly, let name, let state = changed(state()) else { return }
    waits = true
    list.repository.saveSoon(state, of: list.id, view: name) { error in
      Task { @MainActor in problems.report(error) }
    }
  }

  /// - Returns: `nil` for what the store has already.
  private func changed(_ state: ListViewState) -> ListViewState? {
    if state == self.state { return nil }
    self.state = state
    return state
  }
}
