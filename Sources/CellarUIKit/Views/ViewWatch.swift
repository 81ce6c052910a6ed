import Foundation
import ListViews

/// An empty view behind the cells of a list, which notices what UIKit tells views only: that the
/// list's size changes, and that it comes into a window.
///
/// A flow layout keeps the sizes of its delegate in a rotation, and tells nobody of it.
@MainActor final class ViewWatch: UIView {
  /// Called when the list gets another size, before anything is placed in it.
  var onBeforeResize: (() -> Void)?
  /// Called after each change of the size.
  var onResize: (() -> Void)?
  /// Called when the list has been laid out, if its size has changed or this view needs a layout.
  var onLayout: (() -> Void)?
  /// Called when the list comes into a window.
  var onAppear: (() -> Void)?
  private var size = CGSize.zero
  private var latestSize = CGSize.zero

  /// The watch of a view.
  static func watch(of view: UIView) -> ViewWatch {
    for case let watch as ViewWatch in view.subviews { return watch }
    let watch = ViewWatch(frame: CGRect(origin: .zero, size: view.bounds.size))
    watch.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    watch.size = watch.frame.size
    watch.latestSize = watch.size
    #if canImport(UIKit) && !os(watchOS)
      watch.isUserInteractionEnabled = false
    #endif
    view.insertSubview(watch, at: 0)
    return watch
  }

  // A view's size may be set by either.
  override var frame: CGRect { didSet { noticeSize() } }
  override var bounds: CGRect { didSet { noticeSize() } }

  private func noticeSize() {
    guard bounds.size != latestSize else { return }
    latestSize = bounds.size
    onBeforeResize?()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    if bounds.size != size {
      size = bounds.size
      onResize?()
    }
    onLayout?()
  }

  override func didMoveToWindow() {
    super.didMoveToWindow()
    if window != nil { onAppear?() }
  }
}
