public import Foundation

/// A view that a collection view can reuse for another path.
open class UICollectionReusableView: UIView {
  /// The identifier of its registration; `nil` if it was not dequeued.
  open internal(set) var reuseIdentifier: String?
  /// Whether the view replaces one that could not be made.
  ///
  /// It is not reused.
  var isStandIn = false

  /// Makes a view with a frame.
  public override init(frame: CGRect = .zero) { super.init(frame: frame) }

  /// Makes a view when only its class is known.
  ///
  /// Not in UIKit, which calls `init(frame:)` through Objective-C. A subclass inherits this
  /// initializer if it overrides `init(frame:)` and `init?(coder:)`, or has no initializers of its
  /// own.
  public required convenience init(headlessFrame frame: CGRect) { self.init(frame: frame) }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called when the view comes out of the reuse queue.
  open func prepareForReuse() {}

  /// Applies the attributes of the layout.
  open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}

  /// The attributes that the view would like to have, for a layout that lets views size themselves.
  open func preferredLayoutAttributesFitting(
    _ layoutAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutAttributes { layoutAttributes }
}

/// A cell of a collection view.
open class UICollectionViewCell: UICollectionReusableView {
  /// The parent of the cell's own subviews.
  public let contentView: UIView

  /// Whether the cell is selected.
  open var isSelected = false { didSet { showBackgrounds() } }
  /// Whether a finger is on the cell.
  open var isHighlighted = false { didSet { showBackgrounds() } }

  /// A view behind all others, as large as the cell.
  open var backgroundView: UIView? {
    get { backgrounds.plain }
    set {
      backgrounds.plain = newValue
      showBackgrounds()
    }
  }
  /// A view behind the content, above ``backgroundView``, while the cell is selected or highlighted.
  ///
  /// It is in the cell only then.
  open var selectedBackgroundView: UIView? {
    get { backgrounds.selected }
    set {
      backgrounds.selected = newValue
      showBackgrounds()
    }
  }

  private var backgrounds = CellBackgrounds()
  private var isActive: Bool { isSelected || isHighlighted }
  private func showBackgrounds() { backgrounds.show(in: self, isActive: isActive) }

  /// Makes a cell with a frame.
  public override init(frame: CGRect = .zero) {
    contentView = UIView(frame: CGRect(origin: .zero, size: frame.size))
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
    showBackgrounds()
  }

  /// The size that the constraints in ``contentView`` need: it is always as large as the cell.
  open override func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    contentView.systemLayoutSizeFitting(
      targetSize, withHorizontalFittingPriority: horizontalFittingPriority,
      verticalFittingPriority: verticalFittingPriority)
  }

  /// The size that the content needs: by its constraints, as small as they allow in both
  /// directions, or without any by `sizeThatFits(_:)`.
  ///
  /// In a flow layout without estimated sizes, the size of the layout.
  open override func preferredLayoutAttributesFitting(
    _ layoutAttributes: UICollectionViewLayoutAttributes
  ) -> UICollectionViewLayoutAttributes {
    if layoutAttributes.isEstimated {
      let fitted = systemLayoutSizeFitting(
        layoutAttributes.size, withHorizontalFittingPriority: .fittingSizeLevel,
        verticalFittingPriority: .fittingSizeLevel)
      layoutAttributes.size = fitted == .zero ? sizeThatFits(layoutAttributes.size) : fitted
    }
    return layoutAttributes
  }
}
