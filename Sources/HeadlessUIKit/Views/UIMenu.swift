public import Foundation

/// A menu, or an action in one.
@MainActor open class UIMenuElement: NSObject {
  /// The title.
  public let title: String

  /// The look of an action, and whether it can be chosen.
  public struct Attributes: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Attributes of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The action can't be chosen.
    public static let disabled = Attributes(rawValue: 1 << 0)
    /// The action deletes something.
    public static let destructive = Attributes(rawValue: 1 << 1)
    /// The action is hidden.
    public static let hidden = Attributes(rawValue: 1 << 2)
  }

  init(title: String) {
    self.title = title
    super.init()
  }
}

/// Performs an action.
public typealias UIActionHandler = (UIAction) -> Void

/// An action of a menu or a control.
@MainActor open class UIAction: UIMenuElement {
  /// Identifies an action.
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    /// The text of the identifier.
    public let rawValue: String
    /// Makes an identifier from a text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes an identifier from a text.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
  }

  /// The identifier.
  public let identifier: Identifier
  /// The style.
  open var attributes: Attributes
  private let handler: UIActionHandler

  /// An action.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - identifier: The identifier; `nil` makes a new one.
  ///   - attributes: The style.
  ///   - handler: The closure to call.
  public init(
    title: String = "", identifier: Identifier? = nil, attributes: Attributes = [],
    handler: @escaping UIActionHandler
  ) {
    self.identifier = identifier ?? Identifier(UUID().uuidString)
    self.attributes = attributes
    self.handler = handler
    super.init(title: title)
  }

  /// Performs the action, as if the user chose it.
  ///
  /// - Returns: Whether the user can choose it.
  @discardableResult public func headlessChoose() -> Bool {
    guard attributes.isDisjoint(with: [.disabled, .hidden]) else { return false }
    handler(self)
    return true
  }
}

/// A menu with actions and further menus.
@MainActor open class UIMenu: UIMenuElement {
  /// The actions and menus in it.
  public let children: [UIMenuElement]

  /// A menu.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - children: The actions and menus in it.
  public init(title: String = "", children: [UIMenuElement] = []) {
    self.children = children
    super.init(title: title)
  }
}

/// Makes a menu.
///
/// The argument is the actions that the system suggests.
public typealias UIContextMenuActionProvider = ([UIMenuElement]) -> UIMenu?

/// Makes the preview above a menu.
public typealias UIContextMenuContentPreviewProvider = () -> UIViewController?

/// The context menu of a long press.
@MainActor open class UIContextMenuConfiguration: NSObject {
  /// Identifies the configuration.
  public let identifier: any NSCopying
  private let actionProvider: UIContextMenuActionProvider?

  /// A configuration.
  ///
  /// - Parameters:
  ///   - identifier: The identifier; `nil` makes a new one.
  ///   - previewProvider: Never called: there are no previews here.
  ///   - actionProvider: Makes the menu.
  public init(
    identifier: (any NSCopying)? = nil,
    previewProvider: UIContextMenuContentPreviewProvider? = nil,
    actionProvider: UIContextMenuActionProvider? = nil
  ) {
    self.identifier = identifier ?? NSUUID()
    self.actionProvider = actionProvider
    super.init()
  }

  /// The menu that a user would see.
  ///
  /// Not in UIKit.
  ///
  /// - Returns: The menu; `nil` if there is none.
  public func headlessMenu() -> UIMenu? { actionProvider?([]) }
}

/// The animation of a menu that opens or closes.
@MainActor public protocol UIContextMenuInteractionAnimating: NSObjectProtocol {
  /// Animates changes with the menu.
  func addAnimations(_ animations: @escaping () -> Void)
  /// Calls a closure after the animation.
  func addCompletion(_ completion: @escaping () -> Void)
}
