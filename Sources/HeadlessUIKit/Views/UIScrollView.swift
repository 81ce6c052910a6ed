public import Foundation

/// A view that shows a part of its content.
///
/// - Note: It has no `delegate` of its own here: Swift can't give the property another type in a
///   subclass, as UIKit's headers do. Collection views and table views have theirs.
open class UIScrollView: UIView {
  /// Who is told of scrolling: the delegate of the subclass.
  var scrollDelegate: (any UIScrollViewDelegate)? { nil }
  /// The size of the content, in points.
  open var contentSize: CGSize = .zero
  /// What surrounds the content, in points.
  open var contentInset: UIEdgeInsets = .zero
  /// What surrounds the content, with what bars cover: there are none here.
  open var adjustedContentInset: UIEdgeInsets { contentInset }
  /// Whether the user may scroll.
  open var isScrollEnabled = true
  /// Whether a finger is on the view.
  open internal(set) var isTracking = false
  /// Whether a finger drags the content.
  open internal(set) var isDragging = false
  /// Whether the content still moves after the finger left.
  open internal(set) var isDecelerating = false

  /// Where the visible part begins in the content.
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set { bounds.origin = newValue }
  }

  open override var bounds: CGRect {
    didSet {
      guard bounds.origin != oldValue.origin else { return }
      setNeedsLayout()
      scrollDelegate?.scrollViewDidScroll(self)
    }
  }

  /// Scrolls to a place; at once, and if animated with the delegate told of the end.
  ///
  /// - Parameters:
  ///   - contentOffset: Where the visible part begins.
  ///   - animated: Whether the delegate is told.
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
    self.contentOffset = contentOffset
    if animated { scrollDelegate?.scrollViewDidEndScrollingAnimation(self) }
  }

  /// The furthest offset at which the content still fills the view, and the nearest.
  func clamped(_ offset: CGPoint) -> CGPoint {
    let insets = adjustedContentInset
    let maxX = max(-insets.left, contentSize.width + insets.right - bounds.width)
    let maxY = max(-insets.top, contentSize.height + insets.bottom - bounds.height)
    return CGPoint(
      x: min(max(offset.x, -insets.left), maxX), y: min(max(offset.y, -insets.top), maxY))
  }

  // MARK: What a user does; not in UIKit

  /// Puts a finger on the content and begins to drag it.
  ///
  /// Not in UIKit.
  public func headlessBeginDragging() {
    isTracking = true
    isDragging = true
    scrollDelegate?.scrollViewWillBeginDragging(self)
  }

  /// Drags the content to an offset, within its bounds, and lays it out.
  ///
  /// Not in UIKit.
  ///
  /// - Parameter offset: Where the visible part begins.
  public func headlessDrag(to offset: CGPoint) {
    contentOffset = clamped(offset)
    layoutIfNeeded()
  }

  /// Lifts the finger; the content stays where it is.
  ///
  /// Not in UIKit.
  public func headlessEndDragging() {
    isTracking = false
    isDragging = false
    scrollDelegate?.scrollViewDidEndDragging(self, willDecelerate: false)
  }
}

/// Who is told of scrolling.
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
  /// The visible part changed.
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  /// A finger begins to drag.
  func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
  /// The finger left.
  func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
  /// The content came to rest.
  func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
  /// An animated scroll ended.
  func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
}

/// All requirements are optional in UIKit.
extension UIScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate: Bool) {}
  /// Does nothing.
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
}
