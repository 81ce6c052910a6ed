import ListItems
import ListModel
import ListViews

/// What the keyboard and VoiceOver's cursor are in, among the cells of a list.
///
/// UIKit takes both away with a cell that an update replaces. Then they go to the same part of the
/// item's new cell.
@MainActor struct KeptFocus {
  /// A view in the cell of an item.
  fileprivate struct Part {
    let item: ItemID
    let view: UIView
    /// The way from the cell to the view, by the indexes of subviews.
    let path: [Int]

    /// The same part of the cell that the item has now; `nil` if there is none.
    @MainActor func current(in views: DisplayedViews) -> UIView? {
      guard let cell = views.cells.view(of: item) else { return nil }
      if view.isDescendant(of: cell) { return view }
      var found = cell
      for index in path {
        guard found.subviews.indices.contains(index) else { return nil }
        found = found.subviews[index]
      }
      return type(of: found) == type(of: view) ? found : nil
    }
  }

  private let keyboard: Part?
  private let voiceOver: Part?

  init(in views: DisplayedViews) {
    let focused = Self.viewOfVoiceOver
    var (keyboard, voiceOver): (Part?, Part?)
    for binding in views.cells.all {
      guard let cell = binding.view else { continue }
      if keyboard == nil {
        keyboard = cell.firstResponder.flatMap { Part(binding.id, $0, in: cell) }
      }
      if let focused, focused.isDescendant(of: cell) {
        voiceOver = Part(binding.id, focused, in: cell)
      }
    }
    self.keyboard = keyboard
    self.voiceOver = voiceOver
  }

  /// Puts the keyboard and the cursor where they were, in the cells that there are now.
  func restore(in views: DisplayedViews) {
    if keyboard == nil, voiceOver == nil { return }
    views.screen.host.view?.layoutIfNeeded()
    if let view = keyboard?.current(in: views), !view.isFirstResponder {
      view.becomeFirstResponder()
    }
    if let view = voiceOver?.current(in: views), view !== Self.viewOfVoiceOver {
      UIAccessibility.post(notification: .layoutChanged, argument: view)
    }
  }

  private static var viewOfVoiceOver: UIView? {
    UIAccessibility.focusedElement(using: .notificationVoiceOver) as? UIView
  }
}

@MainActor extension KeptFocus.Part {
  /// `nil` if the view is not in the cell.
  fileprivate init?(_ item: ItemID, _ view: UIView, in cell: UIView) {
    var path: [Int] = []
    var current = view
    while current !== cell {
      guard let parent = current.superview,
        let index = parent.subviews.firstIndex(where: { $0 === current })
      else { return nil }
      path.append(index)
      current = parent
    }
    self.init(item: item, view: view, path: path.reversed())
  }
}

extension UIView {
  /// The view that has the keyboard: this one, or one in it.
  fileprivate var firstResponder: UIView? {
    if isFirstResponder { return self }
    for view in subviews {
      if let found = view.firstResponder { return found }
    }
    return nil
  }
}
