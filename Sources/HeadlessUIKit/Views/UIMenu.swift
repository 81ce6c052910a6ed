public import Foundation

/// A menu, or an action in one.
@MainActor open class UIMenuElement: NSObject {
  /// What the user reads.
  public let title: String

  init(title: String) {
    self.title = title
    super.init()
  }
}

/// What a menu does.
@MainActor open class UIAction: UIMenuElement {
  /// Tells actions apart.
  public struct Identifier: RawRepresentable, Hashable, Sendable {
    /// The text of the identifier.
    public let rawValue: String
    /// An identifier of a text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An identifier of a text.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }
  }

  /// How an action looks.
  public struct Attributes: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Attributes of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// It can't be chosen.
    public static let disabled = Attributes(rawValue: 1 << 0)
    /// It destroys something.
    public static let destructive = Attributes(rawValue: 1 << 1)
    /// It is not shown.
    public static let hidden = Attributes(rawValue: 1 << 2)
  }

  /// Tells it apart.
  public let identifier: Identifier
  /// How it looks.
  public let attributes: Attributes
  private let handler: @MainActor (UIAction) -> Void

  /// An action.
  ///
  /// - Parameters:
  ///   - title: What the user reads.
  ///   - identifier: Tells it apart; one is made up if it is `nil`.
  ///   - attributes: How it looks.
  ///   - handler: What it does.
  public init(
    title: String = "", identifier: Identifier? = nil, attributes: Attributes = [],
    handler: @escaping @MainActor (UIAction) -> Void
  ) {
    self.identifier = identifier ?? Identifier(UUID().uuidString)
    self.attributes = attributes
    self.handler = handler
    super.init(title: title)
  }

  /// Does what it does, as if the user chose it.
  ///
  /// - Returns: Whether it could be chosen.
  @discardableResult public func headlessChoose() -> Bool {
    guard attributes.isDisjoint(with: [.disabled, .hidden]) else { return false }
    handler(self)
    return true
  }
}

/// Actions and menus under a title.
@MainActor open class UIMenu: UIMenuElement {
  /// What it holds.
  public let children: [UIMenuElement]

  /// A menu.
  ///
  /// - Parameters:
  ///   - title: What the user reads.
  ///   - children: What it holds.
  public init(title: String = "", children: [UIMenuElement] = []) {
    self.children = children
    super.init(title: title)
  }
}

/// What is shown when the user presses something for long.
@MainActor open class UIContextMenuConfiguration: NSObject {
  /// Makes the menu, given what the system suggests.
  public typealias ActionProvider = @MainActor ([UIMenuElement]) -> UIMenu?

  /// Makes what is shown above the menu.
  public typealias PreviewProvider = @MainActor () -> UIViewController?

  /// Tells configurations apart.
  public let identifier: any NSCopying
  private let actionProvider: ActionProvider?

  /// A configuration.
  ///
  /// - Parameters:
  ///   - identifier: Tells it apart; one is made up if it is `nil`.
  ///   - previewProvider: Never called: there are no previews here.
  ///   - actionProvider: Makes the menu.
  public init(
    identifier: (any NSCopying)? = nil, previewProvider: PreviewProvider? = nil,
    actionProvider: ActionProvider? = nil
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
