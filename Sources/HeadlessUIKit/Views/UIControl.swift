public import Foundation

/// Something that users act on.
open class UIControl: UIView {
  /// What users do.
  public struct Event: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Events of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// A finger is lifted inside.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// A value changed.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// What the control is for.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
  }

  /// What a control looks like while something holds.
  public struct State: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// States of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Nothing holds.
    public static let normal: State = []
    /// A finger is on it.
    public static let highlighted = State(rawValue: 1 << 0)
    /// Nothing can be done with it.
    public static let disabled = State(rawValue: 1 << 1)
    /// It is selected.
    public static let selected = State(rawValue: 1 << 2)
  }

  /// Whether anything can be done with it.
  open var isEnabled = true
  /// Whether it is selected.
  open var isSelected = false
  private var actions: [(action: UIAction, event: Event)] = []

  /// Has an action done when something happens; one of the same identifier is replaced.
  ///
  /// - Parameters:
  ///   - action: What is done.
  ///   - controlEvents: When.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    actions.removeAll { $0.action.identifier == action.identifier && $0.event == controlEvents }
    actions.append((action, controlEvents))
  }

  /// Does what is to be done when something happens.
  ///
  /// - Parameter controlEvents: What happens.
  open func sendActions(for controlEvents: Event) {
    for (action, event) in actions where !event.isDisjoint(with: controlEvents) {
      action.headlessChoose()
    }
  }

  /// Lifts a finger on it, if anything can be done with it.
  ///
  /// Not in UIKit.
  public func headlessTap() {
    if isEnabled { sendActions(for: [.touchUpInside, .primaryActionTriggered]) }
  }
}

/// A button with a title.
open class UIButton: UIControl {
  private var titles: [State: String] = [:]

  /// Says what it is called while something holds.
  open func setTitle(_ title: String?, for state: State) { titles[state] = title }

  /// What it is called while something holds; else what it is called anyway.
  open func title(for state: State) -> String? { titles[state] ?? titles[.normal] }

  /// What it is called now.
  open var currentTitle: String? { title(for: isSelected ? .selected : .normal) }

  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: CGFloat(currentTitle?.count ?? 0) * 10 + 20, height: 34)
  }
}
