/// Who answers the delegate methods that a view calls on an adapter.
///
/// A view asks once which methods its delegate has, and then calls these methods for as long as it
/// has that delegate. The adapter says yes for the methods of the app's delegate, too. It remembers
/// for which: the app's delegate may be released before the view asks again.
package struct DelegateForwarding: Hashable, Sendable {
  /// Who answers a method.
  package enum Answer: Hashable, Sendable {
    /// The adapter. It passes the call on to the app's delegate, if that has the method, too.
    case adapter
    /// The app's delegate.
    case appDelegate
    /// An object that does nothing, because the app's delegate is gone.
    case nobody
    /// No object: the method does not exist.
    case unknown
  }

  /// The methods for which the view was told that the app's delegate has them.
  private var promised: Set<String> = []

  package init() {}

  /// Whether the view may call a method.
  ///
  /// - Parameters:
  ///   - method: The name of the method, in Objective-C its selector.
  ///   - adapterHas: Whether the adapter has it.
  ///   - appDelegateHas: Whether the app's delegate is there and has it.
  /// - Returns: Whether the adapter or the app's delegate has the method.
  package mutating func responds(
    to method: String, adapterHas: Bool, appDelegateHas: Bool
  ) -> Bool {
    if adapterHas { return true }
    if appDelegateHas { promised.insert(method) }
    return appDelegateHas
  }

  /// Decides who answers a call of a method.
  ///
  /// - Parameters:
  ///   - method: The name of the method, in Objective-C its selector.
  ///   - adapterHas: Whether the adapter has it.
  ///   - appDelegateHas: Whether the app's delegate is there and has it.
  /// - Returns: The object that gets the call.
  package func answer(to method: String, adapterHas: Bool, appDelegateHas: Bool) -> Answer {
    if adapterHas { return .adapter }
    if appDelegateHas { return .appDelegate }
    return promised.contains(method) ? .nobody : .unknown
  }

  /// Forgets what the view was told, when it is about to ask again.
  package mutating func viewAsksAgain() { promised = [] }
}

/// Calls a closure when it is released: with the object that owns it.
package final class DelegateWatch: Sendable {
  private let onRelease: @Sendable () -> Void

  /// `onRelease`: Called on the thread that releases the owner.
  package init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

  deinit { onRelease() }
}
