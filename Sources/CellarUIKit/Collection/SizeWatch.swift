#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// An empty view behind the cells of a list, which notices that the list's size changes.
///
/// A flow layout keeps the sizes of its delegate in a rotation, and tells nobody of it.
@MainActor final class SizeWatch: UIView {
  /// Called after each change.
  var onChange: (() -> Void)?
  private var size = CGSize.zero

  /// The watch of a view.
  static func watch(of view: UIView) -> SizeWatch {
    for case let watch as SizeWatch in view.subviews { return watch }
    let watch = SizeWatch(frame: CGRect(origin: .zero, size: view.bounds.size))
    watch.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    watch.size = watch.frame.size
    #if canImport(UIKit) && !os(watchOS)
      watch.isUserInteractionEnabled = false
    #endif
    view.insertSubview(watch, at: 0)
    return watch
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    guard bounds.size != size else { return }
    size = bounds.size
    onChange?()
  }
}
