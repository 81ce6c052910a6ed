import Foundation
import ListModel
import ListItems

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// Views that are only measured: one of each registration, made apart from the host, so that measuring
/// takes none out of its reuse queues.
@MainActor final class TemplateViews {
  private var views: [ViewRegistration: UIView] = [:]
  private let make: (AnyObject.Type, ViewRegistration) -> UIView?

  /// `make`: Makes a view of a class as the host would.
  init(make: @escaping (AnyObject.Type, ViewRegistration) -> UIView?) { self.make = make }

  /// The view of a registration; `nil` where its source gives none.
  func view(for registration: ViewRegistration) -> UIView? {
    if let view = views[registration] { return view }
    let view: UIView? =
      switch registration.source {
      case .type(let type): make(type, registration)
      case .factory(let make): make() as? UIView
      case .nib(let name, let bundle):
        UINib(nibName: name, bundle: bundle.flatMap { Bundle(identifier: $0) })
          .instantiate(withOwner: nil, options: nil).first as? UIView
      }
    views[registration] = view
    return view
  }
}

extension UIView {
  /// The size that it needs to show what it was given.
  ///
  /// `length`: What it has to fit across the direction of scrolling, in points.
  func size(fitting length: Double, axis: SizeKey.Axis, by measuring: ViewMeasuring) -> Size {
    let room: CGSize
    let fitted: CGSize
    switch (axis, measuring) {
    case (.vertical, .constraints):
      room = CGSize(width: length, height: Self.layoutFittingCompressedSize.height)
      setLength(width: length)
      fitted = systemLayoutSizeFitting(
        room, withHorizontalFittingPriority: .required, verticalFittingPriority: .fittingSizeLevel)
    case (.horizontal, .constraints):
      room = CGSize(width: Self.layoutFittingCompressedSize.width, height: length)
      setLength(height: length)
      fitted = systemLayoutSizeFitting(
        room, withHorizontalFittingPriority: .fittingSizeLevel, verticalFittingPriority: .required)
    case (.vertical, .sizeThatFits):
      setLength(width: length)
      fitted = sizeThatFits(CGSize(width: length, height: .greatestFiniteMagnitude))
    case (.horizontal, .sizeThatFits):
      setLength(height: length)
      fitted = sizeThatFits(CGSize(width: .greatestFiniteMagnitude, height: length))
    }
    return Size(width: Double(fitted.width), height: Double(fitted.height))
  }

  private func setLength(width: Double? = nil, height: Double? = nil) {
    if let width { bounds.size.width = width }
    if let height { bounds.size.height = height }
    setNeedsLayout()
    layoutIfNeeded()
  }
}
