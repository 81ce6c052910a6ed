public import Foundation

/// An action that a swipe over a row offers.
@MainActor open class UIContextualAction: NSObject {
  /// How an action looks.
  public enum Style: Int, Sendable {
    /// As any other.
    case normal
    /// It destroys something.
    case destructive
  }

  /// Does the action: it gets the action, a view, and a closure to call with whether it was done.
  public typealias Handler =
    @MainActor (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

  /// How it looks.
  public let style: Style
  /// What the user reads.
  open var title: String?
  /// Does the action.
  public let handler: Handler

  /// An action.
  ///
  /// - Parameters:
  ///   - style: How it looks.
  ///   - title: What the user reads.
  ///   - handler: Does the action.
  public init(style: Style, title: String?, handler: @escaping Handler) {
    self.style = style
    self.title = title
    self.handler = handler
    super.init()
  }
}

/// The actions that a swipe over a row offers.
@MainActor open class UISwipeActionsConfiguration: NSObject {
  /// From the edge inwards.
  public let actions: [UIContextualAction]
  /// Whether a swipe all the way does the first one.
  open var performsFirstActionWithFullSwipe = true

  /// Actions, from the edge inwards.
  public init(actions: [UIContextualAction]) {
    self.actions = actions
    super.init()
  }
}
