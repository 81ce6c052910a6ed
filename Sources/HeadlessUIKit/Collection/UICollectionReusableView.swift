public import Foundation

/// A view that a collection view uses again for another place.
open class UICollectionReusableView: UIView {
  /// Under which it was registered; `nil` if it was not dequeued.
  open internal(set) var reuseIdentifier: String?
  /// Whether it stands in for a view that could not be made; then it is not reused.
  var isStandIn = false

  /// A view with a frame.
  public override init(frame: CGRect = .zero) { super.init(frame: frame) }

  /// What a view is made with of which only the class is known.
  ///
  /// Not in UIKit, which does that through Objective-C. Subclasses inherit it, as those do that override
  /// `init(frame:)` and `init?(coder:)`.
  public required convenience init(headlessFrame frame: CGRect) { self.init(frame: frame) }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called before it comes out of the reuse queue.
  open func prepareForReuse() {}

  /// Takes what the layout says.
  open func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {}
}

/// A cell of a collection view.
open class UICollectionViewCell: UICollectionReusableView {
  /// Holds what the cell shows.
  public let contentView: UIView

  /// Whether the user selected it.
  open var isSelected = false
  /// Whether a finger is on it.
  open var isHighlighted = false

  /// A cell with a frame.
  public override init(frame: CGRect = .zero) {
    contentView = UIView(frame: CGRect(origin: .zero, size: frame.size))
    super.init(frame: frame)
    addSubview(contentView)
  }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
  }
}
