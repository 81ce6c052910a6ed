public import Foundation

/// What can respond to events; here no more than the root of views.
@MainActor open class UIResponder: NSObject {
  nonisolated override init() { super.init() }
}
