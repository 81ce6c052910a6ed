package import BatchUpdates
import ListModel

/// What a view does with a stage: the one oracle of legality that tests have.
///
/// It states the rules of `LegalityCheck` and of HeadlessUIKit a second time and shares no code
/// with either. It is slow on purpose: every walk is a loop over every operation, and every item is
/// a cell that is laid out.
package struct LegalityOracle {
  private enum Cell: Hashable {
    /// The cell of the item that was at a path.
    case of(ItemPath)
    case fresh
    case none
  }

  private let question: LegalityQuestion
  private var stage: Stage { question.stage }
  private var before: [Int] { question.before }
  private var after: [Int] { question.after }

  private var reloadSectionTargets: [Int] = []
  private var reloadItemTargets: [ItemPath] = []
  private var goneSections: [Int] = []
  private var arrivedSections: [Int] = []
  private var removedItems: [ItemPath] = []
  private var addedItems: [ItemPath] = []
  private var sectionMoves: [Stage.Move<Int>] = []
  private var itemMoves: [Stage.Move<ItemPath>] = []

  private init(_ question: LegalityQuestion) {
    self.question = question
    for move in stage.moveSections where !sectionMoves.contains(move) { sectionMoves.append(move) }
    for move in stage.moveItems where !itemMoves.contains(move) { itemMoves.append(move) }
  }

  /// How the view ends with a stage.
  package static func outcome(of question: LegalityQuestion) -> LegalityVerdict.Outcome {
    var host = LegalityOracle(question)
    if host.hasMissingPlaces { return .raise }
    host.decompose()
    if host.contradicts || !host.countsAgree(bare: false) { return .raise }
    for section in host.sectionMoves where section.from == section.to {
      for item in host.itemMoves
      where item.from.section == section.from && item.to.section != section.to { return .raise }
    }
    return host.isHazardous ? .unsafe : .ok
  }

  private func exists(_ path: ItemPath, in counts: [Int]) -> Bool {
    counts.indices.contains(path.section) && (0..<counts[path.section]).contains(path.item)
  }

  private var hasMissingPlaces: Bool {
    if (before + after).contains(where: { $0 < 0 }) { return true }
    let sectionsBefore =
      stage.deleteSections + question.reloadSections + stage.moveSections.map(\.from)
    let sectionsAfter = stage.insertSections + stage.updateSections + stage.moveSections.map(\.to)
    let itemsBefore =
      stage.deleteItems + stage.reloadItems + stage.reconfigureItems + stage.moveItems.map(\.from)
    let itemsAfter = stage.insertItems + stage.moveItems.map(\.to)
    return !sectionsBefore.allSatisfy(before.indices.contains)
      || !sectionsAfter.allSatisfy(after.indices.contains)
      || !itemsBefore.allSatisfy { exists($0, in: before) }
      || !itemsAfter.allSatisfy { exists($0, in: after) }
  }

  // MARK: - Reloads

  /// A delete or an insert; a section's item is `Int.max`.
  private func walk(_ start: ItemPath) -> ItemPath {
    let deletes =
      (stage.deleteItems + stage.deleteSections.map { ItemPath(section: $0, item: .max) })
      .sorted(by: >)
    let inserts =
      (stage.insertItems + stage.insertSections.map { ItemPath(section: $0, item: .max) }).sorted()
    var path = start
    for delete in deletes {
      if delete.item == .max {
        if delete.section <= path.section { path.section -= 1 }
      } else if delete.section == path.section, delete.item <= path.item {
        path.item -= 1
      }
    }
    for insert in inserts {
      if insert.item == .max {
        if insert.section <= path.section { path.section += 1 }
      } else if insert.section == path.section, insert.item <= path.item {
        path.item += 1
      }
    }
    return path
  }

  private mutating func decompose() {
    reloadSectionTargets = question.reloadSections.map {
      walk(ItemPath(section: $0, item: -1)).section
    }
    reloadItemTargets = stage.reloadItems.map { walk($0) }
    goneSections = stage.deleteSections + question.reloadSections
    arrivedSections = stage.insertSections + reloadSectionTargets
    removedItems = (stage.deleteItems + stage.reloadItems).filter {
      !goneSections.contains($0.section)
    }
    addedItems = (stage.insertItems + reloadItemTargets).filter {
      !arrivedSections.contains($0.section)
    }
  }

  // MARK: - Raises

  private func repeats<Place: Hashable>(_ places: [Place]) -> Bool {
    Set(places).count < places.count
  }

  private func meet<Place: Hashable>(_ places: [Place], _ others: [Place]) -> Bool {
    !Set(places).isDisjoint(with: others)
  }

  private var contradicts: Bool {
    meet(stage.deleteSections, question.reloadSections)
      || meet(stage.deleteItems, stage.reloadItems)
      || stage.reloadItems.contains { stage.deleteSections.contains($0.section) }
      || !reloadSectionTargets.allSatisfy(after.indices.contains)
      || !reloadItemTargets.allSatisfy { exists($0, in: after) }
      || meet(goneSections, sectionMoves.map(\.from))
      || meet(arrivedSections, sectionMoves.map(\.to))
      || meet(removedItems, itemMoves.map(\.from))
      || meet(addedItems, itemMoves.map(\.to))
      || repeats(sectionMoves.map(\.from)) || repeats(sectionMoves.map(\.to))
      || repeats(itemMoves.map(\.from)) || repeats(itemMoves.map(\.to))
  }

  /// Old section of each new one.
  private func sectionMap(gone: [Int], arrived: [Int]) -> [Int: Int] {
    var map: [Int: Int] = [:]
    for move in sectionMoves { map[move.to] = move.from }
    var stay = before.indices.filter { old in
      !gone.contains(old) && !sectionMoves.contains { $0.from == old }
    }
    for new in after.indices where map[new] == nil && !arrived.contains(new) {
      if !stay.isEmpty { map[new] = stay.removeFirst() }
    }
    return map
  }

  private func countsAgree(bare: Bool) -> Bool {
    guard after.count == before.count - goneSections.count + arrivedSections.count else {
      return false
    }
    let oldOfNew = sectionMap(gone: goneSections, arrived: arrivedSections)
    for (new, old) in oldOfNew {
      let crossing = itemMoves.filter {
        bare ? $0.from.section != $0.to.section : oldOfNew[$0.to.section] != $0.from.section
      }
      let deleted = removedItems.filter { $0.section == old }.count
      let inserted = addedItems.filter { $0.section == new }.count
      let movedOut = crossing.filter { $0.from.section == old }.count
      let movedIn = crossing.filter { $0.to.section == new }.count
      if after[new] != before[old] - deleted + inserted - movedOut + movedIn { return false }
    }
    return true
  }

  // MARK: - Hazards

  private var isHazardous: Bool {
    let movedFrom = sectionMoves.map(\.from)
    let movedTo = sectionMoves.map(\.to)
    let resizes = zip(question.reloadSections, reloadSectionTargets)
      .contains { before[$0] != after[$1] }
    let oldOfNew = sectionMap(gone: goneSections, arrived: arrivedSections)

    return repeats(goneSections) || repeats(arrivedSections) || repeats(removedItems)
      || repeats(addedItems)
      || itemMoves.contains {
        goneSections.contains($0.from.section) || arrivedSections.contains($0.to.section)
          || movedFrom.contains($0.from.section) || movedTo.contains($0.to.section)
      }
      || removedItems.contains { movedFrom.contains($0.section) }
      || addedItems.contains { movedTo.contains($0.section) }
      || (!stage.reconfigureItems.isEmpty && (stage.isStructural || resizes))
      || !countsAgree(bare: true)
      || stage.reloadItems.contains { path in
        oldOfNew.contains { $0.value == path.section && path.item >= after[$0.key] }
      }
      || layout != truth
  }

  /// The cells as the view lays them out, reloads taken apart.
  private var layout: [[Cell]] {
    cells(gone: goneSections, arrived: arrivedSections, removed: removedItems, added: addedItems)
  }

  /// The cells as they ought to be: reloads change no place.
  private var truth: [[Cell]] {
    cells(
      gone: stage.deleteSections, arrived: stage.insertSections,
      removed: stage.deleteItems, added: stage.insertItems
    ).map { section in
      section.map { cell in
        guard case .of(let path) = cell else { return cell }
        let isReloaded =
          stage.reloadItems.contains(path) || question.reloadSections.contains(path.section)
        return isReloaded ? .fresh : cell
      }
    }.enumerated().map { new, section in
      let old = sectionMap(gone: stage.deleteSections, arrived: stage.insertSections)[new]
      // A reloaded section may have got another count: all of it is fresh.
      return old.map(question.reloadSections.contains) == true
        ? Array(repeating: .fresh, count: section.count) : section
    }
  }

  private func cells(
    gone: [Int], arrived: [Int], removed: [ItemPath], added: [ItemPath]
  ) -> [[Cell]] {
    let oldOfNew = sectionMap(gone: gone, arrived: arrived)
    var cells = after.map { [Cell?](repeating: nil, count: $0) }
    for path in added { cells[path.section][path.item] = .fresh }
    for move in itemMoves { cells[move.to.section][move.to.item] = .of(move.from) }
    for new in after.indices {
      guard let old = oldOfNew[new] else {
        cells[new] = cells[new].map { _ in .fresh }
        continue
      }
      var stay = (0..<before[old]).map { ItemPath(section: old, item: $0) }.filter { path in
        !removed.contains(path) && !itemMoves.contains { $0.from == path }
      }
      for slot in cells[new].indices where cells[new][slot] == nil {
        cells[new][slot] = stay.isEmpty ? Cell.none : .of(stay.removeFirst())
      }
    }
    return cells.map { $0.map { $0 ?? .none } }
  }
}
