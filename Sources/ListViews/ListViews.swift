// Collection and table views: UIKit's, or HeadlessUIKit's where the system's SDK has none. UIKit on
// watchOS is fonts, colours and the like.
//
// Both have the same names. One difference shows in calls: a delegate of UIKit's may lack a method,
// one of HeadlessUIKit's has them all. `(delegate?.tableView(_:didSelectRowAt:))?(view, path)` calls
// either.
#if canImport(UIKit) && !os(watchOS)
  @_exported public import UIKit
#else
  @_exported public import HeadlessUIKit
#endif
