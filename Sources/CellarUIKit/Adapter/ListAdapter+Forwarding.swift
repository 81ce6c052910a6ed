import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  // The view gets one delegate. The adapter forwards the methods that it does not have to the
  // app's.
  extension ListAdapter {
    public nonisolated override func responds(to selector: Selector!) -> Bool {
      super.responds(to: selector) || isForwarded(selector)
    }

    public nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
      guard isForwarded(selector) else { return super.forwardingTarget(for: selector) }
      // Only this thread uses the variable, and `isForwarded` found that it is the main thread.
      nonisolated(unsafe) var target: Any?
      MainActor.assumeIsolated { target = appDelegate }
      return target
    }

    /// Whether the app's delegate has a method that the adapter does not have.
    ///
    /// Views ask on the main thread; other threads get the adapter's own answer.
    private nonisolated func isForwarded(_ selector: Selector?) -> Bool {
      guard Thread.isMainThread, let selector else { return false }
      return MainActor.assumeIsolated { appDelegate?.responds(to: selector) == true }
    }
  }
#else
  public import HeadlessUIKit

  // There is no Objective-C to forward methods by their selectors: each has to be written out.
  extension ListAdapter {
    /// Calls the app's delegate.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewDidScroll(scrollView)
    }

    /// Calls the app's delegate.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewWillBeginDragging(scrollView)
    }

    /// Calls the app's delegate.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewDidEndScrollingAnimation(scrollView)
    }
  }
#endif

extension ListAdapter: UIScrollViewDelegate {
  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidEndDragging(
    _ scrollView: UIScrollView, willDecelerate decelerate: Bool
  ) {
    if !decelerate { saveViewStateSoon() }
    #if canImport(UIKit) && !os(watchOS)
      appDelegate?.scrollViewDidEndDragging?(scrollView, willDecelerate: decelerate)
    #else
      appDelegate?.scrollViewDidEndDragging(scrollView, willDecelerate: decelerate)
    #endif
  }

  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
    saveViewStateSoon()
    #if canImport(UIKit) && !os(watchOS)
      appDelegate?.scrollViewDidEndDecelerating?(scrollView)
    #else
      appDelegate?.scrollViewDidEndDecelerating(scrollView)
    #endif
  }

  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {
    saveViewStateSoon()
    #if canImport(UIKit) && !os(watchOS)
      appDelegate?.scrollViewDidScrollToTop?(scrollView)
    #else
      appDelegate?.scrollViewDidScrollToTop(scrollView)
    #endif
  }
}
