/// A cell with controls of its own, such as a button, a text field or a slider.
///
/// The cell reports what the user did; ``ItemHandlers`` says what happens then. A cell that should know
/// nothing of Cellar is connected in ``ListItem/bind(_:send:)`` instead.
///
/// ```swift
/// final class BookCell: UICollectionViewCell, ControlEventSource {
///   var onControlEvent: (@MainActor (ControlEvent) -> Void)?
///   @objc private func likeTapped() { onControlEvent?("like") }
///   @objc private func rated(_ slider: UISlider) {
///     onControlEvent?(ControlEvent("rate", value: Double(slider.value)))
///   }
/// }
/// adapter.handlers.on(.control("like"), of: Book.self) { book, _ in … }
/// adapter.handlers.on(.control("rate"), of: Book.self) { book, context in
///   let rating = context.value as? Double
/// }
/// ```
@MainActor public protocol ControlEventSource: AnyObject {
  /// The closure to call when the user uses a control. ``ListItem/bind(_:send:)`` sets it
  /// while the cell is on display.
  var onControlEvent: (@MainActor (ControlEvent) -> Void)? { get set }
}

/// The use of a control inside a cell: the control's name, and its value if it has one.
public struct ControlEvent: Sendable, ExpressibleByStringLiteral {
  /// The name under which ``ItemHandlers`` handles the event.
  public var name: String
  /// The text, number or other value of the control; `nil` if it has none.
  public var value: (any Sendable)?

  /// The use of a control.
  public init(_ name: String, value: (any Sendable)? = nil) {
    self.name = name
    self.value = value
  }

  /// The use of a control without a value.
  public init(stringLiteral name: String) { self.init(name) }
}
