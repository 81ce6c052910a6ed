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

/// The environment of views: text size, scale of the screen, layout direction, bold text.
public final class UITraitCollection: NSObject, Sendable {
  /// The text size that the user chose.
  public let preferredContentSizeCategory: UIContentSizeCategory
  /// The number of pixels per point; 0 if not known.
  public let displayScale: CGFloat
  /// The direction in which views are laid out.
  public let layoutDirection: UITraitEnvironmentLayoutDirection
  /// Whether the user chose bold text.
  public let legibilityWeight: UILegibilityWeight

  /// Makes traits; those without an argument are unspecified.
  private init(
    category: UIContentSizeCategory = .unspecified, scale: CGFloat = 0,
    direction: UITraitEnvironmentLayoutDirection = .unspecified,
    weight: UILegibilityWeight = .unspecified
  ) {
    preferredContentSizeCategory = category
    displayScale = scale
    layoutDirection = direction
    legibilityWeight = weight
    super.init()
  }

  /// Makes traits with a text size only.
  public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
    self.init(category: preferredContentSizeCategory)
  }

  /// Makes traits with a scale only.
  public convenience init(displayScale: CGFloat) { self.init(scale: displayScale) }

  /// Makes traits with a layout direction only.
  public convenience init(layoutDirection: UITraitEnvironmentLayoutDirection) {
    self.init(direction: layoutDirection)
  }

  /// Makes traits with a text weight only.
  public convenience init(legibilityWeight: UILegibilityWeight) {
    self.init(weight: legibilityWeight)
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
    for traits in traitCollections {
      if traits.preferredContentSizeCategory != .unspecified {
        category = traits.preferredContentSizeCategory
      }
      if traits.displayScale != 0 { scale = traits.displayScale }
      if traits.layoutDirection != .unspecified { direction = traits.layoutDirection }
      if traits.legibilityWeight != .unspecified { weight = traits.legibilityWeight }
    }
    self.init(category: category, scale: scale, direction: direction, weight: weight)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UITraitCollection else { return false }
    return preferredContentSizeCategory == other.preferredContentSizeCategory
      && displayScale == other.displayScale && layoutDirection == other.layoutDirection
      && legibilityWeight == other.legibilityWeight
  }

  public override var hash: Int { preferredContentSizeCategory.hashValue }
}
