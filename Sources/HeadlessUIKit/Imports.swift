// As with UIKit, `import HeadlessUIKit` imports Foundation too, and CoreGraphics on systems that
// have it, so that a file has the same imports on every system.
@_exported public import Foundation

#if canImport(CoreGraphics)
  @_exported public import CoreGraphics
#endif
