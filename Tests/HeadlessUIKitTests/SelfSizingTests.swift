import Foundation
import HeadlessUIKit
import Testing

/// Rows and cells that size themselves: when they are asked, and what follows.
@MainActor @Suite struct SelfSizingTests {
  private final class HighRow: UITableViewCell {
    var height: CGFloat = 20
    var widths: [CGFloat] = []

    override func systemLayoutSizeFitting(
      _ size: CGSize, withHorizontalFittingPriority horizontal: UILayoutPriority,
      verticalFittingPriority vertical: UILayoutPriority
    ) -> CGSize {
      if horizontal == .required, vertical == .fittingSizeLevel { widths.append(size.width) }
      return CGSize(width: size.width, height: height)
    }
  }

  /// A table of rows that are 20, 30, 40, … points high.
  private func table(_ count: Int) -> TableScreen {
    let screen = TableScreen([count])
    screen.view.register(HighRow.self, forCellReuseIdentifier: "high")
    screen.configure = { view, path in
      let cell = view.dequeueReusableCell(withIdentifier: "high", for: path)
      (cell as? HighRow)?.height = 20 + CGFloat(path.row) * 10
      return cell
    }
    screen.view.rowHeight = UITableView.automaticDimension
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    return screen
  }

  @Test func rowsHaveTheHeightThatTheirCellsNeed() throws {
    let screen = table(3)
    #expect((0..<3).map { screen.view.rectForRow(at: at(0, $0)).height } == [20, 30, 40])
    #expect(screen.view.contentSize.height == 90)
    let row = try #require(screen.view.cellForRow(at: at(0, 1)) as? HighRow)
    #expect(row.frame == CGRect(x: 0, y: 20, width: 100, height: 30))
    #expect(row.widths == [100])
    // Nothing changed.
    screen.view.setNeedsLayout()
    screen.view.layoutIfNeeded()
    #expect(row.widths.count == 1)
    // An update, even an empty one, asks again.
    row.height = 50
    screen.view.performBatchUpdates(nil)
    #expect(row.frame.height == 50)
    #expect(screen.view.rectForRow(at: at(0, 2)).minY == 70)
  }

  @Test func aRowWithoutConstraintsHasTheUsualHeight() {
    let screen = TableScreen([2])
    screen.view.rowHeight = UITableView.automaticDimension
    screen.view.reloadData()
    screen.view.layoutIfNeeded()
    #expect(screen.view.contentSize.height == 88)
  }

  private final class HighCell: UICollectionViewCell {
    var height: CGFloat = 20
    var asked: (() -> Void)?

    override func preferredLayoutAttributesFitting(
      _ attributes: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutAttributes {
      asked?()
      attributes.size.height = height
      return attributes
    }
  }

  /// Lines of 10 points that become as high as their cells want.
  private final class Lines: UICollectionViewLayout {
    var heights: [CGFloat] = [10, 10, 10]

    override var collectionViewContentSize: CGSize {
      CGSize(width: 100, height: heights.reduce(0, +))
    }

    override func layoutAttributesForElements(
      in rect: CGRect
    ) -> [UICollectionViewLayoutAttributes]? {
      heights.indices.compactMap { layoutAttributesForItem(at: at(0, $0)) }
    }

    override func layoutAttributesForItem(
      at indexPath: IndexPath
    ) -> UICollectionViewLayoutAttributes? {
      let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
      attributes.frame = CGRect(
        x: 0, y: heights[..<indexPath.item].reduce(0, +), width: 100,
        height: heights[indexPath.item])
      return attributes
    }

    override func shouldInvalidateLayout(
      forPreferredLayoutAttributes preferred: UICollectionViewLayoutAttributes,
      withOriginalAttributes original: UICollectionViewLayoutAttributes
    ) -> Bool { preferred.size != original.size }

    override func invalidationContext(
      forPreferredLayoutAttributes preferred: UICollectionViewLayoutAttributes,
      withOriginalAttributes original: UICollectionViewLayoutAttributes
    ) -> UICollectionViewLayoutInvalidationContext {
      heights[original.indexPath.item] = preferred.size.height
      return UICollectionViewLayoutInvalidationContext()
    }
  }

  @Test func aLayoutIsToldWhatCellsPreferBeforeTheyAreDisplayed() throws {
    let screen = ShelfScreen([3])
    screen.view.register(HighCell.self, forCellWithReuseIdentifier: "high")
    screen.configure = { view, path in
      let cell = view.dequeueReusableCell(withReuseIdentifier: "high", for: path)
      (cell as? HighCell)?.asked = { screen.events.append("asked \(path.item)") }
      return cell
    }
    let layout = Lines()
    screen.view.reloadData()
    screen.view.collectionViewLayout = layout
    screen.events = []
    screen.view.layoutIfNeeded()
    #expect(layout.heights == [20, 20, 20])
    #expect(
      screen.events.filter { $0.hasPrefix("asked 0") || $0.hasPrefix("willDisplay 0,0") }
        == ["asked 0", "willDisplay 0,0"])
    let cell = try #require(screen.view.cellForItem(at: at(0, 1)) as? HighCell)
    #expect(cell.frame == CGRect(x: 0, y: 20, width: 100, height: 20))
    // It is asked again where it was reconfigured, or its item is invalid.
    cell.height = 30
    screen.view.setNeedsLayout()
    screen.view.layoutIfNeeded()
    #expect(cell.frame.height == 20)
    screen.view.reconfigureItems(at: [at(0, 1)])
    #expect(cell.frame.height == 30)
    cell.height = 40
    let context = UICollectionViewLayoutInvalidationContext()
    context.invalidateItems(at: [at(0, 1)])
    layout.invalidateLayout(with: context)
    screen.view.layoutIfNeeded()
    #expect(cell.frame.height == 40)
    cell.height = 50
    layout.invalidateLayout()
    screen.view.layoutIfNeeded()
    #expect(layout.heights == [20, 50, 20])
  }
}
