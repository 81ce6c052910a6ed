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
  /// Whether the item of ``lastPlace`` is above what is in sight there.
  private var isAbove = false
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

  /// Whether the item of the last launch's place is what has to stay in sight, at a content offset.
  ///
  /// If it is above by now, what is in sight counts.
  func holdsPlace(at offset: CGPoint?) -> Bool { !isAbove && place(at: offset) != nil }

  /// Where the screen still has to be, at a content offset; `nil` if somebody scrolled it.
  func place(at offset: CGPoint?) -> ListViewState.Anchor? {
    offsetOfPlace == nil || offsetOfPlace == offset ? lastPlace : nil
  }

  /// Notes the content offset of the place that the screen was brought to.
  ///
  /// `isAbove`: Whether the item of the place is above what is in sight.
  func arrived(at offset: CGPoint, isAbove: Bool) {
    offsetOfPlace = offset
    self.isAbove = isAbove
  }

  /// Notes that what was at the place of the last launch is at another one by now.
  func movePlace(to anchor: ListViewState.Anchor) { lastPlace = anchor }

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
