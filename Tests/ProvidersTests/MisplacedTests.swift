import BatchUpdates
import ListModel
import ListOrder
import Providers
import TestSupport
import Testing

/// A Provider compares what stages lead where with what it holds.
@Suite struct MisplacedTests {
  private func provider(_ sections: [(SectionID, [ItemID])]) -> Provider {
    Provider(
      ListTree(
        list: "list",
        sections: sections.map { id, items in
          ListTree.Section(id: id, items: items.map { Item(id: $0, cell: "X", content: "0") })
        }))
  }

  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  /// What a Provider says to stages for a commit that are not those of the commit.
  private func objection(
    to stage: Stage, for entries: [LogEntry], on before: Provider
  ) throws -> String? {
    let check = IdentityCheck(
      of: [stage], before: SectionCounts(before.outline.sizes), extent: .touched)
    var after = before
    try after.apply([
      Commit(list: "list", revision: 1, author: .app, time: nil, entries: entries)
    ])
    return after.misplaced(
      by: check, before.outline.items(at: check.items.map { $0.old }),
      check.sections.map { before.outline.section(at: $0.old) })?.description
  }

  @Test func rightStagesAreTaken() throws {
    var stage = Stage()
    stage.counts = [3]
    stage.moveItems = [Stage.Move(from: path(0, 0), to: path(0, 2))]
    let before = provider([("s", ["a", "b", "c"])])
    let move = LogEntry.moveItem("a", from: path(0, 0), to: path(0, 2))
    #expect(try objection(to: stage, for: [move], on: before) == nil)
  }

  @Test func anItemThatIsLedElsewhereIsNamed() throws {
    var stage = Stage()
    stage.counts = [3]
    stage.moveItems = [Stage.Move(from: path(0, 0), to: path(0, 1))]
    let before = provider([("s", ["a", "b", "c"])])
    let move = LogEntry.moveItem("a", from: path(0, 0), to: path(0, 2))
    #expect(
      try objection(to: stage, for: [move], on: before)
        == "the stages lead the item at [0, 0] to [0, 1], where another one is")
  }

  @Test func aSectionThatIsLedElsewhereIsNamed() throws {
    var stage = Stage()
    stage.counts = [0, 0, 0]
    stage.moveSections = [Stage.Move(from: 0, to: 1)]
    let before = provider([("r", []), ("s", []), ("t", [])])
    let move = LogEntry.moveSection("r", from: 0, to: 2)
    #expect(
      try objection(to: stage, for: [move], on: before)
        == "the stages lead section 0 to 1, where another one is")
  }

  @Test func whatIsLedOutOfTheListIsNamed() throws {
    var stage = Stage()
    stage.counts = [3]
    stage.insertItems = [path(0, 0)]
    let before = provider([("s", ["a", "b"])])
    // Nothing was inserted: the last item is led behind the end.
    #expect(
      try objection(to: stage, for: [.touchItem("a", at: path(0, 0))], on: before)?
        .contains("where another one is") == true)
  }
}
