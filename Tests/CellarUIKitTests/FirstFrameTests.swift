import CellarUIKit
import Foundation
import HeadlessUIKit
import ListItems
import ListModel
import ListStore
import ListSync
import Providers
import ScreenSupport
import TestSupport
import Testing

/// The first layout that has a size shows what was seen last, with what was selected.
@MainActor @Suite struct FirstFrameTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  /// A screen that was scrolled, as the store has it.
  private func leave(_ kind: ScreenKind) throws -> (first: ItemID, distance: CGFloat) {
    try bookcase.fill(300, layout: SectionLayout(kind: .list))
    let screen = try Screen(kind, showing: bookcase.shelf, named: "main")
    screen.layOut()
    screen.tap(IndexPath(item: 1, section: 0))
    screen.scroll(to: 0.5)
    let first = try #require(screen.shown.first.map { ItemID(stringLiteral: $0) })
    let distance = try #require(screen.frame(of: first)).minY - screen.view.contentOffset.y
    try screen.adapter.saveViewState()
    try bookcase.repository.close()
    return (first, distance)
  }

  private func relaunched() throws -> LiveList {
    Bookcase.shelf(of: try Repository(at: bookcase.folder.file("store.sqlite")))
  }

  @Test(arguments: ScreenKind.allCases)
  func aViewThatGetsItsSizeLaterShowsItsPlaceFirst(_ kind: ScreenKind) throws {
    let (first, distance) = try leave(kind)
    let list = try relaunched()
    let screen = try Screen(kind, showing: list, named: "main", size: .zero)
    screen.layOut()
    #expect(screen.cells.displayed == 0)
    // In another width than before, so that nothing is stored for it.
    screen.view.frame.size = CGSize(width: 300, height: 480)
    screen.layOut()
    let frame = try #require(screen.frame(of: first))
    #expect(abs(frame.minY - screen.view.contentOffset.y - distance) < 0.01)
    #expect(screen.adapter.selection.items == ["b1"])
    #expect(screen.selectedPaths == [IndexPath(item: 1, section: 0)])
    // Nothing else was ever shown, or measured where the layout does not ask for all.
    #expect(screen.cells.displayed <= screen.shown.count + 2)
    if kind != .flow { #expect(screen.adapter.measurementCount <= screen.shown.count + 4) }
  }

  #if os(Linux)
    /// To open one takes longer than to read a screen, because the schema is read.
    @Test(arguments: ScreenKind.allCases)
    func oneConnectionReadsForAScreen(_ kind: ScreenKind) throws {
      _ = try leave(kind)
      let file = bookcase.folder.file("store.sqlite")
      var options = Repository.Options()
      // Who waits for commits of other processes has a connection, too.
      options.otherProcesses = .ignored
      let list = Bookcase.shelf(of: try Repository(at: file, options: options))
      let screen = try Screen(kind, showing: list, named: "main")
      screen.layOut()
      let path = file.resolvingSymlinksInPath().path
      let connections = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
      // The one that opened the store.
      #expect(connections == 1)
    }
  #endif

  @Test(arguments: ScreenKind.allCases)
  func anotherSizeBeforeAnybodyScrollsShowsTheSamePlace(_ kind: ScreenKind) throws {
    let (first, distance) = try leave(kind)
    let screen = try Screen(kind, showing: relaunched(), named: "main")
    for width in [300.0, 390, 320] {
      screen.view.frame.size.width = width
      screen.layOut()
      let frame = try #require(screen.frame(of: first))
      #expect(abs(frame.minY - screen.view.contentOffset.y - distance) < 0.01)
    }
    // Once somebody has scrolled, the place of the last launch is over.
    screen.scroll(to: 0.1)
    let top = try #require(screen.shown.first)
    screen.view.frame.size.width = 340
    screen.layOut()
    #expect(screen.shown.prefix(4).contains(top))
  }

  /// While the list is too short for the place of the last launch, who drags it has seen where it is.
  @Test(arguments: ScreenKind.allCases)
  func aDragThatMovesNothingLeavesThePlace(_ kind: ScreenKind) throws {
    let (first, _) = try leave(kind)
    let list = try relaunched()
    try list.edit { editor in
      for item in try list.provider().tree.sections.flatMap(\.items)
      where !["b0", "b1", first].contains(item.id) { try editor.delete(item.id) }
    }
    let screen = try Screen(kind, showing: list, named: "main")
    screen.layOut()
    #expect(screen.shown == ["b0", "b1", first.rawValue])
    screen.view.headlessBeginDragging()
    screen.view.headlessEndDragging(decelerating: false)
    try list.edit { editor in
      for number in 0..<40 {
        _ = try editor.insert(Book(id: "new\(number)", likes: 3), in: "a", at: .end)
      }
    }
    try screen.settle()
    screen.view.frame.size.width = 300
    screen.layOut()
    #expect(screen.shown.first == "b0" && screen.view.contentOffset.y == 0)
  }

  @Test(arguments: ScreenKind.allCases)
  func commitsBeforeTheFirstSizeAreShownWithIt(_ kind: ScreenKind) throws {
    let (first, distance) = try leave(kind)
    let list = try relaunched()
    let screen = try Screen(kind, showing: list, named: "main", size: .zero)
    try list.edit { try $0.insert(Book(id: "new", likes: 3), in: "a", at: .start) }
    screen.adapter.update()
    screen.layOut()
    screen.view.frame.size = CGSize(width: 320, height: 480)
    screen.layOut()
    #expect(screen.adapter.provider.numberOfItems == 301)
    #expect(screen.adapter.itemID(at: IndexPath(item: 0, section: 0)) == "new")
    let frame = try #require(screen.frame(of: first))
    #expect(abs(frame.minY - screen.view.contentOffset.y - distance) < 0.01)
    try screen.settle()
    screen.expectBalance()
  }

  @Test(arguments: ScreenKind.allCases)
  func aScreenThatWasNeverShownKeepsItsPlaceInTheStore(_ kind: ScreenKind) throws {
    let (first, _) = try leave(kind)
    let list = try relaunched()
    let screen = try Screen(kind, showing: list, named: "main", size: .zero)
    screen.layOut()
    try screen.adapter.saveViewState()
    #expect(try list.viewState(view: "main").anchor?.item == first)
    #expect(try list.viewState(view: "main").selection.items == ["b1"])
  }
}
