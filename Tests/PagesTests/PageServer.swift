import BatchUpdates
import ListModel
import Pages
import TestSupport

/// A server's list, for tests: an array, that shares nothing with the library but its values.
struct PageServer {
  private(set) var items: [Item] = []
  private var made = 0
  /// The number of the last change.
  private(set) var sequence = 0

  init(count: Int) {
    for _ in 0..<count { items.append(makeItem()) }
  }

  private mutating func makeItem() -> Item {
    made += 1
    return Item(
      id: .init(stringLiteral: "i\(made)"), cell: "Cell", content: JSON(stringLiteral: "{\"v\":0}"))
  }

  func place(of id: String) -> Int? { items.firstIndex { $0.id.rawValue == id } }

  /// The items from one place to another, with ids as cursors.
  private func page(_ range: Range<Int>, tellsOffset: Bool, tellsSequence: Bool) -> Page {
    let range = range.clamped(to: items.indices)
    return Page(
      items: Array(items[range]),
      before: range.lowerBound == 0
        ? nil : range.isEmpty ? "" : items[range.lowerBound].id.rawValue,
      after: range.upperBound == items.count || items.isEmpty
        ? nil : range.isEmpty ? "" : items[range.upperBound - 1].id.rawValue,
      offset: tellsOffset ? range.lowerBound : nil, total: tellsOffset ? items.count : nil,
      sequence: tellsSequence ? sequence : nil)
  }

  func newest(_ count: Int, isAtStart: Bool, tellsOffset: Bool, tellsSequence: Bool) -> Page {
    page(
      isAtStart ? 0..<count : max(0, items.count - count)..<items.count, tellsOffset: tellsOffset,
      tellsSequence: tellsSequence)
  }

  /// - Returns: `nil` if the server does not know the cursor any more.
  func page(after cursor: String, _ count: Int, tellsOffset: Bool, tellsSequence: Bool) -> Page? {
    place(of: cursor).map {
      page($0 + 1..<$0 + 1 + count, tellsOffset: tellsOffset, tellsSequence: tellsSequence)
    }
  }

  func page(before cursor: String, _ count: Int, tellsOffset: Bool, tellsSequence: Bool) -> Page? {
    place(of: cursor).map {
      page(max(0, $0 - count)..<$0, tellsOffset: tellsOffset, tellsSequence: tellsSequence)
    }
  }

  func page(around place: Int, _ count: Int, tellsSequence: Bool) -> Page {
    let start = max(0, place - count / 2)
    return page(start..<start + count, tellsOffset: true, tellsSequence: tellsSequence)
  }

  /// Changes something at random, and tells it as a feed does: what moves is deleted and inserted, because a
  /// device may have neither it nor the place.
  mutating func change(_ generator: inout SeededGenerator) -> [Change] {
    sequence += 1
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3:
      let item = makeItem()
      let place =
        Bool.random(using: &generator) ? 0 : Int.random(in: 0...items.count, using: &generator)
      items.insert(item, at: place)
      return [.insertItem(item, in: "items", at: self.place(of: place))]
    case 4...5 where !items.isEmpty:
      let place = Int.random(in: 0..<items.count, using: &generator)
      return [.deleteItem(items.remove(at: place).id)]
    case 6...7 where !items.isEmpty:
      let item = items.remove(at: Int.random(in: 0..<items.count, using: &generator))
      let place = Int.random(in: 0...items.count, using: &generator)
      items.insert(item, at: place)
      return [.deleteItem(item.id), .insertItem(item, in: "items", at: self.place(of: place))]
    default:
      guard !items.isEmpty else { return [] }
      let place = Int.random(in: 0..<items.count, using: &generator)
      items[place].state.content = JSON(stringLiteral: "{\"v\":\(sequence)}")
      return [.updateItem(items[place].id, ItemUpdate(content: .set(items[place].state.content)))]
    }
  }

  /// Next to a neighbour, as a feed names places.
  private func place(of index: Int) -> Place<ItemID> {
    index > 0 ? .after(items[index - 1].id) : items.count > 1 ? .before(items[1].id) : .start
  }
}

/// A device's list of a server.
struct PagedTree {
  var tree = ListTree(list: "l")
  private var madeGaps = 0

  var section: [Item] { tree.sections.first?.items ?? [] }
  var gaps: [(id: ItemID, gap: Gap)] {
    get throws {
      try section.filter(\.state.isGap).map { ($0.id, try Gap($0.state.content)) }
    }
  }

  mutating func merge(
    _ page: Page, at place: PageMerge.Place, changed: Set<ItemID> = [],
    movedByOthers: Set<ItemID>? = nil, ends: [ItemID: PageCursors] = [:]
  ) throws -> PageMerge.Outcome {
    try change { list, joiner, newGap in
      try PageMerge(
        page, at: place, in: "items", changed: changed, movedByOthers: movedByOthers ?? changed,
        cursors: { ends[$0] }, newGap: newGap
      ).apply(to: &list, &joiner)
    }
  }

  mutating func trim(_ trim: PageTrim) throws -> Int {
    try change { list, joiner, newGap in try trim.apply(to: &list, &joiner, newGap: newGap) }
  }

  private mutating func change<Value>(
    _ body: (inout ListOverlay<ListTree>, inout GapJoiner, @escaping () -> ItemID) throws -> Value
  ) throws -> Value {
    var overlay = ListOverlay(tree)
    var joiner = GapJoiner()
    var made = madeGaps
    let value = try body(&overlay, &joiner) {
      made += 1
      return .init(stringLiteral: "gap\(made)")
    }
    madeGaps = made
    _ = overlay.join(&joiner)
    for change in overlay.changes() { try tree.apply(change) }
    return value
  }

  /// Applies a line of the server's feed.
  mutating func follow(_ line: [Change]) throws {
    var joiner = GapJoiner()
    for change in line {
      for change in tree.changes(forServers: change, lacking: nil) {
        joiner.note(try tree.apply(change), in: tree)
      }
    }
    while let changes = joiner.next(in: tree) {
      for change in changes { joiner.note(try tree.apply(change), in: tree) }
    }
  }

  /// What is wrong with the list as a part of the server's: `nil` if it has the same items in the same order,
  /// each once, and a gap wherever it lacks one.
  func problem(comparedWith server: PageServer) -> String? {
    var next = 0
    var isInGap = false
    for item in section {
      if item.state.isGap {
        if isInGap { return "two gaps next to each other" }
        isInGap = true
        continue
      }
      guard let place = server.place(of: item.id.rawValue) else { return "\(item.id) is gone" }
      if place < next { return "\(item.id) is too late" }
      if place > next, !isInGap { return "before \(item.id) items are missing, and no gap" }
      if server.items[place].state.content != item.state.content { return "\(item.id) is old" }
      next = place + 1
      isInGap = false
    }
    if next < server.items.count, !isInGap { return "at the end items are missing, and no gap" }
    return nil
  }
}
