public import Foundation

/// The text size that the user chose.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  /// UIKit's name of the category.
  public let rawValue: String

  /// A category by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Posted when the user chose another text size.
  public static let didChangeNotification = Notification.Name(
    "UIContentSizeCategoryDidChangeNotification")

  /// No category is known.
  public static let unspecified = UIContentSizeCategory(
    rawValue: "_UICTContentSizeCategoryUnspecified")
  /// Small text.
  public static let small = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryS")
  /// Text of a medium size.
  public static let medium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryM")
  /// Large text, the default of a device.
  public static let large = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
  /// Extra large text.
  public static let extraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXL")
  /// The largest of the accessibility sizes.
  public static let accessibilityExtraExtraExtraLarge = UIContentSizeCategory(
    rawValue: "UICTContentSizeCategoryAccessibilityXXXL")
}

/// The direction in which views are laid out.
public enum UITraitEnvironmentLayoutDirection: Int, Sendable {
  /// No direction is known.
  case unspecified = -1
  /// From left to right.
  case leftToRight = 0
  /// From right to left.
  case rightToLeft = 1
}

/// Whether the user chose bold text.
public enum UILegibilityWeight: Int, Sendable {
  /// Not known.
  case unspecified = -1
  /// Regular text.
  case regular = 0
  /// Bold text.
  case bold = 1
}

/// How much room there is in one direction.
public enum UIUserInterfaceSizeClass: Int, Sendable {
  /// Not known.
  case unspecified = 0
  /// Little room, as on a phone.
  case compact = 1
  /// Much room, as on a tablet.
  case regular = 2
}

/// An object that has traits.
@MainActor public protocol UITraitEnvironment: NSObjectProtocol {
  /// The traits.
  var traitCollection: UITraitCollection { get }
  /// Called when traits changed.
  func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

/// The environment of views: text size, scale of the screen, layout direction, bold text, room.
public final class UITraitCollection: NSObject, Sendable {
  /// The text size that the user chose.
  public let preferredContentSizeCategory: UIContentSizeCategory
  /// The number of pixels per point; 0 if not known.
  public let displayScale: CGFloat
  /// The direction in which views are laid out.
  public let layoutDirection: UITraitEnvironmentLayoutDirection
  /// Whether the user chose bold text.
  public let legibilityWeight: UILegibilityWeight
  /// How much room there is from left to right.
  public let horizontalSizeClass: UIUserInterfaceSizeClass
  /// How much room there is from top to bottom.
  public let verticalSizeClass: UIUserInterfaceSizeClass

  /// Makes traits; those without an argument are unspecified.
  private init(
    category: UIContentSizeCategory = .unspecified, scale: CGFloat = 0,
    direction: UITraitEnvironmentLayoutDirection = .unspecified,
    weight: UILegibilityWeight = .unspecified,
    horizontal: UIUserInterfaceSizeClass = .unspecified,
    vertical: UIUserInterfaceSizeClass = .unspecified
  ) {
    preferredContentSizeCategory = category
    displayScale = scale
    layoutDirection = direction
    legibilityWeight = weight
    horizontalSizeClass = horizontal
    verticalSizeClass = vertical
    super.init()
  }

  /// Makes traits with a text size only.
  public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
    self.init(category: preferredContentSizeCategory)
  }

  /// Makes traits with a scale only.
  public convenience init(displayScale scale: CGFloat) { self.init(scale: scale) }

  /// Makes traits with a layout direction only.
  public convenience init(layoutDirection: UITraitEnvironmentLayoutDirection) {
    self.init(direction: layoutDirection)
  }

  /// Makes traits with a text weight only.
  public convenience init(legibilityWeight: UILegibilityWeight) {
    self.init(weight: legibilityWeight)
  }

  /// Makes traits with a horizontal size class only.
  public convenience init(horizontalSizeClass: UIUserInterfaceSizeClass) {
    self.init(horizontal: horizontalSizeClass)
  }

  /// Makes traits with a vertical size class only.
  public convenience init(verticalSizeClass: UIUserInterfaceSizeClass) {
    self.init(vertical: verticalSizeClass)
  }

  /// Combines traits.
  ///
  /// Of several specified values the last one wins.
  ///
  /// - Parameter traitCollections: The traits; each may leave values unspecified.
  public convenience init(traitsFrom traitCollections: [UITraitCollection]) {
    var category = UIContentSizeCategory.unspecified
    var scale: CGFloat = 0
    var direction = UITraitEnvironmentLayoutDirection.unspecified
    var weight = UILegibilityWeight.unspecified
    var horizontal = UIUserInterfaceSizeClass.unspecified
    var vertical = UIUserInterfaceSizeClass.unspecified
    for traits in traitCollections {
      if traits.preferredContentSizeCategory != .unspecified {
        category = traits.preferredContentSizeCategory
      }
      if traits.displayScale != 0 { scale = traits.displayScale }
      if traits.layoutDirection != .unspecified { direction = traits.layoutDirection }
      if traits.legibilityWeight != .unspecified { weight = traits.legibilityWeight }
      if traits.horizontalSizeClass != .unspecified { horizontal = traits.horizontalSizeClass }
      if traits.verticalSizeClass != .unspecified { vertical = traits.verticalSizeClass }
    }
    self.init(
      category: category, scale: scale, direction: direction, weight: weight,
      horizontal: horizontal, vertical: vertical)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UITraitCollection else { return false }
    return preferredContentSizeCategory == other.preferredContentSizeCategory
      && displayScale == other.displayScale && layoutDirection == other.layoutDirection
      && legibilityWeight == other.legibilityWeight
      && horizontalSizeClass == other.horizontalSizeClass
      && verticalSizeClass == other.verticalSizeClass
  }

  public override var hash: Int { preferredContentSizeCategory.hashValue }
}
