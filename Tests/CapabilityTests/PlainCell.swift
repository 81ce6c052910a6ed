import HeadlessUIKit

/// A cell with a button, of an app that has it from before: it knows no item and no protocol.
final class PlainCell: UICollectionViewCell {
  let button = UIButton()
  var text = ""
  var onTap: (() -> Void)?

  override init(frame: CGRect = .zero) {
    super.init(frame: frame)
    button.addAction(UIAction { [weak self] _ in self?.onTap?() }, for: .touchUpInside)
    contentView.addSubview(button)
  }

  required init?(coder: NSCoder) { nil }
}

/// The same in a table.
final class PlainRow: UITableViewCell {
  let button = UIButton()
  var onTap: (() -> Void)?
}
