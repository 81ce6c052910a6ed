import ListModel

/// Lays a net change out in the fewest legal stages.
///
/// All deletions happen in the first stage, so that no later list holds an item that is gone for
/// good: the view can be served from the list after the update throughout.
///
/// - SeeAlso: ``LegalityRule`` for what a stage may not hold.
struct StagePlan {
  private let net: NetChange
  /// Before the update, how many sections below an index are deleted.
  private let deletedSectionsBelow: [Int]
  private var survivorAtOldIndex: [Int?]

  static func stages(for net: NetChange) -> [Stage] {
    let plan = StagePlan(net)
    return (plan.structuralStages() + [plan.contentStage()]).filter { !$0.isEmpty }
  }

  private init(_ net: NetChange) {
    self.net = net
    var below = [Int](repeating: 0, count: net.countsBefore.count + 1)
    for index in net.deleteSections { below[index + 1] = 1 }
    for index in net.countsBefore.indices { below[index + 1] += below[index] }
    deletedSectionsBelow = below
    survivorAtOldIndex = [Int?](repeating: nil, count: net.countsBefore.count)
    for (position, survivor) in net.survivors.enumerated() {
      survivorAtOldIndex[survivor.old] = position
    }
  }

  private func structuralStages() -> [Stage] {
    // A section that moves must be clean in its stage, and items change sections only in a stage
    // without operations on sections.
    let moved = net.survivors.filter(\.moves)
    let movedLoseItems = moved.contains { !$0.deletions.isEmpty }
    let movedChangeOtherwise = moved.contains(where: \.hasInsertionsOrMoves)
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
    stage.counts = SectionCounts(net.countsAfter)
    return stage
  }

  // MARK: Sections first

  /// Deletes everything that goes, and settles the sections.
  private func sectionsAndDeletions() -> Stage {
    var stage = Stage()
    stage.deleteSections = net.deleteSections
    stage.insertSections = net.insertSections
    stage.moveSections = sectionMoves { $0.old }
    stage.deleteItems = net.deleteItems
    stage.counts = SectionCounts(countsWithSettledSections())
    return stage
  }

  /// Inserts and moves items; sections stand where they will, deleted items are gone.
  private func settledItems() -> Stage {
    var stage = Stage()
    stage.insertItems = net.insertItems
    stage.moveItems = net.moveItems.map { move in
      guard let position = survivorAtOldIndex[move.from.section] else { return move }
      let survivor = net.survivors[position]
      let gone = survivor.deletions.partitioningIndex(from: move.from.item)
      return Stage.ItemMove(
        from: ItemPath(section: survivor.new, item: move.from.item - gone), to: move.to)
    }
    stage.counts = SectionCounts(net.countsAfter)
    return stage
  }

  // MARK: Items first

  /// Deletes everything that goes, and settles the items in the surviving sections.
  private func itemsAndDeletions() -> Stage {
    var stage = deletions()
    let sectionAtNewIndex = Dictionary(
      uniqueKeysWithValues: net.survivors.map { ($0.new, indexWithoutDeleted($0.old)) })
    func settled(_ path: ItemPath) -> ItemPath {
      ItemPath(section: sectionAtNewIndex[path.section] ?? path.section, item: path.item)
    }
    stage.insertItems = net.insertItems.map(settled)
    stage.moveItems = net.moveItems.map { Stage.ItemMove(from: $0.from, to: settled($0.to)) }
    stage.counts = SectionCounts(countsInOldOrder { net.countsAfter[$0.new] })
    return stage
  }

  /// Inserts and moves sections; the deleted ones are gone.
  ///
  /// - Parameter withItems: Whether the items in the surviving sections are settled by then.
  /// - Returns: The stage.
  private func settledSections(withItems: Bool = true) -> Stage {
    var stage = Stage()
    stage.insertSections = net.insertSections
    stage.moveSections = sectionMoves { indexWithoutDeleted($0.old) }
    stage.counts = SectionCounts(withItems ? net.countsAfter : countsWithSettledSections())
    return stage
  }

  private func deletions() -> Stage {
    var stage = Stage()
    stage.deleteSections = net.deleteSections
    stage.deleteItems = net.deleteItems
    stage.counts = SectionCounts(
      countsInOldOrder { net.countsBefore[$0.old] - $0.deletions.count })
    return stage
  }

  // MARK: Content

  private func contentStage() -> Stage {
    var stage = Stage()
    stage.reloadItems = net.reloadItems
    stage.reconfigureItems = net.reconfigureItems
    stage.updateSections = net.updateSections
    stage.counts = SectionCounts(net.countsAfter)
    return stage
  }

  // MARK: Index spaces

  private func sectionMoves(from source: (NetChange.SurvivingSection) -> Int) -> [Stage.SectionMove]
  {
    net.survivors.filter(\.moves).map { Stage.SectionMove(from: source($0), to: $0.new) }
  }

  private func indexWithoutDeleted(_ old: Int) -> Int { old - deletedSectionsBelow[old] }

  private func countsWithSettledSections() -> [Int] {
    var counts = net.countsAfter
    for survivor in net.survivors {
      counts[survivor.new] = net.countsBefore[survivor.old] - survivor.deletions.count
    }
    return counts
  }

  private func countsInOldOrder(_ count: (NetChange.SurvivingSection) -> Int) -> [Int] {
    survivorAtOldIndex.compactMap { $0.map { count(net.survivors[$0]) } }
  }
}

extension [Int] {
  /// How many of these ascending numbers are below a bound.
  fileprivate func partitioningIndex(from bound: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
