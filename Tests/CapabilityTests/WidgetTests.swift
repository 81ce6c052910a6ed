import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// A widget shows a list of its app's store, which it only reads.
@Suite @MainActor struct WidgetTests {
  private let bookcase: Bookcase

  init() throws {
    bookcase = try Bookcase()
    try bookcase.fill(60)
  }

  @Test(arguments: ScreenKind.allCases)
  func whatTheAppWritesIsShown(_ kind: ScreenKind) throws {
    let reader = try Repository(readingOnly: bookcase.repository.file)
    let screen = try Screen(kind, showing: Bookcase.shelf(of: reader), named: "widget")
    var problems: [String] = []
    screen.adapter.onProblem = { problems.append("\($0)") }
    screen.layOut()
    #expect(screen.shown.first == "b0")
    try bookcase.shelf.edit { list throws in
      try list.insert(Book(id: "new"), in: "a", at: .start)
      try list.delete(["b3"])
    }
    screen.adapter.update()
    screen.finishAnimations()
    screen.layOut()
    let first = screen.shown.prefix(4)
    #expect(first == ["new", "b0", "b1", "b2"])
    #expect(!screen.shown.contains("b3"))
    for share in [1.0, 0, 1] { screen.scroll(to: share) }
    #expect(screen.shown.last == "b59")
    let measured = screen.adapter.measurementCount
    screen.scroll(to: 0)
    screen.scroll(to: 1)
    #expect(screen.adapter.measurementCount == measured)
    // Neither sizes nor the selection and the scroll position are written.
    screen.collection?.headless.tap(itemAt: IndexPath(item: 59, section: 0))
    let error = #expect(throws: StoreError.self) { try screen.adapter.saveViewState() }
    #expect(error?.code == .readOnly)
    reader.flushSizes()
    #expect(try bookcase.shelf.viewState(view: "widget") == ListViewState())
    #expect(problems == [])
    screen.expectBalance()
  }

  @Test func anEditIsRefused() throws {
    let shelf = Bookcase.shelf(of: try Repository(readingOnly: bookcase.repository.file))
    let error = #expect(throws: StoreError.self) {
      try shelf.edit { try $0.insert(Book(id: "new"), in: "a") }
    }
    #expect(error?.code == .readOnly)
    #expect(try shelf.provider().numberOfItems == 60)
  }

  @Test func theAppClosesItsStoreAndReplacesIt() async throws {
    let (repository, folder) = (bookcase.repository, bookcase.folder)
    try await repository.backup(to: folder.file("backup.sqlite"))
    try await bookcase.shelf.edit { try $0.deleteAllSections() }
    try repository.close()
    let error = #expect(throws: StoreError.self) { try bookcase.shelf.provider() }
    #expect(error?.code == .closed)
    try FileManager.default.removeItem(at: repository.file)
    try FileManager.default.moveItem(at: folder.file("backup.sqlite"), to: repository.file)
    let opened = try Repository(at: repository.file)
    #expect(try Bookcase.shelf(of: opened).provider().numberOfItems == 60)
  }
}
