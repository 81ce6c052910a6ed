/// What people need who use the device in another way, and VoiceOver.
@MainActor public struct UIAccessibility {
  /// What an app tells VoiceOver.
  public struct Notification: RawRepresentable, Hashable, Sendable {
    /// The number of the notification.
    public let rawValue: UInt32
    /// A notification.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// A part of the screen changed; the argument is what to go to.
    public static let layoutChanged = Notification(rawValue: 1001)
    /// The screen changed; the argument is what to go to.
    public static let screenChanged = Notification(rawValue: 1000)
  }

  /// A technology that has a focus of its own.
  public struct AssistiveTechnologyIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// A technology.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// VoiceOver.
    public static let notificationVoiceOver = AssistiveTechnologyIdentifier(
      rawValue: "UIAccessibilityNotificationVoiceOverIdentifier")
  }

  /// Whether the user wants less to move on the screen.
  public static var isReduceMotionEnabled: Bool { headlessReducesMotion }

  /// What VoiceOver's cursor is on; `nil` if nothing is.
  public static func focusedElement(
    using assistiveTechnologyIdentifier: AssistiveTechnologyIdentifier?
  ) -> Any? {
    guard let view = headlessFocus, view.window != nil else { return nil }
    return view
  }

  /// Tells VoiceOver of a change.
  ///
  /// - Parameters:
  ///   - notification: What changed.
  ///   - argument: What to go to.
  public static func post(notification: Notification, argument: Any?) {
    if let view = argument as? UIView { headlessFocus = view }
  }

  /// What the user has set.
  ///
  /// Not in UIKit.
  public static var headlessReducesMotion = false

  /// The view that VoiceOver's cursor is on.
  ///
  /// Not in UIKit.
  public static weak var headlessFocus: UIView?
}
