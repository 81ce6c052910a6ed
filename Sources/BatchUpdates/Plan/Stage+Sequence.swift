import ListModel
import ListOrder

extension Stage {
  /// The stage as operations to apply one after another.
  ///
  /// There are exactly ``operationCount``, one for each operation of the stage: a move stays one
  /// move, so what moves keeps its identity. They come in this order: items deleted, descending;
  /// sections deleted, descending; sections inserted and moved, ascending by target; items inserted
  /// and moved, ascending by target; reloads, reconfigures and section updates.
  ///
  /// - ``SequentialOperation/insertSection(_:itemCount:)`` leaves out items that the stage inserts
  ///   or moves into the section by operations of their own.
  /// - An item that moves out of a deleted section is gone by then, so it is inserted.
  ///
  /// The operations lead to ``counts`` if the view accepts the stage and no operation is in it
  /// twice, as in every stage that Cellar makes. For any other stage they are unspecified, but
  /// nothing traps.
  ///
  /// - Complexity: O(*b* log *b*), *b* operations, whatever the size of the list.
  public var sequentialOperations: [SequentialOperation] {
    var sequence = StageSequence(self)
    sequence.appendDeletes()
    sequence.appendSections()
    sequence.appendItems()
    sequence.appendContent()
    return sequence.operations
  }
}

/// Works out the operations of a stage, one kind after the other.
private struct StageSequence {
  private let stage: Stage
  private(set) var operations: [SequentialOperation] = []

  private let deletedSections: Places<Int>
  private let deletedItems: Places<ItemPath>
  /// By source.
  private let sectionMoves: [Stage.SectionMove]
  private let movedSections: Places<Int>
  /// By source.
  private let itemMoves: [Stage.ItemMove]
  private let movedItems: Places<ItemPath>
  /// By target.
  private let sectionArrivals: [Arrival<Int>]
  /// By target.
  private let itemArrivals: [Arrival<ItemPath>]

  private var sectionLine: SequenceLine
  /// By the index of the section after the stage.
  private var itemLines: [Int: SequenceLine] = [:]

  /// What comes to a place: new, or by the move at a position.
  private struct Arrival<Place: Comparable> {
    var target: Place
    var move: Int?
  }

  init(_ stage: Stage) {
    self.stage = stage
    operations.reserveCapacity(stage.operationCount)
    deletedSections = Places(stage.deleteSections)
    deletedItems = Places(stage.deleteItems)
    sectionMoves = stage.moveSections.sorted { $0.from < $1.from }
    itemMoves = stage.moveItems.sorted { $0.from < $1.from }
    movedSections = Places(sectionMoves.map(\.from))
    movedItems = Places(itemMoves.map(\.from))
    sectionArrivals = Self.arrivals(inserts: stage.insertSections, moves: sectionMoves.map(\.to))
    itemArrivals = Self.arrivals(inserts: stage.insertItems, moves: itemMoves.map(\.to))
    let deleted = deletedSections
    sectionLine = SequenceLine(
      leaving: sectionMoves.map { $0.from &- deleted.count(below: $0.from) })
  }

  private static func arrivals<Place>(inserts: [Place], moves: [Place]) -> [Arrival<Place>] {
    let all =
      inserts.map { Arrival(target: $0, move: nil) }
      + moves.enumerated().map { Arrival(target: $1, move: $0) }
    return all.sorted { $0.target < $1.target }
  }

  // MARK: Structure

  /// Descending, so that every index is still the one before the stage.
  mutating func appendDeletes() {
    for path in deletedItems.elements.reversed() { operations.append(.deleteItem(path)) }
    for index in deletedSections.elements.reversed() { operations.append(.deleteSection(index)) }
  }

  mutating func appendSections() {
    for arrival in sectionArrivals {
      if let move = arrival.move {
        let from = sectionLine.take(move)
        operations.append(.moveSection(from: from, to: sectionLine.place(at: arrival.target)))
      } else {
        let itemCount = itemsOfInsertedSection(arrival.target)
        operations.append(
          .insertSection(sectionLine.place(at: arrival.target), itemCount: itemCount))
      }
    }
  }

  /// Without those that come by operations of their own.
  private func itemsOfInsertedSection(_ index: Int) -> Int {
    guard index >= 0, index < stage.counts.count else { return 0 }
    let start = itemArrivals.partitioningIndex { $0.target.section >= index }
    let end = itemArrivals.partitioningIndex { $0.target.section > index }
    return max(0, stage.counts[index] &- (end - start))
  }

  /// By now, the sections stand as they will after the stage.
  mutating func appendItems() {
    let leavers = linesOfMovedItems()
    for arrival in itemArrivals {
      let section = arrival.target.section
      // What moves inside its section must be out before its target is worked out.
      let from = arrival.move.flatMap { leavers[$0] }.map { leaver in
        ItemPath(
          section: leaver.section,
          item: itemLines[leaver.section, default: SequenceLine()].take(leaver.position))
      }
      let to = ItemPath(
        section: section,
        item: itemLines[section, default: SequenceLine()].place(at: arrival.target.item))
      operations.append(from.map { .moveItem(from: $0, to: to) } ?? .insertItem(to))
    }
  }

  /// Makes the lines that items move out of.
  ///
  /// - Returns: For each move the line that its item is in, and its position among those that leave
  ///   it; `nil` if its section is gone.
  private mutating func linesOfMovedItems() -> [(section: Int, position: Int)?] {
    var leaving: [Int: [Int]] = [:]
    let leavers = itemMoves.map { move -> (section: Int, position: Int)? in
      guard let section = settledSection(move.from.section) else { return nil }
      let index = move.from.item &- deletedItems.countBeforeInSection(move.from)
      leaving[section, default: []].append(index)
      return (section, leaving[section, default: []].count - 1)
    }
    itemLines = leaving.mapValues { SequenceLine(leaving: $0) }
    return leavers
  }

  // MARK: Content

  mutating func appendContent() {
    for path in stage.reloadItems { operations.append(.reloadItem(settledPath(path))) }
    for path in stage.reconfigureItems { operations.append(.reconfigureItem(settledPath(path))) }
    for index in stage.updateSections { operations.append(.updateSection(index)) }
  }

  /// The index after the stage of the section at an index before it; `nil` if it is deleted.
  private func settledSection(_ index: Int) -> Int? {
    if deletedSections.contains(index) { return nil }
    let position = movedSections.count(below: index)
    if movedSections.contains(index) { return sectionMoves[position].to }
    return sectionLine.settledIndex(
      ofStaying: index &- deletedSections.count(below: index) &- position)
  }

  /// The path after the stage of the item at a path before it; the same if it is deleted.
  private func settledPath(_ path: ItemPath) -> ItemPath {
    if movedItems.contains(path) { return itemMoves[movedItems.count(below: path)].to }
    guard let section = settledSection(path.section) else { return path }
    let rank =
      path.item &- deletedItems.countBeforeInSection(path) &- movedItems.countBeforeInSection(path)
    return ItemPath(
      section: section, item: itemLines[section]?.settledIndex(ofStaying: rank) ?? rank)
  }
}

/// Indexes or paths in ascending order.
private struct Places<Place: Comparable> {
  let elements: [Place]

  init(_ places: [Place]) { elements = places.sorted() }

  func count(below place: Place) -> Int { elements.partitioningIndex { $0 >= place } }

  func contains(_ place: Place) -> Bool {
    let position = count(below: place)
    return position < elements.count && elements[position] == place
  }
}

extension Places<ItemPath> {
  /// How many of a path's section are before it.
  func countBeforeInSection(_ path: ItemPath) -> Int {
    count(below: path) - count(below: ItemPath(section: path.section, item: .min))
  }
}
