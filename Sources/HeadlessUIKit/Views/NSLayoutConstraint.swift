public import Foundation

/// A relation between the attributes of two views, or of one view and a number.
///
/// Only equalities place views here: see <doc:Differences>.
@MainActor open class NSLayoutConstraint: NSObject {
  /// The part of a view that a constraint is about.
  public enum Attribute: Int, Sendable {
    /// The left edge.
    case left = 1
    /// The right edge.
    case right
    /// The top edge.
    case top
    /// The bottom edge.
    case bottom
    /// The leading edge; here the left one.
    case leading
    /// The trailing edge; here the right one.
    case trailing
    /// The width.
    case width
    /// The height.
    case height
    /// The middle between left and right.
    case centerX
    /// The middle between top and bottom.
    case centerY
    /// No attribute: the constraint is about a constant.
    case notAnAttribute = 0
  }

  /// How the two attributes are related.
  public enum Relation: Int, Sendable {
    /// The first is the smaller one.
    case lessThanOrEqual = -1
    /// They are equal.
    case equal = 0
    /// The first is the greater one.
    case greaterThanOrEqual = 1
  }

  /// The first view.
  public private(set) weak var firstItem: AnyObject?
  /// The attribute of the first view.
  public let firstAttribute: Attribute
  /// How the attributes are related.
  public let relation: Relation
  /// The second view; `nil` for a constant.
  public private(set) weak var secondItem: AnyObject?
  /// The attribute of the second view.
  public let secondAttribute: Attribute
  /// The factor of the second attribute.
  public let multiplier: CGFloat
  /// The number that is added to the second attribute, in points.
  public var constant: CGFloat { didSet { holder?.setNeedsLayout() } }
  /// How important the constraint is.
  ///
  /// It has no effect here.
  public var priority = UILayoutPriority.required
  /// The view that both items are in.
  private weak var holder: UIView?

  /// A constraint: `first = multiplier × second + constant`.
  ///
  /// - Parameters:
  ///   - view1: The first view.
  ///   - attr1: The attribute of the first view.
  ///   - relation: How the attributes are related.
  ///   - view2: The second view; `nil` for a constant.
  ///   - attr2: The attribute of the second view.
  ///   - multiplier: The factor of the second attribute.
  ///   - c: The number that is added to the second attribute, in points.
  public init(
    item view1: Any, attribute attr1: Attribute, relatedBy relation: Relation,
    toItem view2: Any?, attribute attr2: Attribute, multiplier: CGFloat, constant c: CGFloat
  ) {
    firstItem = view1 as AnyObject
    firstAttribute = attr1
    self.relation = relation
    secondItem = view2.map { $0 as AnyObject }
    secondAttribute = attr2
    self.multiplier = multiplier
    constant = c
    super.init()
  }

  /// Whether the constraint places views.
  ///
  /// Both views have to be in one tree of views.
  public var isActive: Bool {
    get { holder != nil }
    set {
      guard newValue != isActive else { return }
      holder?.installedConstraints.removeAll { $0 === self }
      holder?.setNeedsLayout()
      holder = newValue ? commonAncestor : nil
      holder?.installedConstraints.append(self)
      holder?.setNeedsLayout()
      if newValue, holder == nil {
        HeadlessException(
          .invalidArgument,
          "Unable to activate constraint with anchors because they have no common ancestor. Does "
            + "the constraint or its anchors reference items in different view hierarchies?"
        ).raise()
      }
    }
  }

  /// Activates constraints.
  public class func activate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = true }
  }

  /// Deactivates constraints.
  public class func deactivate(_ constraints: [NSLayoutConstraint]) {
    for constraint in constraints { constraint.isActive = false }
  }

  private var commonAncestor: UIView? {
    guard let first = firstItem as? UIView else { return nil }
    guard let second = secondItem as? UIView else { return first }
    return sequence(first: first, next: \.superview).first { second.isDescendant(of: $0) }
  }
}
