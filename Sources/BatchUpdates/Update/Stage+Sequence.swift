import ListModel
import ListOrder

extension Stage {
  /// The operations of the stage, to apply one after another.
  ///
  /// Each operation of the stage becomes one sequential operation, so a moved item keeps its
  /// identity. Their order: items deleted, descending; sections deleted, descending; sections
  /// inserted and moved, ascending by target; items inserted and moved, ascending by target;
  /// reloads, reconfigures and section updates.
  ///
  /// - The count of an ``SequentialOperation/insertSection(_:itemCount:)`` leaves out the items
  ///   that other operations insert or move into the section.
  /// - An item that moves out of a deleted section becomes an insert, because the section is
  ///   deleted first.
  ///
  /// For a stage that the view accepts and that has no operation twice, the operations lead to
  /// ``counts``. All stages of this library are such stages. For other stages the result is
  /// unspecified, but nothing traps.
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
  private let sectionMoves: [Stage.Move<Int>]
  private let movedSections: Places<Int>
  /// By source.
  private let itemMoves: [Stage.Move<ItemPath>]
  private let movedItems: Places<ItemPath>
  /// By target.
  private let sectionArrivals: [Arrival<Int>]
  /// By target.
  private let itemArrivals: [Arrival<ItemPath>]

  private var sectionLine: SequenceLine
  /// The lines by the index of their section after the stage.
  private var itemLines: [Int: SequenceLine] = [:]

  /// Something that arrives at a place: a new element, or one that moves.
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

  /// Deletes in descending order, so that each index is still the one before the stage.
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

  /// How many items come with an inserted section, without those that other operations bring.
  private func itemsOfInsertedSection(_ index: Int) -> Int {
    guard index >= 0, index < stage.counts.count else { return 0 }
    let start = itemArrivals.partitioningIndex { $0.target.section >= index }
    let end = itemArrivals.partitioningIndex { $0.target.section > index }
    return max(0, stage.counts[index] &- (end - start))
  }

  /// Inserts and moves items.
  ///
  /// The sections are already in their order after the stage.
  mutating func appendItems() {
    let leavers = linesOfMovedItems()
    for arrival in itemArrivals {
      let section = arrival.target.section
      // An item that moves inside its section leaves first: its target counts without it.
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

  /// Makes a line for each section that items move out of.
  ///
  /// - Returns: For each move, the section after the stage that its item leaves and the item's
  ///   position among those that leave it; `nil` if that section is deleted.
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
  /// How many of the paths are before a path, in its section.
  func countBeforeInSection(_ path: ItemPath) -> Int {
    count(below: path) - count(below: ItemPath(section: path.section, item: .min))
  }
}
