public import Foundation

/// What makes the views of a nib.
///
/// There are no nib files here. A test says what a nib of a name holds with
/// ``headlessDefine(_:factory:)``; making an instance of a nib that nothing defines raises UIKit's
/// exception.
@MainActor open class UINib: NSObject {
  private static var factories: [String: @MainActor () -> [Any]] = [:]
  private let name: String
  private let bundleDescription: String

  /// A nib by its name.
  ///
  /// - Parameters:
  ///   - name: The name of the file, without its extension.
  ///   - bundleOrNil: Only for the text of the exception.
  public init(nibName name: String, bundle bundleOrNil: Bundle?) {
    self.name = name
    bundleDescription = "NSBundle <\((bundleOrNil ?? .main).bundlePath)>"
    super.init()
  }

  /// Makes the objects of the nib.
  ///
  /// - Parameters:
  ///   - ownerOrNil: Nothing here: factories connect no outlets.
  ///   - optionsOrNil: Nothing here.
  /// - Returns: The top level objects.
  open func instantiate(
    withOwner ownerOrNil: Any?, options optionsOrNil: [AnyHashable: Any]? = nil
  ) -> [Any] {
    guard let factory = Self.factories[name] else {
      HeadlessException(
        "Could not load NIB in bundle: '\(bundleDescription)' with name '\(name)'"
      ).raise()
      return []
    }
    return factory()
  }

  /// Says what the nib of a name holds.
  ///
  /// Not in UIKit.
  ///
  /// - Parameters:
  ///   - name: The name of the nib.
  ///   - factory: What makes its top level objects.
  public static func headlessDefine(_ name: String, factory: @escaping @MainActor () -> [Any]) {
    factories[name] = factory
  }
}
