public import Foundation

/// A view that reports what users do with it.
open class UIControl: UIView {
  /// The events of a control.
  public struct Event: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Events of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A finger is lifted inside.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// A value changed.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// The main action of the control, for instance a tap on a button.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
  }

  /// The states of a control.
  public struct State: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// States of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// No special state.
    public static let normal: State = []
    /// A finger is on the control.
    public static let highlighted = State(rawValue: 1 << 0)
    /// The control is disabled.
    public static let disabled = State(rawValue: 1 << 1)
    /// The control is selected.
    public static let selected = State(rawValue: 1 << 2)
  }

  /// Whether the control is enabled.
  open var isEnabled = true
  /// Whether the control is selected.
  open var isSelected = false
  private var actions: [(action: UIAction, event: Event)] = []

  /// Adds an action for events.
  ///
  /// It replaces an action with the same identifier.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - controlEvents: The events.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.removeAll { $0.action.identifier == action.identifier && $0.event == controlEvents }
    actions.append((action, controlEvents))
  }

  /// Performs the actions for events.
  ///
  /// - Parameter controlEvents: The events.
  open func sendActions(for controlEvents: Event) {
    for (action, event) in actions where !event.isDisjoint(with: controlEvents) {
      action.headlessChoose()
    }
  }

  /// Taps the control, if it is enabled.
  ///
  /// Not in UIKit.
  public func headlessTap() {
    if isEnabled { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
  }
}

/// A button with a title.
open class UIButton: UIControl {
  /// The look of a button; nothing is drawn here.
  public enum ButtonType: Int, Sendable {
    /// None of the system's.
    case custom
    /// That of the system's buttons.
    case system
  }

  private var titles: [State: String] = [:]

  /// A button with a look.
  public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }

  /// Sets the title for a state.
  open func setTitle(_ title: String?, for state: State) { titles[state] = title }

  /// The title for a state; without one, the title for the normal state.
  open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }

  /// The title for the current state.
  open var currentTitle: String? { title(for: isSelected ? .selected : .normal) }

  open override var intrinsicContentSize: CGSize { sizeThatFits(.zero) }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: CGFloat(currentTitle?.count ?? 0) * 10 + 20, height: 34)
  }
}

/// The control that a user pulls to refresh a list.
open class UIRefreshControl: UIControl {
  /// Whether it shows that a refresh is under way.
  open private(set) var isRefreshing = false

  /// Shows that a refresh is under way, without telling anybody.
  open func beginRefreshing() { isRefreshing = true }

  /// Shows that the refresh is over.
  open func endRefreshing() { isRefreshing = false }
}
