import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import SuiteSupport
import TestSupport
import Testing

/// A diffable data source of the app that is kept at a list.
@Suite(.timeLimit) @MainActor struct DiffableFollowerTests {
  /// Its animations end when the test says so.
  private final class SlowSource: UICollectionViewDiffableDataSource<SectionID, ItemID> {
    private(set) var animations: [() -> Void] = []

    override func apply(
      _ snapshot: NSDiffableDataSourceSnapshot<SectionID, ItemID>,
      animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {
      super.apply(snapshot, animatingDifferences: animatingDifferences)
      if let completion { animations.append(completion) }
    }

    func endAnimation() { animations.removeFirst()() }

    var items: [String] { snapshot().itemIdentifiers.map(\.rawValue) }
  }

  private let bookcase: Bookcase
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let source: SlowSource
  private let follower: DiffableFollower

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(1)
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: UICollectionViewFlowLayout())
    window.addSubview(view)
    view.register(BookCell.self, forCellWithReuseIdentifier: "book")
    source = SlowSource(collectionView: view) { view, path, _ in
      view.dequeueReusableCell(withReuseIdentifier: "book", for: path)
    }
    follower = try DiffableFollower(bookcase.shelf, source)
    follower.updateInterval = .zero
  }

  private func add(_ ids: String...) async throws {
    for id in ids {
      try await bookcase.shelf.edit { list throws in try list.insert(Book(id: id), in: "a") }
    }
  }

  /// Long enough for what must not happen.
  private func rest() async throws { try await Task.sleep(for: .milliseconds(100)) }

  @Test func whatIsCommittedWhileASnapshotIsAnimatedIsOneSnapshotAfterIt() async throws {
    try await add("c0")
    while source.animations.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    try await add("c1", "c2", "c3")
    try await rest()
    #expect(source.items == ["b0", "c0"])
    #expect(source.animations.count == 1)
    source.endAnimation()
    #expect(source.items == ["b0", "c0", "c1", "c2", "c3"])
    #expect(source.animations.count == 1)
    source.endAnimation()
    try await rest()
    #expect(source.animations.isEmpty)
    try await add("c4")
    while source.items.last != "c4" { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func anUpdateThatTheAppAsksForDoesNotWaitForAnimations() async throws {
    try await add("c0")
    while source.animations.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    try await add("c1")
    follower.update()
    #expect(source.items == ["b0", "c0", "c1"])
    try await add("c2")
    try await rest()
    source.endAnimation()
    // The other one goes on.
    #expect(source.items == ["b0", "c0", "c1"])
    source.endAnimation()
    #expect(source.items == ["b0", "c0", "c1", "c2"])
  }
}
