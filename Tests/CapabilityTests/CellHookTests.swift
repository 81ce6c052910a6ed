import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// Items that connect their cells themselves.
@Suite @MainActor struct CellHookTests {
  private let bookcase: Bookcase

  init() throws { bookcase = try Bookcase() }

  /// What happened to the items of each test.
  @MainActor private enum Hooks {
    static var lines: [ListID: [String]] = [:]
    static var connected: [ListID: [ObjectIdentifier: String]] = [:]
  }

  /// Counts its hooks, and finds a cell that is bound twice.
  private struct Tracked: ListItem {
    var id: String
    var list: ListID
    var version = 0
    var isHidden = false

    static var cells: [CellName: ViewSource] { ["Plain": .type(PlainCell.self)] }
    var cellName: CellName { "Plain" }
    func configure(_ cell: UIView) {
      (cell as? PlainCell)?.text = "\(id).\(version)"
      Hooks.lines[list, default: []].append("configure \(id).\(version)")
      #expect(Hooks.connected[list]?[ObjectIdentifier(cell)] == nil)
    }
    func size(fitting room: Item.Room) -> Size? {
      Size(width: room.length, height: 80)
    }
    func bind(_ cell: UIView, send: @escaping @MainActor (ControlEvent) -> Void) {
      let old = Hooks.connected[list, default: [:]]
        .updateValue("\(id).\(version)", forKey: ObjectIdentifier(cell))
      #expect(old == nil)
      Hooks.lines[list, default: []].append("bind \(id).\(version)")
      (cell as? PlainCell)?.onTap = { send(ControlEvent("like", value: version)) }
    }
    func unbind(_ cell: UIView) {
      let old = Hooks.connected[list]?.removeValue(forKey: ObjectIdentifier(cell))
      #expect(old == "\(id).\(version)")
      Hooks.lines[list, default: []].append("unbind \(id).\(version)")
      (cell as? PlainCell)?.onTap = nil
    }
  }

  /// A list of `i0`, `i1`, … on a screen.
  private func screen(_ kind: ScreenKind, _ count: Int) throws -> Screen {
    // Tests run in one process: each has a list of its own name.
    let id = try ListID("list \(UUID())")
    let list = bookcase.repository.liveList(id, items: [Tracked.self])
    try list.replace {
      ListSection("a") { for index in 0..<count { Tracked(id: "i\(index)", list: id) } }
    }
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("Plain", .type(PlainRow.self))
    let screen = try Screen(kind, showing: list, tableViews: rows)
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    return screen
  }

  private func takeLines(_ screen: Screen) -> [String] {
    defer { Hooks.lines[screen.adapter.list.id] = [] }
    return Hooks.lines[screen.adapter.list.id] ?? []
  }

  private func connected(_ screen: Screen) -> [String] {
    (Hooks.connected[screen.adapter.list.id] ?? [:]).values.sorted()
  }

  @Test(
    "0.7: an item connects its cell when it comes on display and disconnects it when it leaves",
    arguments: ScreenKind.allCases)
  func everyBindHasItsUnbind(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 40)
    #expect(connected(screen) == (0..<6).map { "i\($0).0" })
    var random = SeededGenerator(seed: 7)
    for step in 0..<60 {
      switch random.number(0..<4) {
      case 0:
        try screen.adapter.list.edit { list throws in
          let id = try ItemID("i\(random.number(0..<40))")
          guard (try list.item(id)) != nil else { return }
          if random.percent(50) { try list.move(id, to: .start) } else { try list.delete(id) }
        }
      case 1:
        try screen.adapter.list.edit { list throws in
          let id = try ItemID("i\(random.number(0..<40))")
          guard (try list.item(id)) != nil else { return }
          try list.update(id, as: Tracked.self) { $0.version = step }
        }
      default: screen.scroll(to: Double(random.number(0..<100)) / 100)
      }
      screen.adapter.update()
      if random.percent(50) { screen.finishAnimations() }
      screen.layOut()
    }
    try screen.settle()
    screen.expectBalance()
    let shown = try screen.visiblePaths.map { path in
      let item = try #require(screen.adapter.item(at: path))
      return "\(item.id).\(try item.value(as: Tracked.self).version)"
    }
    #expect(connected(screen) == shown.sorted())
    try screen.adapter.list.edit { try $0.deleteAllSections() }
    try screen.settle()
    #expect(connected(screen) == [])
    let lines = takeLines(screen)
    let (binds, unbinds) = (
      lines.count { $0.hasPrefix("bind") }, lines.count { $0.hasPrefix("unbind") }
    )
    #expect(binds == unbinds)
    #expect(binds > 40)
  }

  @Test(
    "0.7: an item that changes in place is configured and bound anew, once, and keeps its display",
    arguments: ScreenKind.allCases)
  func aChangeInPlaceBindsOnce(_ kind: ScreenKind) throws {
    let screen = try screen(kind, 3)
    var seen: [String] = []
    for event in [ItemEvent.willDisplay, .didEndDisplaying] {
      screen.adapter.handlers.on(event, of: Tracked.self) { item, context in
        let path = context.path.map { "\($0.item)" } ?? "gone"
        seen.append("\(event.name) \(item.id).\(item.version) \(path)")
      }
    }
    _ = takeLines(screen)
    try screen.adapter.list.edit { try $0.update("i1", as: Tracked.self) { $0.version = 1 } }
    try screen.settle()
    #expect(takeLines(screen) == ["unbind i1.0", "configure i1.1", "bind i1.1"])
    #expect(seen == [])
    // The value that was bound comes back, also of an item that is not there any more.
    try screen.adapter.list.edit { try $0.delete("i1") }
    try screen.settle()
    #expect(takeLines(screen) == ["unbind i1.1"])
    #expect(seen == ["didEndDisplaying i1.1 gone"])
    try screen.adapter.list.edit { list throws in
      try list.insert(
        Tracked(id: "new", list: screen.adapter.list.id), in: "a", at: .start)
    }
    try screen.settle()
    #expect(takeLines(screen) == ["configure new.0", "bind new.0"])
    #expect(seen.last == "willDisplay new.0 0")
  }

  private final class UpdateCell: UICollectionViewCell, ControlEventSource {
    var onControlEvent: (@MainActor (ControlEvent) -> Void)?
  }

  @Test("0.7: a fallback for an item that the app can't decode sends the events of its item")
  func fallbacksSendEvents() throws {
    let list = bookcase.repository.liveList("shelf")
    try list.replace {
      ListSection("a") { Item(id: "x", cell: "Gone", content: "{}", type: "Gone") }
    }
    let screen = try Screen(
      .placed, showing: list,
      collectionViews: ViewRegistry(
        fallback: .type(UpdateCell.self),
        supplementaryFallback: .type(UICollectionReusableView.self)))
    var asked: [ItemID] = []
    screen.adapter.handlers.on(.control("update"), item: "x") { asked.append($0.id) }
    screen.layOut()
    let cell = try #require(screen.cell(at: IndexPath(item: 0, section: 0)) as? UpdateCell)
    cell.onControlEvent?("update")
    #expect(asked == ["x"])
    try list.edit { try $0.deleteAllSections() }
    try screen.settle()
    #expect(cell.onControlEvent == nil)
  }

  @Test("3.4: a button of a cell that knows nothing of Cellar reaches the handlers of its item")
  func cellsKnowNothing() throws {
    let source = PackageFiles.root.appendingPathComponent("Tests/CapabilityTests/PlainCell.swift")
    let imports = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("import ") }
    #expect(imports == ["import HeadlessUIKit"])
    let screen = try screen(.placed, 40)
    var liked: [String] = []
    screen.adapter.handlers.on(.control("like"), of: Tracked.self) { item, context in
      liked.append("\(item.id).\(context.value as? Int ?? -1)")
    }
    func tap(_ item: ItemID) {
      let cell = (screen.adapter as? CollectionAdapter)?.cell(of: item) as? PlainCell
      cell?.button.headlessTap()
    }
    tap("i0")
    #expect(liked == ["i0.0"])
    let first = try #require(screen.cell(at: IndexPath(item: 0, section: 0)) as? PlainCell)
    // Cells that the view keeps off screen are dead, and live again when they come back.
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 100))
    #expect(screen.collection?.headless.keptCells == 1)
    first.button.headlessTap()
    #expect(liked == ["i0.0"])
    screen.view.headlessDrag(to: .zero)
    #expect(screen.cell(at: IndexPath(item: 0, section: 0)) === first)
    first.button.headlessTap()
    #expect(liked == ["i0.0", "i0.0"])
    try screen.adapter.list.edit { try $0.update("i0", as: Tracked.self) { $0.version = 5 } }
    try screen.settle()
    tap("i0")
    for _ in 0..<2 { screen.scroll(to: 1) }
    tap("i39")
    #expect(liked == ["i0.0", "i0.0", "i0.5", "i39.0"])
    first.button.headlessTap()
    #expect(liked.count == (screen.visiblePaths.contains { screen.cell(at: $0) === first } ? 5 : 4))
  }
}
