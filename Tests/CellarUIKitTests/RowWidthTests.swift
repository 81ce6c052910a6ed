import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import SuiteSupport
import TestSupport
import Testing

/// A row with a text that wraps, placed by constraints.
final class ParagraphRow: UITableViewCell {
  let label = UILabel()

  override init(style: CellStyle, reuseIdentifier: String?) {
    super.init(style: style, reuseIdentifier: reuseIdentifier)
    label.numberOfLines = 0
    label.translatesAutoresizingMaskIntoConstraints = false
    contentView.addSubview(label)
    NSLayoutConstraint.activate([
      label.leadingAnchor.constraint(equalTo: contentView.leadingAnchor, constant: 8),
      label.trailingAnchor.constraint(equalTo: contentView.trailingAnchor, constant: -8),
      label.topAnchor.constraint(equalTo: contentView.topAnchor, constant: 8),
      label.bottomAnchor.constraint(equalTo: contentView.bottomAnchor, constant: -8),
    ])
  }
  required init?(coder: NSCoder) { nil }

  /// Nothing that the constraints say.
  override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 7) }

  // A cell has the traits of its table only when it is in it.
  override func layoutSubviews() {
    let isLarge = traitCollection.preferredContentSizeCategory == .extraLarge
    label.font = .systemFont(ofSize: isLarge ? 30 : 17)
    super.layoutSubviews()
  }

  /// The height that the content needs in the width that it has.
  var neededHeight: CGFloat {
    label.sizeThatFits(CGSize(width: contentView.bounds.width - 16, height: 10_000)).height + 16
  }
}

/// A text of so many words, with the usual way of measuring.
struct Paragraph: ListItem {
  var id: String, words: Int, hasArrow = false

  func configure(_ cell: ParagraphRow) {
    cell.label.text = Array(repeating: "word", count: words).joined(separator: " ")
    cell.accessoryType = hasArrow ? .disclosureIndicator : .none
  }
}

/// Rows are as high as their contents need in the width that they get.
@Suite @MainActor struct RowWidthTests {
  private let folder: TemporaryFolder
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 3_000))
  private let list: LiveList
  private let kept = Kept()

  /// The adapters on display, which their tables do not retain.
  private final class Kept { var adapters: [TableAdapter] = [] }

  init() throws {
    folder = try TemporaryFolder()
    let repository = try Repository(at: folder.file("store.sqlite"))
    list = repository.liveList("text", items: [Paragraph.self])
    try list.edit { list throws in
      try list.insertSection("a")
      try list.insert(
        (0..<24).map { Paragraph(id: "p\($0)", words: $0, hasArrow: $0 % 3 == 0) }, in: "a")
    }
  }

  private func screen(
    _ style: UITableView.Style = .plain, in container: UIView? = nil
  ) throws -> (view: UITableView, adapter: TableAdapter) {
    let container = container ?? window
    let view = UITableView(frame: container.bounds, style: style)
    container.addSubview(view)
    let adapter = try TableAdapter(list, in: view)
    kept.adapters.append(adapter)
    adapter.onProblem = { Issue.record("\($0)") }
    return (view, adapter)
  }

  /// The rows on display that have not the height that their content needs, but for a pixel.
  private func misfits(_ view: UITableView) -> [String] {
    view.layoutIfNeeded()
    return view.visibleCells.compactMap { $0 as? ParagraphRow }.enumerated().compactMap {
      let spare = $1.contentView.bounds.height - $1.neededHeight
      return spare > -0.001 && spare < 0.67
        ? nil : "row \($0): \($1.contentView.bounds), \($1.neededHeight) needed"
    }
  }

  private func expectRowsFit(
    _ view: UITableView, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(misfits(view) == [], sourceLocation: location)
    #expect(view.visibleCells.count == 24, sourceLocation: location)
  }

  /// Lets tasks run that the adapter began, until a condition holds; the test has a time limit.
  private func wait(_ view: UITableView, until isDone: () -> Bool) async throws {
    while !isDone() {
      try await Task.sleep(nanoseconds: 1_000_000)
      view.layoutIfNeeded()
      view.headless.finishAnimations()
    }
  }

  @Test(arguments: [UITableView.Style.plain, .grouped, .insetGrouped])
  func rowsFitInEachStyle(_ style: UITableView.Style) throws {
    let (view, adapter) = try screen(style)
    expectRowsFit(view)
    #expect(adapter.measurementCount == 24)
    view.frame.size.width = 500
    expectRowsFit(view)
  }

  @Test func rowsFitWithoutSeparators() throws {
    let (view, _) = try screen()
    view.separatorStyle = .none
    expectRowsFit(view)
  }

  @Test(.timeLimit) func rowsFitInMarginsThatTheAdapterCanNotKnow() async throws {
    window.frame.size.width = 1_000
    let (view, adapter) = try screen(.insetGrouped)
    view.cellLayoutMarginsFollowReadableWidth = true
    view.layoutIfNeeded()
    try await wait(view) { adapter.measurementCount == 48 && misfits(view).isEmpty }
    #expect(view.visibleCells.first?.frame.width == 672)
    expectRowsFit(view)
    #expect(adapter.measurementCount == 48)
  }

  @Test(.timeLimit, arguments: [UITableView.Style.plain, .insetGrouped])
  func rowsKeepClearOfTheSafeArea(_ style: UITableView.Style) async throws {
    window.headlessChangeSafeArea(UIEdgeInsets(top: 50, left: 59, bottom: 20, right: 59))
    let (view, _) = try screen(style)
    expectRowsFit(view)
    window.headlessChangeSafeArea(UIEdgeInsets(top: 50, left: 0, bottom: 20, right: 100))
    try await wait(view) { misfits(view).isEmpty }
    expectRowsFit(view)
  }

  @Test(.timeLimit) func rowsFitBesideTheControlsOfEditingMode() async throws {
    let (view, adapter) = try screen()
    adapter.canDelete = { _ in true }
    adapter.canMove = { $0 != "p20" }
    view.layoutIfNeeded()
    view.setEditing(true, animated: false)
    try await wait(view) { misfits(view).isEmpty }
    #expect(view.visibleCells[20].contentView.bounds.width == 256)
    expectRowsFit(view)
    let count = adapter.measurementCount
    view.setEditing(false, animated: false)
    try await wait(view) { misfits(view).isEmpty }
    expectRowsFit(view)
    // The sizes without controls were kept.
    #expect(adapter.measurementCount == count)
  }

  @Test(.timeLimit) func aSwipeMeasuresNothing() async throws {
    let (view, adapter) = try screen()
    adapter.canDelete = { _ in true }
    view.layoutIfNeeded()
    view.headless.beginSwipe(rowAt: IndexPath(row: 2, section: 0))
    // What the adapter might have begun has its turn.
    for _ in 0..<20 { await Task.yield() }
    view.layoutIfNeeded()
    #expect(adapter.measurementCount == 24)
    #expect(view.isEditing)
    view.headless.endSwipe()
  }

  @Test(.timeLimit) func aContainersTextSizeCounts() async throws {
    window.frame.size.height = 6_000
    let container = UIView(frame: window.bounds)
    container.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .extraLarge))
    window.addSubview(container)
    let (view, adapter) = try screen(in: container)
    expectRowsFit(view)
    container.headlessChangeTraits(UITraitCollection(preferredContentSizeCategory: .large))
    adapter.update()
    view.reloadData()
    try await wait(view) { misfits(view).isEmpty }
    expectRowsFit(view)
  }

  @Test func aTableIgnoresTheLayoutOfSections() throws {
    try list.edit { list throws in
      try list.updateSection("a") {
        $0.layout = SectionLayout(
          kind: .waterfall, columns: 3, insets: Insets(top: 9, left: 40, bottom: 9, right: 40))
      }
    }
    let (view, _) = try screen()
    expectRowsFit(view)
  }
}
