import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import TestSupport
import Testing

/// The examples of the pages on screens, backups and tests do what the pages say.
@Suite @MainActor struct ScreenArticleTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 320, height: 480))

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("store.sqlite")
  }

  private func fillShelf() throws {
    let shelf = try Repository(at: file).liveList("shelf", items: [Book.self])
    try fill(shelf)
    try shelf.edit { list in
      try list.insert((0..<100).map { Book(id: "b\($0)", title: "\($0)") }, in: "today")
    }
  }

  @Test func testingAScreen() throws {
    try fillShelf()
    try TestingAScreenExample.tap(file)
    try TestingAScreenExample.commitFromOutside(file)
    try TestingAScreenExample.launchAgain(file)
    try TestingAScreenExample.reuse()
  }

  /// SwiftPM takes the targets, and builds `HeadlessUIKit` where the page says so.
  @Test(.enabled(if: Outside.isThere, "needs the compiler that built the tests"))
  func theManifestOfTheTests() throws {
    let manifest = """
      // swift-tools-version:6.2
      import PackageDescription
      let package = Package(
        name: "Shelf", dependencies: [.package(path: "../Cellar")],
        targets: [
        \(TestingAScreenExample.targets)
        ])
      """
    _ = try folder.write(manifest, to: "Package.swift")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder.url.path, "dump-package"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let dump = String(decoding: data, as: UTF8.self)
    #expect(dump.components(separatedBy: "\"HeadlessUIKit\"").count == 3)
    #expect(dump.components(separatedBy: "\"linux\"").count == 3)
  }

  @Test func backupAndClose() async throws {
    let repository = try Repository(at: file)
    let shelf = repository.liveList("shelf", items: [Book.self])
    try fill(shelf)
    let copy = try await backUp(repository, in: folder.url)
    let view = UICollectionView(
      frame: window.bounds, collectionViewLayout: ListCollectionLayout())
    window.addSubview(view)
    let adapter = try CollectionAdapter(shelf, in: view)
    var count = 0
    BackupAndCloseExample.tell(adapter) { count += 1 }
    view.layoutIfNeeded()
    try didEnterBackground(adapter)
    let error = #expect(throws: StoreError.self) { try like("emma", on: shelf) }
    #expect(error?.code == .suspended)
    willEnterForeground(adapter)
    try like("dune", on: shelf)
    adapter.update()
    view.headless.finishAnimations()
    view.layoutIfNeeded()
    let opened = try replaceStore(repository, by: copy)
    adapter.update()
    view.layoutIfNeeded()
    let titles = view.visibleCells.compactMap { ($0 as? BookCell)?.label.text }
    #expect(titles.sorted() == ["Emma", "♥ Dune"])
    #expect(count > 0)
    #expect(try opened.tree(of: "shelf").sections.map { $0.items.map(\.id) } == [["emma", "dune"]])
  }

  @Test func swipesAndRowActions() throws {
    typealias Example = SwipesAndRowActionsExample
    var inbox = try Repository(at: file).liveList("inbox", items: [Example.Mail.self])
    try inbox.replace {
      ListSection("mail") {
        for id in ["welcome", "m1", "m2"] { Example.Mail(id: id, subject: id) }
      }
      ListSection("archive") {}
    }
    inbox.sendsEdits = true
    let controller = try Example.InboxController(inbox)
    let (table, adapter) = (controller.table, controller.adapter)
    controller.view.frame = window.bounds
    window.addSubview(controller.view)
    func settle() {
      adapter.update()
      table.headless.finishAnimations()
      table.layoutIfNeeded()
    }
    func path(_ row: Int) -> IndexPath { IndexPath(row: row, section: 0) }
    settle()
    // The app's own actions.
    let pin = try #require(table.headless.swipe(rowAt: path(1)).first)
    #expect(table.headless.choose(pin, rowAt: path(1)) == true)
    settle()
    let pinned = try #require(try inbox.provider().item(at: ItemPath(section: 0, item: 1)))
    #expect(try pinned.value(as: Example.Mail.self).isPinned)
    // The list's deletion, then the app's.
    Example.letUsersDelete(adapter)
    var offers = 0
    table.dataSource?.tableView(table, commit: .delete, forRowAt: path(2))
    #expect(try inbox.tree().sections.map { $0.items.map(\.id) } == [["welcome", "m1"], []])
    Example.archive(inbox, adapter) { offers += 1 }
    settle()
    table.dataSource?.tableView(table, commit: .delete, forRowAt: path(1))
    #expect(offers == 1)
    #expect(try inbox.tree().sections.map { $0.items.map(\.id) } == [["welcome"], ["m1"]])
    try Example.undo(inbox)
    try Example.undo(inbox)
    settle()
    #expect(try inbox.tree().sections.map { $0.items.map(\.id) } == [["welcome", "m1", "m2"], []])
    #expect(try inbox.pendingEdits().count == 5)
    // Moves.
    Example.letUsersMove(inbox, adapter)
    table.isEditing = true
    #expect(table.headless.dragRow(at: path(2), to: path(0)))
    settle()
    #expect(try inbox.tree().sections[0].items.map(\.id) == ["m2", "welcome", "m1"])
    #expect(table.dataSource?.tableView(table, canMoveRowAt: path(1)) == false)
    table.isEditing = false
    // The menu.
    Example.addMenu(inbox, adapter)
    let menu = try #require(table.headless.press(rowAt: path(0)))
    #expect(menu.children.compactMap { ($0 as? UIAction)?.title } == ["Pin", "Delete"])
    #expect((menu.children.last as? UIAction)?.headlessChoose() == true)
    #expect(try inbox.tree().sections[0].items.map(\.id) == ["welcome", "m1"])
  }
}
