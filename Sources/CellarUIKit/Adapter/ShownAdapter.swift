package import ListSync
package import ListViews

/// The adapter that a wrapped collection view has: made once for a list, and made anew for another.
///
/// It is what SwiftUI's wrapper keeps between two evaluations of its body.
@MainActor package final class ShownAdapter {
  /// The adapter; `nil` before the first list, and for a list that can't be read.
  package private(set) var adapter: CollectionAdapter?
  private var shown: LiveList?

  /// No adapter yet.
  package init() {}

  /// Shows a list in a view, unless it shows it already.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - view: The view.
  ///   - screen: The name under which the store keeps selection and place; `nil`: it does not.
  ///   - onProblem: Called with each problem, also with that of a list that can't be read.
  ///   - setUp: Called with each adapter that is made, before the view has anything to show.
  package func show(
    _ list: LiveList, in view: UICollectionView, screen: String?,
    onProblem: ((any Error) -> Void)?, setUp: (CollectionAdapter) -> Void
  ) {
    if let shown, shown.id == list.id, shown.repository === list.repository { return }
    shown = list
    adapter = nil
    do {
      let made = try CollectionAdapter(list, in: view, screen: screen)
      made.onProblem = onProblem
      setUp(made)
      adapter = made
    } catch {
      onProblem?(error)
    }
  }

  /// Saves selection and place, of a view that leaves the hierarchy.
  package func end() {
    adapter?.screenSelection.saveSoon()
    adapter = nil
    shown = nil
  }
}
