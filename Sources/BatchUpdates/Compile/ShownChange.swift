import ListModel
import ListOrder

extension NetChange {
  /// The change for a view that does not show hidden sections.
  ///
  /// A section that becomes shown is inserted with its items, and one that becomes hidden is
  /// deleted. Changes inside hidden sections are left out. An item that leaves a hidden section is
  /// inserted, and one that enters a hidden section is deleted.
  ///
  /// - Parameters:
  ///   - hiddenBefore: Indexes before, ascending.
  ///   - hiddenAfter: Indexes after, ascending.
  /// - Returns: The change, with indexes that count only shown sections.
  /// - Complexity: O((*k* + *h*) log (*k* + *h*)), *k* operations, *h* hidden sections.
  func shown(hiddenBefore: [Int], hiddenAfter: [Int]) -> NetChange {
    if hiddenBefore.isEmpty, hiddenAfter.isEmpty { return self }
    var change = ShownChange(
      self, before: HiddenSections(hiddenBefore), after: HiddenSections(hiddenAfter))
    return change.netChange()
  }
}

/// Rewrites a net change for a view that does not show hidden sections.
private struct ShownChange {
  private let whole: NetChange
  private let before: HiddenSections
  private let after: HiddenSections
  private var net: NetChange
  /// The sections after, in order.
  private var parts: [Part] = []
  /// The survivors that are shown before and after, by their positions in the whole change.
  private var survivors: [Int: NetChange.SurvivingSection] = [:]
  private let survivorsByOldIndex: [Int]
  /// The targets, as paths in the list, of moves that are insertions for the view.
  private var arrivals: Set<ItemPath> = []

  /// Consecutive sections after; indexes are those of the view.
  private enum Part {
    /// Unchanged sections from an index before on.
    case run(old: Int, count: Int)
    /// The survivor at a position in the whole change.
    case survivor(Int)
    case inserted(itemCount: Int)
  }

  init(_ whole: NetChange, before: HiddenSections, after: HiddenSections) {
    self.whole = whole
    self.before = before
    self.after = after
    net = NetChange(before: whole.before.shown(before))
    survivorsByOldIndex = whole.survivors.indices.sorted {
      whole.survivors[$0].old < whole.survivors[$1].old
    }
  }

  mutating func netChange() -> NetChange {
    net.deleteSections = whole.deleteSections.compactMap(before.shownIndex)
    readSections()
    net.deleteSections.sort()
    writeItems()
    writeContent()
    writeSections()
    return net
  }

  // MARK: Sections

  private mutating func readSections() {
    var new = 0
    for segment in whole.sections {
      switch segment {
      case .inserted(let items):
        insert(at: new, itemCount: items)
        new += 1
      case .survivor(let position):
        let survivor = whole.survivors[position]
        if let old = before.shownIndex(of: survivor.old), let shown = after.shownIndex(of: new) {
          parts.append(.survivor(position))
          survivors[position] = NetChange.SurvivingSection(
            old: old, new: shown, deletions: survivor.deletions, countAfter: survivor.countAfter)
        } else {
          flip(old: survivor.old, new: new, itemCount: survivor.countAfter)
        }
        new += 1
      case .unchanged(let first, let count):
        readRun(from: first, to: new, count: count)
        new += count
      }
    }
  }

  /// Splits a run of untouched sections at those that are hidden before or after.
  private mutating func readRun(from old: Int, to new: Int, count: Int) {
    var offset = 0
    while offset < count {
      let first = (old: old + offset, new: new + offset)
      if let shown = before.shownIndex(of: first.old), !after.contains(first.new) {
        let length = min(
          before.next(in: first.old..<old + count) - first.old,
          after.next(in: first.new..<new + count) - first.new)
        parts.append(.run(old: shown, count: length))
        offset += length
      } else {
        flip(old: first.old, new: first.new, itemCount: whole.before[first.old])
        offset += 1
      }
    }
  }

  /// A section that is hidden before, after, or both.
  private mutating func flip(old: Int, new: Int, itemCount: Int) {
    if let shown = before.shownIndex(of: old) {
      net.deleteSections.append(shown)
    } else {
      insert(at: new, itemCount: itemCount)
    }
  }

  private mutating func insert(at new: Int, itemCount: Int) {
    guard let shown = after.shownIndex(of: new) else { return }
    net.insertSections.append(shown)
    parts.append(.inserted(itemCount: itemCount))
  }

  /// Whether a section before is shown before and after.
  private func staysShown(old: Int) -> Bool {
    before.shownIndex(of: old).map { !net.deleteSections.holds($0) } ?? false
  }

  /// Whether a section after is shown before and after.
  private func staysShown(new: Int) -> Bool {
    after.shownIndex(of: new).map { !net.insertSections.holds($0) } ?? false
  }

  // MARK: Items

  private mutating func writeItems() {
    net.deleteItems = whole.deleteItems.compactMap { staysShown(old: $0.section) ? old($0) : nil }
    for path in whole.insertItems where staysShown(new: path.section) { insert(path) }
    var hasDepartures = false
    for move in whole.moveItems {
      switch (staysShown(old: move.from.section), staysShown(new: move.to.section)) {
      case (true, true): write(move)
      case (false, true):
        insert(move.to)
        arrivals.insert(move.to)
      case (true, false):
        hasDepartures = true
        net.deleteItems.append(old(move.from))
        if let position = position(ofOld: move.from.section) {
          survivors[position]?.deletions.append(move.from.item)
        }
      case (false, false): break
      }
    }
    if !arrivals.isEmpty { net.insertItems.sort() }
    if hasDepartures {
      net.deleteItems.sort()
      for position in survivors.keys { survivors[position]?.deletions.sort() }
    }
  }

  private mutating func insert(_ path: ItemPath) {
    net.insertItems.append(new(path))
    note(position(ofNew: path.section))
  }

  private mutating func write(_ move: Stage.Move<ItemPath>) {
    net.moveItems.append(Stage.Move(from: old(move.from), to: new(move.to)))
    let source = position(ofOld: move.from.section)
    let target = position(ofNew: move.to.section)
    if source != target { net.hasMovesAcrossSections = true }
    note(source)
    note(target)
  }

  private mutating func note(_ position: Int?) {
    if let position { survivors[position]?.hasInsertionsOrMoves = true }
  }

  private mutating func writeContent() {
    func shown(_ paths: [ItemPath]) -> [ItemPath] {
      paths.compactMap {
        staysShown(new: $0.section) && !arrivals.contains($0) ? new($0) : nil
      }
    }
    net.reloadItems = shown(whole.reloadItems)
    net.reconfigureItems = shown(whole.reconfigureItems)
    net.updateSections = whole.updateSections.compactMap {
      staysShown(new: $0) ? after.shownIndex(of: $0) : nil
    }
    net.neighbours = whole.neighbours.compactMap { neighbour in
      shown([neighbour.path]).first.map { .init(path: $0, changed: neighbour.changed) }
    }
  }

  // MARK: Order

  /// Chooses the sections that move.
  ///
  /// The view may need fewer moves than the list: a section that moved past hidden sections only
  /// does not move in the view.
  private mutating func writeSections() {
    let stays = sectionsThatStay()
    var place = 0
    var index = 0
    for part in parts {
      switch part {
      case .inserted(let items):
        net.sections.append(.inserted(itemCount: items))
        index += 1
        continue
      case .run(let old, let count):
        if stays?[place] ?? true {
          net.sections.append(.unchanged(from: old, count: count))
        } else {
          for offset in 0..<count {
            write(
              NetChange.SurvivingSection(
                old: old + offset, new: index + offset, moves: true,
                countAfter: net.before[old + offset]))
          }
        }
        index += count
      case .survivor(let position):
        if var survivor = survivors[position] {
          survivor.moves = stays.map { !$0[place] } ?? false
          if survivor.moves || survivor.hasItemChanges {
            write(survivor)
          } else {
            net.sections.append(.unchanged(from: survivor.old, count: 1))
          }
        }
        index += 1
      }
      place += 1
    }
  }

  private mutating func write(_ survivor: NetChange.SurvivingSection) {
    net.sections.append(.survivor(net.survivors.count))
    net.survivors.append(survivor)
  }

  private func sectionsThatStay() -> [Bool]? {
    guard whole.survivors.contains(where: \.moves) else { return nil }
    let needsDeletionsSettled = net.hasMovesAcrossSections && !net.deleteSections.isEmpty
    var candidates: [IncreasingSubsequence.Candidate] = []
    for part in parts {
      switch part {
      case .inserted: break
      case .run(let old, let count):
        candidates.append(.init(old: old, count: count, preference: 0))
      case .survivor(let position):
        guard let survivor = survivors[position] else { continue }
        candidates.append(
          .init(
            old: survivor.old, count: 1,
            preference: survivor.isDirty(deletionsSettled: needsDeletionsSettled) ? 1 : 0))
      }
    }
    return IncreasingSubsequence.stays(candidates)
  }

  // MARK: Places

  /// The path in the view before.
  private func old(_ path: ItemPath) -> ItemPath { before.shownPath(of: path) ?? path }

  /// The path in the view after.
  private func new(_ path: ItemPath) -> ItemPath { after.shownPath(of: path) ?? path }

  private func position(ofOld old: Int) -> Int? {
    let place = survivorsByOldIndex.partitioningIndex { whole.survivors[$0].old >= old }
    guard place < survivorsByOldIndex.count else { return nil }
    let position = survivorsByOldIndex[place]
    return whole.survivors[position].old == old ? position : nil
  }

  private func position(ofNew new: Int) -> Int? {
    let position = whole.survivors.partitioningIndex { $0.new >= new }
    guard position < whole.survivors.count else { return nil }
    return whole.survivors[position].new == new ? position : nil
  }
}

extension [Int] {
  /// Whether an ascending array holds a number.
  fileprivate func holds(_ number: Int) -> Bool {
    let position = partitioningIndex { $0 >= number }
    return position < count && self[position] == number
  }
}
