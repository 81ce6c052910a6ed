import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import ScreenSupport
import TestSupport
import Testing

/// What SwiftUI's wrapper of a collection view keeps between two evaluations of its body.
@MainActor @Suite struct ShownAdapterTests {
  private let bookcase: Bookcase
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
  private let view = UICollectionView(
    frame: .zero, collectionViewLayout: ListCollectionLayout())

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(50)
    window.addSubview(view)
  }

  private var shown: [String] {
    view.frame = window.bounds
    view.layoutIfNeeded()
    return view.indexPathsForVisibleItems.sorted()
      .compactMap { (view.cellForItem(at: $0) as? BookCell)?.book?.id }
  }

  @Test func oneListHasOneAdapter() throws {
    let kept = ShownAdapter()
    var made = 0
    for _ in 0..<3 {
      kept.show(bookcase.shelf, in: view, screen: "", onProblem: nil) { _ in made += 1 }
    }
    #expect(made == 1)
    #expect(shown.first == "b0")
    // Another list takes the view over.
    let other = bookcase.repository.liveList("other", items: [Book.self])
    try other.edit { list in
      try list.insertSection("a")
      try list.insert(Book(id: "only"), in: "a")
    }
    kept.show(other, in: view, screen: "", onProblem: nil) { _ in made += 1 }
    #expect(made == 2)
    #expect(shown == ["only"])
  }

  @Test func theNextViewIsWhereTheLastOneWas() throws {
    let kept = ShownAdapter()
    kept.show(bookcase.shelf, in: view, screen: "", onProblem: nil) { _ in }
    _ = shown
    view.headlessDrag(to: CGPoint(x: 0, y: 400))
    let first = try #require(shown.first)
    kept.end()
    #expect(kept.adapter == nil)
    let next = UICollectionView(frame: .zero, collectionViewLayout: ListCollectionLayout())
    window.addSubview(next)
    let again = ShownAdapter()
    again.show(bookcase.shelf, in: next, screen: "", onProblem: nil) { _ in }
    next.frame = window.bounds
    next.layoutIfNeeded()
    let path = try #require(next.indexPathsForVisibleItems.min())
    #expect((next.cellForItem(at: path) as? BookCell)?.book?.id == first)
  }

  @Test func aListThatCanNotBeReadIsAProblem() throws {
    try bookcase.repository.close()
    let kept = ShownAdapter()
    var problems: [any Error] = []
    kept.show(bookcase.shelf, in: view, screen: "", onProblem: { problems.append($0) }) { _ in }
    #expect(kept.adapter == nil)
    #expect(problems.contains { ($0 as? StoreError)?.code == .closed })
  }

  /// A decoration is added to what the list's types have.
  @Test func aRegistryBeginsWithTheListsTypes() throws {
    var views = ViewRegistry(of: bookcase.shelf, for: .collectionView)
    views.register("Card", kind: ViewRegistry.decorationKind, .type(UICollectionReusableView.self))
    try bookcase.shelf.edit {
      try $0.updateSection("a") { $0.decorations = [Decoration(view: "Card")] }
    }
    let adapter = try CollectionAdapter(bookcase.shelf, in: view, views: views)
    adapter.onProblem = { Issue.record("\($0)") }
    #expect(shown.first == "b0")
    #expect(adapter.decorationAttributes(ofSection: 0).count == 1)
  }
}
