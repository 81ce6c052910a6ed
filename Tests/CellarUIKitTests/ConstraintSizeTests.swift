import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import TestSupport
import Testing

/// Cells of collection views that are measured in the usual way: by their constraints.
@Suite @MainActor struct ConstraintSizeTests {
  private final class CardCell: UICollectionViewCell {
    let label = UILabel()

    override init(frame: CGRect) {
      super.init(frame: frame)
      label.numberOfLines = 0
      label.translatesAutoresizingMaskIntoConstraints = false
      contentView.addSubview(label)
      NSLayoutConstraint.activate([
        label.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 10),
        label.trailingAnchor.constraint(equalTo: contentView.trailingAnchor, constant: -10),
        label.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 6),
        label.bottomAnchor.constraint(equalTo: contentView.bottomAnchor, constant: -6),
      ])
    }
    required init?(coder: NSCoder) { nil }

    /// Nothing that the constraints say.
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 3, height: 3) }
  }

  private struct Card: ListItem {
    var id: String, text: String
    func configure(_ cell: CardCell) { cell.label.text = text }
  }

  /// A cell whose text keeps clear of the margins, with the safe area in them.
  private final class MarginCell: UICollectionViewCell {
    let label = UILabel()

    override func sizeThatFits(_ size: CGSize) -> CGSize {
      label.numberOfLines = 0
      let width = size.width - layoutMargins.left - layoutMargins.right
      return CGSize(
        width: size.width, height: label.sizeThatFits(CGSize(width: width, height: 0)).height)
    }
  }

  private struct Verse: ListItem {
    var id: String, text: String
    static var measuring: ViewMeasuring { .sizeThatFits }
    func configure(_ cell: MarginCell) { cell.label.text = text }
  }

  private final class EmptyCell: UICollectionViewCell {}

  private struct Blank: ListItem {
    var id: String
    func configure(_ cell: EmptyCell) {}
  }

  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  @Test(arguments: [false, true]) func aCellIsAsHighAsItsConstraintsNeed(_ isFlow: Bool) throws {
    let list = repository.liveList("cards", items: [Card.self, Blank.self])
    try list.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert(Card(id: "short", text: "one"), in: "a")
      try list.insert(Card(id: "long", text: "one two three four five six seven"), in: "a")
      try list.insert(Blank(id: "blank"), in: "a")
    }
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 200, height: 400))
    let layout = isFlow ? UICollectionViewFlowLayout() : ListCollectionLayout()
    let view = UICollectionView(frame: window.bounds, collectionViewLayout: layout)
    window.addSubview(view)
    let adapter = try CollectionAdapter(list, in: view)
    view.layoutIfNeeded()
    func height(_ item: Int) -> CGFloat? {
      view.cellForItem(at: IndexPath(item: item, section: 0))?.frame.height
    }
    #expect(height(0) == 32)
    // In 180 points: "one two three", "four five six", "seven".
    #expect(height(1) == 72)
    let label = (view.cellForItem(at: IndexPath(item: 1, section: 0)) as? CardCell)?.label
    #expect(label?.frame == CGRect(x: 10, y: 6, width: 180, height: 60))
    // Nothing says how high it is. It is there all the same, and is not kept as measured.
    #expect(height(2) == (isFlow ? 50 : 44))
    withExtendedLifetime(adapter) {}
  }

  @Test(arguments: [0.0, 30, 60]) func aCellIsMeasuredInItsPartOfTheSafeArea(
    _ inset: Double
  ) throws {
    let list = repository.liveList("verses", items: [Verse.self])
    try list.edit { list throws in
      let insets = Insets(top: 0, left: inset, bottom: 0, right: inset)
      try list.insertSection(
        "a", SectionAttributes(layout: SectionLayout(kind: .list, insets: insets)))
      let words = Array(repeating: "word", count: 60).joined(separator: " ")
      try list.insert(Verse(id: "v", text: words), in: "a")
    }
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 600, height: 400))
    window.headlessChangeSafeArea(UIEdgeInsets(top: 0, left: 60, bottom: 20, right: 60))
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    let adapter = try CollectionAdapter(list, in: view)
    view.layoutIfNeeded()
    let cell = try #require(view.visibleCells.first as? MarginCell)
    #expect(cell.safeAreaInsets.left == 60 - CGFloat(inset))
    #expect(cell.frame.height == cell.sizeThatFits(cell.frame.size).height)
    withExtendedLifetime(adapter) {}
  }
}
