import Cellar
import Foundation

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#else
  import HeadlessUIKit
#endif

/// Shows a title, who wrote it, and who likes it; knows nothing of what a book is.
final class BookCell: UICollectionViewCell, ControlEventSource {
  let titleLabel = UILabel()
  let authorLabel = UILabel()
  /// Empty, and without height, as long as nobody likes the book.
  let fansLabel = UILabel()
  let likeButton = UIButton()
  var onControlEvent: (@MainActor (ControlEvent) -> Void)?

  private static let inset: CGFloat = 8

  override init(frame: CGRect) {
    super.init(frame: frame)
    authorLabel.font = UIFont.preferredFont(forTextStyle: .caption1)
    fansLabel.font = UIFont.preferredFont(forTextStyle: .caption1)
    for label in [titleLabel, authorLabel, fansLabel] {
      label.numberOfLines = 0
      contentView.addSubview(label)
    }
    likeButton.setTitle("Like", for: .normal)
    likeButton.setTitle("Liked", for: .selected)
    likeButton.addAction(
      UIAction { [weak self] _ in self?.onControlEvent?("like") }, for: .touchUpInside)
    contentView.addSubview(likeButton)
  }

  required init?(coder: NSCoder) { nil }

  func show(title: String, author: String, fans: [String], isLiked: Bool) {
    titleLabel.text = title
    authorLabel.text = author
    fansLabel.text = fans.isEmpty ? nil : "Liked by " + fans.joined(separator: ", ")
    likeButton.isSelected = isLiked
    setNeedsLayout()
  }

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: place(in: size.width))
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    _ = place(in: bounds.width)
  }

  /// Puts one below the other, and says how high all of it is.
  private func place(in width: CGFloat) -> CGFloat {
    let room = CGSize(width: width - 2 * Self.inset, height: .greatestFiniteMagnitude)
    var top = Self.inset
    for view in [titleLabel, authorLabel, fansLabel, likeButton] {
      let height = view.sizeThatFits(room).height
      view.frame = CGRect(x: Self.inset, y: top, width: room.width, height: height)
      top += height
    }
    return top + Self.inset
  }
}

/// Shows a text.
final class NoticeCell: UICollectionViewCell {
  let label = UILabel()

  override init(frame: CGRect) {
    super.init(frame: frame)
    label.numberOfLines = 0
    contentView.addSubview(label)
  }

  required init?(coder: NSCoder) { nil }

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    let room = CGSize(width: size.width - 32, height: .greatestFiniteMagnitude)
    return CGSize(width: size.width, height: label.sizeThatFits(room).height + 32)
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    label.frame = CGRect(x: 16, y: 16, width: bounds.width - 32, height: bounds.height - 32)
  }
}

/// Shows a title.
final class ShelfHeaderView: UICollectionReusableView {
  let label = UILabel()

  override init(frame: CGRect) {
    super.init(frame: frame)
    label.font = UIFont.preferredFont(forTextStyle: .headline)
    addSubview(label)
  }

  required init?(coder: NSCoder) { nil }

  override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: label.sizeThatFits(size).height + 24)
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    label.frame = CGRect(x: 12, y: 12, width: bounds.width - 24, height: bounds.height - 24)
  }
}
