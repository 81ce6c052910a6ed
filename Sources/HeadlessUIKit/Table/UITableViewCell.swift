public import Foundation

/// A cell of a table view.
open class UITableViewCell: UIView {
  /// The style of a cell.
  ///
  /// It has no effect here.
  public enum CellStyle: Int, Sendable {
    /// A view that shows a text.
    case `default`
    /// A text on the left and another one on the right.
    case value1
    /// A short text on the left and a long one next to it.
    case value2
    /// A text above another one.
    case subtitle
  }

  /// The control that a row shows in editing mode.
  public enum EditingStyle: Int, Sendable {
    /// Nothing.
    case none
    /// A control that deletes the row.
    case delete
    /// A control that inserts a row.
    case insert
  }

  /// The parent of the cell's own subviews.
  public let contentView: UIView
  /// The identifier for reuse; `nil` if the view is not reused.
  open internal(set) var reuseIdentifier: String?
  /// Whether the cell is selected.
  open var isSelected = false
  /// Whether a finger is on the cell.
  open var isHighlighted = false
  /// Whether the table is in editing mode.
  open internal(set) var isEditing = false

  /// Makes a cell.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - reuseIdentifier: The identifier for reuse.
  public init(style: CellStyle, reuseIdentifier: String?) {
    contentView = UIView()
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: CGRect(x: 0, y: 0, width: 320, height: 44))
    addSubview(contentView)
  }

  /// Makes a cell when only its class is known.
  ///
  /// Not in UIKit: see ``UICollectionReusableView/init(headlessFrame:)``.
  public required convenience init(headlessIdentifier reuseIdentifier: String?) {
    self.init(style: .default, reuseIdentifier: reuseIdentifier)
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called when the view comes out of the reuse queue.
  open func prepareForReuse() {}

  /// Sets whether the cell is selected.
  open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }

  /// Sets whether the cell is highlighted.
  open func setHighlighted(_ highlighted: Bool, animated: Bool) { isHighlighted = highlighted }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
  }
}

/// A header or a footer of a section of a table view.
open class UITableViewHeaderFooterView: UIView {
  /// The parent of the view's own subviews.
  public let contentView: UIView
  /// The identifier for reuse; `nil` if the view is not reused.
  open internal(set) var reuseIdentifier: String?

  /// A header or a footer.
  ///
  /// - Parameter reuseIdentifier: The identifier for reuse.
  public init(reuseIdentifier: String?) {
    contentView = UIView()
    self.reuseIdentifier = reuseIdentifier
    super.init(frame: .zero)
    addSubview(contentView)
  }

  /// Makes a view when only its class is known.
  ///
  /// Not in UIKit: see ``UICollectionReusableView/init(headlessFrame:)``.
  public required convenience init(headlessIdentifier reuseIdentifier: String?) {
    self.init(reuseIdentifier: reuseIdentifier)
  }

  /// Always `nil`: there are no archives of views here.
  public required init?(coder: NSCoder) { nil }

  /// Called when the view comes out of the reuse queue.
  open func prepareForReuse() {}

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds
  }
}
