import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import Testing

/// The examples of an article, line by line; ``ScreenArticleTests`` compares and runs them.
@MainActor enum TestingAScreenExample {
  /// The targets of an app's manifest.
  static let targets = """
    // Article: begin
    .target(
      name: "Shelf",
      dependencies: [
        .product(name: "Cellar", package: "Cellar"),
        .product(name: "CellarUIKit", package: "Cellar"),
        .product(
          name: "HeadlessUIKit", package: "Cellar", condition: .when(platforms: [.linux, .macOS])),
      ]),
    .testTarget(
      name: "ShelfTests",
      dependencies: [
        "Shelf",
        .product(
          name: "HeadlessUIKit", package: "Cellar", condition: .when(platforms: [.linux, .macOS])),
      ]),
    // Article: end
    """
}

// Article: begin
@MainActor func show(_ controller: UIViewController) -> UIWindow {
  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
  window.addSubview(controller.view)
  controller.view.frame = window.bounds
  controller.view.layoutIfNeeded()
  return window
}
// Article: end

/// The others.
extension TestingAScreenExample {
  static func tap(_ file: URL) throws {
    // Article: begin
    let screen = try ShelfController(Repository(at: file))
    let window = show(screen)
    screen.list.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    screen.adapter.update()
    screen.list.headless.finishAnimations()
    let cell = try #require(screen.adapter.cell(of: "emma") as? BookCell)
    #expect(cell.label.text == "♥ Emma")
    #expect(screen.view.window === window)
    // Article: end
  }

  static func commitFromOutside(_ file: URL) throws {
    // Article: begin
    let screen = try ShelfController(Repository(at: file))
    let window = show(screen)
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    let widget = try Repository(at: file).liveList("shelf", items: [Book.self])
    try widget.edit { try $0.move("dune", to: .start) }
    screen.adapter.update()
    screen.list.headless.finishAnimations()
    #expect(updates.count == 1)
    #expect(screen.adapter.itemID(at: IndexPath(item: 0, section: 0)) == "dune")
    // Article: end
    #expect(screen.view.window === window)
  }

  static func launchAgain(_ file: URL) throws {
    // Article: begin
    let first = try ShelfController(Repository(at: file))
    let firstWindow = show(first)
    first.list.headlessDrag(to: CGPoint(x: 0, y: 400))
    let place = try #require(first.list.indexPathsForVisibleItems.min())
    try first.adapter.saveViewState()
    try first.adapter.list.repository.close()

    let second = try ShelfController(Repository(at: file))
    let secondWindow = show(second)
    #expect(second.adapter.measurementCount == 0)
    #expect(second.list.indexPathsForVisibleItems.min() == place)
    // Article: end
    #expect(firstWindow !== secondWindow)
  }

  static func reuse() throws {
    // Article: begin
    let books = [
      Book(id: "emma", title: "Emma"), Book(id: "dune", title: "Dune", isLiked: true),
    ]
    let problems = try Book.reuseProblems(of: books, in: { BookCell(frame: .zero) }) {
      [$0.label.text]
    }
    #expect(problems.isEmpty)
    // Article: end
  }
}
