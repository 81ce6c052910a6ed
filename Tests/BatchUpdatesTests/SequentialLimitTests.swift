import BatchUpdates
import ListModel
import ListOrder
import TestSupport
import Testing

/// Operations one after another of stages that are large, about large lists, or impossible.
@Suite struct SequentialLimitTests {
  private func path(_ section: Int, _ item: Int) -> ItemPath {
    ItemPath(section: section, item: item)
  }

  @Test func twentyThousandMovesTakeAMoment() throws {
    let count = 20_000
    var generator = SeededGenerator(seed: 7)
    let order = Array(0..<count).shuffled(using: &generator)
    var stage = Stage()
    stage.moveItems = order.enumerated().map {
      Stage.Move(from: path(0, $0.element), to: path(0, $0.offset))
    }
    stage.counts = [count]
    let operations = stage.sequentialOperations
    #expect(operations.count == count)
    var shown = SequentialRows([("s", (0..<count).map(String.init))])
    try shown.apply(operations)
    let names = order.map { "\($0)" }
    #expect(shown.rows == [names])
  }

  @Test func aStageOfAnEnormousListCostsItsOperations() {
    let many = 1_000_000_000_000
    var stage = Stage()
    stage.deleteSections = [5]
    stage.insertSections = [many - 1]
    stage.moveSections = [Stage.Move(from: many - 1, to: 2)]
    stage.deleteItems = [path(many / 2, 0)]
    stage.insertItems = [path(0, many - 1)]
    stage.moveItems = [Stage.Move(from: path(many / 2, many - 1), to: path(many / 2, 7))]
    stage.counts = SectionCounts(EqualCounts(sectionCount: many, itemCount: many))
    #expect(
      stage.sequentialOperations == [
        .deleteItem(path(many / 2, 0)), .deleteSection(5),
        .moveSection(from: many - 2, to: 2), .insertSection(many - 1, itemCount: many),
        .insertItem(path(0, many - 1)),
        .moveItem(from: path(many / 2, many - 2), to: path(many / 2, 7)),
      ])
  }

  private struct EqualCounts: CountedSections {
    let sectionCount: Int
    let itemCount: Int

    func itemCount(inSection index: Int) -> Int { itemCount }
  }

  @Test func nonsenseDoesNotTrap() {
    let wild = [Int.min, Int.min + 1, -2, -1, 0, 0, 1, 2, 3, 7, Int.max - 1, Int.max]
    for seed in 0..<4_000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      func number() -> Int { wild[generator.number(0..<wild.count)] }
      func many<Value>(_ make: () -> Value) -> [Value] {
        (0..<generator.number(0..<6)).map { _ in make() }
      }
      func wildPath() -> ItemPath { path(number(), number()) }
      var stage = Stage()
      stage.deleteSections = many(number)
      stage.insertSections = many(number)
      stage.moveSections = many { Stage.Move(from: number(), to: number()) }
      stage.deleteItems = many(wildPath)
      stage.insertItems = many(wildPath)
      stage.moveItems = many { Stage.Move(from: wildPath(), to: wildPath()) }
      stage.reloadItems = many(wildPath)
      stage.reconfigureItems = many(wildPath)
      stage.updateSections = many(number)
      stage.counts = SectionCounts(many(number))
      #expect(stage.sequentialOperations.count == stage.operationCount, "seed \(seed)")
    }
  }
}
