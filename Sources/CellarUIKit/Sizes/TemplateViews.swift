import Foundation
import ListModel
import ListItems

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// Views that are measured and never shown, one of each registration.
///
/// They are made here instead of dequeued: a dequeued view would be missing in the reuse queues.
@MainActor struct TemplateViews {
  private var views: [ViewRegistration: UIView] = [:]

  /// The template of a registration; `nil` if its source gives none that fits the host.
  mutating func view(for registration: ViewRegistration, as host: any ListHost) -> UIView? {
    if let view = views[registration] { return view }
    let view: UIView? =
      switch registration.source {
      case .type(let type): host.makeView(of: type, for: registration)
      case .factory(let make): make() as? UIView
      case .nib:
        registration.source.nib?.instantiate(withOwner: nil, options: nil).first as? UIView
      }
    views[registration] = view
    return view
  }
}

extension UIView {
  /// The size that the view needs for its content.
  ///
  /// `length`: The room across the direction of scrolling, in points: for a list that scrolls
  /// vertically, the width.
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
