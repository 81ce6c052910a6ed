import ListModel
import Providers

/// What a view displays of a list.
///
/// It translates the view's indexes and paths to the list's, and back.
///
/// The view has no hidden sections: its indexes and paths count the others. Between two stages of
/// an update it lacks some items of the new revision.
struct DisplayedList {
  // Behind a reference: a view asks it hundreds of times a frame, and each call copies this value.
  private var contents: Contents

  private final class Contents {
    let shown: ShownList
    let interim: InterimList?

    init(_ shown: ShownList, _ interim: InterimList?) {
      (self.shown, self.interim) = (shown, interim)
    }
  }

  /// A list whose sections the view displays, without the hidden ones.
  init(_ provider: Provider) { contents = Contents(provider.shown, nil) }

  /// Goes to another revision.
  ///
  /// `interim`: What the view displays of it until the next stage; `nil`: all.
  mutating func show(_ next: Provider, interim: InterimList? = nil) {
    contents = Contents(next.shown, interim)
  }

  /// The list; during an update already the new revision.
  var provider: Provider { contents.shown.provider }

  /// ``provider`` without its hidden sections.
  var shown: ShownList { contents.shown }

  /// What the view displays between two stages of an update, or after a drop that the list does not
  /// have; `nil`: all of ``shown``.
  var interim: InterimList? {
    get { contents.interim }
    set { contents = Contents(contents.shown, newValue) }
  }

  /// What the view displays after the user has moved an item in it; `nil` if there is no such item
  /// or place.
  func moving(_ source: ItemPath, to target: ItemPath) -> InterimList? {
    interim?.moving(source, to: target)
      ?? provider.interim(moving: source, to: target, hidesSections: true)
  }

  // MARK: Counts

  var numberOfSections: Int { interim?.numberOfSections ?? shown.numberOfSections }

  func numberOfItems(inSection index: Int) -> Int {
    interim?.numberOfItems(inSection: index) ?? shown.numberOfItems(inSection: index)
  }

  // MARK: From the view to the list and back

  /// The path in ``provider`` of an item of the view; `nil` if there is none.
  func listPath(of path: ItemPath) -> ItemPath? {
    guard let interim else { return shown.listPath(of: path) }
    return interim.pathAfterUpdate(of: path)
  }

  /// The index in ``provider`` of a section of the view; `nil` if there is none.
  func listIndex(ofSection index: Int) -> Int? {
    guard let interim else { return shown.listIndex(ofSection: index) }
    return interim.indexAfterUpdate(ofSection: index)
  }

  /// The view's path of an item; `nil` if the view does not have it.
  func path(of item: ItemID) -> ItemPath? {
    if let interim { return interim.path(of: item) }
    return provider.path(of: item).flatMap { shown.shownPath(of: $0) }
  }

  /// The id of a section of the view; `nil` if there is none.
  func sectionID(at index: Int) -> SectionID? {
    listIndex(ofSection: index).flatMap { provider.sectionID(at: $0) }
  }

  /// The view's index of a section, outside of an update; `nil` if the view does not have it.
  func index(ofSection section: SectionID) -> Int? {
    provider.index(of: section).flatMap { shown.shownIndex(ofSection: $0) }
  }

  /// The attributes of a section of the view; `nil` if there is none.
  func attributes(ofSection index: Int) -> SectionAttributes? {
    listIndex(ofSection: index).flatMap { provider.attributes(ofSection: $0) }
  }
}

extension ShownList {
  /// Whether a view that shows the list has an item.
  func shows(_ item: ItemID) -> Bool {
    provider.path(of: item).flatMap { shownPath(of: $0) } != nil
  }
}
