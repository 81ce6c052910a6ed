/// Interactive transitions to another layout.
extension UICollectionView {
  /// Called when an interactive transition is over.
  ///
  /// The first argument is whether it was finished and not cancelled, the second whether its
  /// animations ran to their end.
  public typealias LayoutInteractiveTransitionCompletion = (Bool, Bool) -> Void

  /// Begins a transition to another layout, whose progress the app sets.
  ///
  /// A second one before the end of the first raises an exception.
  ///
  /// - Parameters:
  ///   - layout: The next layout.
  ///   - completion: Called after the end of the transition.
  /// - Returns: The layout of the view until then: the delegate's, or one between the two.
  @discardableResult
  public func startInteractiveTransition(
    to layout: UICollectionViewLayout, completion: LayoutInteractiveTransitionCompletion? = nil
  ) -> UICollectionViewTransitionLayout {
    let old = collectionViewLayout
    if let transition = old as? UICollectionViewTransitionLayout {
      HeadlessException(
        "the collection is already part of an interactive transition"
      ).raise()
      return transition
    }
    let transition =
      delegate?.collectionView(self, transitionLayoutForOldLayout: old, newLayout: layout)
      ?? UICollectionViewTransitionLayout(currentLayout: old, nextLayout: layout)
    transitionCompletion = completion
    collectionViewLayout = transition
    return transition
  }

  /// Ends an interactive transition with its next layout.
  public func finishInteractiveTransition() { endTransition(isFinished: true) }

  /// Ends an interactive transition with the layout that the view had before.
  public func cancelInteractiveTransition() { endTransition(isFinished: false) }

  private func endTransition(isFinished: Bool) {
    guard let transition = collectionViewLayout as? UICollectionViewTransitionLayout else {
      HeadlessException(
        "the collection is not prepared for an interactive transition. see "
          + "startInteractiveTransitionToCollectionViewLayout:completion:"
      ).raise()
      return
    }
    let completion = transitionCompletion
    transitionCompletion = nil
    collectionViewLayout = isFinished ? transition.nextLayout : transition.currentLayout
    layoutIfNeeded()
    if let completion { session.wait { completion(isFinished, $0) } }
    animationsBegan(animated: window != nil)
  }
}
