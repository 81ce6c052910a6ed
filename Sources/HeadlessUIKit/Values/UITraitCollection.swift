public import Foundation

/// The size of text that the user asked for.
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
  /// UIKit's name of the category.
  public let rawValue: String

  /// A category by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Posted when the user asked for another size of text.
  public static let didChangeNotification = Notification.Name(
    "UIContentSizeCategoryDidChangeNotification")

  /// No category is known.
  public static let unspecified = UIContentSizeCategory(
    rawValue: "_UICTContentSizeCategoryUnspecified")
  /// Small text.
  public static let small = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryS")
  /// Text of a medium size.
  public static let medium = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryM")
  /// Large text, which is what a device comes with.
  public static let large = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
  /// Extra large text.
  public static let extraLarge = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryXL")
  /// The largest text for all users who turned larger sizes on.
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

/// Whether the user asked for bold text.
public enum UILegibilityWeight: Int, Sendable {
  /// It is not known.
  case unspecified = -1
  /// Text as it is.
  case regular = 0
  /// Bold text.
  case bold = 1
}

/// What views are shown in: the size of text, the scale of the screen, the direction.
public final class UITraitCollection: NSObject, Sendable {
  /// The size of text that the user asked for.
  public let preferredContentSizeCategory: UIContentSizeCategory
  /// Pixels a point; 0 if it is not known.
  public let displayScale: CGFloat
  /// The direction in which views are laid out.
  public let layoutDirection: UITraitEnvironmentLayoutDirection
  /// Whether the user asked for bold text.
  public let legibilityWeight: UILegibilityWeight

  /// Traits of which one says more than "unspecified".
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

  /// Traits that say only the size of text.
  public convenience init(preferredContentSizeCategory: UIContentSizeCategory) {
    self.init(category: preferredContentSizeCategory)
  }

  /// Traits that say only the scale.
  public convenience init(displayScale: CGFloat) { self.init(scale: displayScale) }

  /// Traits that say only the direction.
  public convenience init(layoutDirection: UITraitEnvironmentLayoutDirection) {
    self.init(direction: layoutDirection)
  }

  /// Traits that say only whether text is bold.
  public convenience init(legibilityWeight: UILegibilityWeight) {
    self.init(weight: legibilityWeight)
  }

  /// What several collections say together; a later one wins.
  ///
  /// - Parameter traitCollections: Collections, each of which may leave things unspecified.
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
