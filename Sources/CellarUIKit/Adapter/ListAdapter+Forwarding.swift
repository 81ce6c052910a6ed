import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  // What the adapter does not answer itself, the app's delegate is asked: the view sees both as one.
  extension ListAdapter {
    public nonisolated override func responds(to selector: Selector!) -> Bool {
      super.responds(to: selector) || isDelegates(selector)
    }

    public nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
      guard isDelegates(selector) else { return super.forwardingTarget(for: selector) }
      // Written and read on this thread alone, which `isDelegates` found to be the main one.
      nonisolated(unsafe) var target: Any?
      MainActor.assumeIsolated { target = appDelegate }
      return target
    }

    /// The view asks on the main thread; who asks elsewhere means the adapter itself.
    private nonisolated func isDelegates(_ selector: Selector?) -> Bool {
      guard Thread.isMainThread, let selector else { return false }
      return MainActor.assumeIsolated { appDelegate?.responds(to: selector) == true }
    }
  }
#else
  public import HeadlessUIKit

  // Without Objective-C's forwarding, method by method.
  extension ListAdapter {
    /// Tells the delegate.
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewDidScroll(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewWillBeginDragging(scrollView)
    }

    /// Tells the delegate.
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewDidEndScrollingAnimation(scrollView)
    }
  }
#endif

extension ListAdapter: UIScrollViewDelegate {
  /// Keeps where the list is scrolled to.
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

  /// Keeps where the list is scrolled to.
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
    saveViewStateSoon()
    #if canImport(UIKit) && !os(watchOS)
      appDelegate?.scrollViewDidEndDecelerating?(scrollView)
    #else
      appDelegate?.scrollViewDidEndDecelerating(scrollView)
    #endif
  }
}
