/// A cell with controls of its own, such as a button.
///
/// The cell reports the name of the control that was used; ``ItemHandlers`` says what happens then.
///
/// ```swift
/// final class BookCell: UICollectionViewCell, ControlEventSource {
///   var onControlEvent: (@MainActor (String) -> Void)?
///   @objc private func likeTapped() { onControlEvent?("like") }
/// }
/// adapter.handlers.on(.control("like"), of: Book.self) { book, _ in … }
/// ```
@MainActor public protocol ControlEventSource: AnyObject {
  /// The closure to call with the name of a control when the user uses it. The adapter sets it.
  var onControlEvent: (@MainActor (String) -> Void)? { get set }
}
