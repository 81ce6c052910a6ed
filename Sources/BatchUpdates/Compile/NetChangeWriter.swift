import ListModel
import ListOrder

/// Makes the net change from a compiler that has replayed its entries, in one walk over the touched
/// sections.
struct NetChangeWriter {
  private var compiler: LogCompiler
  private let findsNeighbours: Bool
  private var net: NetChange
  /// The items of the section that the walk is in.
  private var places: ContiguousArray<Place> = []
  private var candidates: [IncreasingSubsequence.Candidate] = []

  /// A run of untouched items or a node, at its place after.
  private struct Place {
    /// The number of the touched section that the items come from; -1 for an inserted item.
    var origin: Int
    /// The index before of the first one.
    var old: Int
    /// The index after of the first one.
    var new: Int
    var count: Int
    /// The number of the node; -1 for a run.
    var node: Int
    var hasOtherState = false
  }

  init(_ compiler: consuming LogCompiler, findsNeighbours: Bool) {
    net = NetChange(before: compiler.before)
    self.findsNeighbours = findsNeighbours
    self.compiler = compiler
  }

  mutating func netChange() -> NetChange {
    net.deleteSections = compiler.deletedSections
    net.deleteSections.sortIfNeeded()
    let runs = numberSections()
    writeDeletions()
    for run in runs where run.first < 0 { writeItems(of: ~run.first) }
    sortDeletions()
    writeSections(runs)
    return net
  }

  // MARK: Sections

  /// Gives the touched sections their index after.
  ///
  /// - Returns: The runs of sections in order.
  private mutating func numberSections() -> ContiguousArray<IntegerSequence.Run> {
    let runs = compiler.sections.runs
    var index = 0
    for run in runs {
      if run.first < 0 { compiler.touched[~run.first].new = index }
      index += run.count
    }
    return runs
  }

  /// Chooses the sections that move and writes all sections.
  private mutating func writeSections(_ runs: ContiguousArray<IntegerSequence.Run>) {
    let stays = sectionsThatStay(runs)
    var position = 0
    var index = 0
    for run in runs {
      let number = run.first < 0 ? ~run.first : -1
      if number >= 0, let visibility = compiler.visibility(of: compiler.touched[number]) {
        net.visibilities.append(.init(section: index, visibility: visibility))
      }
      if number >= 0, compiler.touched[number].old < 0 {
        net.insertSections.append(index)
        net.sections.append(.inserted(itemCount: compiler.touched[number].items.count))
        index += 1
        continue
      }
      let moves = stays.map { !$0[position] } ?? false
      position += 1
      if number >= 0 {
        write(compiler.touched[number], moves: moves)
      } else if moves {
        for offset in 0..<run.count { writeMove(of: run.first + offset, to: index + offset) }
      } else {
        net.sections.append(.unchanged(from: run.first, count: run.count))
      }
      index += run.count
    }
  }

  /// Chooses the sections that stay: of the largest sets that may stay, one with the most sections
  /// whose items change, because moving those takes another stage.
  private mutating func sectionsThatStay(
    _ runs: ContiguousArray<IntegerSequence.Run>
  ) -> [Bool]? {
    let needsDeletionsSettled = net.hasMovesAcrossSections && !net.deleteSections.isEmpty
    candidates.removeAll(keepingCapacity: true)
    for run in runs {
      guard run.first < 0 else {
        candidates.append(.init(old: run.first, count: run.count, preference: 0))
        continue
      }
      let section = compiler.touched[~run.first]
      if section.old < 0 { continue }
      let isDirty =
        !section.deletions.isEmpty || (section.hasInsertionsOrMoves && !needsDeletionsSettled)
      candidates.append(.init(old: section.old, count: 1, preference: isDirty ? 1 : 0))
    }
    return IncreasingSubsequence.stays(candidates)
  }

  private mutating func write(_ section: LogCompiler.TouchedSection, moves: Bool) {
    if compiler.looksDifferent(section) { net.updateSections.append(section.new) }
    let survivor = NetChange.SurvivingSection(
      old: section.old, new: section.new, moves: moves, deletions: section.deletions,
      hasInsertionsOrMoves: section.hasInsertionsOrMoves, countAfter: section.items.count)
    if moves || survivor.hasItemChanges {
      net.sections.append(.survivor(net.survivors.count))
      net.survivors.append(survivor)
    } else {
      net.sections.append(.unchanged(from: section.old, count: 1))
    }
  }

  private mutating func writeMove(of old: Int, to new: Int) {
    net.sections.append(.survivor(net.survivors.count))
    net.survivors.append(
      NetChange.SurvivingSection(
        old: old, new: new, moves: true, countAfter: compiler.before[old]))
  }

  // MARK: Deletions

  /// Writes the deleted items of sections that survive.
  private mutating func writeDeletions() {
    for node in compiler.nodes
    where !node.isAlive && node.origin >= 0 && compiler.touched[node.origin].isAlive {
      delete(node.old, from: node.origin)
    }
  }

  private mutating func delete(_ item: Int, from origin: Int) {
    compiler.touched[origin].deletions.append(item)
  }

  private mutating func sortDeletions() {
    var sections: [(old: Int, number: Int)] = []
    for number in compiler.touched.indices where !compiler.touched[number].deletions.isEmpty {
      compiler.touched[number].deletions.sortIfNeeded()
      sections.append((compiler.touched[number].old, number))
    }
    sections.sort { $0.old < $1.old }
    for (old, number) in sections {
      for item in compiler.touched[number].deletions {
        net.deleteItems.append(ItemPath(section: old, item: item))
      }
    }
  }

  // MARK: Items

  private mutating func writeItems(of number: Int) {
    if compiler.touched[number].old < 0 {
      writeItems(ofInserted: number)
      return
    }
    readPlaces(of: number)
    let stays = itemsThatStay(in: number)
    let section = compiler.touched[number].new
    var position = 0
    for index in places.indices {
      let place = places[index]
      let path = ItemPath(section: section, item: place.new)
      guard place.origin >= 0 else {
        net.insertItems.append(path)
        compiler.touched[number].hasInsertionsOrMoves = true
        continue
      }
      if place.origin != number {
        net.hasMovesAcrossSections = true
        writeMove(of: place, from: place.origin, to: number)
      } else {
        if let stays, !stays[position] { writeMove(of: place, from: number, to: number) }
        position += 1
      }
      if place.node >= 0 { writeContent(of: index, at: path) }
    }
    if findsNeighbours { writeNeighbours(of: number) }
  }

  /// Writes the items that an inserted section took from other sections as deleted there.
  private mutating func writeItems(ofInserted number: Int) {
    for run in compiler.touched[number].items.runs {
      let node = compiler.nodes[~run.first]
      if node.origin >= 0, compiler.touched[node.origin].isAlive {
        delete(node.old, from: node.origin)
      }
    }
  }

  private mutating func readPlaces(of number: Int) {
    let runs = compiler.touched[number].items.runs
    places.removeAll(keepingCapacity: true)
    places.reserveCapacity(runs.count)
    var new = 0
    for run in runs {
      if run.first >= 0 {
        places.append(
          Place(origin: number, old: run.first, new: new, count: run.count, node: -1))
      } else {
        let node = compiler.nodes[~run.first]
        // An item from a deleted section is a new item for the view.
        let origin = node.origin >= 0 && compiler.touched[node.origin].isAlive ? node.origin : -1
        places.append(Place(origin: origin, old: node.old, new: new, count: 1, node: ~run.first))
      }
      new += run.count
    }
  }

  /// Chooses the items that stay.
  ///
  /// Of the largest sets that may stay it takes one with the most untouched items. Of these it
  /// takes one with the most items whose index is the same after, so that few items move onto their
  /// own index.
  private mutating func itemsThatStay(in number: Int) -> [Bool]? {
    candidates.removeAll(keepingCapacity: true)
    let touched = places.count + 1
    for place in places where place.origin == number {
      candidates.append(
        .init(
          old: place.old, count: place.count,
          preference: (place.node < 0 ? 0 : -touched) + (place.old == place.new ? 1 : 0)))
    }
    return IncreasingSubsequence.stays(candidates)
  }

  private mutating func writeMove(of place: Place, from origin: Int, to number: Int) {
    compiler.touched[origin].hasInsertionsOrMoves = true
    compiler.touched[number].hasInsertionsOrMoves = true
    let before = compiler.touched[origin].old
    let after = compiler.touched[number].new
    for offset in 0..<place.count {
      net.moveItems.append(
        Stage.Move(
          from: ItemPath(section: before, item: place.old + offset),
          to: ItemPath(section: after, item: place.new + offset)))
    }
  }

  private mutating func writeContent(of index: Int, at path: ItemPath) {
    let node = compiler.nodes[places[index].node]
    switch compiler.difference(of: node) {
    case .cell: net.reloadItems.append(path)
    case .content: net.reconfigureItems.append(path)
    case .none:
      if node.isTouched { net.reconfigureItems.append(path) }
      return
    }
    places[index].hasOtherState = true
  }

  // MARK: Neighbours

  private mutating func writeNeighbours(of number: Int) {
    let section = compiler.touched[number].new
    for index in places.indices where places[index].origin >= 0 {
      let place = places[index]
      let changed = changedNeighbours(at: index)
      let last = place.new + place.count - 1
      if place.count == 1 {
        if !changed.isEmpty {
          net.neighbours.append(
            .init(path: ItemPath(section: section, item: place.new), changed: changed))
        }
        continue
      }
      if changed.contains(.previous) {
        net.neighbours.append(
          .init(path: ItemPath(section: section, item: place.new), changed: .previous))
      }
      if changed.contains(.next) {
        net.neighbours.append(.init(path: ItemPath(section: section, item: last), changed: .next))
      }
    }
  }

  private func changedNeighbours(at index: Int) -> NeighbourDependency {
    let place = places[index]
    var changed: NeighbourDependency = []
    if index > 0 {
      let previous = places[index - 1]
      if previous.hasOtherState || previous.origin != place.origin
        || previous.old + previous.count != place.old
      {
        changed.insert(.previous)
      }
    } else if place.old != 0 {
      changed.insert(.previous)
    }
    if index + 1 < places.count {
      let next = places[index + 1]
      if next.hasOtherState || next.origin != place.origin || place.old + place.count != next.old {
        changed.insert(.next)
      }
    } else if place.old + place.count != compiler.before[compiler.touched[place.origin].old] {
      changed.insert(.next)
    }
    return changed
  }
}

extension [Int] {
  /// Sorts the numbers; most arrays are sorted already, and are then not copied.
  fileprivate mutating func sortIfNeeded() {
    for position in indices.dropFirst() where self[position] < self[position - 1] {
      sort()
      return
    }
  }
}
