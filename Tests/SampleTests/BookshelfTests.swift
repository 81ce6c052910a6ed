import CellarUIKit
import Foundation
import HeadlessUIKit
import ListModel
import ListStore
import ListSync
import Providers
import TestSupport
import Testing

@testable import Bookshelf
import ListItems

/// The sample app, from an empty store through a relaunch to offline.
@Suite @MainActor struct BookshelfTests {
  private let folder: TemporaryFolder
  private static let feed = PackageFiles.root.appendingPathComponent("tools/sample/books.ndjson")

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> (repository: Repository, controller: BookshelfController) {
    let repository = try Repository(at: folder.file("books.sqlite"))
    let controller = BookshelfController(repository)
    HeadlessBookshelf.show(controller)
    return (repository, controller)
  }

  private func settle(_ controller: BookshelfController) {
    for _ in 0..<3 {
      controller.adapter?.update()
      controller.collectionView.layoutIfNeeded()
      controller.collectionView.headless.finishAnimations()
    }
  }

  private func cell(_ book: ItemID, _ controller: BookshelfController) throws -> BookCell {
    try #require(controller.adapter?.cell(of: book) as? BookCell)
  }

  private func titles(_ controller: BookshelfController) -> [String] {
    controller.collectionView.indexPathsForVisibleItems.sorted().compactMap {
      (controller.collectionView.cellForItem(at: $0) as? BookCell)?.titleLabel.text
    }
  }

  @Test func fromEmptyThroughLikesAndDeletionsToOffline() async throws {
    var lastText = ""
    do {
      let (repository, controller) = try open()
      let view = controller.collectionView
      #expect(view.visibleCells.isEmpty)
      // The server's lines come, each a commit.
      let lines = try String(contentsOf: Self.feed, encoding: .utf8).split(separator: "\n")
      let stream = AsyncStream { continuation in
        for line in lines { continuation.yield(String(line)) }
        continuation.finish()
      }
      _ = try await controller.shelf.follow(stream)
      settle(controller)
      #expect(controller.adapter?.provider.numberOfItems == 11)
      #expect(titles(controller).prefix(2) == ["Treasure Island", "Emma"])
      #expect(view.visibleCells.contains { $0 is NoticeCell })
      #expect(
        view.visibleSupplementaryViews(ofKind: UICollectionView.elementKindSectionHeader)
          .compactMap { ($0 as? ShelfHeaderView)?.label.text } == ["Classics"])

      // A like: the cell that is there says so, is higher, and what is below it goes down.
      let emma = try cell("emma", controller)
      let (height, made) = (emma.frame.height, view.headless.cells.created)
      #expect(emma.fansLabel.text == "Liked by Ada")
      emma.likeButton.headlessTap()
      settle(controller)
      #expect(try cell("emma", controller) === emma)
      #expect(emma.fansLabel.text == "Liked by Ada, You")
      #expect(emma.likeButton.isSelected)
      let walden = try cell("walden", controller)
      let before = walden.frame.height
      walden.likeButton.headlessTap()
      settle(controller)
      #expect(walden.frame.height > before)
      #expect(emma.frame.height == height)
      #expect(view.headless.cells.created == made)

      // A deletion from the menu, and back.
      let path = try #require(controller.adapter?.indexPath(of: "walden"))
      let menu = try #require(view.headless.press(itemsAt: [path]))
      #expect((menu.children.first as? UIAction)?.headlessChoose() == true)
      settle(controller)
      #expect(!titles(controller).contains("Walden"))
      controller.undoDelete()
      settle(controller)
      #expect(controller.adapter?.indexPath(of: "walden") == path)
      #expect(try cell("walden", controller).fansLabel.text == "Liked by You")

      lastText = HeadlessBookshelf.text(of: controller)
      repository.flushSizes()
    }
    // Launched again, without a server: the same, and nothing is measured.
    let (_, controller) = try open()
    #expect(
      HeadlessBookshelf.text(of: controller)
        == lastText.replacing(/measured: \d+/, with: "measured: 0"))
    // Handlers are there again, too.
    try cell("walden", controller).likeButton.headlessTap()
    settle(controller)
    #expect(try cell("walden", controller).fansLabel.text == nil)
  }

  @Test func aTapOnANoticeNeedsNoCodeOfItsOwn() throws {
    let (repository, controller) = try open()
    let reader = try FeedReader(file: Self.feed)
    try repository.apply(reader)
    settle(controller)
    var opened: [String] = []
    controller.adapter?.handlers.route = { url, _ in opened.append(url) }
    controller.collectionView.headless.tap(itemAt: IndexPath(item: 0, section: 0))
    #expect(opened == ["bookshelf://about"])
  }

  /// As its README says: a process that fills the store, and one that finds it.
  @Test func theNextProcessShowsTheSameAndMeasuresNothing() throws {
    let store = folder.file("books.sqlite").path
    let first = try BuiltProducts.run("Bookshelf", [store, Self.feed.path])
    let second = try BuiltProducts.run("Bookshelf", [store])
    #expect(first.exitCode == 0)
    #expect(second.exitCode == 0)
    #expect(first.output.contains("Emma · Jane Austen"))
    #expect(second.output.hasSuffix("measured: 0\n"))
    #expect(
      first.output.replacing(/measured: \d+/, with: "measured: 0") == second.output)
  }
}
