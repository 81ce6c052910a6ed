import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import ListViews

  // The view gets one delegate. The adapter forwards the methods that it does not have to the
  // app's.
  extension ListAdapter {
    public nonisolated override func responds(to selector: Selector!) -> Bool {
      let adapterHas = super.responds(to: selector)
      // Views ask on the main thread; other threads get the adapter's own answer.
      guard Thread.isMainThread, let selector else { return adapterHas }
      return MainActor.assumeIsolated {
        forwarding.responds(
          to: NSStringFromSelector(selector), adapterHas: adapterHas,
          appDelegateHas: appDelegate?.responds(to: selector) == true)
      }
    }

    public nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
      guard Thread.isMainThread, let selector else {
        return super.forwardingTarget(for: selector)
      }
      // Only this thread uses the variable, and it is the main thread.
      nonisolated(unsafe) var target: Any?
      MainActor.assumeIsolated { target = self.target(of: selector) }
      return target ?? super.forwardingTarget(for: selector)
    }

    /// The object that gets a call of a method that the adapter does not have; `nil` if there is
    /// none.
    private func target(of selector: Selector) -> Any? {
      let answer = forwarding.answer(
        to: NSStringFromSelector(selector), adapterHas: false,
        appDelegateHas: appDelegate?.responds(to: selector) == true)
      return switch answer {
      case .appDelegate: appDelegate
      case .nobody: AbsentDelegate.shared
      case .adapter, .unknown: nil
      }
    }

    /// Watches a new app delegate: when it is released, the view has to ask again which methods its
    /// delegate has.
    func appDelegateChanged() {
      forwarding.viewAsksAgain()
      guard let appDelegate else { return }
      let watch = DelegateWatch { [weak self] in
        // Usually the main thread releases it, and then the view asks before it calls anything.
        guard Thread.isMainThread else {
          Task { @MainActor in self?.letViewAskAgain() }
          return
        }
        MainActor.assumeIsolated { self?.letViewAskAgain() }
      }
      // The delegate owns its watch. Its address as the key: several adapters may watch an object.
      objc_setAssociatedObject(
        appDelegate, Unmanaged.passUnretained(self).toOpaque(), watch,
        .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
    }

    private func letViewAskAgain() {
      guard appDelegate == nil, let view = screen.host.view else { return }
      forwarding.viewAsksAgain()
      let delegate = view.delegate
      guard delegate === self else { return }
      view.delegate = nil
      view.delegate = self
    }
  }
#else
  public import ListViews

  // There is no Objective-C to forward methods by their selectors: each has to be written out. A
  // call of a delegate that is gone does nothing.
  extension ListAdapter {
    func appDelegateChanged() {}

    /// Calls the app's delegate.
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {
      appDelegate?.scrollViewWillBeginDragging(scrollView)
    }
  }
#endif

extension ListAdapter: UIScrollViewDelegate {
  /// Notes whether the end is in sight, and calls the app's delegate.
  public func scrollViewDidScroll(_ scrollView: UIScrollView) {
    scrolled()
    (appDelegate?.scrollViewDidScroll(_:))?(scrollView)
  }

  /// Completes the scroll, saves the scroll position, and calls the app's delegate.
  public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {
    scrollingAnimationEnded()
    (appDelegate?.scrollViewDidEndScrollingAnimation(_:))?(scrollView)
  }

  /// Keeps the end in sight if the list sticks to it, and calls the app's delegate.
  public func scrollViewDidChangeAdjustedContentInset(_ scrollView: UIScrollView) {
    insetsChanged()
    (appDelegate?.scrollViewDidChangeAdjustedContentInset(_:))?(scrollView)
  }

  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidEndDragging(
    _ scrollView: UIScrollView, willDecelerate decelerate: Bool
  ) {
    screenSelection.dragged()
    if !decelerate { cameToRest() }
    (appDelegate?.scrollViewDidEndDragging(_:willDecelerate:))?(scrollView, decelerate)
  }

  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {
    cameToRest()
    (appDelegate?.scrollViewDidEndDecelerating(_:))?(scrollView)
  }

  /// Saves the scroll position, and calls the app's delegate.
  public func scrollViewDidScrollToTop(_ scrollView: UIScrollView) {
    cameToRest()
    (appDelegate?.scrollViewDidScrollToTop(_:))?(scrollView)
  }
}
