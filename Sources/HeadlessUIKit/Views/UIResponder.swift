public import Foundation

/// The superclass of views.
///
/// It responds to nothing here.
@MainActor open class UIResponder: NSObject {
  nonisolated override init() { super.init() }
}
