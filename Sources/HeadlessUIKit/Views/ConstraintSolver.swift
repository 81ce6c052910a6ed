import Foundation

/// Places the views in a view by their constraints: first from left to right, then from top to
/// bottom.
///
/// A length is found when a constraint or two other lengths of the same view give it. Where that
/// leads no further, a view whose content has a size of its own gets that size. It is no general
/// solver: inequalities and priorities count for nothing, and of two contradicting constraints the
/// one that was activated first wins.
@MainActor struct ConstraintSolver {
  /// The size of the view whose content is placed.
  private(set) var size: CGSize
  /// The frames of the views in it, in the coordinates of that view.
  private(set) var frames: [ObjectIdentifier: CGRect] = [:]

  /// What is known of a view along one axis.
  private struct Span {
    var start: Double?
    var end: Double?
    var length: Double?

    /// Completes two known values to three.
    mutating func complete() {
      if length == nil, let start, let end { length = end - start }
      if end == nil, let start, let length { end = start + length }
      if start == nil, let end, let length { start = end - length }
    }
  }

  private enum Part { case start, end, length, center }
  private enum Axis { case horizontal, vertical }

  private let root: UIView
  private let views: [UIView]
  private let constraints: [NSLayoutConstraint]

  /// Solves the constraints in a view.
  ///
  /// `width`, `height`: The view's lengths; `nil`: as long as the content needs.
  init(_ root: UIView, width: CGFloat?, height: CGFloat?) {
    func all(_ view: UIView) -> [UIView] { [view] + view.subviews.flatMap(all) }
    self.root = root
    views = all(root)
    constraints = views.flatMap(\.installedConstraints).filter { $0.relation == .equal }
    size = .zero
    let horizontal = solve(.horizontal, length: width.map { Double($0) }, widths: [:])
    let widths = horizontal.compactMapValues(\.length)
    let vertical = solve(.vertical, length: height.map { Double($0) }, widths: widths)
    func length(_ spans: [ObjectIdentifier: Span], _ given: CGFloat?) -> CGFloat {
      given ?? CGFloat(max(0, spans[ObjectIdentifier(root)]?.length ?? 0))
    }
    size = CGSize(width: length(horizontal, width), height: length(vertical, height))
    for view in views.dropFirst() {
      let id = ObjectIdentifier(view)
      guard let x = horizontal[id], let y = vertical[id] else { continue }
      frames[id] = CGRect(
        x: x.start ?? 0, y: y.start ?? 0, width: max(0, x.length ?? 0),
        height: max(0, y.length ?? 0))
    }
  }

  // MARK: One axis

  private func solve(
    _ axis: Axis, length: Double?, widths: [ObjectIdentifier: Double]
  ) -> [ObjectIdentifier: Span] {
    var spans: [ObjectIdentifier: Span] = [:]
    spans[ObjectIdentifier(root)] = Span(start: 0, length: length)
    while true {
      if propagate(along: axis, in: &spans) { continue }
      if !giveContentItsSize(along: axis, in: &spans, widths: widths) { return spans }
    }
  }

  /// Carries known values over constraints; whether that gave another one.
  private func propagate(along axis: Axis, in spans: inout [ObjectIdentifier: Span]) -> Bool {
    var isNew = false
    for view in views {
      let id = ObjectIdentifier(view)
      let before = spans[id] ?? Span()
      var span = before
      if span.start == nil || span.length == nil, view !== root,
        view.translatesAutoresizingMaskIntoConstraints, let parent = view.superview,
        let origin = spans[ObjectIdentifier(parent)]?.start
      {
        // A view with a frame of its own.
        span.start = origin + Double(axis == .horizontal ? view.frame.minX : view.frame.minY)
        span.length = Double(axis == .horizontal ? view.frame.width : view.frame.height)
      }
      span.complete()
      if (before.start, before.end, before.length) != (span.start, span.end, span.length) {
        spans[id] = span
        isNew = true
      }
    }
    for constraint in constraints {
      guard let first = constraint.firstItem as? UIView,
        let (axisOfFirst, part) = Self.part(constraint.firstAttribute), axisOfFirst == axis
      else { continue }
      let constant = Double(constraint.constant)
      let factor = Double(constraint.multiplier)
      guard let second = constraint.secondItem as? UIView,
        let (_, otherPart) = Self.part(constraint.secondAttribute)
      else {
        isNew = set(part, of: first, to: constant, in: &spans) || isNew
        continue
      }
      if let value = value(otherPart, of: second, in: spans) {
        isNew = set(part, of: first, to: value * factor + constant, in: &spans) || isNew
      } else if let value = value(part, of: first, in: spans), factor != 0 {
        isNew = set(otherPart, of: second, to: (value - constant) / factor, in: &spans) || isNew
      }
    }
    return isNew
  }

  /// Gives one view the size of its content; whether there was one that needs it.
  private func giveContentItsSize(
    along axis: Axis, in spans: inout [ObjectIdentifier: Span],
    widths: [ObjectIdentifier: Double]
  ) -> Bool {
    for view in views.dropFirst() where !view.translatesAutoresizingMaskIntoConstraints {
      let id = ObjectIdentifier(view)
      guard spans[id]?.length == nil else { continue }
      let content = view.intrinsicContentSize
      var length = axis == .horizontal ? content.width : content.height
      if axis == .vertical, let width = widths[id],
        let height = view.intrinsicHeight(inWidth: CGFloat(width))
      {
        length = height
      }
      guard length != UIView.noIntrinsicMetric else { continue }
      spans[id, default: Span()].length = Double(length)
      return true
    }
    return false
  }

  private func value(
    _ part: Part, of view: UIView, in spans: [ObjectIdentifier: Span]
  ) -> Double? {
    guard let span = spans[ObjectIdentifier(view)] else { return nil }
    switch part {
    case .start: return span.start
    case .end: return span.end
    case .length: return span.length
    case .center:
      guard let start = span.start, let length = span.length else { return nil }
      return start + length / 2
    }
  }

  /// Sets a value that is not known yet; whether it did.
  private func set(
    _ part: Part, of view: UIView, to value: Double, in spans: inout [ObjectIdentifier: Span]
  ) -> Bool {
    let id = ObjectIdentifier(view)
    var span = spans[id] ?? Span()
    switch part {
    case .start where span.start == nil: span.start = value
    case .end where span.end == nil: span.end = value
    case .length where span.length == nil: span.length = value
    case .center where span.start == nil:
      guard let length = span.length else { return false }
      span.start = value - length / 2
    default: return false
    }
    span.complete()
    spans[id] = span
    return true
  }

  private static func part(_ attribute: NSLayoutConstraint.Attribute) -> (Axis, Part)? {
    switch attribute {
    case .left, .leading: (.horizontal, .start)
    case .right, .trailing: (.horizontal, .end)
    case .centerX: (.horizontal, .center)
    case .width: (.horizontal, .length)
    case .top: (.vertical, .start)
    case .bottom: (.vertical, .end)
    case .centerY: (.vertical, .center)
    case .height: (.vertical, .length)
    case .notAnAttribute: nil
    }
  }
}

extension UIView {
  /// Gives the views in this one the frames of their constraints.
  func placeByConstraints() {
    guard subviews.contains(where: { !$0.translatesAutoresizingMaskIntoConstraints }) else {
      return
    }
    let solved = ConstraintSolver(self, width: bounds.width, height: bounds.height)
    for view in subviews where !view.translatesAutoresizingMaskIntoConstraints {
      if let frame = solved.frames[ObjectIdentifier(view)] { view.frame = frame }
    }
  }
}
