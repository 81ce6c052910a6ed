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

  /// The control at the end of a row.
  public enum AccessoryType: Int, Sendable {
    /// Nothing.
    case none
    /// An arrow: a tap on the row shows more.
    case disclosureIndicator
    /// A button for details and an arrow.
    case detailDisclosureButton
    /// A check mark.
    case checkmark
    /// A button for details.
    case detailButton
  }

  /// How a row shows that it is selected.
  public enum SelectionStyle: Int, Sendable {
    /// Not at all.
    case none
    /// As ``default``.
    case blue
    /// As ``default``.
    case gray
    /// By ``UITableViewCell/selectedBackgroundView``.
    case `default`
  }

  /// The line between two rows.
  public enum SeparatorStyle: Int, Sendable {
    /// No line.
    case none
    /// A line of one pixel.
    case singleLine
    /// A line with an edge.
    case singleLineEtched
  }

  /// The parent of the cell's own subviews.
  ///
  /// It leaves room for the safe area, the accessory, the controls of editing mode and the
  /// separator.
  public let contentView: UIView
  /// The identifier for reuse; `nil` if the view is not reused.
  open internal(set) var reuseIdentifier: String?
  /// Whether the cell is selected.
  ///
  /// The table calls ``setSelected(_:animated:)``.
  open var isSelected: Bool {
    get { selectedState }
    set { setSelected(newValue, animated: false) }
  }
  /// Whether a finger is on the cell.
  ///
  /// The table calls ``setHighlighted(_:animated:)``.
  open var isHighlighted: Bool {
    get { highlightedState }
    set { setHighlighted(newValue, animated: false) }
  }
  /// How the row shows that it is selected.
  open var selectionStyle = SelectionStyle.default { didSet { showBackgrounds() } }
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
  /// It is in the cell only then, and never with the selection style ``SelectionStyle/none``.
  open var selectedBackgroundView: UIView? {
    get { backgrounds.selected }
    set {
      backgrounds.selected = newValue
      showBackgrounds()
    }
  }
  /// Whether the table is in editing mode.
  open var isEditing = false { didSet { setNeedsLayout() } }
  /// The control at the end of the row.
  open var accessoryType = AccessoryType.none { didSet { setNeedsLayout() } }
  /// A view at the end of the row, instead of ``accessoryType``.
  open var accessoryView: UIView? { didSet { setNeedsLayout() } }
  /// The control at the end of the row in editing mode.
  open var editingAccessoryType = AccessoryType.none { didSet { setNeedsLayout() } }
  /// A view at the end of the row in editing mode, instead of ``editingAccessoryType``.
  open var editingAccessoryView: UIView? { didSet { setNeedsLayout() } }
  /// Whether the row has a reorder control in editing mode, if its data source can move it.
  open var showsReorderControl = false { didSet { setNeedsLayout() } }
  /// The control that the row shows in editing mode.
  open internal(set) var editingStyle = EditingStyle.none
  /// Whether the content makes room for the control of ``editingStyle``.
  open var shouldIndentWhileEditing = true { didSet { setNeedsLayout() } }
  /// What the cell's table adds to the row.
  var surroundings = RowSurroundings() {
    didSet { if surroundings != oldValue { setNeedsLayout() } }
  }
  private var selectedState = false
  private var highlightedState = false
  private var backgrounds = CellBackgrounds()
  private var isActive: Bool { selectionStyle != .none && (selectedState || highlightedState) }
  private func showBackgrounds() { backgrounds.show(in: self, isActive: isActive) }

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
  open func setSelected(_ selected: Bool, animated: Bool) {
    selectedState = selected
    showBackgrounds()
  }

  /// Sets whether the cell is highlighted.
  open func setHighlighted(_ highlighted: Bool, animated: Bool) {
    highlightedState = highlighted
    showBackgrounds()
  }

  /// Switches editing mode on or off.
  open func setEditing(_ editing: Bool, animated: Bool) { isEditing = editing }

  open override func layoutSubviews() {
    super.layoutSubviews()
    contentView.frame = bounds.inset(by: contentInsets)
    showBackgrounds()
  }

  /// The size that the constraints in ``contentView`` need, with everything around it; 44 points
  /// high if they need no height.
  open override func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    let insets = contentInsets
    let content = contentView.fittingSize(
      in: targetSize, around: insets, horizontalFittingPriority, verticalFittingPriority)
    return CGSize(
      width: content.width + insets.left + insets.right,
      height: content.height > 0 ? content.height + insets.top + insets.bottom : 44)
  }

  /// What is around ``contentView``.
  private var contentInsets: UIEdgeInsets {
    var insets = UIEdgeInsets()
    if surroundings.insetsContent {
      insets.left = safeAreaInsets.left
      insets.right = safeAreaInsets.right
    }
    insets.bottom = surroundings.hasSeparator ? 1 / max(1, traitCollection.displayScale) : 0
    guard isEditing else {
      insets.right += accessoryView.map { $0.bounds.width + 16 } ?? accessoryType.headlessWidth
      return insets
    }
    // Also a row without a control is indented.
    if surroundings.isEditable, shouldIndentWhileEditing {
      insets.left += Self.headlessEditControlWidth
    }
    if showsReorderControl { insets.right += Self.headlessReorderControlWidth }
    insets.right +=
      editingAccessoryView.map { $0.bounds.width + 16 } ?? editingAccessoryType.headlessWidth
    return insets
  }

  /// The width of the control that deletes or inserts a row, in points.
  ///
  /// Not in UIKit, whose widths differ from version to version.
  public static let headlessEditControlWidth: CGFloat = 64
  /// The width of the reorder control, in points.
  ///
  /// Not in UIKit, whose widths differ from version to version.
  public static let headlessReorderControlWidth: CGFloat = 48
}

extension UITableViewCell.AccessoryType {
  /// The width of the accessory with the space around it, in points.
  ///
  /// Not in UIKit, whose widths differ from version to version.
  public var headlessWidth: CGFloat {
    switch self {
    case .none: 0
    case .disclosureIndicator: 34
    case .detailDisclosureButton: 68
    case .checkmark: 40
    case .detailButton: 48
    }
  }
}

/// What a table adds to a row that shows one of its cells.
struct RowSurroundings: Equatable {
  /// Whether the content keeps clear of the safe area.
  var insetsContent = false
  /// Whether there is a line below the row.
  var hasSeparator = false
  /// Whether the row can be edited, in editing mode.
  var isEditable = false
}

/// A header or a footer of a section of a table view.
open class UITableViewHeaderFooterView: UIView {
  /// The parent of the view's own subviews.
  public let contentView: UIView
  /// The identifier for reuse; `nil` if the view is not reused.
  open internal(set) var reuseIdentifier: String?

  /// What the view's table adds to it.
  var surroundings = RowSurroundings() {
    didSet { if surroundings != oldValue { setNeedsLayout() } }
  }

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
    contentView.frame = bounds.inset(by: contentInsets)
  }

  /// The size that the constraints in ``contentView`` need, with everything around it.
  open override func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    let insets = contentInsets
    let content = contentView.fittingSize(
      in: targetSize, around: insets, horizontalFittingPriority, verticalFittingPriority)
    return CGSize(width: content.width + insets.left + insets.right, height: content.height)
  }

  private var contentInsets: UIEdgeInsets {
    guard surroundings.insetsContent else { return UIEdgeInsets() }
    let safe = safeAreaInsets
    return UIEdgeInsets(top: 0, left: safe.left, bottom: 0, right: safe.right)
  }
}

extension UIView {
  /// The size that the constraints of a content view need in what insets leave of a size.
  fileprivate func fittingSize(
    in size: CGSize, around insets: UIEdgeInsets, _ horizontal: UILayoutPriority,
    _ vertical: UILayoutPriority
  ) -> CGSize {
    systemLayoutSizeFitting(
      CGRect(origin: .zero, size: size).inset(by: insets).size,
      withHorizontalFittingPriority: horizontal, verticalFittingPriority: vertical)
  }
}
