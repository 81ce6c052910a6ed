public import Foundation

/// A cell of a table view.
open class UITableViewCell: UIView {
  /// How a cell looks; nothing here.
  public enum CellStyle: Int, Sendable {
    /// A text.
    case `default`
    /// A text at the left and one at the right.
    case value1
    /// A text at the right of a short one.
    case value2
    /// A text over another one.
    case subtitle
  }

  /// What a row in editing mode offers.
  public enum EditingStyle: Int, Sendable {
    /// Nothing.
    case none
    /// To delete it.
    case delete
    /// To insert one.
    case insert
  }

  /// Holds what the cell shows.
  public let contentView: UIView
  /// Under which it is reused; `nil` if it is not.
  open internal(set) var reuseIdentifier: String?
  /// Whether the user selected it.
  open var isSelected = false
  /// Whether a finger is on it.
  open var isHighlighted = false
  /// Whether the table is in editing mode.
  open internal(set) var isEditing = false

  /// A cell of a style.
  ///
  /// - Parameters:
  ///   - style: How it looks.
  ///   - reuseIdentifier: Under which it is reused.
  public init(style: CellStyle, reuseIdentifier: String?) {
    contentView = UIView()
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: CGRect(x: 0, y: 0, width: 320, height: 44))
    addSubview(contentView)
  }

  /// What a cell is made with of which only the class is known.
  ///
  /// Not in UIKit: see ``UICollectionReusableView/init(headlessFrame:)``.
  public required convenience init(headlessIdentifier reuseIdentifier: String?) {
    self.init(style: .default, reuseIdentifier: reuseIdentifier)
  }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called before it comes out of the reuse queue.
  open func prepareForReuse() {}

  /// Selects it or not.
  open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

  /// Highlights it or not.
  open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
  }
}

/// A header or a footer of a section of a table view.
open class UITableViewHeaderFooterView: UIView {
  /// Holds what the view shows.
  public let contentView: UIView
  /// Under which it is reused; `nil` if it is not.
  open internal(set) var reuseIdentifier: String?

  /// A header or a footer.
  ///
  /// - Parameter reuseIdentifier: Under which it is reused.
  public init(reuseIdentifier: String?) {
    contentView = UIView()
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
    addSubview(contentView)
  }

  /// What a view is made with of which only the class is known.
  ///
  /// Not in UIKit: see ``UICollectionReusableView/init(headlessFrame:)``.
  public required convenience init(headlessIdentifier reuseIdentifier: String?) {
    self.init(reuseIdentifier: reuseIdentifier)
  }

  /// Nothing: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called before it comes out of the reuse queue.
  open func prepareForReuse() {}

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
  }
}
