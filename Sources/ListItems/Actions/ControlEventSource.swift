/// A cell with controls of its own, such as a button: it says which one was used, and knows nothing of
/// who handles it.
///
/// ```swift
/// final class BookCell: UICollectionViewCell, ControlEventSource {
///   var onControlEvent: (@MainActor (String) -> Void)?
///   @objc private func likeTapped() { onControlEvent?("like") }
/// }
/// adapter.handlers.on(.control("like"), of: Book.self) { book, _ in … }
/// ```
@MainActor public protocol ControlEventSource: AnyObject {
  /// Takes the name of the control that the user used; set while the cell shows an item.
  var onControlEvent: (@MainActor (String) -> Void)? { get set }
}
