import BatchUpdates
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

/// What a user is about to do survives the updates around it.
@MainActor @Suite(.serialized) struct KeptFocusTests {
  private final class Field: UIView {
    override var canBecomeFirstResponder: Bool { true }
  }

  private final class FieldCell: UICollectionViewCell {
    let field = Field(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
    override init(frame: CGRect) {
      super.init(frame: frame)
      contentView.addSubview(field)
    }
    required init?(coder: NSCoder) { nil }
  }

  private final class FieldRow: UITableViewCell {
    let field = Field(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
    override init(style: CellStyle, reuseIdentifier: String?) {
      super.init(style: style, reuseIdentifier: reuseIdentifier)
      contentView.addSubview(field)
    }
    required init?(coder: NSCoder) { nil }
  }

  private struct Form: ListItem {
    var id: String, text = ""
    static var cells: [CellName: ViewSource] { ["FormCell": .type(FieldCell.self)] }
    var cellName: CellName { "FormCell" }
    func configure(_ cell: UIView) {}
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
  }

  private let folder: TemporaryFolder
  private let list: LiveList

  init() throws {
    folder = try TemporaryFolder()
    list = try Repository(at: folder.file("store.sqlite")).liveList(
      "form", items: [Form.self],
      policy: UpdatePolicy(
        budget: ReloadBudget(changes: 50, changesPerItem: 0), hidesSections: true))
    try list.edit { list throws in
      try list.insertSection("a")
      try list.insert((0..<8).map { Form(id: "f\($0)") }, in: "a")
    }
  }

  private func screen(_ kind: ScreenKind) throws -> Screen {
    var rows = ViewRegistry(fallback: .type(UITableViewCell.self))
    rows.register("FormCell", .type(FieldRow.self))
    let screen = try Screen(kind, showing: list, tableViews: rows)
    screen.layOut()
    return screen
  }

  private func field(_ item: Int, on screen: Screen) throws -> UIView {
    let path = try #require(screen.adapter.indexPath(of: ItemID(stringLiteral: "f\(item)")))
    let cell = screen.cell(at: path)
    return try #require((cell as? FieldCell)?.field ?? (cell as? FieldRow)?.field)
  }

  /// More changes than the policy allows: the view is loaded anew.
  private func reload(_ screen: Screen) throws {
    try list.edit { list throws in
      for number in 0..<60 { try list.insert(Form(id: "n\(number)"), in: "a", at: .end) }
      for number in 0..<60 { try list.delete(ItemID(stringLiteral: "n\(number)")) }
      try list.insert(Form(id: "new"), in: "a", at: .start)
      for number in 0..<60 { try list.insert(Form(id: "m\(number)"), in: "a", at: .end) }
    }
    var reloads = 0
    screen.adapter.onUpdate = { if case .reload = $0.mode { reloads += 1 } }
    try screen.settle()
    #expect(reloads == 1)
  }

  @Test(arguments: ScreenKind.allCases) func theKeyboardStays(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    #expect(try field(3, on: screen).becomeFirstResponder())
    try list.edit { list throws in
      try list.insert(Form(id: "above"), in: "a", at: .start)
      try list.update("f3", as: Form.self) { $0.text = "typed elsewhere" }
      try list.delete("f2")
    }
    try screen.settle()
    #expect(try field(3, on: screen).isFirstResponder)
    try reload(screen)
    #expect(try field(3, on: screen).isFirstResponder)
  }

  @Test(arguments: ScreenKind.allCases) func voiceOversCursorStays(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    defer { UIAccessibility.headlessFocus = nil }
    UIAccessibility.headlessFocus = try field(3, on: screen)
    try reload(screen)
    #expect(UIAccessibility.headlessFocus === (try field(3, on: screen)))
  }

  @Test(arguments: ScreenKind.allCases) func anOpenMenuHoldsUpdatesBack(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    screen.adapter.handlers.menu(of: Form.self) { _, _ in
      ItemMenu([ItemMenu.Entry("Delete", .control("delete"))])
    }
    let path = IndexPath(item: 3, section: 0)
    let close = try #require(
      screen.collection?.headless.openMenu(itemsAt: [path])
        ?? screen.table?.headless.openMenu(rowAt: path))
    let revision = screen.adapter.provider.revision
    try list.edit { try $0.delete("f3") }
    screen.adapter.update()
    screen.layOut()
    #expect(screen.adapter.provider.revision == revision)
    close()
    screen.layOut()
    try screen.settle()
    #expect(screen.adapter.indexPath(of: "f3") == nil)
  }

  @Test(arguments: ScreenKind.allCases) func animationsCanBeTurnedOff(_ kind: ScreenKind) throws {
    let screen = try screen(kind)
    defer { UIAccessibility.headlessReducesMotion = false }
    var number = 0
    func isAnimated(_ update: () -> Void) throws -> Bool {
      number += 1
      try list.edit { try $0.insert(Form(id: "x\(number)"), in: "a", at: .start) }
      update()
      screen.layOut()
      // An update that is not animated is over at once.
      let isOver =
        screen.collection?.headless.isAnimating ?? screen.table?.headless.isAnimating ?? false
      screen.finishAnimations()
      return isOver
    }
    #expect(try isAnimated { screen.adapter.update() })
    #expect(try !isAnimated { screen.adapter.update(animated: false) })
    #expect(try isAnimated { screen.adapter.update() })
    UIAccessibility.headlessReducesMotion = true
    #expect(try !isAnimated { screen.adapter.update() })
    UIAccessibility.headlessReducesMotion = false
    screen.adapter.animatesUpdates = false
    #expect(try !isAnimated { screen.adapter.update() })
  }
}
