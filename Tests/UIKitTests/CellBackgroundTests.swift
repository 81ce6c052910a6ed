import Foundation
import Testing

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// What is behind a cell's content, and a tag.
@MainActor @Suite struct CellBackgroundTests {
  /// Whether a view can be seen in a cell: UIKit takes it out or fades it.
  private func isShown(_ view: UIView, in cell: UIView) -> Bool {
    view.superview === cell && !view.isHidden && view.alpha > 0
  }

  private func index(of view: UIView, in cell: UIView) -> Int? {
    cell.subviews.firstIndex { $0 === view }
  }

  /// The same of cells of both kinds.
  private func expectBackgrounds(
    of cell: UIView, content: UIView, set: (_ plain: UIView?, _ selected: UIView?) -> Void,
    activate changes: [(Bool) -> Void]
  ) {
    let (plain, selected) = (UIView(), UIView())
    set(plain, selected)
    cell.layoutIfNeeded()
    #expect(isShown(plain, in: cell))
    #expect(plain.frame == cell.bounds)
    #expect(!isShown(selected, in: cell))
    for change in changes {
      change(true)
      cell.layoutIfNeeded()
      #expect(isShown(selected, in: cell))
      #expect(selected.frame == cell.bounds)
      let order = [plain, selected, content].map { index(of: $0, in: cell) ?? -1 }
      #expect(order == order.sorted() && order.first != -1)
      change(false)
      cell.layoutIfNeeded()
      #expect(!isShown(selected, in: cell))
      #expect(isShown(plain, in: cell))
    }
    set(nil, nil)
    cell.layoutIfNeeded()
    #expect(!isShown(plain, in: cell))
  }

  @Test func aCollectionViewCellShowsItsSelectedBackgroundWhileItIsSelectedOrHighlighted() {
    let cell = UICollectionViewCell(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
    UIView.performWithoutAnimation {
      expectBackgrounds(
        of: cell, content: cell.contentView,
        set: {
          cell.backgroundView = $0
          cell.selectedBackgroundView = $1
        },
        activate: [{ cell.isSelected = $0 }, { cell.isHighlighted = $0 }])
    }
  }

  @Test func aTableViewCellShowsItsSelectedBackgroundWhileItIsSelectedOrHighlighted() {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    UIView.performWithoutAnimation {
      expectBackgrounds(
        of: cell, content: cell.contentView,
        set: {
          cell.backgroundView = $0
          cell.selectedBackgroundView = $1
        },
        activate: [
          { cell.setSelected($0, animated: false) }, { cell.setHighlighted($0, animated: false) },
        ])
    }
  }

  @Test func aTableViewCellWithoutASelectionStyleShowsNone() {
    let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
    let selected = UIView()
    cell.selectedBackgroundView = selected
    cell.selectionStyle = .none
    cell.setSelected(true, animated: false)
    cell.layoutIfNeeded()
    #expect(cell.isSelected)
    #expect(!isShown(selected, in: cell))
  }

  @Test func aTableViewCellIsSelectedByItsPropertyThroughItsMethod() {
    final class Noting: UITableViewCell {
      var calls: [Bool] = []
      override func setSelected(_ selected: Bool, animated: Bool) {
        super.setSelected(selected, animated: animated)
        calls.append(selected)
      }
    }
    let cell = Noting(style: .default, reuseIdentifier: nil)
    cell.isSelected = true
    #expect(cell.calls.last == true)
    #expect(cell.isSelected)
  }

  @Test func aViewIsFoundByItsTag() {
    let (outer, inner, leaf) = (UIView(), UIView(), UIView())
    #expect(outer.tag == 0)
    outer.addSubview(inner)
    inner.addSubview(leaf)
    leaf.tag = 7
    #expect(outer.viewWithTag(7) === leaf)
    #expect(leaf.viewWithTag(7) === leaf)
    #expect(outer.viewWithTag(8) == nil)
  }

  @Test func aTransitionKeepsTheValuesOfItsKeys() {
    let transition = UICollectionViewTransitionLayout(
      currentLayout: UICollectionViewFlowLayout(), nextLayout: UICollectionViewFlowLayout())
    #expect(transition.value(forAnimatedKey: "offset") == 0)
    transition.updateValue(12, forAnimatedKey: "offset")
    #expect(transition.value(forAnimatedKey: "offset") == 12)
    #expect(transition.value(forAnimatedKey: "scale") == 0)
  }
}
