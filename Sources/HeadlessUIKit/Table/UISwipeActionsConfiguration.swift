public import Foundation

/// An action of a swipe over a row.
@MainActor open class UIContextualAction: NSObject {
  /// The look of an action.
  public enum Style: Int, Sendable {
    /// A normal action.
    case normal
    /// The action deletes something.
    case destructive
  }

  /// Performs the action.
  ///
  /// The arguments are the action, a view, and a closure to call with whether the action was done.
  public typealias Handler =
    (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

  /// The style.
  public let style: Style
  /// The title.
  open var title: String?
  /// Performs the action.
  public let handler: Handler

  /// An action.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - title: The title.
  ///   - handler: Performs the action.
  public init(style: Style, title: String?, handler: @escaping Handler) {
    self.style = style
    self.title = title
    self.handler = handler
    super.init()
  }
}

/// The actions of a swipe over a row.
@MainActor open class UISwipeActionsConfiguration: NSObject {
  /// The actions, from the edge inwards.
  public let actions: [UIContextualAction]
  /// Whether a swipe over the whole row performs the first action.
  open var performsFirstActionWithFullSwipe = true

  /// Actions, from the edge inwards.
  public init(actions: [UIContextualAction]) {
    self.actions = actions
    super.init()
  }
}
