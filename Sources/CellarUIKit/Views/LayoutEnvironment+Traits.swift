import Foundation
import ListModel
import ListViews

extension LayoutEnvironment {
  /// The environment of a view with these traits, in the current locale and on this system.
  init(_ traits: UITraitCollection) {
    self.init(
      contentSizeCategory: traits.preferredContentSizeCategory.rawValue,
      legibilityWeight: traits.legibilityWeight == .bold ? "bold" : "regular",
      layoutDirection: traits.layoutDirection == .rightToLeft ? "rightToLeft" : "leftToRight",
      locale: Locale.current.identifier,
      displayScale: traits.displayScale > 0 ? Double(traits.displayScale) : 1,
      system: Self.systemName)
  }

  private static let systemName: String = {
    #if os(iOS)
      let name = "iOS"
    #elseif os(tvOS)
      let name = "tvOS"
    #elseif os(visionOS)
      let name = "visionOS"
    #elseif os(macOS)
      let name = "macOS"
    #elseif os(watchOS)
      let name = "watchOS"
    #else
      let name = "Linux"
    #endif
    return "\(name) \(ProcessInfo.processInfo.operatingSystemVersion.majorVersion)"
  }()
}
