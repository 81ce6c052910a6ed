public import Foundation

/// What can take the keyboard.
@MainActor open class UIResponder: NSObject {
  nonisolated override init() { super.init() }

  /// Whether it takes the keyboard when it is asked to.
  open var canBecomeFirstResponder: Bool { false }

  /// Whether it has the keyboard.
  open var isFirstResponder: Bool { false }

  /// Takes the keyboard.
  ///
  /// - Returns: Whether it has it now.
  @discardableResult open func becomeFirstResponder() -> Bool { false }

  /// Gives the keyboard up.
  ///
  /// - Returns: Whether it has done so.
  @discardableResult open func resignFirstResponder() -> Bool { true }
}
