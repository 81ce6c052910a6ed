public import Foundation

/// Makes the views of a nib.
///
/// There are no nib files here. A test defines the content of a nib with
/// ``headlessDefine(_:factory:)``. Instantiating an undefined nib raises UIKit's exception.
@MainActor open class UINib: NSObject {
  /// The keys of options.
  public struct OptionsKey: RawRepresentable, Hashable, Sendable {
    /// The text of the key.
    public let rawValue: String
    /// Makes a key from a text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The objects that stand for the nib's external ones.
    public static let externalObjects = OptionsKey(rawValue: "UINibExternalObjects")
  }

  private static var factories: [String: @MainActor () -> [Any]] = [:]
  private let name: String
  private let bundleDescription: String

  /// A nib by its name.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without its extension.
  ///   - bundleOrNil: The bundle; used only in the text of the exception.
  public init(nibName name: String, bundle bundleOrNil: Bundle?) {
    self.name = name
    bundleDescription = "NSBundle <\((bundleOrNil ?? .main).bundlePath)>"
    super.init()
  }

  /// Makes the objects of the nib.
  ///
  /// - Parameters:
  ///   - ownerOrNil: Has no effect here: factories connect no outlets.
  ///   - optionsOrNil: Has no effect here.
  /// - Returns: The top-level objects.
  open func instantiate(
    withOwner ownerOrNil: Any?, options optionsOrNil: [OptionsKey: Any]? = nil
  ) -> [Any] {
    guard let factory = Self.factories[name] else {
      HeadlessException(
        "Could not load NIB in bundle: '\(bundleDescription)' with name '\(name)'"
      ).raise()
      return []
    }
    return factory()
  }

  /// Defines the content of a nib.
  ///
  /// Not in UIKit.
  ///
  /// - Parameters:
  ///   - name: The name of the nib.
  ///   - factory: Makes the top-level objects.
  public static func headlessDefine(_ name: String, factory: @escaping @MainActor () -> [Any]) {
    factories[name] = factory
  }
}
