import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// An app that was written from README and Getting Started alone.
@Suite struct ReadingListTests {
  private static let folder = PackageFiles.root.appendingPathComponent(
    "Tests/DocumentationTests/ReadingList")

  private static func text(_ file: String) throws -> String {
    try String(contentsOf: PackageFiles.root.appendingPathComponent(file), encoding: .utf8)
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.matches(of: /[A-Za-z_]+/).map { String($0.output) })
  }

  @Test func itIsShort() throws {
    let app = try Self.text("Tests/DocumentationTests/ReadingList/ReadingList.swift")
    #expect(app.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
  }

  /// Each public name of ours that the app uses stands in one of the two pages.
  @Test func itUsesOnlyWhatTheTwoPagesShow() throws {
    let pages =
      try Self.text("README.md") + Self.text("Sources/Cellar/Cellar.docc/Cellar.md")
    let app = try Self.text("Tests/DocumentationTests/ReadingList/ReadingList.swift")
    var ours: Set<String> = []
    for module in ["ListModel", "ListItems", "ListStore", "ListSync", "Providers", "CellarUIKit"] {
      for file in try PackageFiles.swiftFiles(under: "Sources/\(module)") {
        let source = try String(contentsOf: file, encoding: .utf8)
        for match in source.matches(
          of:
            /(?:public|case) [a-z ]*?(?:func|var|let|struct|class|enum|typealias|case) ([A-Za-z]+)/)
        {
          ours.insert(String(match.output.1))
        }
      }
    }
    let used = Self.words(app).intersection(ours)
    #expect(used.isSuperset(of: ["LiveList", "insertSectionIfMissing", "undo", "updates"]))
    // `map` is a sequence's, too.
    let unnamed = used.subtracting(Self.words(pages)).subtracting(["map"])
    #expect(unnamed.sorted() == [])
  }

  @MainActor @Test func itDoesAllOfIt() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("reading.sqlite")
    let app = try show(ReadingListController(file))
    #expect(shown(app) == ["To read", "Read"])

    try app.add(Novel(id: "emma", title: "Emma"))
    try app.add(Essay(id: "walking", title: "Walking", minutes: 90))
    settle(app)
    #expect(shown(app) == ["To read", "Walking, 90 min", "Emma", "Read"])

    app.list.headless.tap(itemAt: IndexPath(item: 1, section: 0))
    try app.finish("walking")
    settle(app)
    #expect(shown(app) == ["To read", "♥ Emma", "Read", "Walking, 90 min"])

    try app.undo()
    settle(app)
    #expect(shown(app) == ["To read", "Walking, 90 min", "♥ Emma", "Read"])
    #expect(try app.history().last == "6 by app: 1 changes")

    var counts: [Int] = []
    let adding = Task { try app.add(Novel(id: "dune", title: "Dune")) }
    try await app.watch { count in
      counts.append(count)
      return count < 3
    }
    try await adding.value
    #expect(counts.last == 3)

    // The next launch shows the same, and measures nothing.
    settle(app)
    let before = shown(app)
    app.shelf.repository.flushSizes()
    let again = try show(ReadingListController(file))
    #expect(shown(again) == before)
    #expect(again.adapter.measurementCount == 0)
  }

  @MainActor private func show(_ app: ReadingListController) -> ReadingListController {
    app.view.frame = CGRect(x: 0, y: 0, width: 320, height: 480)
    UIWindow(frame: app.view.frame).addSubview(app.view)
    settle(app)
    return app
  }

  @MainActor private func settle(_ app: ReadingListController) {
    app.adapter.update()
    app.list.layoutIfNeeded()
    app.list.headless.finishAnimations()
    app.list.layoutIfNeeded()
  }

  /// The texts on screen, from top to bottom.
  @MainActor private func shown(_ app: ReadingListController) -> [String] {
    let cells = app.list.visibleCells.map { cell in
      (cell.frame.minY, (cell as? LabelCell)?.label.text)
    }
    let titles = app.list.visibleSupplementaryViews(
      ofKind: UICollectionView.elementKindSectionHeader
    ).map { view in (view.frame.minY, (view as? ShelfTitleView)?.label.text) }
    return (cells + titles).sorted { $0.0 < $1.0 }.map { $0.1 ?? "?" }
  }
}
