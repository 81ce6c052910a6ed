import Cellar
import CellarUIKit
import Foundation
import HeadlessUIKit
import ScreenSupport
import TestSupport
import Testing

/// A new release of an app opens the store of the last one.
@Suite @MainActor struct ChangedContentTests {
  private let folder: TemporaryFolder
  private let repository: Repository

  init() throws {
    folder = try TemporaryFolder()
    repository = try Repository(at: folder.file("store.sqlite"))
  }

  /// The list, without a type of item.
  private var notes: LiveList { repository.liveList("notes") }

  /// The first release's.
  private struct Note: ListItem {
    var id: String, name: String
    func configure(_ cell: TextCell) { cell.text = name }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
  }

  /// The second one's: another name, a property more.
  private struct Memo: ListItem {
    var id: String, name: String, isLiked: Bool, tags: [String]
    static var aliases: [TypeName] { ["Note"] }
    static var contentDefaults: JSON.Members { ["isLiked": true, "tags": ["new"]] }
    func configure(_ cell: TextCell) { cell.text = "\(name) \(isLiked) \(tags.count)" }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
  }

  /// The third one's: members have other names since each of two releases.
  private struct Letter: ListItem {
    var id: String, subject: String, isLiked: Bool
    static var aliases: [TypeName] { ["Note", "Memo"] }
    static var contentVersion: Int { 3 }
    static var sizesHoldSince: Int { 1 }
    static var contentDefaults: JSON.Members { ["isLiked": false] }
    static func upgrade(_ content: inout JSON, from version: Int) throws {
      try content.rename(version == 1 ? "name" : "title", to: version == 1 ? "title" : "subject")
    }
    func configure(_ cell: TextCell) { cell.text = subject }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 40) }
  }

  /// The same, and higher.
  private struct HighLetter: ListItem {
    var letter: Letter
    var id: String { letter.id }
    init(from decoder: any Decoder) throws { letter = try Letter(from: decoder) }
    func encode(to encoder: any Encoder) throws { try letter.encode(to: encoder) }
    static var typeName: TypeName { "Letter" }
    static var aliases: [TypeName] { Letter.aliases }
    static var contentVersion: Int { 3 }
    static var contentDefaults: JSON.Members { Letter.contentDefaults }
    static func upgrade(_ content: inout JSON, from version: Int) throws {
      try Letter.upgrade(&content, from: version)
    }
    func configure(_ cell: TextCell) { letter.configure(cell) }
    func size(fitting room: Item.Room) -> Size? { Size(width: room.length, height: 70) }
  }

  /// What the first release leaves: notes that were shown.
  private func leaveNotes(_ count: Int = 40) throws {
    let list = repository.liveList("notes", items: [Note.self])
    try list.edit { list throws in
      try list.insertSection("a", SectionAttributes(layout: SectionLayout(kind: .list)))
      try list.insert((0..<count).map { Note(id: "n\($0)", name: "Note \($0)") }, in: "a")
    }
    let screen = try Screen(.placed, showing: list)
    screen.layOut()
    #expect(screen.adapter.measurementCount > 0)
    repository.flushSizes()
  }

  private func screen(_ types: [any ListItem.Type], _ problems: Problems? = nil) throws -> Screen {
    let screen = try Screen(
      .placed, showing: Repository(existing: repository.file).liveList("notes", items: types))
    screen.adapter.onProblem = { problem in
      if let problems { problems.texts.append("\(problem)") } else { Issue.record("\(problem)") }
    }
    screen.layOut()
    return screen
  }

  private final class Problems { var texts: [String] = [] }

  private func texts(_ screen: Screen) -> [String] {
    screen.visiblePaths.sorted().compactMap { (screen.cell(at: $0) as? TextCell)?.text }
  }

  @Test("1.9: a type has another name and a property more; nothing is written or measured")
  func typesAreRenamed() throws {
    try leaveNotes()
    let screen = try screen([Memo.self])
    #expect(texts(screen).prefix(2) == ["Note 0 true 1", "Note 1 true 1"])
    #expect(screen.adapter.measurementCount == 0)
    #expect(screen.adapter.provider.revision == 1)
    // Handlers are those of the type that it is now.
    var tapped: [String] = []
    screen.adapter.handlers.on(.select, of: Memo.self) { memo, _ in tapped.append(memo.name) }
    screen.tap(IndexPath(item: 1, section: 0))
    #expect(tapped == ["Note 1"])
    try screen.adapter.list.edit { list throws in
      try list.update("n0", as: Memo.self) { $0.tags.append("read") }
    }
    try screen.settle()
    #expect(texts(screen).first == "Note 0 true 2")
    #expect(try notes.tree().sections[0].items[0].state.type == "Memo")
  }

  @Test("members have other names since each of two releases")
  func membersAreRenamed() throws {
    try leaveNotes()
    let screen = try screen([Letter.self])
    #expect(texts(screen).prefix(2) == ["Note 0", "Note 1"])
    #expect(screen.adapter.measurementCount == 0)
    // A feed, or another process, may write any version.
    try notes.commit(
      [
        .insertItem(
          Item(id: "x", cell: "TextCell", content: #"{"title":"Two"}"#, type: "Letter@2"), in: "a",
          at: .start),
        .insertItem(
          Item(id: "y", cell: "TextCell", content: #"{"subject":"Three"}"#, type: "Note@3"),
          in: "a", at: .start),
      ])
    try screen.settle()
    #expect(texts(screen).prefix(3) == ["Three", "Two", "Note 0"])
  }

  @Test("what the app can't read is the fallback, says why, and is there again later")
  func laterVersionsAreTheFallback() throws {
    try leaveNotes(2)
    let bad = [("f", "Letter@4", #"{"subject":"Four"}"#), ("e", "Letter@2", #"{"title":1}"#)]
    for (id, type, content) in bad {
      try notes.commit(
        [
          .insertItem(
            Item(
              id: ItemID(id), cell: "TextCell", content: JSON(parsing: content),
              type: TypeName(type)), in: "a", at: .start)
        ])
    }
    let before = try notes.tree()
    let problems = Problems()
    let screen = try screen([Letter.self], problems)
    #expect(texts(screen) == ["Note 0", "Note 1"])
    #expect(screen.visiblePaths.count == 4)
    #expect(problems.texts.contains { $0.contains("\"f\"") && $0.contains("version 4") })
    #expect(problems.texts.contains { $0.contains("\"e\"") })
    #expect(try notes.tree() == before)
    // An item that can be read from now on gets its cell, and one that can't any more loses it.
    try notes.commit(
      [
        .updateItem("e", ItemUpdate(content: .set(#"{"title":"E"}"#))),
        .updateItem("n0", ItemUpdate(type: .set("Letter@9"))),
      ])
    let again = try self.screen([Letter.self], problems)
    #expect(texts(again) == ["E", "Note 1"])
  }

  @Test("sizes hold if the type says so, and else are measured again")
  func sizesAreKeptOrNot() throws {
    try leaveNotes()
    let high = try screen([HighLetter.self])
    #expect(high.adapter.measurementCount > 0)
    #expect(high.frame(of: "n1")?.minY == 70)
    // They are stored, and hold for the same release.
    high.adapter.list.repository.flushSizes()
    let again = try screen([HighLetter.self])
    #expect(again.adapter.measurementCount == 0)
    #expect(again.frame(of: "n1")?.minY == 70)
  }

  @Test("contents are written back while a screen shows them, and nothing moves")
  func upgradesAreSmallUpdates() throws {
    try leaveNotes(2_500)
    let screen = try screen([Letter.self])
    let list = screen.adapter.list
    screen.view.headlessDrag(to: CGPoint(x: 0, y: 20_000))
    try screen.settle()
    let (shown, offset) = (texts(screen), screen.view.contentOffset)
    let (measured, made) = (screen.adapter.measurementCount, screen.cells)
    var updates: [BatchUpdate] = []
    screen.adapter.onUpdate = { updates.append($0) }
    try list.repository.upgradeContents(of: list.types) { _ in try screen.settle() }
    #expect(updates.map(\.to) == [2, 3, 4])
    for stage in updates.flatMap(\.stages) {
      #expect(!stage.isStructural && stage.reloadItems.isEmpty)
    }
    #expect(updates.map { $0.stages.flatMap(\.reconfigureItems).count } == [1_000, 1_000, 500])
    #expect(texts(screen) == shown)
    #expect(screen.view.contentOffset == offset)
    #expect(screen.adapter.measurementCount == measured)
    #expect(screen.cells.created == made.created)
    screen.scroll(to: 0)
    try screen.settle()
    #expect(screen.adapter.measurementCount == measured)
    #expect(
      try Set(notes.tree().sections[0].items.map(\.state.type)) == ["Letter@3"])
    #expect(try self.screen([Letter.self]).adapter.measurementCount == 0)
  }

  @Test("headers of an earlier release")
  func headersLackProperties() throws {
    struct OldHeader: ListSupplementary {
      var text: String
      static var viewName: ViewName { "OldHeader" }
      func configure(_ view: TextCell) { view.text = text }
    }
    struct NewHeader: ListSupplementary {
      var text: String, count: Int
      static var viewName: ViewName { "NewHeader" }
      static var aliases: [ViewName] { ["OldHeader"] }
      static var contentDefaults: JSON.Members { ["count": 7] }
      func configure(_ view: TextCell) { view.text = "\(text) \(count)" }
      func size(fitting room: Supplementary.Room) -> Size? { Size(width: room.length, height: 30) }
    }
    let header = try Supplementary(OldHeader(text: "Old"))
    try notes.edit { list throws in
      try list.insertSection("a", SectionAttributes(header: header))
      try list.insert(Note(id: "n", name: "Note"), in: "a")
    }
    let screen = try Screen(
      .placed,
      showing: repository.liveList(
        "notes", items: [Letter.self], supplementaries: [NewHeader.self]))
    screen.adapter.onProblem = { Issue.record("\($0)") }
    screen.layOut()
    let view = screen.collection?.supplementaryView(
      forElementKind: UICollectionView.elementKindSectionHeader,
      at: IndexPath(item: 0, section: 0))
    #expect((view as? TextCell)?.text == "Old 7")
  }

  @Test("an item that depends on its neighbours does so under every name")
  func neighboursUnderEveryName() throws {
    try leaveNotes(3)
    var list = repository.liveList("notes", items: [Letter.self])
    list.policy.neighbours.types = ["Letter": .previous]
    var provider = try list.provider()
    for (type, gone) in [("Note", "n0"), ("Letter@2", "n1")] as [(TypeName, ItemID)] {
      try notes.commit([.updateItem("n2", ItemUpdate(type: .set(type)))])
      try list.advance(&provider)
      try notes.commit([.deleteItem(gone)])
      let last = ItemPath(section: 0, item: provider.numberOfItems - 2)
      if gone == "n0" {
        let batch = try list.advance(&provider)
        #expect(batch.stages.flatMap(\.reconfigureItems) == [ItemPath(section: 0, item: 0)])
      } else {
        #expect(try list.advance(&provider).stages.flatMap(\.reconfigureItems) == [last])
      }
    }
  }
}
