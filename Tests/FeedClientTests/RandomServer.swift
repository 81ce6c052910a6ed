import ListModel
import TestSupport

/// A feed about some lists made at random, and the lists that it leads to, by plain arrays.
///
/// No two lines are alike: snapshots and resets differ by a number.
struct RandomServer {
  private(set) var lines: [FeedServer.Line] = []
  /// The items of each section of each list, after each line about it.
  private(set) var states: [String: [[[String]]]] = [:]
  private var sequences: [String: Int] = [:]
  private var itemCount = 0

  init(lineCount: Int, lists: [String], onlyCommits: Bool, using generator: inout SeededGenerator) {
    while lines.count < lineCount {
      append(to: lists.randomElement(using: &generator) ?? "l", onlyCommits, &generator)
    }
  }

  private mutating func append(
    to list: String, _ onlyCommits: Bool, _ generator: inout SeededGenerator
  ) {
    var items = states[list]?.last?.first ?? []
    let sequence = (sequences[list] ?? 0) + 1
    let isFirst = sequence == 1
    switch generator.number(0..<100) {
    case 0..<8 where !onlyCommits && !isFirst:
      lines.append(.reset(lines.count, list: list))
      states[list, default: []].append([])
      sequences[list] = 0
      return
    case 8..<14 where !onlyCommits && !isFirst:
      items = (0..<generator.number(0..<4)).map { _ in newItem() }
      sequences[list] = sequence + generator.number(0..<3)
      lines.append(.snapshot(sequences[list] ?? sequence, items, time: lines.count, list: list))
    default:
      let new = newItem()
      let place = generator.number(0..<items.count + 1)
      items.insert(new, at: place)
      var operations = (isFirst ? [section()] : []) + [item(new, at: place)]
      if generator.percent(40), let old = generator.element(of: items) {
        items.removeAll { $0 == old }
        operations.append("{\"op\":\"deleteItem\",\"item\":\"\(old)\"}")
      }
      sequences[list] = sequence
      lines.append(.commit(sequence, operations.joined(separator: ","), list: list))
    }
    states[list, default: []].append([items])
  }

  private mutating func newItem() -> String {
    itemCount += 1
    return "i\(itemCount)"
  }
}
