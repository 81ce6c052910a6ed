import Foundation
import ListSync
import ListViews
import Pages

/// What an adapter shows of a gap if the app has no cell for it: placeholders of the missing items, as far
/// as they are in sight, and what becomes of the page that is loaded.
@MainActor final class GapView: UIView {
  /// The length of a gap of which nobody knows how many items are missing, in points.
  static let plainLength: CGFloat = 44
  /// Lower lines are drawn with this distance.
  private static let leastLine: CGFloat = 12

  /// What a gap looks like.
  struct Content {
    /// How many lines are missing.
    var lines = 1
    /// The space between two of them, in points.
    var spacing: CGFloat = 0
    /// How many items are in a line.
    var columns = 1
    /// Whether lines follow each other from left to right.
    var isHorizontal = false
    /// Makes a view that stands for an item.
    var placeholder: (@MainActor () -> UIView)?
  }

  var content = Content() {
    didSet {
      for view in placeholders.values { view.removeFromSuperview() }
      placeholders = [:]
      setNeedsLayout()
    }
  }
  var state = LiveList.PageState.idle { didSet { showState() } }
  /// Called when the user wants a page that has failed.
  var onRetry: (() -> Void)?

  private struct Place: Hashable {
    var line: Int
    var column: Int
  }

  private var placeholders: [Place: UIView] = [:]
  private let spinner = UIActivityIndicatorView(style: .medium)
  private let label = UILabel(frame: .zero)
  private let button = UIButton(type: .system)

  override init(frame: CGRect) {
    super.init(frame: frame)
    label.numberOfLines = 3
    label.textAlignment = .center
    label.textColor = .secondaryLabel
    label.font = UIFont.preferredFont(forTextStyle: .caption1)
    button.setTitle("\u{21BB}", for: .normal)
    button.addAction(UIAction { [weak self] _ in self?.onRetry?() }, for: .primaryActionTriggered)
    for view in [spinner, label, button] { addSubview(view) }
    showState()
  }

  required init?(coder: NSCoder) { nil }

  private func showState() {
    var reason: (any Error)?
    switch state {
    case .idle, .loading: break
    case .failed(let error): reason = error
    case .offline: reason = Page.Failure.offline
    }
    if case .loading = state { spinner.startAnimating() } else { spinner.stopAnimating() }
    label.text = reason?.localizedDescription
    label.isHidden = reason == nil
    // Whoever is offline has to wait.
    if case .failed = state { button.isHidden = false } else { button.isHidden = true }
    setNeedsLayout()
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    showVisiblePart()
  }

  override func didMoveToWindow() {
    super.didMoveToWindow()
    showVisiblePart()
  }

  /// Draws what is in sight, after the list was scrolled.
  func showVisiblePart() {
    let visible = visiblePart
    if visible.isEmpty { return }
    showPlaceholders(in: visible)
    placeState(in: visible)
  }

  /// The part of the view that is in sight; empty outside of a list.
  ///
  /// A cell is laid out before it is in its list, as long as all that is missing: that may be a million lines.
  private var visiblePart: CGRect {
    var view = superview
    while let next = view, !(next is UIScrollView) { view = next.superview }
    guard let list = view else { return .zero }
    return bounds.intersection(convert(list.bounds, from: list))
  }

  private func showPlaceholders(in visible: CGRect) {
    let isHorizontal = content.isHorizontal
    let length = isHorizontal ? bounds.width : bounds.height
    let breadth = isHorizontal ? bounds.height : bounds.width
    let line = max(Self.leastLine, (length + content.spacing) / CGFloat(max(1, content.lines)))
    let (start, end) =
      isHorizontal ? (visible.minX, visible.maxX) : (visible.minY, visible.maxY)
    let lines = Int(start / line)..<max(Int(start / line), Int((end / line).rounded(.up)))
    var needed: Set<Place> = []
    for line in lines where line < max(1, content.lines) {
      for column in 0..<content.columns { needed.insert(Place(line: line, column: column)) }
    }
    var spare = placeholders.filter { !needed.contains($0.key) }
    for place in needed {
      if placeholders[place] == nil {
        if let (old, view) = spare.popFirst() {
          placeholders[old] = nil
          placeholders[place] = view
        } else {
          let view = content.placeholder?() ?? PlainPlaceholder(frame: .zero)
          insertSubview(view, at: 0)
          placeholders[place] = view
        }
      }
      let size = CGSize(
        width: breadth / CGFloat(content.columns), height: max(1, line - content.spacing))
      let origin = CGPoint(x: CGFloat(place.column) * size.width, y: CGFloat(place.line) * line)
      placeholders[place]?.frame =
        isHorizontal
        ? CGRect(x: origin.y, y: origin.x, width: size.height, height: size.width)
        : CGRect(origin: origin, size: size)
    }
    for (place, view) in spare {
      view.removeFromSuperview()
      placeholders[place] = nil
    }
  }

  /// Shows what becomes of the page in the middle of what is in sight.
  private func placeState(in visible: CGRect) {
    let center = CGPoint(x: visible.midX, y: visible.midY)
    func place(_ view: UIView, _ size: CGSize, above: CGFloat) {
      view.frame = CGRect(
        x: center.x - size.width / 2, y: center.y - above, width: size.width, height: size.height)
    }
    let indicator = spinner.sizeThatFits(visible.size)
    place(spinner, indicator, above: indicator.height / 2)
    let room = CGSize(width: max(0, visible.width - 32), height: visible.height)
    let (text, action) = (label.sizeThatFits(room), button.sizeThatFits(room))
    // Beside each other where only one line is in sight.
    if visible.height < text.height + action.height {
      button.frame = CGRect(
        x: visible.maxX - action.width - 16, y: center.y - action.height / 2, width: action.width,
        height: action.height)
      let width = max(0, min(text.width, button.frame.minX - visible.minX - 16))
      label.frame = CGRect(
        x: visible.minX + 16, y: center.y - text.height / 2, width: width, height: text.height)
    } else {
      let height = text.height + action.height
      place(label, CGSize(width: room.width, height: text.height), above: height / 2)
      place(button, action, above: height / 2 - text.height)
    }
  }
}

/// Stands for an item of which nothing is known: two bars.
@MainActor private final class PlainPlaceholder: UIView {
  private let bars = [UIView(frame: .zero), UIView(frame: .zero)]

  override init(frame: CGRect) {
    super.init(frame: frame)
    for bar in bars {
      bar.backgroundColor = UIColor.systemGray.withAlphaComponent(0.15)
      addSubview(bar)
    }
  }

  required init?(coder: NSCoder) { nil }

  override func layoutSubviews() {
    super.layoutSubviews()
    let height = min(12, bounds.height / 5)
    for (number, bar) in bars.enumerated() {
      let width = max(0, bounds.width - 32)
      bar.frame = CGRect(
        x: 16, y: bounds.height / 5 + CGFloat(number) * height * 2,
        width: number == 0 ? width : width / 2, height: height)
    }
  }
}

/// A cell that shows a gap.
@MainActor protocol GapCell: UIView {
  var gapView: GapView { get }
  var contentView: UIView { get }
}

extension GapCell {
  fileprivate func layOutGap() {
    gapView.frame = contentView.bounds
    gapView.setNeedsLayout()
  }
}

/// A gap in a collection view.
@MainActor final class GapItemCell: UICollectionViewCell, GapCell {
  let gapView = GapView(frame: .zero)

  override init(frame: CGRect) {
    super.init(frame: frame)
    contentView.addSubview(gapView)
  }

  required init?(coder: NSCoder) { nil }

  override func layoutSubviews() {
    super.layoutSubviews()
    layOutGap()
  }
}

/// A gap in a table.
@MainActor final class GapRowCell: UITableViewCell, GapCell {
  let gapView = GapView(frame: .zero)

  override init(style: CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    selectionStyle = .none
    contentView.addSubview(gapView)
  }

  required init?(coder: NSCoder) { nil }

  override func layoutSubviews() {
    super.layoutSubviews()
    layOutGap()
  }
}
