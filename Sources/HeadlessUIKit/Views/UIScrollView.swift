public import Foundation

/// A view that shows a rectangle of its content.
///
/// - Note: It has no `delegate` here, but collection views and table views have one: in Swift a
///   subclass can't change the type of a property, as UIKit's headers do.
open class UIScrollView: UIView {
  /// The subclass's delegate, which is called for scrolling.
  var scrollDelegate: (any UIScrollViewDelegate)? { nil }
  /// How the safe area changes the insets of the content.
  public enum ContentInsetAdjustmentBehavior: Int, Sendable {
    /// By what is around the view.
    case automatic
    /// In the directions of scrolling.
    case scrollableAxes
    /// Not at all.
    case never
    /// In all directions.
    case always
  }

  /// The size of the content, in points.
  ///
  /// Where it becomes smaller, the offset stays inside of it.
  open var contentSize: CGSize = .zero {
    didSet {
      guard contentSize.width < oldValue.width || contentSize.height < oldValue.height else {
        return
      }
      if !isTracking, contentOffset == clamped(contentOffset, in: oldValue) {
        bounds.origin = clamped(contentOffset)
      }
    }
  }
  /// How the safe area changes ``adjustedContentInset``.
  ///
  /// It has no effect here: there are no bars.
  open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic
  /// The insets around the content, in points.
  open var contentInset: UIEdgeInsets = .zero {
    didSet {
      if contentInset != oldValue { scrollDelegate?.scrollViewDidChangeAdjustedContentInset(self) }
    }
  }
  /// The insets around the content, and those of bars.
  ///
  /// There are no bars here.
  open var adjustedContentInset: UIEdgeInsets { contentInset }
  /// The control that a user pulls to refresh the content.
  open var refreshControl: UIRefreshControl?
  /// Whether the user may scroll.
  open var isScrollEnabled = true
  /// Whether a finger is on the view.
  open internal(set) var isTracking = false
  /// Whether a finger drags the content.
  open internal(set) var isDragging = false
  /// Whether the content still moves after the finger left.
  open internal(set) var isDecelerating = false

  /// The origin of the visible rectangle in the content.
  open var contentOffset: CGPoint {
    get { bounds.origin }
    set {
      if newValue != bounds.origin, isUpdateAnimating, UIView.animationDepth == 0, !isTracking {
        offsetJumps += 1
      }
      bounds.origin = newValue
    }
  }

  /// Whether the view animates an update.
  var isUpdateAnimating: Bool { false }
  /// How often the app changed the offset during the animation of an update without animating it.
  var offsetJumps = 0

  open override var bounds: CGRect {
    didSet {
      guard bounds.origin != oldValue.origin else { return }
      setNeedsLayout()
      scrollDelegate?.scrollViewDidScroll(self)
    }
  }

  /// Scrolls to an offset, at once.
  ///
  /// If animated, the delegate is called at the end.
  ///
  /// - Parameters:
  ///   - contentOffset: The origin of the visible rectangle.
  ///   - animated: Whether the delegate is called at the end.
  open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
    self.contentOffset = contentOffset
    if animated { scrollDelegate?.scrollViewDidEndScrollingAnimation(self) }
  }

  /// The offset nearest to another one at which the content fills the view.
  func clamped(_ offset: CGPoint) -> CGPoint { clamped(offset, in: contentSize) }

  private func clamped(_ offset: CGPoint, in contentSize: CGSize) -> CGPoint {
    let insets = adjustedContentInset
    let maxX = max(-insets.left, contentSize.width + insets.right - bounds.width)
    let maxY = max(-insets.top, contentSize.height + insets.bottom - bounds.height)
    return CGPoint(
      x: min(max(offset.x, -insets.left), maxX), y: min(max(offset.y, -insets.top), maxY))
  }

  // MARK: What a user does; not in UIKit

  /// Begins to drag the content.
  ///
  /// Not in UIKit.
  public func headlessBeginDragging() {
    isTracking = true
    isDragging = true
    scrollDelegate?.scrollViewWillBeginDragging(self)
  }

  /// Drags the content to an offset, as far as the content goes, and lays the view out.
  ///
  /// Not in UIKit.
  ///
  /// - Parameter offset: The origin of the visible rectangle.
  public func headlessDrag(to offset: CGPoint) {
    bounds.origin = clamped(offset)
    layoutIfNeeded()
  }

  /// Pulls the refresh control.
  ///
  /// Not in UIKit.
  public func headlessPullToRefresh() {
    refreshControl?.beginRefreshing()
    refreshControl?.sendActions(for: .valueChanged)
  }

  /// Lifts the finger.
  ///
  /// Not in UIKit.
  ///
  /// - Parameter decelerating: Whether it moves on: until ``headlessEndDecelerating()``.
  public func headlessEndDragging(decelerating: Bool = false) {
    isTracking = false
    isDragging = false
    isDecelerating = decelerating
    scrollDelegate?.scrollViewDidEndDragging(self, willDecelerate: decelerating)
  }

  /// The content comes to rest.
  ///
  /// Not in UIKit.
  public func headlessEndDecelerating() {
    isDecelerating = false
    scrollDelegate?.scrollViewDidEndDecelerating(self)
  }
}

extension UIScrollView {
  /// Taps the status bar: the view scrolls to the top.
  ///
  /// Not in UIKit.
  public func headlessScrollToTop() {
    contentOffset.y = -adjustedContentInset.top
    layoutIfNeeded()
    scrollDelegate?.scrollViewDidScrollToTop(self)
  }
}

/// Receives calls about scrolling.
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
  /// The content offset changed.
  func scrollViewDidScroll(_ scrollView: UIScrollView)
  /// The view scrolled to the top, after a tap on the status bar.
  func scrollViewDidScrollToTop(_ scrollView: UIScrollView)
  /// A finger begins to drag.
  func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
  /// The finger was lifted.
  func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
  /// The content came to rest.
  func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
  /// An animated scroll ended.
  func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
  /// The insets around the content changed.
  func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView)
}

/// All methods are optional in UIKit.
extension UIScrollViewDelegate {
  /// Does nothing.
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {}

  /// Does nothing.
  public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
  {}
  /// Does nothing.
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
  /// Does nothing.
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {}
}
