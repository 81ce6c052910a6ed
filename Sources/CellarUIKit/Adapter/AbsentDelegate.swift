#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import ListViews

  /// Has every method of UIKit's delegate protocols, and does nothing in it: it returns `nil`,
  /// false or 0.
  ///
  /// It answers a view that noted the methods of a delegate which was then released on another
  /// thread, until the view asks again.
  @MainActor final class AbsentDelegate: NSObject {
    static let shared = AbsentDelegate()

    /// The protocols whose methods a view can call.
    private nonisolated static var protocols: [Protocol] {
      [
        "UITableViewDelegate", "UICollectionViewDelegateFlowLayout", "UICollectionViewDelegate",
        "UIScrollViewDelegate",
      ].compactMap { NSProtocolFromString($0) }
    }

    nonisolated override class func resolveInstanceMethod(_ selector: Selector!) -> Bool {
      guard let selector else { return false }
      for aProtocol in protocols {
        let method = protocol_getMethodDescription(aProtocol, selector, false, true)
        guard let types = method.types else { continue }
        return class_addMethod(
          self, selector, imp_implementationWithBlock(answer(of: String(cString: types))), types)
      }
      return super.resolveInstanceMethod(selector)
    }

    /// A method that returns zero of the type that an encoding begins with.
    ///
    /// Floating-point numbers and structures of them come back in other registers than the rest.
    private nonisolated static func answer(of types: String) -> Any {
      if types.hasPrefix("d") || types.hasPrefix("f") {
        let answer: @convention(block) (AnyObject) -> Double = { _ in 0 }
        return answer
      }
      if types.hasPrefix("{CGPoint") || types.hasPrefix("{CGSize") {
        let answer: @convention(block) (AnyObject) -> CGPoint = { _ in .zero }
        return answer
      }
      if types.hasPrefix("{UIEdgeInsets") {
        let answer: @convention(block) (AnyObject) -> UIEdgeInsets = { _ in .zero }
        return answer
      }
      let answer: @convention(block) (AnyObject) -> Int = { _ in 0 }
      return answer
    }
  }
#endif
