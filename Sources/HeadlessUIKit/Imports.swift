// As with UIKit, an `import HeadlessUIKit` brings Foundation and, where it is a module of its own,
// CoreGraphics: one file has the same imports on every system.
@_exported public import Foundation

#if canImport(CoreGraphics)
  @_exported public import CoreGraphics
#endif
