import BatchUpdates
import Foundation
import ListModel
import ListOrder
import TestSupport
import Testing

/// The work of a batch update depends on the log, never on the list.
@Suite struct WorkTests {
  /// A list that is nothing but counts, and counts how often it is asked.
  private final class Spy: CountedSections, @unchecked Sendable {
    let sectionCount: Int
    private let itemCount: Int
    // Guarded by the lock.
    private var asked = 0
    private let lock = NSLock()

    init(sections: Int, items: Int) {
      sectionCount = sections
      itemCount = items
    }

    func itemCount(inSection index: Int) -> Int {
      lock.withLock { asked += 1 }
      return itemCount
    }

    var questions: Int { lock.withLock { asked } }
  }

  /// Changes at the start, in the middle and at the end of the list, of all kinds.
  private func log(of length: Int, sections: Int, items: Int) -> [LogEntry] {
    var generator = SeededGenerator(seed: 3)
    var counts: [Int: Int] = [:]
    var log: [LogEntry] = []
    let state = ItemState(cell: "X", content: "0")
    while log.count < length {
      // The same sections and, but for a shift, the same items whatever their number.
      let spot = generator.number(0..<3)
      let section = [0, sections / 2, sections - 1][spot]
      let count = counts[section] ?? items
      let near = [0, count / 2, count - 400][generator.number(0..<3)] + generator.number(0..<300)
      let other = [0, count / 2, count - 400][generator.number(0..<3)] + generator.number(0..<300)
      let path = ItemPath(section: section, item: near)
      switch generator.number(0..<4) {
      case 0:
        let id = ItemID(stringLiteral: "new \(log.count)")
        log.append(.insertItem(Item(id: id, state: state), at: path))
        counts[section] = count + 1
      case 1:
        let id = ItemID(stringLiteral: "old \(log.count)")
        log.append(.deleteItem(Item(id: id, state: state), at: path))
        counts[section] = count - 1
      case 2:
        log.append(
          .moveItem("moved", from: path, to: ItemPath(section: section, item: other)))
      default: log.append(.touchItem("touched", at: path))
      }
    }
    return log
  }

  @Test(arguments: [1, 3, 1_000])
  func aListOfManyMillionsIsAskedNoMoreThanASmallOne(_ sections: Int) {
    var questions: [Int] = []
    var operations: [[Int]] = []
    for items in [2_000, 1_000_000, 100_000_000] {
      let spy = Spy(sections: sections, items: items)
      let update = BatchUpdate(
        list: "l", from: 0, to: 1,
        replaying: log(of: 1_000, sections: sections, items: items), on: SectionCounts(spy))
      guard case .batch(let stages) = update.mode else {
        Issue.record("\(update.mode)")
        return
      }
      questions.append(spy.questions)
      operations.append(stages.map(\.operationCount))
    }
    #expect(Set(questions).count == 1, "asked \(questions) times")
    #expect(questions[0] < 10_000, "asked \(questions) times")
    #expect(Set(operations).count == 1, "\(operations)")
  }

  @Test func aMoveOverAHundredMillionItemsIsOneOperation() {
    let update = BatchUpdate(
      list: "l", from: 0, to: 1,
      replaying: [
        .moveItem(
          "x", from: ItemPath(section: 0, item: 99_999_999), to: ItemPath(section: 0, item: 0)),
        .moveSection("s", from: 1, to: 0),
      ], on: SectionCounts(Spy(sections: 2, items: 100_000_000)))
    #expect(update.stages.reduce(0) { $0 + $1.operationCount } == 2)
  }
}
