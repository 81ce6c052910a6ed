import ListModel
import ListOrder

/// Divides a net change into the fewest legal stages.
///
/// All deletions are in the first stage. So during every later stage the view asks only for items
/// that the list after the update has, and that list can answer all its questions.
///
/// - Complexity: O(*k* log *k*), *k* operations.
/// - SeeAlso: ``LegalityRule`` for what a stage may not hold.
struct StagePlan {
  private let net: NetChange
  /// The positions of the survivors in the order before.
  private let survivorsInOldOrder: [Int]

  static func stages(for net: NetChange) -> [Stage] {
    let plan = StagePlan(net)
    return (plan.structuralStages() + [plan.contentStage()]).filter { !$0.isEmpty }
  }

  private init(_ net: NetChange) {
    self.net = net
    // Compares numbers: comparing survivors would copy them.
    let places = net.survivors.map(\.old)
    survivorsInOldOrder = places.indices.sorted { places[$0] < places[$1] }
  }

  private func structuralStages() -> [Stage] {
    // In the stage that moves a section nothing else may happen in that section, and items change
    // sections only in a stage without operations on sections.
    var movedLoseItems = false
    var movedChangeOtherwise = false
    for survivor in net.survivors where survivor.moves {
      if !survivor.deletions.isEmpty { movedLoseItems = true }
      if survivor.hasInsertionsOrMoves { movedChangeOtherwise = true }
    }
    let itemsMustWait = net.hasMovesAcrossSections && net.hasSectionOperations
    if !movedLoseItems, !movedChangeOtherwise, !itemsMustWait { return [oneStage()] }
    if !movedLoseItems { return [sectionsAndDeletions(), settledItems()] }
    if !net.hasMovesAcrossSections || net.deleteSections.isEmpty {
      return [itemsAndDeletions(), settledSections()]
    }
    return [deletions(), settledSections(withItems: false), settledItems()]
  }

  private func oneStage() -> Stage {
    var stage = Stage()
    stage.deleteSections = net.deleteSections
    stage.insertSections = net.insertSections
    stage.moveSections = sectionMoves { $0.old }
    stage.deleteItems = net.deleteItems
    stage.insertItems = net.insertItems
    stage.moveItems = net.moveItems
    stage.counts = countsAfter()
    return stage
  }

  // MARK: Sections first

  /// The stage that deletes sections and items, and inserts and moves sections.
  private func sectionsAndDeletions() -> Stage {
    var stage = Stage()
    stage.deleteSections = net.deleteSections
    stage.insertSections = net.insertSections
    stage.moveSections = sectionMoves { $0.old }
    stage.deleteItems = net.deleteItems
    stage.counts = countsWithSettledSections()
    return stage
  }

  /// The stage that inserts and moves items, after the sections have got their places.
  private func settledItems() -> Stage {
    var stage = Stage()
    stage.insertItems = net.insertItems
    stage.moveItems = net.moveItems.map { move in
      guard let survivor = survivor(atOldIndex: move.from.section) else { return move }
      let gone = survivor.deletions.partitioningIndex { $0 >= move.from.item }
      return Stage.Move(
        from: ItemPath(section: survivor.new, item: move.from.item - gone), to: move.to)
    }
    stage.counts = countsAfter()
    return stage
  }

  // MARK: Items first

  /// The stage that deletes sections and items, and inserts and moves items.
  private func itemsAndDeletions() -> Stage {
    var stage = deletions()
    func settled(_ path: ItemPath) -> ItemPath {
      guard let survivor = survivor(atNewIndex: path.section) else { return path }
      return ItemPath(section: indexWithoutDeleted(survivor.old), item: path.item)
    }
    stage.insertItems = net.insertItems.map(settled)
    stage.moveItems = net.moveItems.map { Stage.Move(from: $0.from, to: settled($0.to)) }
    stage.counts = countsInOldOrder { $0.countAfter }
    return stage
  }

  /// The stage that inserts and moves sections, after all deletions.
  ///
  /// - Parameter withItems: Whether an earlier stage has inserted and moved the items.
  /// - Returns: The stage.
  private func settledSections(withItems: Bool = true) -> Stage {
    var stage = Stage()
    stage.insertSections = net.insertSections
    stage.moveSections = sectionMoves { indexWithoutDeleted($0.old) }
    stage.counts = withItems ? countsAfter() : countsWithSettledSections()
    return stage
  }

  private func deletions() -> Stage {
    var stage = Stage()
    stage.deleteSections = net.deleteSections
    stage.deleteItems = net.deleteItems
    stage.counts = countsInOldOrder { net.before[$0.old] - $0.deletions.count }
    return stage
  }

  // MARK: Content

  private func contentStage() -> Stage {
    var stage = Stage()
    stage.reloadItems = net.reloadItems
    stage.reconfigureItems = net.reconfigureItems
    stage.updateSections = net.updateSections
    if !stage.isEmpty { stage.counts = countsAfter() }
    return stage
  }

  // MARK: Index spaces

  private func sectionMoves(from source: (NetChange.SurvivingSection) -> Int) -> [Stage.Move<Int>] {
    var moves: [Stage.Move<Int>] = []
    for survivor in net.survivors where survivor.moves {
      moves.append(Stage.Move(from: source(survivor), to: survivor.new))
    }
    return moves
  }

  private func indexWithoutDeleted(_ old: Int) -> Int {
    old - net.deleteSections.partitioningIndex { $0 >= old }
  }

  private func survivor(atOldIndex old: Int) -> NetChange.SurvivingSection? {
    let position = survivorsInOldOrder.partitioningIndex { net.survivors[$0].old >= old }
    guard position < survivorsInOldOrder.count else { return nil }
    let survivor = net.survivors[survivorsInOldOrder[position]]
    return survivor.old == old ? survivor : nil
  }

  private func survivor(atNewIndex new: Int) -> NetChange.SurvivingSection? {
    let position = net.survivors.partitioningIndex { $0.new >= new }
    guard position < net.survivors.count else { return nil }
    return net.survivors[position].new == new ? net.survivors[position] : nil
  }

  // MARK: Counts

  private func countsAfter() -> SectionCounts { countsInNewOrder(\.countAfter) }

  private func countsWithSettledSections() -> SectionCounts {
    countsInNewOrder { net.before[$0.old] - $0.deletions.count }
  }

  private func countsInNewOrder(_ count: (NetChange.SurvivingSection) -> Int) -> SectionCounts {
    var counts = SectionCounts.Builder(sharing: net.before)
    for segment in net.sections {
      switch segment {
      case .unchanged(let first, let length): counts.append(shared: first..<first + length)
      case .inserted(let items): counts.append(items)
      case .survivor(let position):
        append(net.survivors[position], count, to: &counts)
      }
    }
    return counts.finish()
  }

  private func countsInOldOrder(_ count: (NetChange.SurvivingSection) -> Int) -> SectionCounts {
    var counts = SectionCounts.Builder(sharing: net.before)
    var deleted = net.deleteSections[...]
    var next = 0
    for position in survivorsInOldOrder {
      let survivor = net.survivors[position]
      while let gone = deleted.first, gone < survivor.old {
        counts.append(shared: next..<gone)
        next = gone + 1
        deleted.removeFirst()
      }
      counts.append(shared: next..<survivor.old)
      append(survivor, count, to: &counts)
      next = survivor.old + 1
    }
    for gone in deleted {
      counts.append(shared: next..<gone)
      next = gone + 1
    }
    counts.append(shared: next..<net.before.count)
    return counts.finish()
  }

  private func append(
    _ survivor: NetChange.SurvivingSection, _ count: (NetChange.SurvivingSection) -> Int,
    to counts: inout SectionCounts.Builder
  ) {
    if survivor.hasItemChanges {
      counts.append(count(survivor))
    } else {
      counts.append(shared: survivor.old..<survivor.old + 1)
    }
  }
}
