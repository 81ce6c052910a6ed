import Foundation
import ListItems
import ListModel
import ListViews

/// Views that are measured and never shown, one of each registration.
///
/// They are made here instead of dequeued: a dequeued view would be missing in the reuse queues.
@MainActor struct TemplateViews {
  /// The view that the templates are in.
  let room = MeasuringRoom(frame: .zero)
  private var views: [ViewRegistration: UIView] = [:]

  /// No templates yet; those that are made get the traits of `view`.
  init(in view: UIView?) {
    guard let view else { return }
    // An adapter that showed a list in the view before left its room.
    for case let old as MeasuringRoom in view.subviews { old.removeFromSuperview() }
    view.insertSubview(room, at: 0)
  }

  /// The template of a registration; `nil` if its source gives none that fits the host.
  ///
  /// `length`: The room across the direction of scrolling, in points.
  mutating func view(
    for registration: ViewRegistration, as host: any ListHost, fitting length: Double
  ) -> UIView? {
    let view = views[registration] ?? make(registration, as: host)
    guard let view else { return nil }
    let width = host.view?.bounds.width ?? 0
    room.frame.size.width = width
    // The template gets the part of the safe area that the cell gets: none between the insets of a
    // table, and in a collection view as much as an item in the middle reaches into it.
    let x = host.placesSections ? max(0, (width - CGFloat(length)) / 2) : host.contentInsets.left
    view.frame.origin = CGPoint(x: x, y: 0)
    if let cell = view as? UITableViewCell { cell.setMeasured(inEditingMode: host.isEditing) }
    return view
  }

  private mutating func make(_ registration: ViewRegistration, as host: any ListHost) -> UIView? {
    let view: UIView? =
      switch registration.source {
      case .type(let type): host.makeView(of: type, for: registration)
      case .factory(let make): make(host.identifier(of: registration)) as? UIView
      case .prototype: host.dequeueTemplate(for: registration)
      case .nib:
        registration.nib?.instantiate(withOwner: nil, options: nil).first as? UIView
      }
    guard let view else { return nil }
    views[registration] = view
    room.addSubview(view)
    return view
  }
}

/// A hidden view in the list's view, for the templates: in it they have the list's traits, with the
/// overrides of its containers.
///
/// It also notices when these traits and the safe area change.
@MainActor final class MeasuringRoom: UIView {
  var onChange: (() -> Void)?

  override init(frame: CGRect) {
    super.init(frame: frame)
    isHidden = true
  }

  required init?(coder: NSCoder) { nil }

  // All versions of UIKit call it. `registerForTraitChanges` is newer than the oldest that Cellar
  // supports, and the superclass's method does nothing.
  override func traitCollectionDidChange(_ previous: UITraitCollection?) { onChange?() }

  override func safeAreaInsetsDidChange() {
    super.safeAreaInsetsDidChange()
    onChange?()
  }
}

extension UITableViewCell {
  /// Makes a template show the accessory of a mode, without the other controls of editing mode: the
  /// width that it is measured in has no room for them.
  fileprivate func setMeasured(inEditingMode isEditing: Bool) {
    guard isEditing != self.isEditing else { return }
    shouldIndentWhileEditing = false
    showsReorderControl = false
    setEditing(isEditing, animated: false)
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
    case (.vertical, .constraints), (.vertical, .onDisplay):
      room = CGSize(width: length, height: Self.layoutFittingCompressedSize.height)
      setLength(width: length)
      fitted = systemLayoutSizeFitting(
        room, withHorizontalFittingPriority: .required, verticalFittingPriority: .fittingSizeLevel)
    case (.horizontal, .constraints), (.horizontal, .onDisplay):
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
