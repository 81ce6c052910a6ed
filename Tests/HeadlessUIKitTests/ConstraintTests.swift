import Foundation
import HeadlessUIKit
import Testing

/// Cells that are measured and placed by their constraints.
@MainActor @Suite struct ConstraintTests {
  /// A title and a text below each other; `sizeThatFits` says something else.
  private final class ArticleCell: UITableViewCell {
    let title = UILabel()
    let text = UILabel()

    override init(style: CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      title.numberOfLines = 0
      text.numberOfLines = 0
      for label in [title, text] {
        label.translatesAutoresizingMaskIntoConstraints = false
        contentView.addSubview(label)
      }
      NSLayoutConstraint.activate([
        title.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 10),
        title.trailingAnchor.constraint(equalTo: contentView.trailingAnchor, constant: -10),
        title.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 5),
        text.topAnchor.constraint(equalTo: title.bottomAnchor, constant: 4),
        text.leadingAnchor.constraint(equalTo: title.leadingAnchor),
        text.trailingAnchor.constraint(equalTo: title.trailingAnchor),
        contentView.bottomAnchor.constraint(equalTo: text.bottomAnchor, constant: 5),
      ])
    }
    required init?(coder: NSCoder) { nil }

    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 1, height: 1) }
  }

  private func height(_ view: UIView, _ width: CGFloat) -> CGFloat {
    view.systemLayoutSizeFitting(
      CGSize(width: width, height: 0), withHorizontalFittingPriority: .required,
      verticalFittingPriority: .fittingSizeLevel
    ).height
  }

  @Test func aCellIsAsHighAsItsLabelsNeed() {
    let cell = ArticleCell(style: .default, reuseIdentifier: nil)
    cell.title.text = "Emma"
    cell.text.text = "one two three four"
    // Letters of 10.2 points, lines of 20: in 180 points there is room for "one two three".
    #expect(height(cell, 200) == 74)
    #expect(height(cell, 400) == 54)
    #expect(height(cell, 90) == 114)
    cell.accessoryType = .disclosureIndicator
    #expect(height(cell, 200) == 74)
    cell.frame.size = CGSize(width: 200, height: 74)
    cell.layoutIfNeeded()
    #expect(cell.title.frame == CGRect(x: 10, y: 5, width: 146, height: 20))
    #expect(cell.text.frame == CGRect(x: 10, y: 29, width: 146, height: 40))
  }

  @Test func aCellWithoutConstraintsHasTheStandardHeight() {
    #expect(height(UITableViewCell(style: .default, reuseIdentifier: nil), 320) == 44)
    #expect(height(UICollectionViewCell(frame: .zero), 320) == 0)
  }

  @Test func viewsInNoCommonTreeRaise() {
    let raised = HeadlessException.raised {
      UIView().topAnchor.constraint(equalTo: UIView().topAnchor).isActive = true
    }
    #expect(raised.count == 1)
  }
}
