import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// What cells show and the store does not have.
@Suite @MainActor struct ItemStateTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  @MainActor private protocol ProgressView: AnyObject {
    var text: String { get set }
  }

  private final class DownloadCell: UICollectionViewCell, ProgressView { var text = "" }
  private final class DownloadRow: UITableViewCell, ProgressView { var text = "" }

  private struct Download: ListItem {
    var id: String
    var name = "file"
    static var cells: [CellName: ViewSource] { ["Download": .type(DownloadCell.self)] }
    var cellName: CellName { "Download" }
    func configure(_ cell: any ProgressView) { cell.text = "\(id) \(name)" }
    func configure(_ cell: any ProgressView, with state: any Sendable) {
      if let step = state as? Int { cell.text = "\(id) \(name) \(step)" }
    }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 80)
    }
  }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    let list = bookcase.repository.liveList("downloads", items: [Download.self])
    try list.replace { ListSection("a") { for index in 0..<40 { Download(id: "d\(index)") } } }
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Download", .type(DownloadRow.self))
    let screen = try Screen(kind, showing: list, tableViews: rows)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func text(_ screen: Screen, _ id: ItemID) -> String? {
    screen.adapter.indexPath(of: id)
      .flatMap {
        screen.visiblePaths.contains($0) ? screen.cell(at: $0) as? any ProgressView : nil
      }?
      .text
  }

  @Test("0.8: progress is shown in place, without a commit each", arguments: ScreenKind.allCases)
  func progressIsNoCommit(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    let adapter = screen.adapter
    var updates = 0
    adapter.onUpdate = { _ in updates += 1 }
    let (revision, measured) = (adapter.provider.revision, adapter.measurementCount)
    let cells = screen.cells
    for step in 1...1_000 {
      adapter.setState(step, of: "d1")
      if step.isMultiple(of: 250) {
        screen.layOut()
        #expect(text(screen, "d1") == "d1 file \(step)")
      }
    }
    try screen.settle()
    #expect(try adapter.list.provider().revision == revision)
    #expect(updates == 0)
    #expect(adapter.measurementCount == measured)
    #expect(screen.cells.bound == cells.bound)
    #expect(screen.cells.reconfigured == cells.reconfigured)
    #expect(text(screen, "d0") == "d0 file")
    // Away and back, also in a cell that was kept meanwhile.
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 200))
    adapter.setState(1_001, of: "d1")
    adapter.setState("another", of: "d0")
    screen.view.headlessDrag(to: .zero)
    #expect(text(screen, "d1") == "d1 file 1001")
    screen.scroll(to: 1)
    for path in screen.visiblePaths {
      let id = try #require(adapter.itemID(at: path))
      #expect(text(screen, id) == "\(id) file")
    }
    screen.scroll(to: 0)
    #expect(text(screen, "d1") == "d1 file 1001")
    // With the item, wherever it goes, and with its new content.
    try adapter.list.edit { list throws in
      try list.move("d1", to: .start)
      try list.update("d1", as: Download.self) { $0.name = "film" }
    }
    try screen.settle()
    #expect(text(screen, "d1") == "d1 film 1001")
    #expect(screen.adapter.indexPath(of: "d1")?.item == 0)
    adapter.setState(nil, of: "d1")
    #expect(text(screen, "d1") == "d1 film")
    #expect(adapter.state(of: "d1") == nil)
    screen.expectBalance()
  }

  @Test("0.8: a state ends where its cell was kept, and goes with its item")
  func statesEnd() throws {
    let screen = try screen(.placed)
    let adapter = screen.adapter
    adapter.setState(1, of: "d0")
    adapter.setState(2, of: "d2")
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 100))
    #expect(screen.collection?.headless.keptCells == 1)
    adapter.setState(nil, of: "d0")
    screen.view.headlessDrag(to: .zero)
    #expect(text(screen, "d0") == "d0 file")
    adapter.setState(7, of: "later")
    try adapter.list.edit { try $0.delete("d2") }
    try screen.settle()
    #expect(adapter.state(of: "d2") == nil)
    try adapter.list.edit { list throws in
      try list.insert([Download(id: "d2"), Download(id: "later")], in: "a", at: .start)
    }
    try screen.settle()
    #expect(text(screen, "d2") == "d2 file")
    // It may come before its item.
    #expect(text(screen, "later") == "later file 7")
  }
}
