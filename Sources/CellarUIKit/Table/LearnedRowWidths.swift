import Foundation
import ListViews

/// The controls beside the content of a row in editing mode.
struct RowControls: OptionSet, Hashable {
  let rawValue: Int

  /// The control that deletes or selects the row, or the space for it.
  static let edit = RowControls(rawValue: 1)
  static let reorder = RowControls(rawValue: 2)
}

/// Widths that only a table knows, and that its rows on display show.
///
/// UIKit has no API for them, and they differ between its versions: the insets of rows with a
/// readable width, and the controls of editing mode.
@MainActor struct LearnedRowWidths {
  /// What the insets of rows depend on.
  private struct Situation: Equatable {
    var width: CGFloat
    var margins: UIEdgeInsets
  }

  private var rows: (insets: UIEdgeInsets, situation: Situation)?
  private var indentations: [RowControls: Double] = [:]

  /// The insets of rows in a table as it is now; `nil` if no row was on display since it changed.
  func rowInsets(of view: UITableView) -> UIEdgeInsets? {
    guard let rows, rows.situation == Self.situation(of: view) else { return nil }
    return rows.insets
  }

  mutating func learnRow(_ frame: CGRect, in view: UITableView) {
    // A row that an animation slides in from the side is elsewhere.
    guard frame.width > 0, frame.minX >= 0, frame.maxX <= view.bounds.width else { return }
    let insets = UIEdgeInsets(
      top: 0, left: frame.minX, bottom: 0, right: view.bounds.width - frame.maxX)
    rows = (insets, Self.situation(of: view))
  }

  /// How much narrower the content is beside controls, in points.
  func indentation(for controls: RowControls) -> Double {
    indentations[controls] ?? (controls == [.edit, .reorder] ? 80 : 40)
  }

  mutating func learn(_ cell: UITableViewCell, with controls: RowControls) {
    guard controls != [], cell.isEditing, cell.editingAccessoryType == .none,
      cell.editingAccessoryView == nil
    else { return }
    cell.layoutIfNeeded()
    let safe = cell.safeAreaInsets
    let content = cell.contentView.frame.width
    indentations[controls] = Double(
      max(0, cell.bounds.width - safe.left - safe.right - content))
  }

  private static func situation(of view: UITableView) -> Situation {
    Situation(width: view.bounds.width, margins: view.layoutMargins)
  }
}

extension UITableView {
  var hasSeparators: Bool {
    #if os(tvOS)
      return false
    #else
      return separatorStyle != .none
    #endif
  }
}
